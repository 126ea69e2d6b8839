"""Forward, inverse and hybrid dynamics as one recursion (Kim & Pollard 2008, Tables 3 and 4).

A joint's coordinates are eliminated one after the other, the last first. That is the block elimination of the paper
carried out column by column; it needs no matrix inverse, treats a joint of any number of coordinates alike, and lets
each single coordinate be prescribed or not.
"""

from stringless.dynamics.kernels_in import ArticulatedBody, eliminate
from stringless.dynamics.kernels_out import accelerate
from stringless.jit import kernel
from stringless.kinematics.kernels import cross_force, find_pose, move, rotate_inertia
from stringless.model.joints import registry
from stringless.spatial import inertia, mat3, vec3, vec6


@kernel(inline=True)
def load_passive(skeleton, i, q, v, dof_work, displacement_out):
    """Efforts of the joint's own spring and damper, `-k x - c u`, and its armature."""
    row, dofs = skeleton.tree[i], skeleton.dofs
    if row.sprung == 1:
        registry.displacement(row, skeleton.rest, q, displacement_out)
    for d in range(row.v0, row.v0 + row.nv):
        dof = dof_work[d]
        dof.arm = dofs[d].armature
        dof.tau = -dofs[d].damping * v[d]
        if row.sprung == 1:
            dof.tau -= dofs[d].stiffness * displacement_out[d]


@kernel(inline=True)
def add_efforts(tree, i, prescribed, tau, dof_work):
    """Add the given efforts to the passive ones, except where the acceleration is prescribed."""
    row = tree[i]
    for d in range(row.v0, row.v0 + row.nv):
        if prescribed.shape[0] == 0 or not prescribed[d]:
            dof_work[d].tau += tau[d]


@kernel(inline=True)
def subtract_wrench(external, i, R, m, f):
    """`(m, f)` less the wrench on body i, which is given along its own axes; an empty `external` means that there is none."""
    if external.shape[0] > 0:
        m = vec3.subtract(m, mat3.transform(R, (external[i, 0], external[i, 1], external[i, 2])))
        f = vec3.subtract(f, mat3.transform(R, (external[i, 3], external[i, 4], external[i, 5])))
    return m, f


@kernel(inline=True)
def find_articulated(tree, i, external, added, body_work):
    """Articulated inertia Jh and bias force B of body i: its own, and what its children have handed over.

    `Jh_i = J_i + Σ Pi_k`, `B_i = -ad(V)ᵀ J V - F_ext + Σ beta_k`. `added` has an inertia and a wrench for every body that stiff
    forces add to its own (`flesh.kernels_dampers`); None if there are none.
    """
    row = tree[i]
    work = body_work[i]
    R = mat3.load(work.R, 0)
    V_w, V_v = vec6.load(work.V, 0)
    I, h = rotate_inertia(row, R)
    mass = row.mass
    if added is not None:
        I = mat3.add_symmetric(I, mat3.load_symmetric(added[i].I, 0))
        h = vec3.add(h, vec3.load(added[i].h, 0))
        mass += added[i].mass
    l, p = inertia.momentum(I, h, mass, V_w, V_v)
    m, f = cross_force(V_w, V_v, l, p)
    m, f = subtract_wrench(external, i, R, m, f)
    if added is not None:
        m = vec3.subtract(m, vec3.load(added[i].F, 0))
        f = vec3.subtract(f, vec3.load(added[i].F, 3))
    I, H, M = inertia.rigid(I, h, mass)
    if row.leaf == 0:
        I, H, M = inertia.add(I, H, M, work.Jh)
        m = vec3.add(m, vec3.load(work.B, 0))
        f = vec3.add(f, vec3.load(work.B, 3))
    return I, H, M, m, f


@kernel(inline=True)
def solve(tree, dofs, gravity, prescribed, vdot, external, added, body_work, dof_work, vdot_out, tau_out):
    """In (articulated inertias) and out again (accelerations), once motions and efforts are in the work tables."""
    n = tree.shape[0]
    for i in range(n - 1, -1, -1):
        I, H, M, m, f = find_articulated(tree, i, external, added, body_work)
        if prescribed.shape[0] > 0:
            inertia.store(body_work[i].Jh, I, H, M)
            vec6.store(body_work[i].B, 0, m, f)
        eta_m, eta_f = inertia.apply(I, H, M, vec3.load(body_work[i].eta, 0), vec3.load(body_work[i].eta, 3))
        m, f = vec3.add(m, eta_m), vec3.add(f, eta_f)
        eliminate(tree, dofs, i, prescribed, vdot, ArticulatedBody(I, H, M, m, f), body_work, dof_work)
    for i in range(n):
        accelerate(tree, dofs, i, gravity, prescribed, vdot, body_work, dof_work, vdot_out, tau_out)


@kernel
def hybrid(skeleton, q, v, prescribed, vdot, tau, external, work, vdot_out, tau_out):
    """Accelerations where efforts are given, efforts where accelerations are prescribed.

    Three loops: out (kinematics), in (articulated inertias), out (accelerations). An empty `prescribed` means that no
    coordinate is, an empty `external` that no body is pushed.
    """
    tree, dofs, body_work, dof_work = skeleton.tree, skeleton.dofs, work.bodies, work.dofs
    for i in range(tree.shape[0]):
        R, r = find_pose(tree, i, q, body_work)
        move(tree, dofs, i, q, v, R, r, body_work, dof_work)
        # vdot_out is free until the last loop fills it: joint displacements go there meanwhile.
        load_passive(skeleton, i, q, v, dof_work, vdot_out)
        add_efforts(tree, i, prescribed, tau, dof_work)
    solve(tree, dofs, skeleton.gravity, prescribed, vdot, external, None, body_work, dof_work, vdot_out, tau_out)


@kernel
def repeat_forward(skeleton, q, v, inputs, count, work, vdot_out, tau_out):
    """Run `hybrid` `count` times on the same state: what an engine pays for it, without the way in from Python."""
    for _ in range(count):
        hybrid(skeleton, q, v, inputs.prescribed, inputs.vdot, inputs.tau, inputs.external, work, vdot_out, tau_out)
