"""The contracts of import-linter hold, and fail when an import against the direction is planted."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ONE_WAY = "imports go one way, from the command line down to the errors"
NO_TERMINAL = "only the command line talks to a terminal"


@pytest.fixture
def copy(tmp_path):
    """A copy of the project that may be spoiled."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "stringless", tmp_path / "stringless", ignore=ignored)
    return tmp_path


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("lint-imports")
    environment = os.environ | {"PYTHONPATH": str(folder), "NO_COLOR": "1", "COLUMNS": "200"}
    command = [program, "--no-cache"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def plant(folder: Path, file: str, line: str) -> None:
    path = folder / "stringless" / file
    path.parent.mkdir(exist_ok=True)
    path.write_text((path.read_text() if path.exists() else "") + f"\n{line}\n")


def test_contracts_hold(copy):
    done = lint(copy)

    assert done.returncode == 0, done.stdout
    assert f"{ONE_WAY} KEPT" in done.stdout
    assert f"{NO_TERMINAL} KEPT" in done.stdout


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("spatial/vec3.py", "from stringless.model import Model"),
        ("model/model.py", "import stringless.simulation"),
        ("jit.py", "def late():\n    from stringless.dynamics import kernels"),
        ("errors.py", "import stringless.jit"),
        ("simulation/__init__.py", "import stringless.formats"),
    ],
)
def test_upward_import_is_found(copy, file, line):
    plant(copy, file, line)

    done = lint(copy)

    assert done.returncode != 0
    assert f"{ONE_WAY} BROKEN" in done.stdout


def test_package_without_a_place_is_found(copy):
    plant(copy, "newcomer/__init__.py", "")

    done = lint(copy)

    assert done.returncode != 0
    assert "newcomer" in done.stdout


def test_terminal_outside_the_command_line_is_found(copy):
    plant(copy, "dynamics/__init__.py", "import rich.console")

    done = lint(copy)

    assert done.returncode != 0
    assert f"{NO_TERMINAL} BROKEN" in done.stdout


ENGINE_BY_NAME = re.compile(r"config\.engine\s*[!=]=\s*[\"']|isinstance\([^)]*Engine\b|engine\.name\s*[!=]=")
KEPT = {"simulation/simulation.py"}
"""Where names of earlier versions say which engine they mean."""


def test_engines_are_asked_what_they_support_and_not_who_they_are():
    package = ROOT / "src" / "stringless"
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if path.relative_to(package).parts[0] != "engines" and ENGINE_BY_NAME.search(path.read_text(encoding="utf-8"))
    }
    assert found == KEPT
