#!/usr/bin/env python
import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "openseat_site.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # A wrong setting is the operator's to mend: one sentence says more than a traceback.
        if isinstance(error.__context__, ImportError):
            raise
        sys.exit(f"openseat: {error}")


if __name__ == "__main__":
    main()
