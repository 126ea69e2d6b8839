"""Between the model's own vectors and loads and those of a tree or of its clusters."""

from __future__ import annotations

from stringless.engines.adaptive.kernels_clusters import FIXED, POSITION, ZERO3, transform_force
from stringless.engines.adaptive.records import Clusters, ContactModel, ContactWork
from stringless.jit import kernel
from stringless.kinematics.kernels import motions
from stringless.model.joints import registry
from stringless.model.records import Skeleton
from stringless.spatial import mat3, vec3

FREE = registry.FREE

# --- the rows of one tree ---------------------------------------------------------------------------------------------


@kernel(inline=True)
def slice_skeleton(row, skeleton):
    """The bodies and joints of one tree; how it is built stands where it stood first."""
    return Skeleton(
        skeleton.tree[row.shared : row.shared + row.count],
        skeleton.dofs[row.shared_v : row.shared_v + row.nv],
        skeleton.limits,
        skeleton.rest[row.shared_q : row.shared_q + row.nq],
        skeleton.gravity,
    )


@kernel(inline=True)
def slice_clusters(row, clusters):
    """The clusters of one tree."""
    b, b_end, c, c_end, d, d_end = row.first, row.first + row.count, row.q0, row.q0 + row.nq, row.v0, row.v0 + row.nv
    return Clusters(
        tree=clusters.tree[b:b_end],
        dofs=clusters.dofs[d:d_end],
        rest=clusters.rest[c:c_end],
        q=clusters.q[c:c_end],
        v=clusters.v[d:d_end],
        vdot=clusters.vdot[d:d_end],
        tau=clusters.tau[d:d_end],
        external=clusters.external[b:b_end],
        cluster_of=clusters.cluster_of[b:b_end],
        place=clusters.place[b:b_end],
        body_of=clusters.body_of[b:b_end],
        active=clusters.active[b:b_end],
        composites=clusters.composites[b:b_end],
        coefficients=clusters.coefficients[d:d_end],
    )


@kernel(inline=True)
def slice_contact(row, contact):
    """The bodies of one tree that can touch, if any can."""
    if contact is None:
        return None
    bodies = contact.bodies[row.contact0 : row.contact0 + row.contacts]
    return ContactModel(contact.obstacles, contact.meshes, contact.samples, bodies, contact.no_anchors)


@kernel(inline=True)
def slice_contact_work(row, work):
    """Their scratch."""
    if work is None:
        return None
    a, z, s = row.contact0, row.contact0 + row.contacts, row.sphere0
    return ContactWork(
        obstacles=work.obstacles,
        stack=work.stack,
        samples=work.samples,
        bodies=work.bodies[a:z],
        spheres=work.spheres[s : s + row.count + 1],
        order=work.order[a:z],
        moments=work.moments,
        forces=work.forces,
    )


# --- coordinates ------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def synchronise_free(d, at, half, vdot, v, v_out):
    """Velocity of a free joint's origin half a step later, along the body's axes of now: `v + h/2 (vdot + w x v)`.

    docs/theory/adaptive.md, section 4.2. Steps carry it along world axes, so a body that spins flies straight; `vdot` alone is
    its rate along axes that turn, and would turn its flight at every update. It is the rate of the step before, which was about
    `u = v - h/2 vdot`; the body has turned by h w since. What is neglected is of third order in the step.
    """
    w, u = vec3.load(v, d), vec3.load(v, d + 3)
    turning = vec3.add_scaled(w, -half, vec3.load(vdot, d))
    flying = vec3.add_scaled(u, -half, vec3.load(vdot, d + 3))
    rate = vec3.add(vec3.load(vdot, d + 3), vec3.cross(turning, flying))
    rate = vec3.add_scaled(rate, -2.0 * half, vec3.cross(w, rate))
    vec3.store(v_out, at + 3, vec3.add_scaled(u, half, rate))


@kernel
def gather_tree(model, state, tau, last, work):
    """Bring coordinates, efforts and velocities of a whole tree together; velocities at the time of q, `v + last/2 vdot`."""
    tree, members, vectors = model.skeleton.tree, model.members, work.vectors
    half = 0.5 * last
    for i in range(tree.shape[0]):
        row, member = tree[i], members[i]
        for k in range(row.nq):
            work.q[row.q0 + k] = state.q[member.q + k]
        for k in range(row.nv):
            vectors.v[row.v0 + k] = state.v[member.v + k] + half * state.vdot[member.v + k]
            vectors.tau[row.v0 + k] = tau[member.v + k]
        if row.kind == FREE:
            synchronise_free(member.v, row.v0, half, state.vdot, state.v, vectors.v)


@kernel
def gather_velocities(count, clusters, last, v_out):
    """The same velocities of the active joints, from the clusters' own vectors."""
    half = 0.5 * last
    for c in range(count):
        row = clusters.tree[c]
        for d in range(row.v0, row.v0 + row.nv):
            v_out[d] = clusters.v[d] + half * clusters.vdot[d]
        if row.kind == FREE:
            synchronise_free(row.v0, row.v0, half, clusters.vdot, clusters.v, v_out)


@kernel
def gather_active(members, state, tau, count, clusters_out):
    """Bring coordinates of the active joints and efforts on them into the clusters' vectors."""
    for c in range(count):
        row, member = clusters_out.tree[c], members[clusters_out.body_of[c]]
        for k in range(row.nq):
            clusters_out.q[row.q0 + k] = state.q[member.q + k]
        for k in range(row.nv):
            clusters_out.v[row.v0 + k] = state.v[member.v + k]
            clusters_out.vdot[row.v0 + k] = state.vdot[member.v + k]
            clusters_out.tau[row.v0 + k] = tau[member.v + k]


@kernel
def scatter_active(members, count, clusters, state):
    """Write the coordinates of the active joints into the state."""
    for c in range(count):
        row, member = clusters.tree[c], members[clusters.body_of[c]]
        for k in range(row.nq):
            state.q[member.q + k] = clusters.q[row.q0 + k]
        for k in range(row.nv):
            state.v[member.v + k] = clusters.v[row.v0 + k]
            state.vdot[member.v + k] = clusters.vdot[row.v0 + k]


@kernel
def scatter_velocities(model, active, v, state):
    """Write the velocities v of the active joints into the state; the others have none, and no acceleration."""
    for i in range(active.shape[0]):
        row, d = model.skeleton.tree[i], model.members[i].v
        for k in range(row.nv):
            state.v[d + k] = v[row.v0 + k] if active[i] else 0.0
            if not active[i]:
                state.vdot[d + k] = 0.0


# --- loads, referred to clusters: at a cost for each load and each cluster ----------------------------------------------


@kernel
def apply_springs(springs, loaded, clusters, body_work, wrenches_out):
    """Wrenches of `k (anchor - x) - c v` along the axes of the bodies, once `motions` has found those of the clusters."""
    for n in range(springs.shape[0]):
        row = springs[n]
        i = loaded[row.entry]
        R, p = mat3.load(clusters.place[i], 0), vec3.load(clusters.place[i], POSITION)
        w, v, origin = ZERO3, ZERO3, ZERO3
        if clusters.cluster_of[i] != FIXED:
            cluster = body_work[clusters.cluster_of[i]]
            R_L, origin = mat3.load(cluster.R, 0), vec3.load(cluster.p, 0)
            w, v = vec3.load(cluster.V, 0), vec3.load(cluster.V, 3)
            R, p = mat3.multiply(R_L, R), vec3.add(origin, mat3.transform(R_L, p))
        x = vec3.add(p, mat3.transform(R, vec3.load(row.point, 0)))
        velocity = vec3.add(v, vec3.cross(w, vec3.subtract(x, origin)))
        force = vec3.scale(row.stiffness, vec3.subtract(vec3.load(row.anchor, 0), x))
        force = mat3.transform_back(R, vec3.add_scaled(force, -row.damping, velocity))
        vec3.store(wrenches_out[row.entry], 0, vec3.cross(vec3.load(row.point, 0), force))
        vec3.store(wrenches_out[row.entry], 3, force)


@kernel(inline=True)
def add_wrench(i, wrench, cluster_of, place, external_out):
    """Add a wrench on body i, along its own axes, to that of its cluster; one on the ground does nothing."""
    home = cluster_of[i]
    if home >= 0:
        R, p = mat3.load(place[i], 0), vec3.load(place[i], POSITION)
        m, f = transform_force(R, p, vec3.load(wrench, 0), vec3.load(wrench, 3))
        vec3.add_to(external_out[home], 0, m)
        vec3.add_to(external_out[home], 3, f)


@kernel
def load_clusters(inputs, work):
    """Wrenches on the clusters of a tree as it stands: those on its bodies, and of its springs."""
    clusters, scratch, count = work.clusters, work.scratch, work.status.clusters
    if inputs.springs.shape[0] > 0:
        motions(
            clusters.tree[:count], clusters.dofs[: work.status.nv], clusters.q, clusters.v, scratch.bodies, scratch.dofs
        )
        apply_springs(inputs.springs, inputs.loaded, clusters, scratch.bodies, work.wrenches)
    for c in range(count):
        for k in range(6):
            clusters.external[c, k] = 0.0
    for n in range(inputs.loaded.shape[0]):
        add_wrench(inputs.loaded[n], work.wrenches[n], clusters.cluster_of, clusters.place, clusters.external)
