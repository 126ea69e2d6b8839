"""Opening anything: by name, by ending; and files that are missing, empty, binary, huge, or hostile."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import types

import numpy as np
import pytest

import stringless
from stringless.errors import InputError, ModelError, Problem, StringlessError
from stringless.formats import read_mjcf, read_toml, read_urdf
from stringless.formats.input import source
from stringless.loader import check, load
from stringless.model import ModelBuilder, Scene
from stringless.simulation.diagnosis import scene_problems

MJCF = '<mujoco model="m"><worldbody><body name="a"><joint/><geom size=".1"/></body></worldbody></mujoco>'
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
URDF = f'<robot name="r"><link name="a">{INERTIAL}</link></robot>'
TOML = '[scene]\nname = "t"\n[[body]]\nname = "a"\n'
READERS = {".xml": (read_mjcf, MJCF), ".urdf": (read_urdf, URDF), ".toml": (read_toml, TOML)}


def only(problems: list[Problem]) -> str:
    assert len(problems) == 1
    return str(problems[0])


@pytest.fixture
def scenes(monkeypatch):
    """Two built-in scenes, whatever the package has."""

    def load_scene(name: str) -> Scene:
        if name == "broken":
            return Scene(ModelBuilder("broken").add_body("a", mass=-1.0).build())
        return Scene(ModelBuilder(name).add_body("a").build())

    module = types.ModuleType("stringless.scenes")
    module.SCENES = {"worm": None, "finger": None, "broken": None}
    module.load_scene = load_scene
    monkeypatch.setitem(__import__("sys").modules, "stringless.scenes", module)
    monkeypatch.setattr(stringless, "scenes", module, raising=False)


# --- what is opened ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        ("x.xml", MJCF, "m"),
        ("x.mjcf", MJCF, "m"),
        ("x.mjcf", URDF, "r"),
        ("x.XML", MJCF, "m"),
        ("x.xml", URDF, "r"),
        ("x.urdf", URDF, "r"),
        ("x.toml", TOML, "t"),
    ],
)
def test_file_is_opened_by_its_ending_and_content(tmp_path, file, text, name):
    path = tmp_path / file
    path.write_text(text)
    for given in (path, str(path)):
        scene = load(given)
        assert scene.name == name
        assert scene.source == path
        assert check(given) == []


def test_name_of_a_scene_without_a_name_is_that_of_its_file(tmp_path):
    path = tmp_path / "creature.xml"
    path.write_text(MJCF.replace(' model="m"', ""))
    assert load(path).name == "creature"


def test_built_in_scene_is_opened_by_name(scenes):
    assert load("worm").name == "worm"
    assert check("worm") == []
    assert "mass -1 kg" in only(check("broken"))


def test_unknown_name_lists_what_there_is(scenes):
    with pytest.raises(InputError) as caught:
        load("wrm")
    assert str(caught.value) == (
        "there is no scene 'wrm', and no file of that name. Did you mean 'worm'? "
        "Scenes: broken, finger, worm. Files end in .toml, .urdf, .xml, .mjcf."
    )
    assert "there is no scene 'wrm'" in only(check("wrm"))


def test_options_reach_the_reader_and_wrong_ones_are_named(tmp_path):
    path = tmp_path / "x.urdf"
    path.write_text(URDF)
    assert load(path, floating=True).model.nv == 6
    with pytest.raises(
        InputError, match=r"option 'flying' does not fit a '.urdf' file; its options: 'floating', 'up', 'mend'"
    ):
        load(path, flying=True)
    toml = tmp_path / "x.toml"
    toml.write_text(TOML)
    with pytest.raises(InputError, match="its options: none"):
        load(toml, floating=True)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("x.xml", "<html/>", "line 1: found root element 'html'; expected 'mujoco' (MJCF) or 'robot' (URDF)"),
        ("x.urdf", MJCF, "found root element 'mujoco'; expected 'robot'"),
        ("x.xml", "<mujoco><body", "line 1, column 9: found broken XML (unclosed token); expected well-formed XML"),
        ("x.urdf", "<robot>\n</robt>", "line 2, column 3: found broken XML (mismatched tag)"),
        ("x.toml", "[scene\n", "line 1, column 7: found broken TOML"),
        ("x.stl", "solid", "ends in '.stl', which cannot be loaded. Files end in .toml, .urdf, .xml, .mjcf"),
        ("x.xacro", "<robot/>", "has macros in it. Expand it with the xacro program"),
        ("x", "text", "ends in '', which cannot be loaded"),
    ],
)
def test_wrong_content_is_an_answer_of_check_and_an_error_of_load(tmp_path, file, text, message):
    path = tmp_path / file
    path.write_text(text)
    assert message in only(check(path))
    with pytest.raises((InputError, ModelError)) as caught:
        load(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_check_tells_errors_and_warnings_of_one_file(tmp_path):
    path = tmp_path / "x.xml"
    path.write_text(
        MJCF.replace("<joint/>", '<joint type="pin"/><site/>').replace('size=".1"', 'size="-1" friction="1"')
    )
    found = check(path)
    assert [problem.severity for problem in found] == ["error", "error", "warning", "warning"]
    said = "\n".join(map(str, found))
    assert all(part in said for part in ("'pin'", "size (-1.0,)", "'site'", "'friction'"))


def test_check_returns_warnings_of_a_good_file(tmp_path):
    path = tmp_path / "x.urdf"
    path.write_text(URDF.replace("</robot>", "<gazebo/></robot>"))
    assert check(path) == list(load(path).warnings)
    assert only(check(path)).startswith("gazebo (line 1): found element 'gazebo'")


# --- files that are no files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", READERS)
def test_missing_file_names_its_neighbours(tmp_path, ending):
    (tmp_path / f"there{ending}").write_text("x")
    gone = tmp_path / f"gone{ending}"
    message = f"there is no file '{gone}'. Files of this kind beside it: 'there{ending}'."
    with pytest.raises(InputError) as caught:
        load(gone)
    assert str(caught.value) == message
    assert message in only(check(gone))
    with pytest.raises(InputError, match="There is no folder"):
        load(tmp_path / "nowhere" / f"x{ending}")


@pytest.mark.parametrize("name", ["folder.toml", "folder.xml", "folder.urdf", "folder"])
def test_folder_is_no_file(tmp_path, name):
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match="is a folder; expected a file"):
        load(tmp_path / name)
    assert "is a folder" in only(check(tmp_path / name))


@pytest.mark.parametrize("ending", READERS)
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "file: found nothing in it; expected the description of a scene"),
        (b" \n\t\n", "file: found nothing in it"),
        (b"\x7fELF\0\0\0\0", "file: found binary data; expected text"),
        (
            b"<a>\n<b x='\xe9'/></a>",
            "line 2, column 7: found byte 0xe9, which is not UTF-8; expected text in UTF-8. Save",
        ),
    ],
)
def test_file_without_text_is_explained(tmp_path, ending, data, message):
    path = tmp_path / f"x{ending}"
    path.write_bytes(data)
    with pytest.raises(ModelError) as caught:
        load(path)
    assert message in str(caught.value)
    assert message in only(check(path))


@pytest.mark.parametrize("ending", READERS)
def test_huge_file_is_refused_without_reading_it(tmp_path, ending, monkeypatch):
    path = tmp_path / f"x{ending}"
    with path.open("wb") as file:
        file.truncate(200 * 2**20)
    with pytest.raises(ModelError, match="file: found 200 MB; expected at most 64 MB"):
        load(path)
    monkeypatch.setattr(source, "MAX_BYTES", 10)
    with pytest.raises(ModelError, match="text: found 0 MB"):
        READERS[ending][0](READERS[ending][1] + "\n")


def test_unreadable_file_is_explained(tmp_path):
    path = tmp_path / ("x" * 300 + ".toml")
    with pytest.raises(InputError, match=r"cannot read '.*\.\.\.x*.toml': File name too long"):
        load(path)
    with pytest.raises(InputError, match=r"cannot read .*null"):
        load("a\0b.toml")
    for wrong in (3, None, b"x.toml"):
        with pytest.raises(InputError, match=f"expected a path or a text, got {type(wrong).__name__}"):
            load(wrong)
        with pytest.raises(InputError, match="expected a path or a text"):
            read_urdf(wrong)


def test_forbidden_file_is_explained(tmp_path, monkeypatch):
    path = tmp_path / "x.toml"
    path.write_text(TOML)

    def refuse(self):
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr(type(path), "read_bytes", refuse)
    assert "Permission denied" in only(check(path))


@pytest.mark.parametrize("ending", READERS)
def test_text_is_taken_in_place_of_a_file(ending):
    reader, text = READERS[ending]
    scene = reader("\n  \n" + text)
    assert scene.source is None
    assert scene.model.body("a").name == "a"
    with pytest.raises(ModelError, match="text has 1 problem"):
        reader("")


VALUES = ["inf", "nan", "0", "-1", "1e308", "1e-320", "x", "", "1 2 3 4 5 6 7", "9" * 400, "true", "0 0 0", "é"]
SAMPLES = [
    (read_toml, TOML + 'mass = 1.0\n[body.joint]\nkind = "ball"\n[[body.shape]]\nkind = "sphere"\nradius = 1.0\n'),
    (read_mjcf, MJCF.replace("<joint/>", '<joint type="ball" pos="1 2 3" range="0 9"/><joint type="slide" ref="1"/>')),
    (
        read_urdf,
        URDF.replace(
            "</robot>",
            '<link name="b"/><joint name="j" type="planar"><parent link="a"/>'
            '<child link="b"/><axis xyz="1 2 3"/><origin rpy="1 2 3"/></joint></robot>',
        ),
    ),
]


@pytest.mark.parametrize("seed", range(150))
@pytest.mark.parametrize("sample", range(3), ids=["toml", "mjcf", "urdf"])
def test_damaged_files_are_refused_or_read_and_nothing_else(sample, seed):
    """Change values and cut or double pieces of a good file: the only failures are those meant for the user."""
    rng = np.random.default_rng(seed)
    reader, text = SAMPLES[sample]
    for _ in range(rng.integers(1, 4)):
        pieces = list(re.finditer(r"= (.*)" if reader is read_toml else r'"([^"]*)"', text))
        at, piece = int(rng.integers(len(text))), pieces[rng.integers(len(pieces))] if pieces else None
        length = int(rng.integers(1, 40))
        if rng.random() < 0.6 and piece:
            text = text[: piece.start(1)] + str(rng.choice(VALUES)) + text[piece.end(1) :]
        elif rng.random() < 0.5:
            text = text[:at] + text[at + length :]
        else:
            text = text[: at + length] + text[at:]
    with contextlib.suppress(StringlessError):
        assert reader(text + "\n").model.body_count > 0


# --- XML --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reader", [read_mjcf, read_urdf])
def test_entities_are_refused_before_they_grow(reader):
    laughs = (
        '<?xml version="1.0"?>\n<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;">]>\n<robot name="&b;"/>'
    )
    with pytest.raises(
        ModelError, match=r"line 2: found a document type declaration \(DOCTYPE\).*Remove the declaration"
    ):
        reader(laughs)
    with pytest.raises(ModelError, match="document type declaration"):
        reader('<!DOCTYPE robot SYSTEM "http://somewhere/robot.dtd"><robot/>')
    with pytest.raises(ModelError, match="undefined entity"):
        reader("<robot>&b;</robot>")


def test_nesting_without_end_is_refused():
    with pytest.raises(ModelError, match="more than 5000 elements inside each other"):
        read_mjcf("<mujoco>" * 200_000)


def test_declared_encodings_are_read(tmp_path):
    for encoding, head in (
        ("latin-1", '<?xml version="1.0" encoding="ISO-8859-1"?>'),
        ("utf-16", ""),
        ("utf-8-sig", ""),
    ):
        path = tmp_path / "x.urdf"
        path.write_bytes((head + URDF.replace('"a"', '"é"')).encode(encoding))
        assert load(path).model.bodies[0].name == "é"


def test_text_ignores_the_encoding_it_declares():
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>' + URDF.replace('"a"', '"é"')
    assert read_urdf(text).model.bodies[0].name == "é"


def test_lines_are_counted_from_the_start_of_the_text():
    with pytest.raises(ModelError, match="line 4, column"):
        read_urdf("\n\n<robot>\n</robt>")
    with pytest.raises(ModelError, match=r"link \(line 4\)"):
        read_urdf("\n\n<robot>\n<link/></robot>")


def test_comments_and_processing_instructions_are_skipped():
    text = URDF.replace("<link", "<!-- a comment --><?pi x?><link")
    assert read_urdf(text).model.body_count == 1


LOOP = """
[scene]
name = "ring"
engine = "stiff"
[[body]]
name = "a"
mass = 1.0
inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]
[body.joint]
kind = "revolute"
axes = [[0.0, 0.0, 1.0]]
[[loop]]
name = "knot"
kind = "point"
body_a = "a"
[loop.place_a]
position = [0.5, 0.0, 0.0]
[loop.place_b]
position = [0.5, 0.0, 0.0]
"""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "[loop.place_b]\nposition = [0.5,",
            "[loop.place_b]\nposition = [2.5,",
            "loop 'knot': found a loop that cannot close, open by 2000 mm; expected 'a' and the ground to meet",
        ),
        (
            "[loop.place_b]\nposition = [0.5, 0.0,",
            "[loop.place_b]\nposition = [0.0, 0.5,",
            "loop 'knot': found a loop open by 707.1 mm; expected 'a' and the ground to meet",
        ),
        ('body_a = "a"', 'body_a = "b"', "loop 'knot': found body 'b', which does not exist"),
        ('engine = "stiff"', 'engine = "stif"', "engine"),
        (
            'engine = "stiff"',
            'engine = "reduced"',
            "loop 'knot': found engine 'reduced', which cannot close loops; expected engine 'stiff'",
        ),
        ('engine = "stiff"', 'engine = "stiff"\ndt = 0.5', "scene: found dt = 0.5 s; expected at most 0.1 s"),
    ],
)
def test_loops_engine_and_step_of_a_file_are_checked(tmp_path, old, new, problem):
    path = tmp_path / "ring.toml"
    path.write_text(LOOP)
    assert check(path) == []
    assert old in LOOP
    path.write_text(LOOP.replace(old, new))
    assert problem in only(check(path))


@pytest.mark.parametrize(
    ("dt", "expected"), [("0.5", "dt = 0.5 s; expected at most 0.1 s"), ("-1.0", "dt = -1 s; expected above 0")]
)
def test_a_wrong_engine_hides_neither_a_wrong_step_nor_an_open_loop(tmp_path, dt, expected):
    path = tmp_path / "ring.toml"
    text = LOOP.replace('engine = "stiff"', f'engine = "stif"\ndt = {dt}')
    path.write_text(text.replace("[loop.place_b]\nposition = [0.5,", "[loop.place_b]\nposition = [2.5,"))
    problems = [str(problem) for problem in check(path)]
    assert len(problems) == 3
    for part in ("engine = 'stif'", f"scene: found {expected}", "loop 'knot': found a loop that cannot close"):
        assert any(part in problem for problem in problems), part


def test_a_wrong_engine_hides_no_wrong_step_of_a_scene_with_flesh(tmp_path):
    path = tmp_path / "soft.toml"
    path.write_text('[scene]\nengine = "stif"\ndt = 0.5\n\n[[flesh]]\nname = "skin"\n')
    assert any("dt = 0.5 s; expected at most 0.1 s" in str(problem) for problem in check(path))


def test_an_engine_that_nobody_knows_is_named(scenes):
    scene = dataclasses.replace(load("worm"), engine="stif")
    assert "engine 'stif'; expected one of: reduced, stiff" in str(scene_problems(scene)[0])
