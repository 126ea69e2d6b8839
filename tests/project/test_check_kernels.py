"""The kernel checker: each rule, broken once, is reported with file, line and advice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import check_kernels

HEADER = "import numpy as np\nfrom stringless.jit import kernel\nfrom stringless.spatial import vec3\n\n\n"
STORE = '''
from stringless.jit import kernel

@kernel(inline=True)
def store(values_out, at, a):
    """Write three numbers."""
    values_out[at], values_out[at + 1], values_out[at + 2] = a

@kernel(inline=True)
def rub(a, body_work):
    """Use the scratch."""
    body_work[0] = a
'''


def find(folder: Path, code: str, file: str = "dynamics/kernels_probe.py") -> list[str]:
    """What the checker says about `code`, standing in `file` of a package otherwise in order."""
    package = folder / "stringless"
    for name, text in {"spatial/vec3.py": STORE, file: HEADER + code}.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    return [str(finding) for finding in sorted(check_kernels.check(package, check_kernels.read(package)))]


def find_in_body(folder: Path, *statements: str, parameters: str = "tree, q, body_work, q_out") -> list[str]:
    lines = "\n    ".join(statements)
    return find(folder, f'@kernel\ndef probe({parameters}):\n    """Probe."""\n    {lines}\n')


FIRST_LINE = HEADER.count("\n") + 4
"""Line of the first statement after the docstring in `find_in_body`."""


# --- what kernels may do --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statements",
    [
        ["q_out[0] = q[0]"],
        ["body_work[0].p[1] += q[0]"],
        ["row = body_work[0]", "row.x = 1.0", "row.p[0], row.p[1] = q[0], q[1]"],
        ["vec3.store(q_out, 0, (1.0, 2.0, 3.0))"],
        ["vec3.store(body_work[0].p, 0, (1.0, 2.0, 3.0))"],
        ["vec3.rub(q[0], body_work)"],
        ["k = tree[0].q0", "k += 1", "q = k"],
        ["s = np.sqrt(q[0]) + np.inf"],
        ["pair = (1.0, 2.0)", "a, b = pair"],
        ["for i in range(tree.shape[0]):", "    q_out[i] = 0.0"],
        ["return"],
    ],
    ids=lambda statements: statements[0],
)
def test_clean_kernels_pass(tmp_path, statements):
    assert find_in_body(tmp_path, *statements) == []


def test_functions_that_are_no_kernels_are_left_alone(tmp_path):
    assert find(tmp_path, "def f(q, *more):\n    q[0] = np.zeros(3)\n    print(f'{q}')\n") == []


def test_our_own_kernels_keep_the_rules():
    modules = check_kernels.read(check_kernels.PACKAGE)

    assert sum(len(module.kernels) for module in modules.values()) > 50
    assert list(check_kernels.check(check_kernels.PACKAGE, modules)) == []


# --- what they may not ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("a = np.zeros(3)", "calls np.zeros, which allocates: take the array as a parameter"),
        ("a = np.empty_like(q)", "calls np.empty_like, which allocates"),
        ("a = np.array((1.0, 2.0))", "calls np.array, which allocates"),
        ("a = np.linalg.solve(tree, q)", "calls np.linalg.solve, which allocates"),
        ("a = q.copy()", "calls .copy(), which allocates"),
        ("a = tree @ q", "uses @, which allocates"),
        ("a = [1.0, 2.0]", "builds a list, dict or set"),
        ("a = {1: 2.0}", "builds a list, dict or set"),
        ("a = {1, 2}", "builds a list, dict or set"),
        ("a = list()", "calls list()"),
        ("a = [x for x in q]", "uses a comprehension"),
        ("a = sum(x for x in q)", "uses a comprehension"),
        ("a = 'name'", "uses a string"),
        ("a = f'{q[0]}'", "uses an f-string"),
        ("print(q[0])", "prints"),
        ("try:\n        a = q[0]\n    except IndexError:\n        a = 0.0", "uses try or with"),
        ("with q:\n        a = 1", "uses try or with"),
        ("f = lambda x: x", "defines a function or class inside"),
        ("a, *b = q", "unpacks with *"),
    ],
)
def test_forbidden_statement(tmp_path, statement, complaint):
    findings = find_in_body(tmp_path, statement)

    assert findings
    assert f"dynamics/kernels_probe.py:{FIRST_LINE}: kernel probe: {complaint}" in findings[0]


@pytest.mark.parametrize(
    ("statements", "line"),
    [
        (["q[0] = 1.0"], 0),
        (["q[0] += 1.0"], 0),
        (["q_out[0], q[0] = 1.0, 2.0"], 0),
        (["q.x = 1.0"], 0),
        (["row = q[0]", "row.x = 1.0"], 1),
        (["row, k = q[0], 1", "row.x = 1.0"], 1),
        (["row = q[0]", "part = row.p", "part[0] = 1.0"], 2),
        (["for row in q:", "    row.x = 1.0"], 1),
        (["row = q_out if tree.x else q", "row[0] = 1.0"], 1),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)
def test_write_to_an_input(tmp_path, statements, line):
    findings = find_in_body(tmp_path, *statements)

    advice = "kernel probe: writes to 'q': name it 'q_out', or 'q_work' if it is scratch"
    assert [f.partition("probe.py:")[2] for f in findings] == [f"{FIRST_LINE + line}: {advice}"]


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("vec3.store(q, 0, (1.0, 2.0, 3.0))", "passes 'q' as 'values_out' of store, which writes to it"),
        ("vec3.store(tree[0].p, 0, (1.0, 2.0, 3.0))", "passes 'tree' as 'values_out' of store"),
        ("vec3.store(at=0, a=q, values_out=q)", "passes 'q' as 'values_out' of store"),
        ("vec3.rub(1.0, tree)", "passes 'tree' as 'body_work' of rub"),
    ],
)
def test_input_handed_to_a_kernel_that_writes(tmp_path, call, complaint):
    findings = find_in_body(tmp_path, call)

    assert len(findings) == 1
    assert f"probe.py:{FIRST_LINE}: kernel probe: {complaint}" in findings[0]


def test_kernel_imported_by_name_or_from_the_same_file_is_resolved(tmp_path):
    code = '''from stringless.spatial.vec3 import store as put

@kernel
def near(a_out):
    """Near."""
    a_out[0] = 1.0

@kernel
def probe(p, q):
    """Probe."""
    put(p, 0, (1.0, 2.0, 3.0))
    near(q)
'''
    findings = find(tmp_path, code)

    assert len(findings) == 2
    assert "passes 'p' as 'values_out' of store" in findings[0]
    assert "passes 'q' as 'a_out' of near" in findings[1]


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ("q_out, q, v", None),
        ("q, body_work, dof_work, q_out, v_out", None),
        ("q, work, scratch", None),
        ("q_out, q, body_work", "'q' (an input) follows 'q_out' (an output)"),
        ("q, body_work, v, q_out", "'v' (an input) follows 'body_work' (scratch)"),
        ("q, q_out, body_work", "'body_work' (scratch) follows 'q_out' (an output)"),
        ("q, *more", "takes *args or **kwargs"),
        ("q, **more", "takes *args or **kwargs"),
        (", ".join("abcdefghijkl"), None),
        (", ".join("abcdefghijkl") + ", work", "takes 13 parameters, more than 12: hand over records"),
    ],
)
def test_signature(tmp_path, parameters, complaint):
    findings = find_in_body(tmp_path, "return", parameters=parameters)

    assert len(findings) == (complaint is not None)
    assert complaint is None or f"probe.py:{FIRST_LINE - 2}: kernel probe: {complaint}" in findings[0]


def test_docstring_is_missed_on_public_kernels_only(tmp_path):
    findings = find(tmp_path, "@kernel\ndef probe(q):\n    return q\n\n\n@kernel\ndef _probe(q):\n    return q\n")

    assert len(findings) == 1
    assert "kernel probe: has no docstring: say what it computes" in findings[0]


@pytest.mark.parametrize(
    "statement", ["import numba", "from numba import njit", "import numba.core", "from llvmlite import ir"]
)
def test_numba_outside_jit(tmp_path, statement):
    findings = find(tmp_path, f"{statement}\n")

    assert len(findings) == 1
    assert "only jit.py may; use `from stringless.jit import kernel`" in findings[0]


PROBE = '@kernel\ndef probe(q):\n    """Probe."""\n'


@pytest.mark.parametrize("file", ["bench/speed.py", "dynamics/hybrid.py", "model/pose.py", "cli.py"])
def test_kernel_among_plain_python(tmp_path, file):
    findings = find(tmp_path, PROBE, file=file)

    assert len(findings) == 1
    assert "move it to a file called kernels.py or kernels_<topic>.py" in findings[0]


@pytest.mark.parametrize(
    "file", ["dynamics/kernels.py", "engines/stiff/kernels_solve.py", "spatial/new.py", "model/joints/new.py"]
)
def test_kernel_where_kernels_stand(tmp_path, file):
    assert find(tmp_path, PROBE, file=file) == []


def test_records_of_what_moves_and_of_scratch_may_be_written(tmp_path):
    assert find_in_body(tmp_path, "state.q[0] = work.u[0]", "work.u[0] = 0.0", parameters="model, state, work") == []
    assert "writes to 'model'" in find_in_body(tmp_path, "model.q[0] = 0.0", parameters="model, state, work")[0]


def test_command_fails_and_counts(tmp_path):
    find_in_body(tmp_path, "q[0] = 1.0")
    command = [sys.executable, check_kernels.__file__, tmp_path / "stringless"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "writes to 'q'" in done.stdout
    assert done.stderr.strip() == "check_kernels: 1 broken rule in 3 kernels"
