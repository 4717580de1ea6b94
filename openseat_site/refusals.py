import logging


class RefusalsAreWarnings(logging.Filter):
    """A request refused for what it holds (a strange Host, too many fields) is no fault of the site.

    Django logs it as an error; whoever watches the log for errors would be woken by any scanner.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security") and record.levelno > logging.WARNING:
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.exc_info = record.exc_text = None
        return True
