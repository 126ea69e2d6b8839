"""From one configuration into another: poses stay, velocities become those the new tree can have.

The impulse of a grip is that of the whole linkage (docs/theory/editing.md, section 4.2): the velocities after it are the
nearest to those before in kinetic energy, `M u+ = Σ J_bᵀ I_b V_b-`. Angular momentum about a ball grip is kept and energy never
rises; letting go changes nothing. Differentiated it is the derivative of inverse dynamics at rest, with the momenta as wrenches.
"""

from typing import Any

import numpy as np

from stringless.dynamics.derivatives import inverse_derivatives
from stringless.dynamics.hybrid import mass_matrix
from stringless.editing.bodies import (
    Bodies,
    TreeState,
    cross,
    find_carrier,
    flip_joint,
    make_skeleton,
    observe_bodies,
    vary_bodies,
)
from stringless.editing.configurations import Configuration
from stringless.model.model import Model
from stringless.model.pose import quaternion_from_matrix
from stringless.spatial.arrays import FloatArray


def carry_joints(before: Configuration, after: Configuration, m: TreeState) -> tuple[FloatArray, ...]:
    """Coordinates of all joints between bodies, of the tree before put into the tree after; zero at its root."""
    model, columns = after.model, m.dq.shape[1]
    q, v = model.neutral(), np.zeros(model.nv)
    dq, dv = np.zeros((model.nv, columns)), np.zeros((model.nv, columns))
    character = before.character
    for b, joint in enumerate(character.joints):
        if character.tree["parent"][b] < 0:
            continue
        old, new = find_carrier(before, b), find_carrier(after, b)
        values = m.q[old.q_slice], m.v[old.v_slice], m.dq[old.v_slice], m.dv[old.v_slice]
        if before.reversed[b] != after.reversed[b]:
            values = flip_joint(joint.kind, *values)
        q[new.q_slice], v[new.v_slice], dq[new.v_slice], dv[new.v_slice] = values
    return q, v, dq, dv


def place_tree(before: Configuration, after: Configuration, m: TreeState, seen: Bodies) -> TreeState:
    """The same poses in another configuration; velocities only of the joints between bodies."""
    model = after.model
    q, v, dq, dv = carry_joints(before, after, m)
    tree = model.tree.copy()
    dplace = np.zeros((6, m.dq.shape[1]))
    b = after.root
    frame = after.frames[b].inverse()
    at = np.asarray(frame.position)
    R, (p, shift) = seen.R[b] @ frame.matrix, seen.point(b, at)
    if after.placed:
        tree["R"][0], tree["p"][0], tree["turned"][0] = R.ravel(), p, 1
        dplace[:3], dplace[3:] = seen.turn[b], shift
    else:
        joint, X = model.joints[b], np.reshape(model.tree["R"][b], (3, 3))
        q[joint.q_slice] = np.concatenate([X.T @ (p - model.tree["p"][b]), quaternion_from_matrix(X.T @ R)])
        dq[joint.v_slice] = np.concatenate([R.T @ seen.turn[b], R.T @ shift])
    tree.flags.writeable = False
    return TreeState(tree, q, v, dq, dv, dplace)


def enter_configuration(before: Configuration, after: Configuration, m: TreeState, seen: Bodies) -> TreeState:
    """The state in another configuration: same poses; velocities, and columns, after the impulse that it takes."""
    s = place_tree(before, after, m, seen)
    s.v, s.dv = project_velocities(after, s, seen)
    return s


def express_configuration(before: Configuration, after: Configuration, tree: Any, q: FloatArray) -> FloatArray:
    """A configuration of one tree in the coordinates of another."""
    m = TreeState.without_columns(tree, q, np.zeros(before.model.nv))
    return place_tree(before, after, m, observe_bodies(before, m)).q


def project_velocities(after: Configuration, m: TreeState, seen: Bodies) -> tuple[FloatArray, FloatArray]:
    """Velocities of the tree after an impulse, `M u+ = Σ J_bᵀ I_b V_b- + armature u-`, and their columns.

    A body that gets heavier adds `J_bᵀ I_b (V_b- - V_b+)` to what is wanted of `M δu+`.
    """
    model, order = after.model, after.bodies
    s = make_skeleton(model, m.tree, m.q, m.v)
    # Of the character's bodies, at the origins of the tree's and along their axes, which turn with them.
    J, I, back = s.jacobians()[order], make_inertias(model.tree)[order], np.swapaxes(s.R[order], 1, 2)
    arm = (seen.R @ after.origins[:, :, None])[..., 0]
    before = np.concatenate([seen.w, seen.v + np.cross(seen.w, arm)], axis=1).reshape(-1, 2, 3)
    before = (back[:, None] @ before[..., None]).reshape(-1, 6)
    momenta = np.zeros((model.body_count, 6))
    momenta[order] = (I @ before[:, :, None])[..., 0]
    stay = model.dofs["armature"]
    M = mass_matrix(model, m.q)
    after_v = np.linalg.solve(M, np.einsum("bkd,bk->d", J, momenta[order]) + stay * m.v)
    if m.dq.shape[1] == 0:
        return after_v, np.zeros_like(m.dq)
    changed = I @ _changes(seen, arm, back)
    changed += (I @ (before - J @ after_v)[:, :, None]) * seen.heavier[:, None]
    d_right = np.einsum("bkd,bkc->dc", J, changed) + stay[:, None] * m.dv
    return after_v, np.linalg.solve(M, d_right - _bend(model, m.q, after_v, momenta) @ m.dq)


def _bend(model: Model, q: FloatArray, v: FloatArray, momenta: FloatArray | None = None) -> FloatArray:
    """How `M v`, less the momenta of bodies, changes with q: inverse dynamics at rest, gravity taken off."""
    rest = np.zeros(model.nv)
    return inverse_derivatives(model, q, rest, v, momenta)[0] - inverse_derivatives(model, q, rest, rest)[0]


def _changes(seen: Bodies, arm: FloatArray, back: FloatArray) -> FloatArray:
    """Columns of the bodies' velocities at points of them, along axes that turn with them, (n, 6, C)."""
    r, w = arm[:, :, None], seen.w[:, :, None]
    V = seen.v + np.cross(seen.w, arm)
    dw = seen.dw - cross(seen.turn, w)
    dv = seen.dv + cross(seen.dw, r) + cross(w, cross(seen.turn, r)) - cross(seen.turn, V[:, :, None])
    return np.concatenate([back @ dw, back @ dv], axis=1)


def make_inertias(tree: Any) -> FloatArray:
    """Inertias of all bodies about their origins, angular rows first, (n, 6, 6)."""
    out = np.zeros((len(tree), 6, 6))
    xx, yy, zz, xy, xz, yz = np.asarray(tree["I_o"]).T
    x, y, z = np.asarray(tree["h"]).T
    none = np.zeros_like(x)
    out[:, :3, :3] = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    H = np.array([[none, -z, y], [z, none, -x], [-y, x, none]]).transpose(2, 0, 1)
    out[:, :3, 3:], out[:, 3:, :3] = H, np.swapaxes(H, 1, 2)
    out[:, 3:, 3:] = np.asarray(tree["mass"])[:, None, None] * np.eye(3)
    return out


def apply_bounce(
    configuration: Configuration,
    m: TreeState,
    body: int,
    point: FloatArray,
    normal: FloatArray,
    restitution: float,
    heavier: FloatArray | None = None,
) -> TreeState:
    """The state after a point has hit a smooth surface: `n·v+ = -e n·v-`, by an impulse along the normal.

    Differentiated: `M δu+ - Jᵀ δλ = M δu - δM (u+ - u) + δJᵀ λ`, `J δu+ = -e (J δu + δJ u) - δJ u+`; `heavier` says how the
    logarithm of each body's mass changes, (bodies, C).
    """
    model = configuration.model
    change = vary_bodies(model, m)
    s = make_skeleton(model, m.tree, m.q, m.v)
    i = int(configuration.bodies[body])
    frame = configuration.frames[body]
    r = s.R[i] @ np.asarray(frame.apply(tuple(point)))
    x = s.p[i] + r
    J = normal @ s.jacobian(x, i)[3:]
    M = mass_matrix(model, m.q)
    answer = np.linalg.solve(M, J)
    push = -(1.0 + restitution) * (J @ m.v) / (J @ answer)
    v = m.v + push * answer
    moved = change.shift[i] + cross(change.turn[i], r[:, None])
    # How J changes, (nv, C).
    arms = x - s.p[s.owner]
    swung = cross(change.da, arms[:, :, None]) + cross(s.a[:, :, None], moved - change.shift[s.owner])
    dJ = np.einsum("k,dkc->dc", normal, np.where(s.rotational[:, None, None], swung, change.da)) * s.paths[i][:, None]
    right = M @ m.dv - _bend(model, m.q, v - m.v) @ m.dq + push * dJ
    if heavier is not None:
        # `δM (u+ - u)` where bodies get heavier: `Σ J_bᵀ I_b J_b (u+ - u) δln m_b`.
        order = configuration.bodies
        jacobians, I = s.jacobians()[order], make_inertias(model.tree)[order]
        right -= (np.swapaxes(jacobians, 1, 2) @ (I @ (jacobians @ (v - m.v))[:, :, None]))[..., 0].T @ heavier
    free = np.linalg.solve(M, right)
    wanted = -restitution * (J @ m.dv + m.v @ dJ) - v @ dJ
    dv = free + np.outer(answer, (wanted - J @ free) / (J @ answer))
    return TreeState(m.tree, m.q, v, m.dq, dv, m.dplace)
