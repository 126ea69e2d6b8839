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
REAL = """
import json
import numpy as np
from stringless import jit
from stringless.model import manifold, rows
from stringless.model.joints import registry

tree = jit.rows(1, rows.BODY_ROW)
tree["kind"], tree["nq"], tree["nv"] = registry.BALL, 4, 3
q = np.array([0.0, 0.0, 0.0, 1.0])
manifold.integrate(tree, q, np.array([0.4, 0.0, 0.0]), 1.0, q)
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


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A small package of sources to digest."""
    for name in ("jit.py", "spatial/vec3.py", "bench/speed.py", "formats/urdf.py"):
        path = tmp_path / "package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n")
    monkeypatch.setattr(jit, "PACKAGE", tmp_path / "package")
    return tmp_path / "package"


@pytest.mark.parametrize("part", sorted(jit.KERNEL_FREE))
def test_kernel_free_parts_do_not_change_the_digest(sources, part):
    before = jit.source_digest()
    (sources / part).mkdir(exist_ok=True, parents=True)
    (sources / part / "new.py").write_text("x = 1\n")
    (sources / f"{part}.py").write_text("x = 2\n")

    assert jit.source_digest() == before


@pytest.mark.parametrize("name", ["jit.py", "spatial/vec3.py", "spatial/new.py", "newpart/new.py"])
def test_every_other_file_changes_the_digest(sources, name):
    before = jit.source_digest()
    (sources / name).parent.mkdir(exist_ok=True)
    with (sources / name).open("a") as file:
        file.write("x = 1\n")

    assert jit.source_digest() != before


def test_moving_a_file_changes_the_digest(sources):
    before = jit.source_digest()
    (sources / "spatial" / "vec3.py").rename(sources / "spatial" / "vector.py")

    assert jit.source_digest() != before


@pytest.mark.parametrize("module", ["numba", "llvmlite", "np"])
def test_another_version_of_a_tool_changes_the_digest(module, monkeypatch):
    before = jit.source_digest()
    monkeypatch.setattr(getattr(jit, module), "__version__", "0.0")

    assert jit.source_digest() != before


# --- where the cache is ---------------------------------------------------------------------------------------------


def test_cache_folder_is_named_by_the_digest(base):
    assert find_cache_folder() == base / jit.source_digest()
    assert (base / jit.source_digest()).is_dir()


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
    assert folder.name == jit.source_digest()


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


# --- tables ---------------------------------------------------------------------------------------------------------


def test_rows_are_zeroed_records():
    layout = np.dtype([("mass", float), ("c", float, (3,))], align=True)

    table = jit.rows(2, layout)

    assert table.dtype == layout
    assert table.shape == (2,)
    assert not table["mass"].any()
    assert not table["c"].any()
