"""The registry of formats, and formats that come from outside of the package: one file each, and everything knows them."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import stringless as sl
from sessions import RefusedError, studio
from stringless.flesh.generators import sphere
from stringless.formats import registry
from stringless.formats.registry import Format, Option, list_readers, list_suffixes, list_writers, register_reader
from stringless.loader import check
from stringless.plugins import load_plugins
from stringless.studio.files import Uploads, check_name
from stringless.studio.messages import Status, Welcome

HERE = Path(__file__).parents[2]
NAMES = "upper middle lower"


@pytest.fixture
def alone(monkeypatch):
    """What a test registers is forgotten after it."""
    registry.list_formats()  # which registers our own that are found late
    monkeypatch.setattr(registry, "_formats", [*registry._formats])


@pytest.fixture
def package(tmp_path_factory):
    """A folder in which a package of formats is installed; `entry` is what its entry point says."""
    folder = tmp_path_factory.mktemp("site")
    about = folder / "sticks-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: sticks\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[stringless.formats]\nsticks = stick_formats\n")
    (folder / "stick_formats.py").write_bytes((HERE / "stick_formats.py").read_bytes())
    return folder


@pytest.fixture
def installed(package, alone, monkeypatch):
    """This process knows the package."""
    monkeypatch.syspath_prepend(package)
    monkeypatch.delitem(sys.modules, "stick_formats", raising=False)
    load_plugins.cache_clear()
    yield
    load_plugins.cache_clear()
    sys.modules.pop("stick_formats", None)


@pytest.fixture
def figure(tmp_path):
    path = tmp_path / "figure.stick"
    path.write_text(NAMES)
    return path


# --- formats from outside ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("installed")
def test_a_scene_of_another_package_is_loaded_with_its_options(figure):
    scene = sl.load(figure, length=0.5)

    assert [body.name for body in scene.model.bodies] == NAMES.split()
    assert scene.model.body("lower").spec.place.position[1] == -0.5
    assert sl.load(str(figure)).model.body("lower").spec.place.position[1] == -1.0
    assert check(figure) == []
    figure.write_text("upper LOWER")
    assert [str(problem) for problem in check(figure)] == [
        "rod 'LOWER': found a name in capitals; expected small letters."
    ]
    with pytest.raises(
        sl.InputError, match=r"option 'lenght' does not fit a '.stick' file; .* Did you mean 'length'\?"
    ):
        sl.load(figure, lenght=0.5)
    with pytest.raises(sl.InputError, match=r"option 'length' of a '.stick' file is 'long'; expected a number"):
        sl.load(figure, length="long")
    with pytest.raises(sl.InputError, match=r"Files end in .toml, .urdf, .xml, .mjcf, .stick\."):
        sl.load("figure.stik")


@pytest.mark.usefixtures("installed")
def test_a_motion_is_exported_to_a_format_of_another_package(figure, tmp_path):
    sim = sl.Simulation(sl.load(figure))
    sim.advance(0.1)

    sl.export(sim, tmp_path / "a.track")
    sl.export(sim, tmp_path / "b.track", digits=1, order="down")

    a, b = np.loadtxt(tmp_path / "a.track"), np.loadtxt(tmp_path / "b.track")
    np.testing.assert_allclose(a[0], (2.0, 1.0, 0.0), atol=1e-3)
    np.testing.assert_allclose(a[:, ::-1], b, atol=0.0505)
    for options, message in (
        (
            {"digit": 1},
            "option 'digit' does not fit a '.track' file; its options: 'digits', 'order'. Did you mean 'digits'",
        ),
        ({"order": "left"}, "option 'order' of a '.track' file is 'left'; expected 'up' or 'down'"),
        ({"world": False}, "option 'world' does not fit"),
    ):
        with pytest.raises(sl.InputError, match=message):
            sl.export(sim, tmp_path / "c.track", **options)
    with pytest.raises(sl.InputError, match=r"a motion can be exported to: .glb, .html, .track"):
        sl.export(sim, tmp_path / "c.fbx")


@pytest.mark.usefixtures("installed")
def test_a_mesh_of_another_package_is_shape_and_flesh(tmp_path):
    np.savetxt(tmp_path / "ball.tri", sphere().corners.reshape(-1, 9))
    surface, _ = sl.formats.read_surface(tmp_path / "ball.tri", scale=0.5)
    assert surface.volume == pytest.approx(0.125 * sphere().volume)
    (tmp_path / "ball.toml").write_text(
        '[[body]]\nname = "ball"\ndensity = 1000.0\njoint.kind = "free"\n[[body.shape]]\nkind = "mesh"\nfile = "ball.tri"\n'
    )
    scene = sl.load(tmp_path / "ball.toml")
    assert scene.model.bodies[0].spec.mass == pytest.approx(1000 * sphere().volume)
    assert len(scene.model.bodies[0].shapes[0].surface[0]) == sphere().triangles.size


@pytest.mark.usefixtures("installed")
def test_the_studio_opens_takes_and_writes_formats_of_another_package(figure, tmp_path):
    with studio(tmp_path / "home", folders=[tmp_path]) as (session, page):
        welcome = page.audience.last(Welcome)
        known = {(row.name, row.kind, row.written): row.suffixes for row in welcome.formats}
        assert known["Stick figure", "scene", False] == [".stick"]
        assert known["Track", "motion", True] == [".track"]
        assert known["Triangles", "mesh", False] == [".tri"]
        assert known["Project", "project", False] == [".stringless"]
        assert welcome.keep == ["glb", "html", "track"]
        listed = {row["name"]: row["kind"] for row in page.do("files", folder=str(tmp_path))}
        assert listed == {"figure.stick": "scene", "home": "folder"}

        async def parts():
            yield NAMES.encode()

        sent = asyncio.run(Uploads(session.storage.home, session.storage.make_upload_path).take("sent.stick", parts()))
        page.do("open", source=str(sent), kind="file")
        assert page.document.scene == "sticks"
        page.do("open", source=str(figure), kind="file", options={"length": 0.25})
        assert session.state.project.scene().model.body("lower").spec.place.position[1] == -0.25
        with pytest.raises(RefusedError, match="Did you mean 'length'"):
            page.do("open", source=str(figure), kind="file", options={"lengths": 1})
        with pytest.raises(RefusedError, match="a project is opened without options; found length"):
            page.do("open", source=str(figure), kind="project", options={"length": 1})

        page.do("speed", rate=-1)
        page.do("live")
        page.until(0.2)
        page.do("pause")
        number = page.do("export", format="track", name="fall", options={"digits": 2})
        page.audience.wait(
            lambda: any(job.id == number and job.state == "finished" for job in page.audience.last(Status).jobs)
        )
        assert session.find_download(number).name == "fall.track"
        assert session.find_download(number).read_text().startswith("2.00 1.75 1.50\n")
        with pytest.raises(RefusedError, match="option 'digits' of a '.track' file is 2.5; expected a whole number"):
            page.do("export", format="track", options={"digits": 2.5})


@pytest.mark.usefixtures("installed")
def test_a_file_of_another_package_may_be_sent():
    assert check_name("figure.stick") == "figure.stick"
    with pytest.raises(sl.InputError, match=r"expected one of .stringless, .toml, .urdf, .xml, .mjcf, .stick, .obj"):
        check_name("figure.exe")


def test_the_command_line_knows_formats_of_another_package(package, figure, tmp_path):
    def call(*words: str) -> tuple[int, str, str]:
        path = os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")])
        command = [sys.executable, "-m", "stringless", *words]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": path, "COLUMNS": "200"},
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout, done.stderr

    code, out, _ = call("run", "--help")
    assert code == 0
    assert ".stick" in out
    assert "--length <float>" in out
    assert "Of a rod [m] (Stick figure)." in out
    assert "--order <up|down>" in call("export", "--help")[1]

    assert call("check", "figure.stick", "--length", "0.5") == (0, "figure.stick: no problems found\n", "")
    code, out, err = call("run", "figure.stick", "--length", "0.5", "--seconds", "0.01", "--out", "here", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["bodies"] == 3
    assert call("save", "pendulum", "names.stick")[1] == "names.stick\n"
    assert "a scene is written as a .toml or .stick file" in call("save", "pendulum", "names.urdf")[2]
    assert "option 'length' does not fit the built-in scene" in call("check", "pendulum", "--length", "2")[1]

    with sl.Project.create("pendulum", tmp_path / "swing.stringless") as project:
        project.advance(100)
    code, out, err = call("export", "swing.stringless", "swing.track", "--digits", "1", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["bytes"] == (tmp_path / "swing.track").stat().st_size
    assert (
        "option 'world' does not fit a '.track' file" in call("export", "swing.stringless", "x.track", "--no-world")[2]
    )
    assert "exported to: .glb, .html, .track" in call("export", "swing.stringless", "x.fbx")[2]


@pytest.mark.usefixtures("installed")
def test_a_package_that_fails_is_told_of_and_all_else_goes_on(package):
    (package / "stick_formats.py").write_text("import no_such_module_anywhere\n")
    with pytest.warns(sl.StringlessWarning, match=r"formats of 'stick_formats' cannot be used \(ModuleNotFoundError"):
        assert list_suffixes(list_readers("scene")) == [".toml", ".urdf", ".xml", ".mjcf"]


# --- what is registered -----------------------------------------------------------------------------------------------


def test_every_format_of_the_package_is_found():
    assert list_suffixes(list_readers("scene")) == [".toml", ".urdf", ".xml", ".mjcf"]
    assert list_suffixes(list_readers("mesh")) == [".obj", ".stl", ".ply", ".glb"]
    assert list_suffixes(list_writers("scene")) == [".toml"]
    assert list_suffixes(list_writers("motion")) == [".glb", ".html"]
    for known in [*list_readers("scene"), *list_writers("motion")]:
        assert known.description
        assert all(option.help for option in known.options.values())


def test_options_are_those_of_the_function():
    urdf, mjcf = list_readers("scene")[1:]
    assert urdf.options["floating"] == Option(
        "floating", bool, False, "give the root link a free joint; otherwise it is fixed to the world."
    )
    assert mjcf.options == {"up": Option("up", str, "z", "which axis points up in the file.", ("z", "y"))}
    assert urdf.options["mend"].help.endswith("Either way a warning names them.")


def test_values_of_options_are_checked(tmp_path):
    path = tmp_path / "x.urdf"
    path.write_text('<robot name="r"><link name="a"/></robot>')
    for options, message in (
        ({"floating": "yes"}, "option 'floating' of a '.urdf' file is 'yes'; expected true or false"),
        ({"up": "x"}, "option 'up' of a '.urdf' file is 'x'; expected 'z' or 'y'"),
    ):
        with pytest.raises(sl.InputError, match=message):
            sl.load(path, **options)


def some(path, *, count: int = 1, size: float = 1.0, name: str = "", near: float | None = None):
    """An example."""


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"count": 2, "size": 2, "name": "x", "near": 3.0}, ""),
        ({"count": np.int64(2), "size": np.float32(2), "near": None}, ""),
        ({"count": 2.0}, "option 'count' of a '.some' file is 2.0; expected a whole number"),
        ({"count": True}, "is True; expected a whole number"),
        ({"size": "2"}, "is '2'; expected a number"),
        ({"name": 3}, "is 3; expected text"),
    ],
)
def test_types_of_options(values, message):
    register_reader("Some", suffixes=(".some",))(some)
    reader = list_readers("scene")[-1]
    if not message:
        reader.check_options(values)
        return
    with pytest.raises(sl.InputError, match=message):
        reader.check_options(values)


def wrong_type(path, *, ends: tuple[float, float] = (0.0, 1.0)):
    """An option that no command line can take."""


def no_default(path, *, size: float):
    """An option that must be given."""


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("suffixes", "function", "message"),
    [
        ((), some, "format 'New' has suffixes (); expected some like '.urdf'"),
        (("new",), some, "has suffixes ('new',)"),
        ((".New",), some, "expected some like '.urdf'"),
        ((".toml",), some, "format 'New' has the suffix '.toml', which format 'TOML' has; expected another suffix"),
        ((".urdf",), some, "or two readers with a mark to tell them apart"),
        (
            (".new",),
            wrong_type,
            "parameter 'ends' of wrong_type cannot be an option; expected a default and one of: bool",
        ),
        ((".new",), no_default, "parameter 'size' of no_default cannot be an option"),
    ],
)
def test_a_format_that_makes_no_sense_is_refused(suffixes, function, message):
    before = [*registry._formats]
    with pytest.raises(sl.InputError) as caught:
        register_reader("New", suffixes=suffixes)(function)
    assert message in str(caught.value)
    assert registry._formats == before


@pytest.mark.usefixtures("alone")
def test_formats_of_one_suffix_are_told_apart_by_what_is_in_the_file(tmp_path):
    def look(path):
        return registry.Mark("line 1", "word", path.read_text().split()[0])

    def make(name: Literal["a", "b"]):
        def read(path):
            return sl.Scene(sl.ModelBuilder(name).add_body(name).build(), name=name)

        register_reader(name.upper(), suffixes=(".word",), mark=name, sniff=look)(read)

    make("a")
    make("b")
    path = tmp_path / "x.word"
    for word in "ab":
        path.write_text(f"{word} and more")
        assert sl.load(path).name == word
    path.write_text("c")
    with pytest.raises(sl.ModelError, match=r"line 1: found word 'c'; expected 'a' \(A\) or 'b' \(B\)\. Check that"):
        sl.load(path)


def test_descriptions_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Format(name="x", suffixes=(".x",), kind="part").name = "y"
