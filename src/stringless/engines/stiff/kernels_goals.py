"""Springs that lead bodies and joints to moving targets, taken at the end of the step: the pointer, a glove, a haptic pen.

A goal becomes a spring and a damper on what it is about. They are those of the mass it has to move, `k = m kp` and
`c = m kv`, with kp and kv from the goal's stiffness, a natural frequency: it acts alike on a light and on a heavy
character. Slopes are in Gauss-Newton form, `-k EᵀE`: symmetric, and never a source of energy
(docs/theory/stiff.md, section 3.3).
"""

from __future__ import annotations

import math

from stringless.control.tables import CENTER, PLACE, POSE, TURN
from stringless.engines.stiff.kernels_constraints import set_center_row
from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, rotation, vec3

FREE = registry.FREE
REACH = 0.25
"""Radius of gyration of a character that a turn has to move, as a share of its size."""


@kernel(inline=True)
def add_push(i, r, a, force, slope, forces_out):
    """A force along `a` at the arm `r` from the origin of body i, less `slope` times the acceleration there."""
    m = vec3.cross(r, a)
    I, H, M = inertia.load(forces_out.inertia[i])
    I, H, M = inertia.remove_rank_one(I, H, M, -slope, m, a)
    inertia.store(forces_out.inertia[i], I, H, M)
    vec3.add_to(forces_out.wrench[i], 0, vec3.scale(force, m))
    vec3.add_to(forces_out.wrench[i], 3, vec3.scale(force, a))


@kernel(inline=True)
def fade_in(task, time):
    """How far a goal has come into force, 0 to 1."""
    if task.fade <= 0.0:
        return 1.0 if time >= task.start else 0.0
    return min(max((time - task.start) / task.fade, 0.0), 1.0)


@kernel(inline=True)
def elapsed(task, time):
    """For how long a target has moved by then."""
    return max(min(time, task.until) - task.since, 0.0)


@kernel(inline=True)
def target_motion(task, time, h):
    """Where a target is at the end of the step, and how fast it moves."""
    xdot = vec3.load(task.xdot, 0)
    wanted = vec3.add_scaled(vec3.load(task.x, 0), elapsed(task, time + h), xdot)
    return wanted, vec3.scale(1.0 if time < task.until else 0.0, xdot)


@kernel(inline=True)
def add_point_spring(task, mass, time, h, body_work, forces_out, reaction_out):
    """Spring from a point of a body to its target at the end of the step.

    A target that is far away does not act without bound: as for other engines it is approached with the goal's top speed.
    """
    body = body_work[task.body]
    r = mat3.transform(mat3.load(body.R, 0), vec3.load(task.r, 0))
    here = vec3.add(vec3.load(body.p, 0), r)
    xdot = vec3.add(vec3.load(body.V, 3), vec3.cross(vec3.load(body.V, 0), r))
    wanted, rate = target_motion(task, time, h)
    apart = vec3.subtract(vec3.add_scaled(here, h, xdot), wanted)
    gap = math.sqrt(vec3.dot(apart, apart))
    far = task.top * task.kv / task.kp
    share = far / gap if gap > far else 1.0
    s = fade_in(task, time) * task.weight * task.weight * mass
    k, c = s * task.kp * share, s * task.kv
    for n in range(task.count):
        a = vec3.load(task.axes, 3 * n)
        force = -k * vec3.dot(apart, a) - c * vec3.dot(vec3.subtract(xdot, rate), a)
        add_push(task.body, r, a, force, h * (c + h * k), forces_out)
        vec3.add_to(reaction_out, 3, vec3.scale(force, a))


@kernel(inline=True)
def add_orientation_spring(task, inertia_behind, time, h, body_work, forces_out, reaction_out):
    """Spring from the orientation of a body to its target at the end of the step: `-k log(R Rtᵀ) - c (w - wt)`."""
    body = body_work[task.body]
    w = vec3.load(body.V, 0)
    w_t = vec3.load(task.w, 0)
    Q = (task.Q[0], task.Q[1], task.Q[2], task.Q[3])
    Q = rotation.multiply_quaternions(rotation.exp_quaternion(vec3.scale(elapsed(task, time + h), w_t)), Q)
    here = rotation.to_quaternion(mat3.load(body.R, 0))
    here = rotation.multiply_quaternions(rotation.exp_quaternion(vec3.scale(h, w)), here)
    phi = rotation.log_quaternion(rotation.normalise(rotation.multiply_quaternions(here, rotation.conjugate(Q))))
    rate = vec3.scale(1.0 if time < task.until else 0.0, w_t)
    s = fade_in(task, time) * task.weight * task.weight * inertia_behind
    k, c = s * task.kp, s * task.kv
    torque = vec3.add_scaled(vec3.scale(-k, phi), -c, vec3.subtract(w, rate))
    for n in range(3):
        forces_out.inertia[task.body, n] += h * (c + h * k)
    vec3.add_to(forces_out.wrench[task.body], 0, torque)
    vec3.add_to(reaction_out, 0, torque)


@kernel
def center_motion(tree, root, body_work):
    """Mass of a tree, and place and velocity of its centre of mass."""
    mass = 0.0
    s = (0.0, 0.0, 0.0)
    P = (0.0, 0.0, 0.0)
    for i in range(tree.shape[0]):
        if tree[i].root == root:
            row = body_work[i]
            c = mat3.transform(mat3.load(row.R, 0), vec3.load(tree[i].h, 0))
            mass += tree[i].mass
            s = vec3.add(s, vec3.add_scaled(c, tree[i].mass, vec3.load(row.p, 0)))
            p = vec3.add_scaled(vec3.cross(vec3.load(row.V, 0), c), tree[i].mass, vec3.load(row.V, 3))
            P = vec3.add(P, p)
    return mass, vec3.scale(1.0 / mass, s), vec3.scale(1.0 / mass, P)


@kernel(inline=True)
def center_force(task, n, mass, here, xdot, time, h):
    """Force along axis n of a spring between the centre of mass, where it will be at this speed, and its target; its slope."""
    a = vec3.load(task.axes, 3 * n)
    wanted, rate = target_motion(task, time, h)
    apart = vec3.subtract(vec3.add_scaled(here, h, xdot), wanted)
    share = fade_in(task, time) * task.weight * task.weight * mass
    k, c = share * task.kp, share * task.kv
    return -k * vec3.dot(apart, a) - c * vec3.dot(vec3.subtract(xdot, rate), a), h * (c + h * k)


@kernel
def add_center_springs(goals, tree, time, h, first, body_work, wrench_out, rows_out):
    """Springs of all centres of mass as constraint rows, from `first` on; returns how many rows there are then.

    Where there is no room for them they are solved beforehand, as if nothing else acted: `f/(1 + (h c + h² k)/m)`.
    """
    tasks = goals.tasks
    rows = first
    for m in range(goals.characters.shape[0]):
        character = goals.characters[m]
        root = character.root
        for t in range(character.first_task, character.last_task):
            if tasks[t].kind != CENTER:
                continue
            mass, here, xdot = center_motion(tree, root, body_work)
            for n in range(tasks[t].count):
                force, slope = center_force(tasks[t], n, mass, here, xdot, time, h)
                a = vec3.load(tasks[t].axes, 3 * n)
                if slope > 0.0 and rows < rows_out.shape[0]:
                    set_center_row(rows, root, a, force, slope, rows_out)
                    rows += 1
                else:
                    accelerate_tree(root, vec3.scale(force / (mass + slope), a), tree, body_work, wrench_out)
    return rows


@kernel
def accelerate_tree(root, a, tree, body_work, wrench_out):
    """Accelerate all bodies of a tree alike."""
    for i in range(tree.shape[0]):
        if tree[i].root == root:
            c = mat3.transform(mat3.load(body_work[i].R, 0), vec3.load(tree[i].h, 0))
            m = vec3.cross(c, a)
            for k in range(3):
                wrench_out[i, k] += m[k]
                wrench_out[i, k + 3] += tree[i].mass * a[k]


@kernel(inline=True)
def add_pose_springs(task, root, goals, skeleton, iterate, time, h, dof_work, displacement_work):
    """Springs of joints toward a pose: the joint's own, whose rest moves there, and `k = kp` times what it has to move."""
    tree, dofs, x = skeleton.tree, skeleton.dofs, displacement_work
    pose, weights = goals.poses[task.pose], goals.pose_weights[task.pose]
    share = fade_in(task, time) * task.weight * task.weight
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.root != root or row.nv == 0 or row.kind == FREE:  # where a body is in the world is no part of its pose
            continue
        if row.sprung == 1:
            registry.displacement(row, skeleton.rest, iterate.q, x)
            for d in range(row.v0, row.v0 + row.nv):
                if goals.column_of[d] >= 0:
                    dof_work[d].tau += min(share, 1.0) * weights[d] * dofs[d].stiffness * x[d]
        registry.displacement(row, pose, iterate.q, x)
        for d in range(row.v0, row.v0 + row.nv):
            if goals.column_of[d] >= 0:
                s = share * weights[d] * dofs[d].inertia
                k, c = s * task.kp, s * task.kv
                own = min(share, 1.0) * weights[d] * dofs[d].stiffness
                dof_work[d].tau -= (k + own) * x[d] + (c + iterate.ahead * k) * iterate.v[d]
                dof_work[d].arm += h * (c + h * k)


@kernel(inline=True)
def add_joint_springs(goals, skeleton, iterate, time, h, dof_work, displacement_work):
    """All springs of goals that act on joints."""
    for n in range(goals.characters.shape[0]):
        character = goals.characters[n]
        for t in range(character.first_task, character.last_task):
            if goals.tasks[t].kind == POSE:
                add_pose_springs(
                    goals.tasks[t], character.root, goals, skeleton, iterate, time, h, dof_work, displacement_work
                )


@kernel
def add_body_springs(goals, tree, time, h, body_work, forces_out, reactions_out):
    """All springs of goals that act on bodies; `reactions_out` gets the force of each, moment first, as the step begins.

    Those of centres of mass are reported here, and act by `add_center_springs`.
    """
    for n in range(goals.characters.shape[0]):
        character = goals.characters[n]
        for t in range(character.first_task, character.last_task):
            task, reaction = goals.tasks[t], reactions_out[t]
            for k in range(6):
                reaction[k] = 0.0
            if task.kind == PLACE:
                add_point_spring(task, character.mass, time, h, body_work, forces_out, reaction)
            elif task.kind == TURN:
                behind = character.mass * (REACH * goals.sizes[n]) ** 2
                add_orientation_spring(task, behind, time, h, body_work, forces_out, reaction)
            elif task.kind == CENTER:
                mass, here, xdot = center_motion(tree, character.root, body_work)
                for k in range(task.count):
                    force, _ = center_force(task, k, mass, here, xdot, time, h)
                    vec3.add_to(reaction, 3, vec3.scale(force, vec3.load(task.axes, 3 * k)))
