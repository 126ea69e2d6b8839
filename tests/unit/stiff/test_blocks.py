"""Block factorisations of forests against dense solves."""

import numpy as np
import pytest

from stringless.engines.stiff.reference import kernels_blocks
from stringless.engines.stiff.reference.kernels_blocks import D, G, H, P, Q

DENSE = 1e-10
"""Relative, against a dense solve of matrices whose condition number is below `CONDITION`."""
CONDITION = 1e5
SEEDS = range(8)
BODIES = 15


class Forest:
    """A random forest of bodies and joints, and a matrix of its pattern; `at` says where in the dense one a node is."""

    def __init__(self, seed, *, symmetric, bodies=BODIES):
        self.rng = rng = np.random.default_rng(seed)
        rows, carriers = [], []  # a carrier is a body's node
        for i in range(bodies):
            carrier = -1 if i == 0 or rng.random() < 0.2 else carriers[rng.integers(i)]
            if carrier < 0 and rng.random() < 0.5:
                rows.append((6, -1, -1))  # a root may be a bare body
            else:
                rows.append((int(rng.integers(0, 7)), carrier, -1))
                rows.append((6, len(rows) - 1, carrier))
            carriers.append(len(rows) - 1)
        self.nodes = np.array(rows, dtype=np.int64)
        assert (self.nodes[:, 1] < np.arange(len(rows))).all()
        first = np.concatenate([[0], np.cumsum(self.nodes[:, 0])])
        self.at = [slice(first[i], first[i + 1]) for i in range(len(rows))]
        self.matrix = np.zeros((first[-1], first[-1]))
        for i in carriers:
            self.add_body(i)
        if not symmetric:
            # Another factor on every entry; the empty diagonal blocks of joints stay empty.
            self.matrix *= 1.0 + 0.3 * rng.normal(size=self.matrix.shape)

    def add_body(self, i):
        """Inertia, a spring to the body that carries it, and the rows of the joint between them."""
        _, p, g = self.nodes[i]
        self.add(i, i, self.square(6) + np.eye(6))
        if p >= 0:
            # As those of a real joint, its rows on the body it carries are far from depending on each other.
            J = np.linalg.qr(self.rng.normal(size=(6, 6)))[0][: self.nodes[p, 0]]
            self.add(p, i, J)
            self.add(i, p, J.T)
        if g >= 0:
            spring = self.square(12)
            self.add(i, i, spring[:6, :6])
            self.add(i, g, spring[:6, 6:])
            self.add(g, i, spring[6:, :6])
            self.add(g, g, spring[6:, 6:])
            J = self.rng.normal(size=(self.nodes[p, 0], 6))
            self.add(p, g, J)
            self.add(g, p, J.T)

    def square(self, n):
        X = self.rng.normal(size=(n, n))
        return X @ X.T / n

    def add(self, i, j, block):
        self.matrix[self.at[i], self.at[j]] += block

    def blocks(self, count):
        """The matrix in the layout of the solver."""
        out = np.zeros((len(self.nodes), count, 6, 6))
        for i, (n, p, g) in enumerate(self.nodes):
            pairs = {D: (i, i), P: (i, p), G: (i, g), Q: (p, i), H: (g, i)}
            for b in range(count):
                row, column = pairs[b]
                if row >= 0 and column >= 0:
                    block = self.matrix[self.at[row], self.at[column]]
                    out[i, b, : block.shape[0], : block.shape[1]] = block
            assert n <= 6
        return out

    def right_side(self):
        """A random right side: dense, and in rows of 6."""
        dense = self.rng.normal(size=len(self.matrix))
        rows = np.zeros((len(self.nodes), 6))
        for i, at in enumerate(self.at):
            rows[i, : self.nodes[i, 0]] = dense[at]
        return dense, rows

    def dense(self, rows):
        return np.concatenate([rows[i, :n] for i, n in enumerate(self.nodes[:, 0])])

    def errors(self, factor, solve, count, sides=3):
        """Relative errors of the solutions for several right sides with one factorisation."""
        assert np.linalg.cond(self.matrix) < CONDITION
        factors = self.blocks(count)
        factor(self.nodes, np.zeros((3, 6, 6)), factors)
        found = []
        for _ in range(sides):
            z, x = self.right_side()
            solve(self.nodes, factors, np.zeros(6), x)
            true = np.linalg.solve(self.matrix, z)
            assert np.linalg.norm(true) > 0.1
            found.append(np.linalg.norm(self.dense(x) - true) / np.linalg.norm(true))
        return found


SYMMETRIC = kernels_blocks.factor_symmetric, kernels_blocks.solve_symmetric, kernels_blocks.SYMMETRIC_BLOCKS
GENERAL = kernels_blocks.factor_general, kernels_blocks.solve_general, kernels_blocks.GENERAL_BLOCKS


def test_the_forests_have_joints_of_every_size_and_several_roots():
    sizes, roots = set(), 0
    for seed in SEEDS:
        nodes = Forest(seed, symmetric=True).nodes
        sizes |= set(nodes[:, 0])
        roots += (nodes[:, 1] < 0).sum()
    assert sizes == {0, 1, 2, 3, 4, 5, 6}
    assert roots > len(SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_symmetric_factors_are_the_dense_solve(seed):
    forest = Forest(seed, symmetric=True)
    spectrum = np.linalg.eigvalsh(forest.matrix)
    assert spectrum[0] < 0 < spectrum[-1]  # a saddle, as every system with multipliers
    assert max(forest.errors(*SYMMETRIC)) < DENSE


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_general_factors_are_the_dense_solve(seed, symmetric):
    forest = Forest(seed, symmetric=symmetric)
    assert (np.abs(forest.matrix - forest.matrix.T).max() > 0.1) == (not symmetric)
    assert max(forest.errors(*GENERAL)) < DENSE


@pytest.mark.parametrize("seed", SEEDS)
def test_a_matrix_that_is_not_symmetric_needs_the_general_factors(seed):
    assert min(Forest(seed, symmetric=False).errors(*SYMMETRIC)) > 1e-3


def test_a_pivot_of_zero_is_looked_for_below():
    # A rotation by a quarter turn has a zero in its corner: without a search the first division fails.
    nodes = np.array([[6, -1, -1]], dtype=np.int64)
    A = np.kron(np.eye(3), [[0.0, -1.0], [1.0, 0.0]]) + np.diag([0.0, 0.0, 0.5, 0.0, 0.0, 0.2])
    factors = np.zeros((1, kernels_blocks.GENERAL_BLOCKS, 6, 6))
    factors[0, D] = A
    kernels_blocks.factor_general(nodes, np.zeros((3, 6, 6)), factors)
    assert np.abs(factors[0, D] @ A - np.eye(6)).max() < DENSE
