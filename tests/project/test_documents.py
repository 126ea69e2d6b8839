"""What the documents say is true: examples run, links lead somewhere, named commands exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stringless.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_readme_example_runs(tmp_path):
    example = blocks(ROOT / "README.md", "python")[0]
    command = [sys.executable, "-W", "error", "-c", example]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    time, energy = map(float, done.stdout.split())
    assert time == pytest.approx(0.5)
    assert energy != 0


EXAMPLES = [
    *blocks(ROOT / "docs" / "adaptive.md", "python"),
    *blocks(ROOT / "docs" / "simulation.md", "python"),
    *blocks(ROOT / "docs" / "directing.md", "python"),
    *blocks(ROOT / "docs" / "editing.md", "python"),
    *blocks(ROOT / "docs" / "stiff.md", "python"),
    *blocks(ROOT / "docs" / "time.md", "python"),
    *blocks(ROOT / "README.md", "python")[1:],
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_of_the_documents_run(example, tmp_path):
    command = [sys.executable, "-W", "error", "-c", example]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr


def test_readme_names_commands_that_exist():
    words = re.findall(r"^stringless (\w+)", "\n".join(blocks(ROOT / "README.md", "sh")), re.MULTILINE)

    assert set(words) == {"scenes", "run", "perform", "save", "project", "check", "bench"}
    for word in words:
        assert CliRunner().invoke(app, [word, "--help"]).exit_code == 0


def test_make_studio_names_no_scene():
    """The studio itself begins with the worm lying on the floor; a scene that is named is opened as it is."""
    makefile = (ROOT / "Makefile").read_text()

    assert re.findall(r"^SCENE \?=(.*)$", makefile, re.MULTILINE) == [""]
    assert "stringless studio $(SCENE)" in makefile


def test_targets_named_in_documents_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {word for path in DOCUMENTS for word in re.findall(r"(?:`|^)make ([a-z]+)", path.read_text(), re.MULTILINE)}

    assert {"studio", "test"} <= named <= targets


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(path):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_files_named_in_documents_exist(path):
    text = path.read_text(encoding="utf-8")
    for name in re.findall(r"`((?:src|tests|tools|docs|requirements|\.ci)/[\w./-]+)`", text):
        assert (ROOT / name).exists(), f"{path.name} names {name}"
