"""Write the locks in `requirements/`: every package, transitive ones too, at one exact version with its hashes.

    python tools/lock.py            keep the versions that still fit
    python tools/lock.py --upgrade  take the newest ones

One resolution holds for every platform and Python from 3.11 on; what differs carries a marker. The resolver is uv, in
an environment of its own that is thrown away; only this script needs it, a user installs with plain pip. It asks the
index that uv is set to (`UV_DEFAULT_INDEX`), and writes no address into the locks.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESOLVER = "uv>=0.9,<1"
LOCKS = {"dev": ["build", "test", "lint"], "run": ["build"]}
"""Lock and the extras in it. `run` takes its versions from `dev`, so `dev` comes first."""


def main() -> None:
    """Write every lock."""
    parser = argparse.ArgumentParser(description="Write the locks in requirements/.")
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")
    upgrade = parser.parse_args().upgrade
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", RESOLVER], check=True)
        for name, extras in LOCKS.items():
            write(python, name, extras, upgrade)


def write(python: Path, name: str, extras: list[str], upgrade: bool) -> None:
    """Resolve pyproject.toml with `extras` and write `requirements/<name>.txt`."""
    target = ROOT / "requirements" / f"{name}.txt"
    target.parent.mkdir(exist_ok=True)
    command = [python, "-m", "uv", "pip", "compile", "pyproject.toml", "--quiet", "--output-file", target]
    command += ["--universal", "--python-version", "3.11", "--fork-strategy", "fewest"]
    command += ["--generate-hashes", "--no-annotate", "--no-header", "--no-emit-index-url", "--no-emit-find-links"]
    command += [word for extra in extras for word in ("--extra", extra)]
    if name == "run":
        target.unlink(missing_ok=True)
        command += ["--constraint", target.with_name("dev.txt")]
    elif upgrade:
        command.append("--upgrade")
    subprocess.run(command, cwd=ROOT, check=True)
    text = target.read_text()
    if "://" in text:
        sys.exit(f"{target} holds an address; a lock must work behind any index. Remove it from pyproject.toml.")
    pinned = sorted(line.split("==")[0] for line in text.splitlines() if "==" in line and not line.startswith(" "))
    target.write_text(f"# Written by tools/lock.py from pyproject.toml, extras: {', '.join(extras)}.\n{text}")
    print(f"{target.relative_to(ROOT)}: {len(pinned)} packages")


if __name__ == "__main__":
    main()
