"""The browser that the tests and the pictures are made with: found on this machine, or fetched once.

    python tools/browser.py    prints its path

Looked for in this order: what CHROME names, a Chromium or Chrome on the PATH or in /Applications, the one that playwright
has fetched. If there is none, playwright fetches one, or on a Debian, for its administrator, apt-get installs one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
FLAGS = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
"""Draw with the processor: the same picture on every machine, and none needs a graphics card."""
HELP = "Install Chromium or Chrome, or name one: CHROME=/path/to/chromium make test"


def find() -> str | None:
    """Path of a browser on this machine, if there is one."""
    named = os.environ.get("CHROME")
    if named:
        found = shutil.which(named)
        if found is None:
            sys.exit(f"CHROME={named} is not a program; give the path of Chromium or Chrome, or leave it out")
        return found
    for name in (*NAMES, *APPLICATIONS):
        found = shutil.which(name)
        if found:
            return found
    return _fetched()


def _fetched() -> str | None:
    """The one that playwright has fetched."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def provide() -> str:
    """Path of a browser, fetched if there is none."""
    found = find()
    if found:
        return found
    print("no Chromium or Chrome found; fetching one", file=sys.stderr)
    for command in _ways():
        if subprocess.run(command, check=False).returncode == 0:
            found = find()
            if found:
                return found
    sys.exit(f"there is no browser to test the studio with, and none could be fetched. {HELP}")


def _ways() -> list[list[str]]:
    """Programs that bring a browser; an administrator gets the libraries that it needs, too."""
    administrator = os.geteuid() == 0
    options = ["--with-deps"] if administrator else []
    ways = [[sys.executable, "-m", "playwright", "install", *options, "chromium"]]
    if shutil.which("apt-get") and administrator:
        ways += [["apt-get", "update"], ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"]]
    return ways


def flags() -> list[str]:
    """What the browser is started with."""
    return [*FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]


if __name__ == "__main__":
    print(provide())
