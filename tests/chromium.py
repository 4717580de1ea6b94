import os
import shutil

# Set in the process that runs the tests of tests/browser, and only there.
CHILD = "OPENSEAT_BROWSER_CHILD"
# Set by the gate: there, a missing browser is a failure.
REQUIRED = "OPENSEAT_REQUIRE_BROWSER"

HOW_TO_GET_ONE = (
    "No Chromium found. Install one (Debian: apt-get install chromium) or name it: CHROMIUM=/path/to/chrome"
)


def find_chromium() -> str | None:
    for name in (
        os.environ.get("CHROMIUM"),
        "/usr/bin/chromium",
        "chromium",
        "chromium-browser",
        "google-chrome",
    ):
        if name and (found := shutil.which(name)):
            return found
    return None
