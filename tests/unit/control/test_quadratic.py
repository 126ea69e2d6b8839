"""The quadratic program and the hierarchy of goals, against independent solvers."""

from typing import Any

import daqp
import numpy as np
import pytest
from numpy.typing import NDArray

from stringless import jit
from stringless.control import kernels_hierarchy, kernels_quadratic
from stringless.control.poser import task_rows
from stringless.control.records import Bounds, LevelProgram
from stringless.control.tables import HINTED, HINTED_LEVELS
from stringless.control.workspace import solver_work

FloatArray = NDArray[np.float64]
WIDE = 40


def bounds_of(G: FloatArray, lower: FloatArray, upper: FloatArray, kind: Any = 0) -> Bounds:
    table = jit.rows(len(lower), kernels_quadratic.BOUND_ROW)
    table["lower"], table["upper"], table["kind"] = lower, upper, kind
    return Bounds(len(lower), G, table)


def random_program(rng: np.random.Generator) -> dict[str, Any]:
    n = int(rng.integers(1, 13))
    r, p = int(rng.integers(1, n + 1)), int(rng.integers(0, 30))
    B = rng.normal(size=(r, r))
    lower = np.where(rng.uniform(size=p) < 0.3, -np.inf, -rng.uniform(0, 2, size=p))
    return {
        "n": n,
        "r": r,
        "p": p,
        "G": rng.normal(size=(max(p, 1), n)),
        "x0": rng.normal(size=n),
        "N": rng.normal(size=(n, r)),
        "H": B @ B.T + 0.1 * np.eye(r),
        "c": 3 * rng.normal(size=r),
        "lower": lower,
        "upper": rng.uniform(0, 2, size=p),
    }


def solve(P: dict[str, Any], guesses: Any = ()) -> tuple[int, int, FloatArray, FloatArray]:
    n, r = P["n"], P["r"]
    work, x = solver_work(WIDE, WIDE), np.zeros(WIDE)
    work.active[: len(guesses)] = np.reshape(guesses, (-1, 2))
    work.H[:r, :r], work.w[:r], work.x0[:n] = P["H"], P["c"], P["x0"]
    work.N[:n, :n] = np.hstack([np.full((n, n - r), np.nan), P["N"]])  # columns in front must not be read
    bounds = bounds_of(P["G"], P["lower"], P["upper"])
    code, count = kernels_quadratic.solve_bounded(n, n - r, len(guesses), bounds, work, x)
    return code, count, work.w[:r], x[:n]


@pytest.mark.parametrize("seed", range(8))
def test_random_programs_agree_with_daqp(seed: int) -> None:
    """Same optimum, and the same verdict where no point satisfies all bounds."""
    rng = np.random.default_rng(seed)
    feasible = bounded = 0
    for _ in range(150):
        P = random_program(rng)
        code, count, w, x = solve(P)
        G = P["G"][: P["p"]]
        shift = G @ P["x0"]
        low = np.where(np.isinf(P["lower"]), -1e30, P["lower"] - shift)
        best, _, flag, _ = daqp.solve(
            P["H"], -P["c"], G @ P["N"], P["upper"] - shift, low, np.zeros(P["p"], dtype=np.int32)
        )
        assert (code == kernels_quadratic.SOLVED) == (flag == 1)
        if flag == 1:
            feasible += 1
            bounded += count > 0
            np.testing.assert_allclose(w, best, rtol=0, atol=1e-8 * (1 + np.abs(best).max()))
            np.testing.assert_allclose(x, P["x0"] + P["N"] @ w, rtol=0, atol=1e-12)
    assert feasible > 50
    assert bounded > 20


@pytest.mark.parametrize("seed", range(4))
def test_optimality_conditions(seed: int) -> None:
    """The gradient is a combination of active bounds, pushing inward; no bound is missed (Karush, Kuhn and Tucker)."""
    rng = np.random.default_rng(100 + seed)
    seen = 0
    for _ in range(100):
        P = random_program(rng)
        code, _, w, x = solve(P)
        if code != kernels_quadratic.SOLVED:
            continue
        value = P["G"][: P["p"]] @ x
        assert np.all(value <= P["upper"] + 1e-8)
        assert np.all(value >= P["lower"] - 1e-8)
        gradient = P["H"] @ w - P["c"]
        at_upper = np.flatnonzero(np.abs(value - P["upper"]) < 1e-8)
        at_lower = np.flatnonzero(np.abs(value - P["lower"]) < 1e-8)
        normals = np.vstack([P["G"][at_upper] @ P["N"], -P["G"][at_lower] @ P["N"], np.zeros((0, P["r"]))])
        multipliers = np.linalg.lstsq(normals.T, -gradient, rcond=None)[0] if len(normals) else np.zeros(0)
        residual = gradient + normals.T @ multipliers
        assert np.abs(residual).max() < 1e-7 * (1 + np.abs(P["c"]).max())
        if len(normals) <= np.linalg.matrix_rank(normals):
            assert np.all(multipliers > -1e-7)
            seen += len(normals) > 0
    assert seen > 10


def naive_levels(levels: list[tuple[FloatArray, FloatArray]], x: FloatArray, N: FloatArray, alpha: float) -> FloatArray:
    for A, b in levels:
        F = A @ N
        x = x + N @ np.linalg.solve(F.T @ F + alpha * np.eye(N.shape[1]), F.T @ (b - A @ x))
        _, S, V = np.linalg.svd(F)
        N = N @ V[int(np.sum(1e-8 * S.max() < S)) :].T
        if N.shape[1] == 0:
            break
    return x


def run_levels(
    levels: list[tuple[FloatArray, FloatArray]],
    x: FloatArray,
    N: FloatArray,
    alpha: float,
    bounds: Bounds | None = None,
    hints: Any = None,
    style: tuple[FloatArray, FloatArray] | None = None,
) -> tuple[FloatArray, int]:
    """Levels from the style's optimum x in the basis N, in whose norm it is counted unless another `style` is given."""
    n = len(x)
    A, b = np.vstack([A for A, _ in levels]), np.concatenate([b for _, b in levels])
    work, found = solver_work(WIDE, WIDE), np.zeros(WIDE)
    work.N[:n, :n], work.centres[:, :n] = N, np.linalg.solve(N, x)
    rows = task_rows(list(A), b.tolist(), [1.0] * len(b), np.cumsum([len(b) for _, b in levels]).tolist(), n)
    rows.scale[:], rows.rates[:] = 1.0, 1.0
    bounds = bounds_of(np.zeros((0, n)), np.zeros(0), np.zeros(0)) if bounds is None else bounds
    hints = np.zeros(0, dtype=np.int8) if hints is None else hints
    H, c = (np.eye(n), np.zeros(n)) if style is None else style
    program = LevelProgram(n, len(levels), alpha, False, style is None, H, c)
    dropped = kernels_hierarchy.solve_levels(program, bounds, rows, work, hints, found)
    return found[:n], dropped


@pytest.mark.parametrize("seed", range(6))
def test_guesses_change_nothing(seed: int) -> None:
    """Right, wrong, doubled or from beyond the list: the optimum is the same, and a right guess is taken."""
    rng = np.random.default_rng(100 + seed)
    guessed = 0
    for _ in range(150):
        P = random_program(rng)
        code, _, w, x = solve(P)
        many = int(rng.integers(1, 13))
        guesses = np.stack([rng.integers(0, P["p"] + 3, size=many), rng.choice([-1, 1], size=many)], axis=1)
        again, count, w2, x2 = solve(P, guesses)
        if code == kernels_quadratic.SOLVED:
            guessed += count > 0
            assert again == code
            np.testing.assert_allclose(w2, w, rtol=0, atol=1e-8 * (1 + np.abs(w).max()))
            np.testing.assert_allclose(x2, x, rtol=0, atol=1e-8 * (1 + np.abs(x).max()))
    assert guessed > 30


def test_levels_remember_and_find_the_same() -> None:
    """From the bounds that were active last time, whatever has changed since; contradictions are dropped alike."""
    rng = np.random.default_rng(11)
    hints, active = np.zeros(HINTED * HINTED_LEVELS, dtype=np.int8), 0
    for trial in range(200):
        n = 7
        levels = [(rng.normal(size=(m, n)), 4 * rng.normal(size=m)) for m in (2, 3, 1)]
        x, N = 2 * rng.normal(size=n), np.eye(n)
        G = np.vstack([np.eye(n), rng.normal(size=(4, n))])
        lower, upper = np.full(len(G), -1.5), np.full(len(G), 1.5)
        if trial % 5 == 0:
            G[7], G[8] = G[0], -G[0]
            lower[7], lower[8] = 0.5, 0.5  # 0.5 <= x and x <= -0.5
        kinds = [0] * 7 + [3] * 4
        plain, dropped = run_levels(levels, x, N, 1.0, bounds_of(G, lower, upper, kinds))
        found, again = run_levels(levels, x, N, 1.0, bounds_of(G, lower, upper, kinds), hints)
        assert again == dropped == (8 if trial % 5 == 0 else 0)
        np.testing.assert_allclose(found, plain, rtol=0, atol=1e-9 * (1 + np.abs(plain).max()))
        active += int(np.abs(hints).sum())
    assert active > 400


@pytest.mark.parametrize("seed", range(6))
def test_levels_agree_with_singular_values(seed: int) -> None:
    """Damped least squares in the null space of all levels above, rank lost on purpose in some."""
    rng = np.random.default_rng(seed)
    for trial in range(60):
        n = int(rng.integers(4, 12))
        levels = [(rng.normal(size=(m, n)), rng.normal(size=m)) for m in rng.integers(1, 4, size=3)]
        if trial % 3 == 0:  # the second level asks again, and otherwise, for what the first has settled
            levels[1] = (np.vstack([levels[1][0], levels[0][0][:1]]), np.append(levels[1][1], 3.0))
        x, N = rng.normal(size=n), rng.normal(size=(n, n))
        found, _ = run_levels(levels, x, N, 1.0)
        expected = naive_levels(levels, x, N, 1.0)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8 * np.abs(expected).max())


def test_lower_levels_do_not_disturb_higher_ones() -> None:
    """With bounds or without, the first level stands exactly where it stood before the second came."""
    rng = np.random.default_rng(5)
    moved = 0.0
    for _ in range(60):
        n = 7
        first, second = (rng.normal(size=(2, n)), rng.normal(size=2)), (rng.normal(size=(3, n)), 5 * rng.normal(size=3))
        G = np.vstack([np.eye(n), rng.normal(size=(4, n))])
        limits = bounds_of(G, np.full(len(G), -1.5), np.full(len(G), 1.5))
        x, N = np.zeros(n), np.eye(n)
        alone, _ = run_levels([first], x, N, 0.0025, limits)
        both, _ = run_levels([first, second], x, N, 0.0025, limits)
        np.testing.assert_allclose(first[0] @ both, first[0] @ alone, rtol=0, atol=1e-8)
        assert np.all(np.abs(G @ both) <= 1.5 + 1e-7)
        moved = max(moved, float(np.abs(both - alone).max()))
    assert moved > 0.1


def test_contradicting_bounds_are_given_up_in_order() -> None:
    """Kind 3 goes first, kind 0 never; what was dropped is told."""
    G = np.vstack([np.eye(3), np.eye(3)])
    limits = bounds_of(G, np.array([2.0, -1, -1, -1, -1, -1]), np.array([3.0, 1, 1, 1, 1, 1]), [3, 3, 3, 0, 0, 0])
    found, dropped = run_levels([(np.eye(3), np.full(3, 9.0))], np.zeros(3), np.eye(3), 0.0025, limits)
    assert dropped == 1 << 3
    np.testing.assert_allclose(found, 1.0, atol=1e-9)


def test_rows_of_nothing_but_rounding_have_no_effect() -> None:
    """A row that is 1e-13 of what it could be is not amplified into a command."""
    A = np.array([[1e-13, -2e-13, 5e-14]])
    found, _ = run_levels([(A, np.array([1.0]))], np.zeros(3), np.eye(3), 0.0025)
    assert np.all(found == 0)


def test_what_a_level_above_has_all_but_settled_is_not_amplified() -> None:
    """The second level asks for nearly the same row otherwise: the command stays small."""
    row = np.array([[1.0, 2.0, -1.0]])
    again = row + np.array([[0.0, 1e-7, 1e-7]])
    found, _ = run_levels([(row, np.array([1.0])), (again, np.array([1000.0]))], np.zeros(3), np.eye(3), 0.0025)
    assert np.abs(found).max() < 10


def test_a_level_of_singular_rows_alone_is_not_amplified() -> None:
    """Nothing else tells how large its rows could be: their size does."""
    found, _ = run_levels([(np.array([[1e-5, 2e-5, -1e-5]]), np.array([100.0]))], np.zeros(3), np.eye(3), 0.0025)
    assert 0.1 < np.abs(found).max() < 1.0


@pytest.mark.parametrize("orthonormal", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_the_style_is_least_in_what_the_levels_leave_free(seed: int, orthonormal: bool) -> None:
    """No other command within the bounds gives the same rows at a lower cost, to 0.1 % and far below (daqp)."""
    rng = np.random.default_rng(seed)
    bounded = 0
    for _ in range(100):
        n = int(rng.integers(5, 10))
        levels = [(rng.normal(size=(m, n)), 3 * rng.normal(size=m)) for m in rng.integers(1, 3, size=2)]
        B = np.eye(n) if orthonormal else rng.normal(size=(n, n))
        H, x = B.T @ B + 1e-3 * np.eye(n) * (not orthonormal), 2 * rng.normal(size=n)
        G = np.vstack([np.eye(n), rng.normal(size=(4, n))])
        width = rng.uniform(0.3, 2.0, size=len(G))
        limits = bounds_of(G, -width, width)
        style = None if orthonormal else (H, H @ x)
        found, dropped = run_levels(levels, x, np.eye(n), 0.01, limits, style=style)
        assert dropped == 0
        assert np.all(np.abs(G @ found) <= width + 1e-7)
        rows = np.vstack([A for A, _ in levels])
        upper, lower = (np.concatenate([side * (width + 1e-8), rows @ found]) for side in (1, -1))
        kinds = np.array([0] * len(G) + [5] * len(rows), dtype=np.int32)  # 5: equal
        best, _, flag, _ = daqp.solve(H, -H @ x, np.vstack([G, rows]), upper, lower, kinds)
        assert flag > 0
        least, ours = ((z - x) @ H @ (z - x) for z in (np.array(best), found))
        assert ours <= least * (1 + 1e-4) + 1e-6
        bounded += bool(np.any(np.abs(G @ found) > width - 1e-9))
    assert bounded > 50
