"""Wrenches on bodies and world springs, referred to clusters: at a cost for each load and each cluster."""

from __future__ import annotations

from stringless.engines.adaptive.kernels_clusters import FIXED, POSITION, ZERO3, transform_force
from stringless.jit import kernel
from stringless.kinematics.kernels import motions
from stringless.spatial import mat3, vec3


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
