"""Reference: articulated-body coefficients of all nodes, bottom-up: `a = Φ f + b` (equations 1 to 3 and 6)."""

from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from stringless.engines.adaptive.reference.assembly import GROUND, Assembly, Node
from stringless.engines.adaptive.reference.snapshot import Snapshot, ad
from stringless.spatial.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Seam:
    """How a node's two parts hang together at its principal joint."""

    W: FloatArray
    """`V - V S (Sᵀ V S)⁻¹ Sᵀ V` with S the motion of the joint and `V = (Φ_2^A + Φ_1^B)⁻¹`; its armature adds to `Sᵀ V S`."""
    U: FloatArray
    """`(Sᵀ V S)⁻¹ Sᵀ V`."""
    R: FloatArray
    """`(Sᵀ V S)⁻¹ (Q - Sᵀ V β)`: the joint's acceleration without forces on handles."""
    gamma: FloatArray
    """`W β + V S (Sᵀ V S)⁻¹ Q`: the force through it then."""
    keep_a: IntArray
    """Rows in A of the handles that are handles of the node, too."""
    keep_b: IntArray
    link_a: IntArray
    """Rows in A of the body that the joint is fixed to. It is among those kept if it has other joints to the outside."""
    link_b: IntArray
    A_12: FloatArray
    """Φ of A between the kept handles and that body: what a force at the joint accelerates them by."""
    B_21: FloatArray


@dataclass(frozen=True)
class Coefficients:
    """Of one node."""

    Phi: FloatArray
    """Inverse inertias of its handles, (6h, 6h)."""
    b: FloatArray
    """Accelerations of its handles without forces on them, (6h,)."""
    seam: Seam | None
    """None for a leaf."""


def main_pass(snapshot: Snapshot, assembly: Assembly, rigid: Set[int] = frozenset()) -> list[Coefficients]:
    """Coefficients of all nodes; joints in `rigid` do not move: S is nothing there, and Q is dropped (section 4.2)."""
    found: list[Coefficients] = []
    for node in assembly.nodes:
        if node.is_leaf:
            found.append(_leaf(snapshot, *node.bodies))
        else:
            found.append(_joined(snapshot, assembly, node, found[node.A], found[node.B], rigid))
    return found


def rows(handles: tuple[int, ...], chosen: tuple[int, ...]) -> IntArray:
    """Rows of some handles among those of a node."""
    places = [6 * handles.index(body) + k for body in chosen if body in handles for k in range(6)]
    return np.array(places, dtype=np.int64)


def _leaf(snapshot: Snapshot, body: int) -> Coefficients:
    """`Φ = I⁻¹`, `b = I⁻¹ (f_k - v ×* I v)`. The ground yields to nothing and falls upwards, which is gravity."""
    if body == GROUND:
        return Coefficients(np.zeros((6, 6)), -snapshot.gravity, None)
    I, v = snapshot.inertias[body], snapshot.velocities[body]
    Phi = np.linalg.inv(I)
    return Coefficients(Phi, Phi @ (snapshot.wrenches[body] + ad(v).T @ I @ v), None)


def _joined(
    snapshot: Snapshot, assembly: Assembly, node: Node, A: Coefficients, B: Coefficients, rigid: Set[int]
) -> Coefficients:
    """Equation 2."""
    seam = _sew(snapshot, assembly, node, A, B, rigid)
    W, gamma, A_12, B_21 = seam.W, seam.gamma, seam.A_12, seam.B_21
    Phi_1 = A.Phi[np.ix_(seam.keep_a, seam.keep_a)] - A_12 @ W @ A_12.T
    Phi_2 = B.Phi[np.ix_(seam.keep_b, seam.keep_b)] - B_21 @ W @ B_21.T
    Phi_21 = B_21 @ W @ A_12.T
    Phi = np.block([[Phi_1, Phi_21.T], [Phi_21, Phi_2]])
    b = np.concatenate([A.b[seam.keep_a] - A_12 @ gamma, B.b[seam.keep_b] + B_21 @ gamma])
    order = _order(assembly, node)
    return Coefficients(Phi[np.ix_(order, order)], b[order], seam)


def _sew(snapshot: Snapshot, assembly: Assembly, node: Node, A: Coefficients, B: Coefficients, rigid: Set[int]) -> Seam:
    A_handles, B_handles = assembly.nodes[node.A].handles, assembly.nodes[node.B].handles
    joint = node.joint
    link_a, link_b = rows(A_handles, (assembly.parents[joint],)), rows(B_handles, (joint,))
    V = np.asarray(np.linalg.inv(A.Phi[np.ix_(link_a, link_a)] + B.Phi[np.ix_(link_b, link_b)]), dtype=np.float64)
    beta = A.b[link_a] - B.b[link_b] + snapshot.products[joint]
    S, Q, D = snapshot.axes[joint], snapshot.efforts[joint], snapshot.armatures[joint]
    if joint in rigid:
        S, Q, D = S[:, :0], Q[:0], D[:0, :0]
    Psi = np.linalg.inv(S.T @ V @ S + D)
    U = Psi @ S.T @ V
    W = V - U.T @ S.T @ V
    keep_a, keep_b = rows(A_handles, node.handles), rows(B_handles, node.handles)
    A_12, B_21 = A.Phi[np.ix_(keep_a, link_a)], B.Phi[np.ix_(keep_b, link_b)]
    return Seam(W, U, Psi @ Q - U @ beta, W @ beta + U.T @ Q, keep_a, keep_b, link_a, link_b, A_12, B_21)


def _order(assembly: Assembly, node: Node) -> IntArray:
    """Rows of the node's handles, where those of A stand before those of B."""
    A, B = assembly.nodes[node.A].handles, assembly.nodes[node.B].handles
    joined = tuple(body for body in A if body in node.handles) + tuple(body for body in B if body in node.handles)
    return rows(joined, node.handles)


def spread(assembly: Assembly, node: Node, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Values of a node's handles, as the kept handles of A and of B see them."""
    back = np.argsort(_order(assembly, node))
    kept = sum(body in node.handles for body in assembly.nodes[node.A].handles)
    return values[back][: 6 * kept], values[back][6 * kept :]


def merged(assembly: Assembly, node: Node, of_A: FloatArray, of_B: FloatArray) -> FloatArray:
    """Rows of the kept handles of A and B, in the order of the node's own."""
    return np.concatenate([of_A, of_B])[_order(assembly, node)]
