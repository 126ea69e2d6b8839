"""What pyproject.toml, the locks and the Makefile promise each other."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def pins(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock.read_text(), re.MULTILINE))


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^a-zA-Z0-9-]", each)[0].lower() for each in requirements}


def test_there_are_locks():
    assert [lock.stem for lock in LOCKS] == ["dev", "run"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_lock_is_exact_hashed_and_without_addresses(lock):
    text = lock.read_text()
    entries = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]

    assert "://" not in text
    assert "--index-url" not in text
    assert entries
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry


@pytest.mark.parametrize(
    ("lock", "extras"), [("run", ["build"]), ("dev", ["build", "test", "lint", "peers"])], ids=["run", "dev"]
)
def test_lock_holds_every_requirement(lock, extras):
    wanted = names(PROJECT["dependencies"])
    for extra in extras:
        wanted |= names(PROJECT["optional-dependencies"][extra])

    assert wanted - {"stringless"} <= pins(ROOT / "requirements" / f"{lock}.txt").keys()


def test_locks_agree():
    run, dev = (pins(ROOT / "requirements" / f"{name}.txt") for name in ("run", "dev"))

    assert run.items() <= dev.items()


def test_every_dependency_has_a_reason():
    text = (ROOT / "pyproject.toml").read_text()
    block = text[text.index("\ndependencies = [") : text.index("\n]", text.index("\ndependencies = ["))]

    for line in block.splitlines()[2:]:
        assert re.search(r'",\s+# \w', line), f"say in a comment why: {line.strip()}"


def test_set_up_refuses_a_folder_it_did_not_make(tmp_path):
    (tmp_path / "keep").write_text("mine")
    command = ["sh", "tools/setup.sh", "run"]
    environment = {"VENV": str(tmp_path), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "was not made by this script" in done.stderr
    assert (tmp_path / "keep").read_text() == "mine"


def test_set_up_refuses_an_old_python(tmp_path):
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    environment = {"VENV": str(tmp_path / "venv"), "PYTHON": str(old), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    command = ["sh", "tools/setup.sh", "run"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "is not a Python 3.11 or newer" in done.stderr
    assert not (tmp_path / "venv").exists()
