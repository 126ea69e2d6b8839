"""The studio's page is built from its sources alone, carries nothing from elsewhere, and travels in every distribution."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import hatch_build

ROOT = Path(__file__).resolve().parents[2]
FREE = {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0", "OFL-1.1"}
"""Licences of what may go into the page: none of them reaches out for the rest of it."""
NAMES = re.compile(rb"https?://([A-Za-z0-9.-]+)")
SPOKEN = {b"www.w3.org", b"www.webmproject.org", b"aomediacodec.github.io"}
"""Hosts that stand in names of things, as in XML, or in messages; nobody asks them for anything."""


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """The sources alone, without anything built or fetched."""
    folder = tmp_path_factory.mktemp("clone")
    made = {str(ROOT / hatch_build.BUILT), str(ROOT / "page" / "node_modules")}

    def leave(parent, names):
        return [name for name in names if name == "__pycache__" or f"{parent}/{name}" in made]

    for name in ("page", "src"):
        shutil.copytree(ROOT / name, folder / name, ignore=leave)
    for name in ("hatch_build.py", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture(scope="module")
def built(clone):
    """The page, built from that; only packages that are here already are not fetched again."""
    assert hatch_build.build(clone)
    return clone / hatch_build.BUILT


def test_the_page_is_built_from_a_clone(built, clone):
    text = (built / "index.html").read_text()
    scripts = re.findall(r'src="(\./assets/[^"]+\.js)"', text)

    assert scripts
    for script in scripts:
        assert (built / script).stat().st_size > 1000
    assert not hatch_build.build(clone), "what is built is not built again"


def test_the_page_asks_nobody_else(built):
    for path in built.rglob("*"):
        if path.is_file() and path.suffix in (".html", ".css", ".js", ".svg"):
            assert set(NAMES.findall(path.read_bytes())) <= SPOKEN, path.name
    html = (built / "index.html").read_text()
    assert not re.search(r"""(src|href)=["'](https?:)?//""", html)


def test_a_change_is_built_and_a_test_is_not(built, clone):
    page = clone / "page"
    (page / "src" / "new.test.ts").write_text("export {};\n")
    assert hatch_build.is_built(clone)

    (page / "src" / "new.ts").write_text("export {};\n")
    assert not hatch_build.is_built(clone)
    (page / "src" / "new.ts").unlink()
    (page / "src" / "new.test.ts").unlink()
    assert hatch_build.is_built(clone)


NEW_COMMAND = """
import { registerCommands } from "./registry";
registerCommands({ id: "extra.wave", title: "Wave", group: "Help", help: "Wave to everybody.", run: () => {} });
"""
NEW_PANEL = """
import { registerPanel } from "../registry";
const Waves = () => <p>Nobody waved yet</p>;
registerPanel({ id: "extra.waves", label: "Waves", icon: "code", help: "All waves.", order: 99, Content: Waves });
"""


def test_a_command_and_a_panel_are_one_new_file_each(built, clone):
    source = clone / "page" / "src"
    files = {
        source / "commands" / "wave.ts": NEW_COMMAND,
        source / "panels" / "inspector" / "Waves.tsx": NEW_PANEL,
    }
    for path, text in files.items():
        path.write_text(text)
    try:
        assert hatch_build.build(clone)
        scripts = "".join(path.read_text() for path in built.rglob("*.js"))
        for words in ("extra.wave", "Wave to everybody.", "extra.waves", "Nobody waved yet"):
            assert words in scripts
    finally:
        for path in files:
            path.unlink()
        assert hatch_build.build(clone)


def test_a_page_that_was_half_built_is_built_again(built, clone):
    index = (built / "index.html").read_text()
    (built / "index.html").unlink()
    assert not hatch_build.is_built(clone)

    (built / "index.html").write_text(index)
    assert hatch_build.is_built(clone)


def test_without_page_and_sources_the_build_says_so(tmp_path):
    with pytest.raises(SystemExit, match="neither a built page in .* nor its sources in .*; get the whole source tree"):
        hatch_build.build(tmp_path)


def build_distributions(clone: Path, folder: Path) -> tuple[Path, Path]:
    """An sdist of the clone and a wheel of that sdist, both made offline."""
    code = "import hatchling.build as b, sys; print(getattr(b, sys.argv[1])(sys.argv[2]))"
    made = []
    source = clone
    for kind in ("build_sdist", "build_wheel"):
        command = [sys.executable, "-c", code, kind, str(folder)]
        done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        made.append(folder / done.stdout.split()[-1])
        if kind == "build_sdist":
            with tarfile.open(made[0]) as archive:
                archive.extractall(folder, filter="data")
            source = folder / made[0].name.removesuffix(".tar.gz")
            assert hatch_build.is_built(source), "an sdist needs no node"
    return made[0], made[1]


def test_sdist_and_wheel_carry_the_page(built, clone, tmp_path):
    sdist, wheel = build_distributions(clone, tmp_path)

    files = {
        f"stringless/studio/page/{path.relative_to(built).as_posix()}" for path in built.rglob("*") if path.is_file()
    }
    assert files <= set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"src/{name}" for name in files} <= names
    assert {"hatch_build.py", "page/package.json", "page/package-lock.json"} <= names
    assert not any("node_modules" in name for name in names)


# --- packages -------------------------------------------------------------------------------------------------------


def lock() -> dict:
    return json.loads((ROOT / "page" / "package-lock.json").read_text())["packages"]


def test_the_lock_names_no_registry():
    text = (ROOT / "page" / "package-lock.json").read_text()

    assert '"resolved": "http' not in text
    addresses = [entry for entry in lock().values() if "://" in json.dumps({**entry, "funding": None})]
    assert not addresses


def test_the_lock_is_exact_and_checked():
    for place, entry in lock().items():
        if place:
            assert re.fullmatch(r"\d+\.\d+\.\d+(-[\w.]+)?", entry["version"]), place
            assert entry["integrity"].startswith("sha512-"), place


def test_the_lock_serves_every_platform():
    places = lock()
    for place, entry in places.items():
        for name in entry.get("optionalDependencies", {}):
            assert f"node_modules/{name}" in places, f"{place} needs {name} on another platform"


def test_what_goes_into_the_page_is_free():
    bundled = hatch_build.bundled(ROOT / "page")

    assert "node_modules/three" in bundled
    for place, entry in bundled.items():
        assert entry.get("license") in FREE, f"{place}: {entry.get('license')}"


def test_the_page_carries_the_licences(built):
    text = (built / hatch_build.NOTICES).read_text()

    for place, entry in hatch_build.bundled(ROOT / "page").items():
        name = place.rpartition("node_modules/")[2]
        assert f"{name} {entry['version']}, {entry['license']}" in text
    assert "Permission is hereby granted" in text
    assert "Mozilla Public License" in text
