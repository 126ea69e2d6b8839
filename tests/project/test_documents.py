"""What the documents say is true: examples run, links lead somewhere, named commands exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stringless.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
THEORY = sorted((ROOT / "docs" / "theory").glob("*.md"))
SOURCES = sorted(path for part in ("src", "tests") for path in (ROOT / part).rglob("*.py") if path != Path(__file__))
SECTION = r"\d+(?:\.\d+)*"
CITATION = re.compile(rf"docs/theory/([\w-]+)\.md(?:, sections? ({SECTION}(?:(?:, | and ){SECTION})*))?")


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


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def headings(path: Path) -> list[str]:
    prose = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^#+ (.*)$", prose, re.MULTILINE)


def anchors(path: Path) -> set[str]:
    """As GitHub makes them of headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings(path)}


def sections(path: Path) -> set[str]:
    return {heading.split()[0] for heading in headings(path) if re.match(SECTION, heading)}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_lead_to_files_and_headings(path):
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", path.read_text(encoding="utf-8")):
        file = path.parent / target if target else path
        assert file.exists(), f"{path.name} links to {target}"
        assert not anchor or anchor in anchors(file), f"{path.name} links to {target}#{anchor}"


# --- theory -----------------------------------------------------------------------------------------------------------


def citations() -> list[tuple[str, str, list[str]]]:
    """Every place in the sources that names a page of the theory: the file, the page, the sections."""
    found = []
    for path in SOURCES:
        text = re.sub(r"\n\s*(?:# )?", " ", path.read_text(encoding="utf-8"))  # a citation may go over two lines
        for page, numbers in CITATION.findall(text):
            found.append((name_of(path), f"{page}.md", re.findall(SECTION, numbers)))
    return found


def test_sections_of_the_theory_that_sources_cite_exist():
    known = {path.name: sections(path) for path in THEORY}
    cited = citations()

    assert len(cited) > 30
    for file, page, numbers in cited:
        assert page in known, f"{file} cites docs/theory/{page}"
        assert numbers, f"{file} cites no section of docs/theory/{page}"
        assert set(numbers) <= known[page], f"{file} cites docs/theory/{page}, sections {numbers}"


def test_sources_cite_no_notes_that_are_not_here():
    for path in SOURCES:
        assert not re.search(r"physics\s+notes", path.read_text(encoding="utf-8"), re.IGNORECASE), name_of(path)


@pytest.mark.parametrize("path", THEORY, ids=name_of)
def test_equations_and_sections_named_in_the_theory_exist(path):
    text = path.read_text(encoding="utf-8")
    prose = " ".join(re.sub(r"\$\$.*?\$\$|^\|.*?$", "", text, flags=re.MULTILINE | re.DOTALL).split())
    tags = {page.name: re.findall(r"\\tag\{([\d.]+)\}", page.read_text(encoding="utf-8")) for page in THEORY}

    assert len(tags[path.name]) == len(set(tags[path.name]))
    assert {tag.split(".")[0] for tag in tags[path.name]} <= sections(path)
    for page, equation in re.findall(r"(?:\]\(([\w-]+\.md)\), eq\. )?\((\d+\.\d+)\)", prose):
        assert equation in tags[page or path.name], f"eq. ({equation}) of {page or path.name}"
    for page, section in re.findall(rf"\]\(([\w-]+\.md)\), section ({SECTION})", prose):
        assert section in sections(path.parent / page), f"section {section} of {page}"
    for section in re.findall(rf"\(section ({SECTION})", prose):
        assert section in sections(path), f"section {section}"


def walk() -> list[str]:
    """The files of the walk through the program, in order."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## The walk\n")[2].partition("\n## ")[0]
    stops = re.findall(r"^(\d+)\. `([\w./]+)`: ", text, re.MULTILINE)
    assert [int(number) for number, _ in stops] == list(range(1, len(stops) + 1))
    return [name for _, name in stops]


def test_the_walk_through_the_program_is_short_and_goes_one_way():
    names = walk()

    assert 40 < len(names) <= 60
    assert len(set(names)) == len(names)
    for name in names:
        assert (ROOT / "src" / "stringless" / name).is_file() or (ROOT / "page" / "src" / name).is_file(), name


STEP = """
import sys
from pathlib import Path
import stringless as sl
import stringless.engines.reduced.engine, stringless.scenes, stringless.simulation

entered = set()
sys.setprofile(lambda frame, event, argument: entered.add(frame.f_code.co_filename))
sim = sl.Simulation(sl.load("worm", above=-0.01))
sim.director.drag("bone_0", (0.1, 0.2, 0.0))
sim.state.x[:, 1] *= 2.0
sim.step()
sys.setprofile(None)
folder = Path(sl.__file__).parent
print(*(Path(name).relative_to(folder) for name in entered if Path(name).is_relative_to(folder)))
"""
"""Written so that the worm touches the floor and is stretched beyond the range of its material's plain form."""
DECLARED = {"engines/reduced/records.py"}
"""Stops that hold nothing but declarations."""


def test_the_walk_leads_where_the_program_goes():
    names = walk()
    command = [sys.executable, "-W", "ignore", "-c", STEP]
    done = subprocess.run(
        command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    missed = {*names[: names.index("timeline/take.py")]} - DECLARED - {*done.stdout.split()}
    assert not missed


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_files_named_in_documents_exist(path):
    text = path.read_text(encoding="utf-8")
    for name in re.findall(r"`((?:src|tests|tools|docs|requirements|\.ci)/[\w./-]+)`", text):
        assert (ROOT / name).exists(), f"{path.name} names {name}"
