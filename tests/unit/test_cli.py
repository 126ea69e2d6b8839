"""The command line: exit codes, one message per failure, JSON that is JSON; first on stand-ins, then for real."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from typer.testing import CliRunner

from stringless import __version__
from stringless.cli import main
from stringless.cli.app import app
from stringless.errors import DivergenceError, InputError, ModelError, Problem

PROBLEMS = [
    Problem("body 'thigh'", "mass -1", "a positive mass [kg]", "Give it a mass."),
    Problem("joint 'knee'", "tag <mimic>", "no mimic", severity="warning"),
]


class Energy(NamedTuple):
    kinetic: float
    potential: float
    total: float


class StandIn:
    """A simulation that only counts."""

    fails_at = float("inf")
    error: BaseException = DivergenceError("velocities grew beyond all bounds", time=0.1, joint="knee", cause="dt")

    def __init__(self, scene, engine=None, dt=None, integrator="symplectic", record=120.0, **settings):
        if integrator not in ("symplectic", "rk4"):
            raise InputError(f"there is no integrator '{integrator}'; there are: rk4, symplectic")
        self.dt, self.steps = 1e-3 if dt is None else dt, 0
        self.config = SimpleNamespace(engine=engine or "reduced", dt=self.dt)
        self.engine = SimpleNamespace(implicit=engine == "stiff")
        self.model = SimpleNamespace(body_count=3, nv=2, flesh=None)
        self.q, self.v = np.zeros(2), np.zeros(2)
        self.frames = [(0.0, self.q, self.v)]

    @property
    def time(self):
        return self.steps * self.dt

    def warm_up(self, report):
        report("recurse", 0, 2)
        report("recurse", 1, 2)
        report("step", 2, 2)

    def body_poses(self):
        return None

    def energy(self):
        return Energy(1.0, self.time, 1.0 + self.time)

    def step(self, count, report):
        for _ in range(count):
            self.steps += 1
            self.frames.append((self.time, self.q + self.time, self.v))
            if self.time > self.fails_at:
                raise self.error
            report(self.time)


def load(source):
    if source == "missing":
        raise InputError("there is no scene 'missing'; there are: humanoid, worm")
    if source == "bad.urdf":
        raise ModelError("bad.urdf", PROBLEMS[:1])
    if source == "bug":
        raise ZeroDivisionError("division by zero")
    return SimpleNamespace(name=source, warnings=(), model=SimpleNamespace(body_count=3))


def save(folder, simulation):
    time, q, v = zip(*simulation.frames, strict=True)
    np.savez(folder / "motion.npz", time=time, q=q, v=v)
    return [folder / "motion.npz"]


def check(source):
    return {"good.urdf": [], "odd.urdf": PROBLEMS[1:], "bad.urdf": PROBLEMS}[source]


@dataclass
class Entry:
    name: str
    description: str


def measure(name, *, quick, against, report):
    if name == "jumps":
        raise InputError("there is no benchmark 'jumps'; there are: all, dynamics, flesh")
    report(f"measuring {name}")
    rows = [{"case": "humanoid", "ours_us": 2.345678, "pinocchio_us": None, "[note]": "x"}]
    claim = {"claim": "forward/pinocchio", "value": float("inf"), "limit": 0.5, "holds": False}
    options = {"quick": quick, "against": against}
    return {"bench": name, "machine": {"cpu": "some", **options}, "rows": rows, "claims": [claim]}


@pytest.fixture
def stand_ins(monkeypatch, tmp_path):
    """Replace what the commands call, and work in an empty folder."""
    scenes = {name: Entry(name, f"a {name} [test]") for name in ("humanoid", "worm")}
    contents = {
        "scenes": {"SCENES": scenes},
        "loader": {"load": load, "check": check},
        "simulation": {"Simulation": StandIn},
        "bench": {"BENCHES": {"dynamics": None, "flesh": None}, "run": measure},
    }
    for name, members in contents.items():
        module = ModuleType(f"stringless.{name}")
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr("stringless.cli.run.save_run", save)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def call(capsys):
    """Run the command; return exit code, stdout and stderr."""

    def run(*words):
        with pytest.raises(SystemExit) as caught:
            main(list(words))
        captured = capsys.readouterr()
        return caught.value.code, captured.out, captured.err

    return run


def read_motion(path):
    with np.load(path) as file:
        return dict(file)


# --- help and version -----------------------------------------------------------------------------------------------


def test_version(call):
    assert call("--version") == (0, f"stringless {__version__}\n", "")


@pytest.mark.parametrize("words", [[], ["scenes"], ["run"], ["save"], ["check"], ["bench"]])
def test_help_of_every_command(words):
    result = CliRunner().invoke(app, [*words, "--help"])

    assert result.exit_code == 0
    assert "Usage:" in result.stdout


# --- scenes ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("stand_ins")
def test_scenes(call):
    code, out, err = call("scenes")

    assert code == 0
    assert "humanoid  a humanoid [test]" in out
    assert err == ""


@pytest.mark.usefixtures("stand_ins")
def test_scenes_as_json(call):
    code, out, _ = call("scenes", "--json")

    assert code == 0
    assert [scene["name"] for scene in json.loads(out)["scenes"]] == ["humanoid", "worm"]


# --- run ------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("stand_ins")
def test_run_prints_a_summary_and_saves(call):
    code, out, err = call("run", "worm", "--seconds", "0.1")

    assert code == 0
    for text in ("worm", "0.100 s in 100 steps", "times real time", "1 J at the start, 1.1 J at the end", "runs/worm"):
        assert text in out
    assert "compiling the kernels" in err
    motion = read_motion("runs/worm/motion.npz")
    assert motion["time"][0] == 0
    np.testing.assert_allclose(motion["time"][-1], 0.1)
    assert motion["q"].shape == motion["v"].shape == (len(motion["time"]), 2)


@pytest.mark.usefixtures("stand_ins")
def test_run_as_json(call):
    code, out, err = call("run", "worm", "--seconds", "0.1", "--dt", "0.003", "--out", "here/deep", "--json")

    summary = json.loads(out)
    assert code == 0
    assert err == ""
    assert summary["scene"] == "worm"
    assert (summary["bodies"], summary["dofs"], summary["steps"]) == (3, 2, 33)
    assert summary["energy"]["start"] == {"kinetic": 1.0, "potential": 0.0, "total": 1.0}
    assert Path(summary["files"][0]).parent == Path("here/deep")
    assert all(Path(file).exists() for file in summary["files"])


@pytest.mark.usefixtures("stand_ins")
@pytest.mark.parametrize(("engine", "integrator"), [("reduced", "symplectic"), ("stiff", "implicit")])
def test_the_summary_says_how_it_was_integrated(call, engine, integrator):
    code, out, _ = call("run", "worm", "--seconds", "0.1", "--engine", engine, "--json")
    assert code == 0
    assert (json.loads(out)["engine"], json.loads(out)["integrator"]) == (engine, integrator)


@pytest.mark.usefixtures("stand_ins")
def test_run_that_diverges_keeps_what_it_has(call, monkeypatch):
    monkeypatch.setattr(StandIn, "fails_at", 0.05)
    code, _, err = call("run", "worm", "--seconds", "1")

    assert code == 1
    assert "stringless: velocities grew beyond all bounds\nThe motion up to there is in runs/worm/motion.npz" in err
    assert read_motion("runs/worm/motion.npz")["time"][-1] < 0.06


@pytest.mark.usefixtures("stand_ins")
def test_interrupted_run(call, monkeypatch):
    monkeypatch.setattr(StandIn, "fails_at", 0.05)
    monkeypatch.setattr(StandIn, "error", KeyboardInterrupt())
    code, out, err = call("run", "worm", "--json")

    assert code == 130
    assert json.loads(out) == {"error": "stopped by Ctrl-C"}
    assert err == "stringless: stopped by Ctrl-C\n"


# --- check ----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("stand_ins")
@pytest.mark.parametrize(
    ("file", "code", "lines"),
    [
        ("good.urdf", 0, ["good.urdf: no problems found"]),
        ("odd.urdf", 0, ["warning: joint 'knee': found tag <mimic>; expected no mimic.", "0 errors, 1 warning"]),
        ("bad.urdf", 1, ["error: body 'thigh': found mass -1", "warning: joint", "1 error, 1 warning"]),
    ],
)
def test_check_prints_every_problem(call, file, code, lines):
    got, out, err = call("check", file)

    assert got == code
    assert all(line in out + err for line in lines)
    assert (err != "") == (code != 0)


@pytest.mark.usefixtures("stand_ins")
@pytest.mark.parametrize(("file", "ok"), [("good.urdf", True), ("odd.urdf", True), ("bad.urdf", False)])
def test_check_as_json(call, file, ok):
    code, out, _ = call("check", file, "--json")

    document = json.loads(out)
    assert code == (0 if ok else 1)
    assert document["ok"] is ok
    assert ("error" in document) is not ok
    assert len(document["problems"]) == len(check(file))
    assert all(problem.keys() >= {"where", "found", "expected", "severity"} for problem in document["problems"])


# --- bench ----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("stand_ins")
def test_bench_prints_rows_and_claims(call):
    code, out, err = call("bench", "dynamics")

    assert code == 0
    assert "2.346" in out
    assert "forward/pinocchio" in out
    assert "measuring dynamics" in err


@pytest.mark.usefixtures("stand_ins")
def test_bench_as_json(call):
    code, out, err = call("bench", "dynamics", "--quick", "--against", "pinocchio, dart", "--json")

    document = json.loads(out)
    assert (code, err) == (0, "")
    assert document["bench"] == "dynamics"
    assert document["machine"] == {"cpu": "some", "quick": True, "against": ["pinocchio", "dart"]}
    assert document["claims"][0]["value"] is None  # JSON has no infinity


@pytest.mark.usefixtures("stand_ins")
def test_bench_all_has_the_same_shape(call):
    code, out, _ = call("bench", "--json")

    document = json.loads(out)
    assert code == 0
    assert document.keys() == {"bench", "machine", "rows", "claims"}
    assert document["bench"] == "all"


# --- failures -------------------------------------------------------------------------------------------------------

FAILURES = [
    (["run", "missing"], 1, "there is no scene 'missing'; there are: humanoid, worm"),
    (["run", "bad.urdf"], 1, "bad.urdf has 1 problem:\n  - body 'thigh': found mass -1"),
    (["run", "worm", "--seconds", "0"], 1, "--seconds is 0; it must be a positive number"),
    (["run", "worm", "--seconds", "nan"], 1, "--seconds is nan; it must be a positive number"),
    (["run", "worm", "--dt", "-1"], 1, "--dt is -1; it must be a positive number"),
    (["run", "worm", "--integrator", "magic"], 1, "there is no integrator 'magic'; there are: rk4, symplectic"),
    (["run", "worm", "--out", "file"], 1, "file: File exists"),
    (["run", "bug"], 70, "a fault in stringless, please report it: ZeroDivisionError: division by zero"),
    (["run"], 2, "Missing argument"),
    (["run", "worm", "--seconds", "long"], 2, "Invalid value for '--seconds'"),
    (["run", "worm", "--fast"], 2, "No such option: --fast"),
    (["walk"], 2, "No such command 'walk'"),
    (["bench", "jumps"], 1, "there is no benchmark 'jumps'; there are: all, dynamics, flesh"),
]

each_failure = pytest.mark.parametrize(("words", "code", "message"), FAILURES, ids=[" ".join(f[0]) for f in FAILURES])


@pytest.mark.usefixtures("stand_ins")
@each_failure
def test_failure_is_one_message(call, words, code, message):
    Path("file").write_text("")
    got, out, err = call(*words)

    assert got == code
    assert out == ""
    assert err.count("stringless: ") == 1
    assert err.startswith(f"stringless: {message}")
    assert "Traceback" not in err


@pytest.mark.usefixtures("stand_ins")
@each_failure
def test_failure_as_json(call, words, code, message):
    Path("file").write_text("")
    got, out, _ = call(*words, "--json")

    assert got == code
    assert json.loads(out)["error"].startswith(message)


@pytest.mark.usefixtures("stand_ins")
def test_json_failure_lists_the_problems(call):
    _, out, _ = call("run", "bad.urdf", "--json")

    document = json.loads(out)
    assert document["type"] == "ModelError"
    assert document["problems"][0]["where"] == "body 'thigh'"


@pytest.mark.usefixtures("stand_ins")
@pytest.mark.parametrize("words", [["--debug", "run", "missing"], ["run", "missing", "--debug"]])
def test_debug_shows_the_traceback(call, words):
    code, _, err = call(*words)

    assert code == 1
    assert "Traceback" in err
    assert "InputError" in err


@pytest.mark.usefixtures("stand_ins")
def test_debug_by_environment(call, monkeypatch):
    monkeypatch.setenv("STRINGLESS_DEBUG", "1")

    assert "Traceback" in call("run", "missing")[2]


# --- the real thing -------------------------------------------------------------------------------------------------


def spawn(*words: str, cwd: Path | None = None, **environment: str) -> subprocess.Popen[str]:
    program = Path(sys.executable).with_name("stringless")
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # A shell may have started the tests in the background, where Ctrl-C is ignored; the command must hear it all the same.
    heard = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen([program, *words], cwd=cwd, env=os.environ | environment, preexec_fn=heard, **pipes)


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=900)
    return process.returncode, out, err


def test_help_does_not_load_the_numeric_libraries():
    script = "import sys; from stringless.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    script += "print(sorted({'numba', 'numpy', 'scipy', 'trimesh'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"


def test_the_package_can_be_run_as_a_module():
    done = subprocess.run([sys.executable, "-m", "stringless", "--version"], capture_output=True, text=True, check=True)

    assert (done.stdout, done.stderr) == (f"stringless {__version__}\n", "")


def test_real_scenes():
    code, out, err = finish(spawn("scenes", "--json"))

    assert (code, err) == (0, "")
    assert "ragdoll" in {scene["name"] for scene in json.loads(out)["scenes"]}


def test_real_run(tmp_path):
    code, out, err = finish(spawn("run", "ragdoll", "--seconds", "0.1", "--json", cwd=tmp_path))

    summary = json.loads(out)
    assert (code, err) == (0, "")
    assert summary["steps"] == 100
    page, data = (tmp_path / file for file in summary["files"])
    assert "</html>" in page.read_text(encoding="utf-8")
    motion = read_motion(data)
    frames, bodies = len(motion["time"]), summary["bodies"]
    assert frames > 5
    assert motion["v"].shape == (frames, summary["dofs"])
    assert motion["position"].shape == (frames, bodies, 3)
    assert motion["rotation"].shape == (frames, bodies, 3, 3)


def test_real_run_repeats_the_warnings_of_a_file(tmp_path):
    model = "<mujoco><worldbody><body name='a'><joint frictionloss='5'/><geom size='1'/></body></worldbody></mujoco>"
    (tmp_path / "dry.xml").write_text(model)

    code, _, err = finish(spawn("run", "dry.xml", "--seconds", "0.01", cwd=tmp_path))
    _, out, _ = finish(spawn("run", "dry.xml", "--seconds", "0.01", "--json", cwd=tmp_path))

    assert code == 0
    assert "warning: " in err
    assert "frictionloss" in err
    assert "frictionloss" in json.loads(out)["warnings"][0]


def test_real_run_of_nothing_is_refused(tmp_path):
    (tmp_path / "empty.xml").write_text("<mujoco/>")

    code, _, err = finish(spawn("run", "empty.xml", cwd=tmp_path))

    assert code == 1
    assert "has no bodies: there is nothing to simulate" in err


def test_real_run_prints_plain_text_without_a_terminal(tmp_path):
    code, out, _ = finish(spawn("run", "ragdoll", "--seconds", "0.1", cwd=tmp_path))

    assert code == 0
    assert "\x1b" not in out
    assert "times real time" in out


def test_real_run_in_plain_python_gives_the_same(tmp_path):
    words = ("run", "ragdoll", "--seconds", "0.005", "--json", "--out")
    codes = [
        finish(spawn(*words, "compiled", cwd=tmp_path))[0],
        finish(spawn(*words, "plain", cwd=tmp_path, NUMBA_DISABLE_JIT="1"))[0],
    ]
    compiled, plain = (read_motion(tmp_path / name / "motion.npz") for name in ("compiled", "plain"))

    assert codes == [0, 0]
    assert len(compiled["time"]) > 1
    # Not bit for bit: compiled code fuses multiplications and additions.
    for name in ("time", "q", "v"):
        np.testing.assert_allclose(compiled[name], plain[name], rtol=1e-9, atol=1e-12)


def test_real_failure(tmp_path):
    code, out, err = finish(spawn("run", "no-such-scene", cwd=tmp_path))

    assert code == 1
    assert out == ""
    assert err.startswith("stringless: ")
    assert "no-such-scene" in err
    assert list(tmp_path.iterdir()) == []


def test_real_check_of_a_missing_file(tmp_path):
    code, out, _ = finish(spawn("check", "nothing.urdf", "--json", cwd=tmp_path))

    assert code == 1
    assert "nothing.urdf" in json.loads(out)["error"]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")
def test_real_interrupt(tmp_path):
    process = spawn("run", "ragdoll", "--seconds", "1e6", "--json", cwd=tmp_path)
    limit = time.monotonic() + 600
    while not (tmp_path / "runs").exists() and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    code, out, err = finish(process)

    assert code == 130
    assert json.loads(out) == {"error": "stopped by Ctrl-C"}
    assert err == "stringless: stopped by Ctrl-C\n"


def test_run_tells_of_moved_mass_and_of_a_step_too_long_for_the_flesh(tmp_path):
    """The real thing: what the floor under the masses has moved is on the summary, the warning on stderr."""
    words = ("run", "fish", "--seconds", "0.01", "--out", str(tmp_path))
    done = spawn(*words, "--dt", "0.0012", "--json")
    out, err = done.communicate()
    assert done.returncode == 0, err
    summary = json.loads(out)
    (part,) = summary["flesh"]
    assert part["name"] == "fish"
    assert 0 < part["moved_mass"] < 0.1 * part["mass"]
    assert part["added_mass"] == 0
    assert "of the longest that the flesh 'fish' can take" in summary["warnings"][0]
    out, err = spawn(*words).communicate()
    assert "of it moved to light" in out
    assert "warning" not in err


def test_run_takes_budgets_of_the_adaptive_engine(call, monkeypatch):
    heard = []
    monkeypatch.setattr("stringless.simulation.Simulation", lambda *a, **k: heard.append(k) or StandIn(*a, **k))
    call("run", "worm", "--engine", "adaptive", "--active", "5", "--max-error", "0.5", "--json")
    assert {name: heard[0].get(name) for name in ("engine", "active", "max_error")} == {
        "engine": "adaptive",
        "active": 5,
        "max_error": 0.5,
    }


def test_run_takes_engine_and_step_of_the_scene_unless_told_otherwise(tmp_path):
    """The real thing: a scene made for the stiff engine, and one that is not."""
    for words, wanted in (
        (("robot",), ("stiff", 1 / 60, 12)),
        (("robot", "--dt", "0.05"), ("stiff", 0.05, 4)),
        (("double_pendulum", "--engine", "stiff", "--dt", "0.02"), ("stiff", 0.02, 10)),
        (("double_pendulum",), ("reduced", 1e-3, 200)),
    ):
        done = spawn("run", *words, "--seconds", "0.2", "--out", str(tmp_path), "--json")
        out, err = done.communicate()
        assert done.returncode == 0, err
        summary = json.loads(out)
        assert (summary["engine"], summary["dt"], summary["steps"]) == wanted


# --- save -----------------------------------------------------------------------------------------------------------


def test_saved_scene_checks_and_runs_like_the_one_it_came_from(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("save", "worm", "w.toml") == (0, "w.toml\nw-flesh-1.npz\n", "")
    assert call("check", "w.toml") == (0, "w.toml: no problems found\n", "")
    for scene, out in (("worm", "one"), ("w.toml", "two")):
        assert call("run", scene, "--seconds", "0.05", "--out", out)[0] == 0
    one, two = read_motion("one/motion.npz"), read_motion("two/motion.npz")
    assert one["skin"].tobytes() == two["skin"].tobytes()


def test_saved_files_are_listed_as_json(call, tmp_path):
    code, out, _ = call("save", "pendulum", str(tmp_path / "p.toml"), "--json")
    assert (code, json.loads(out)["files"]) == (0, [str(tmp_path / "p.toml")])


@pytest.mark.parametrize(
    ("file", "message"),
    [("worm.urdf", "a scene is written as a .toml file"), ("no_such_folder/w.toml", "there is no folder")],
)
def test_scene_cannot_be_saved_everywhere(call, tmp_path, monkeypatch, file, message):
    monkeypatch.chdir(tmp_path)
    code, _, err = call("save", "pendulum", file)
    assert code == 1
    assert message in err


def test_root_of_a_character_is_chosen(call, tmp_path):
    code, out, _ = call("run", "worm", "--root", "free", "--seconds", "0.01", "--out", str(tmp_path), "--json")
    assert (code, json.loads(out)["dofs"]) == (0, 12)
    assert "root is 'sky'" in call("run", "worm", "--root", "sky")[2]
