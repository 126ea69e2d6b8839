"""The decorator and its cache: a stale kernel is never run, a compiled one is found again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import numpy as np
import pytest

from stringless import jit

INNER = """
from stringless.jit import kernel

@kernel(inline=True)
def folded(x):
    return x + 1.0

@kernel
def called(x):
    return 2.0 * x
"""
OUTER = """
from stringless.jit import kernel
from stringless.spatial import probe_inner

@kernel
def entry(x):
    return probe_inner.called(probe_inner.folded(x))
"""
PROBE = """
import json
from stringless import jit
from stringless.spatial.probe_outer import entry

reports = []
with jit.compiling(lambda *report: reports.append(report), entry):
    result = entry(3.0)
print(json.dumps({"result": result, "reports": reports, "package": str(jit.PACKAGE)}))
"""
RECORDS = """
from typing import NamedTuple

class Pair(NamedTuple):
    a: float
    b: float
"""
TAKER = """
from stringless.jit import kernel

@kernel
def subtract(pair):
    return pair.a - pair.b
"""
TAKEN = """
import json
from stringless.spatial import probe_records
from stringless.spatial.probe_taker import subtract

record = getattr(probe_records, "Pair", None) or probe_records.Couple
print(json.dumps(subtract(record(a=5.0, b=3.0))))
"""
REAL = """
import json
import numpy as np
from stringless import jit
from stringless.model import kernels_manifold
from stringless.model import manifold, rows
from stringless.model.joints import registry

tree = jit.rows(1, rows.BODY_ROW)
tree["kind"], tree["nq"], tree["nv"] = registry.BALL, 4, 3
q = np.array([0.0, 0.0, 0.0, 1.0])
kernels_manifold.integrate(tree, q, np.array([0.4, 0.0, 0.0]), 1.0, q)
print(json.dumps(q.tolist()))
"""


class Copy:
    """A copy of the package that may be edited, and a kernel cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.package = folder / "stringless"
        self.cache = folder / "cache"
        shutil.copytree(jit.PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        (self.package / "spatial" / "probe_inner.py").write_text(INNER)
        (self.package / "spatial" / "probe_outer.py").write_text(OUTER)

    def run(self, script: str = PROBE, **environment: str):
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "STRINGLESS_"))}
        places = {"PYTHONPATH": str(self.package.parent), "STRINGLESS_CACHE_DIR": str(self.cache)}
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script)],
            env=inherited | places | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.package / file
        text = path.read_text()
        assert text.count(old) == 1, f"{old!r} must stand in {file} exactly once"
        path.write_text(text.replace(old, new))


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


@pytest.fixture
def base(tmp_path, monkeypatch):
    """A cache base of this test alone."""
    folder = tmp_path / "base"
    monkeypatch.setenv("STRINGLESS_CACHE_DIR", str(folder))
    return folder


def find_cache_folder() -> Path:
    return jit.cache_folder.__wrapped__()


# --- the cache serves what the sources say --------------------------------------------------------------------------


def test_first_run_reports_what_it_compiles_and_the_second_compiles_nothing(copy):
    first, second = copy.run(), copy.run()

    assert first["package"] == str(copy.package)
    assert first["result"] == second["result"] == 8.0
    assert {name for name, _, _ in first["reports"]} == {"entry", "called", "folded"}
    assert [done for _, done, _ in first["reports"]] == sorted(done for _, done, _ in first["reports"])
    assert all(total == 3 for _, _, total in first["reports"])
    assert first["reports"][-1] == ["entry", 3, 3]
    assert second["reports"] == []


def test_edit_of_a_called_function_in_another_file_is_seen(copy):
    assert copy.run()["result"] == 8.0

    copy.edit("spatial/probe_inner.py", "return x + 1.0", "return x + 2.0")  # folded into its caller
    assert copy.run()["result"] == 10.0

    copy.edit("spatial/probe_inner.py", "return 2.0 * x", "return 3.0 * x")  # cached on its own
    assert copy.run()["result"] == 15.0


@pytest.mark.parametrize(
    ("old", "new"),
    [("class Pair", "class Couple"), ("a: float\n    b: float", "b: float\n    a: float")],
    ids=["another name", "another order"],
)
def test_edit_of_a_record_reaches_a_kernel_that_does_not_import_it(copy, old, new):
    (copy.package / "spatial" / "probe_records.py").write_text(RECORDS)
    (copy.package / "spatial" / "probe_taker.py").write_text(TAKER)
    assert copy.run(TAKEN) == 2.0
    copy.edit("spatial/probe_records.py", old, new)
    assert copy.run(TAKEN) == 2.0
    assert copy.run(TAKEN) == 2.0


def test_edit_in_spatial_reaches_a_kernel_of_the_model(copy):
    half = 0.2
    np.testing.assert_allclose(copy.run(REAL), [np.sin(half), 0, 0, np.cos(half)], atol=1e-15)
    # Let every turn be twice as large as asked for.
    copy.edit("spatial/rotation.py", "def exp_quaternion(x):", "def exp_quaternion(y):\n    x = vec3.scale(2.0, y)")

    np.testing.assert_allclose(copy.run(REAL)[0], np.sin(2 * half), atol=1e-15)


def test_without_jit_the_result_is_the_same(copy):
    plain = copy.run(NUMBA_DISABLE_JIT="1")

    assert plain["result"] == 8.0
    assert plain["reports"] == []
    assert not copy.cache.exists()


# --- the digest -----------------------------------------------------------------------------------------------------


SOURCES = {
    "jit.py": "",
    "spatial/__init__.py": "",
    "spatial/vec3.py": "from stringless.jit import kernel",
    "spatial/mat3.py": "from stringless.jit import kernel\nfrom stringless.spatial import (\n    vec3,  # a comment\n)",
    "kinematics/__init__.py": "from stringless.kinematics.bodies import poses",
    "kinematics/bodies.py": "import stringless.spatial.mat3 as mat3",
    "contact/step.py": "from stringless.kinematics import poses\nfrom stringless.errors import InputError as Error",
    "errors.py": "",
    "formats/urdf.py": "from stringless.contact import step",
}
"""A small package: file to text."""


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """The package of `SOURCES`, in place of the real one."""
    package = tmp_path / "package"
    for name, text in SOURCES.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    monkeypatch.setattr(jit, "PACKAGE", package)
    forget_sources()
    yield package
    forget_sources()


def forget_sources():
    jit._source.cache_clear()
    jit._imports.cache_clear()


def digest(package: Path, name: str) -> str:
    forget_sources()
    return jit.source_digest(package / name)


def test_sources_of_a_kernel_are_all_that_its_file_imports(sources):
    names = {str(file.relative_to(sources)) for file in jit.source_files(sources / "contact/step.py")}

    assert names == set(SOURCES) - {"formats/urdf.py", "spatial/__init__.py"}


@pytest.mark.parametrize("name", [name for name in SOURCES if name not in ("formats/urdf.py", "spatial/__init__.py")])
def test_edit_of_a_source_changes_the_digest(sources, name):
    before = digest(sources, "contact/step.py")
    with (sources / name).open("a") as file:
        file.write("\nx = 1\n")

    assert digest(sources, "contact/step.py") != before


@pytest.mark.parametrize("name", ["formats/urdf.py", "contact/step.py", "kinematics/bodies.py"])
def test_edit_of_what_is_not_imported_leaves_the_digest(sources, name):
    before = digest(sources, "spatial/mat3.py")
    (sources / name).write_text("x = 1\n")
    (sources / "spatial/new.py").write_text("x = 2\n")

    assert digest(sources, "spatial/mat3.py") == before


def test_moving_a_file_changes_the_digest(sources):
    before = digest(sources, "spatial/vec3.py")
    (sources / "spatial" / "vec3.py").rename(sources / "spatial" / "vector.py")

    assert digest(sources, "spatial/vector.py") != before


@pytest.mark.parametrize("module", ["numba", "llvmlite", "np"])
def test_another_version_of_a_tool_has_another_folder(module, base, monkeypatch):
    before = find_cache_folder()
    monkeypatch.setattr(getattr(jit, module), "__version__", "0.0")

    assert find_cache_folder() != before


def test_the_newest_versions_of_a_kernel_are_kept(copy):
    for number in range(jit.KEPT_VERSIONS + 3):
        copy.edit("spatial/probe_inner.py", f"return {number + 2}.0 * x", f"return {number + 3}.0 * x")
        assert copy.run()["result"] == 4.0 * (number + 3)
    indices = sorted(file.name.partition("-")[0] for file in copy.cache.rglob("*.nbi"))

    assert indices == ["probe_inner.called"] * jit.KEPT_VERSIONS + ["probe_outer.entry"] * jit.KEPT_VERSIONS


# --- where the cache is ---------------------------------------------------------------------------------------------


def test_unusable_cache_folder_falls_back_to_a_temporary_one(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STRINGLESS_CACHE_DIR", str(tmp_path / "file" / "below"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    folder = find_cache_folder()

    assert folder.parent == tmp_path
    assert folder.is_dir()


@pytest.mark.skipif(sys.platform == "darwin", reason="the default folder there does not follow XDG_CACHE_HOME")
def test_unusable_home_falls_back_to_the_common_temporary_folder(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("STRINGLESS_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    folder = find_cache_folder()

    assert folder.parent.parent == tmp_path
    assert folder.name == jit._versions_digest()


def test_kernels_run_with_an_unusable_cache_folder(copy, tmp_path):
    (tmp_path / "file").write_text("")

    answer = copy.run(STRINGLESS_CACHE_DIR=str(tmp_path / "file"), TMPDIR=str(tmp_path))

    assert answer["result"] == 8.0


def test_old_caches_are_removed_and_the_newest_kept(base):
    old = [base / f"old{k}" for k in range(jit.KEPT_CACHES + 3)]
    for age, folder in enumerate(reversed(old)):
        folder.mkdir(parents=True)
        (folder / "kernel.nbi").write_text("")
        os.utime(folder, (1e9 - age, 1e9 - age))

    current = find_cache_folder()

    assert sorted(base.iterdir()) == sorted([current, *old[-jit.KEPT_CACHES :]])


# --- what is folded into what ---------------------------------------------------------------------------------------


@jit.kernel
def add_one(x):
    """Add one."""
    return x + 1.0


@jit.kernel(inline=True)
def add_one_inline(x):
    """Add one, inline."""
    return add_one(x)


@jit.kernel
def add_one_within(x):
    """Add one, two calls away."""
    return add_one_inline(x)


def test_a_kernel_stays_apart_that_an_inline_one_calls_first():
    assert add_one_within(1.0) == 2.0
    assert "alwaysinline" not in add_one.inspect_llvm(add_one.signatures[0])
    assert "alwaysinline" in str(add_one_inline.overloads[add_one_inline.signatures[0]].library.get_llvm_str())


# --- tables ---------------------------------------------------------------------------------------------------------


def test_rows_are_zeroed_records():
    layout = np.dtype([("mass", float), ("c", float, (3,))], align=True)

    table = jit.rows(2, layout)

    assert table.dtype == layout
    assert table.shape == (2,)
    assert not table["mass"].any()
    assert not table["c"].any()
