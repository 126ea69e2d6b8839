"""Springs from points of bodies to points of the world, as clusters feel them: at a cost for each spring and each cluster."""

from __future__ import annotations

from stringless.engines.adaptive.kernels_clusters import GROUND, POSITION
from stringless.engines.adaptive.kernels_exchange import push_clusters
from stringless.jit import kernel
from stringless.kinematics.kernels import motions
from stringless.spatial import mat3, vec3

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def pull(pulls, pushed, cluster_of, place, body_work, wrenches_out):
    """Wrenches of `k (anchor - x) - c v` along the axes of the bodies pulled, once `motions` has found those of the clusters."""
    for n in range(pulls.shape[0]):
        row = pulls[n]
        i = pushed[row.entry]
        R, p = mat3.load(place[i], 0), vec3.load(place[i], POSITION)
        w, v, origin = ZERO3, ZERO3, ZERO3
        if cluster_of[i] != GROUND:
            cluster = body_work[cluster_of[i]]
            R_L, origin = mat3.load(cluster.R, 0), vec3.load(cluster.p, 0)
            w, v = vec3.load(cluster.V, 0), vec3.load(cluster.V, 3)
            R, p = mat3.multiply(R_L, R), vec3.add(origin, mat3.transform(R_L, p))
        x = vec3.add(p, mat3.transform(R, vec3.load(row.point, 0)))
        velocity = vec3.add(v, vec3.cross(w, vec3.subtract(x, origin)))
        force = vec3.scale(row.stiffness, vec3.subtract(vec3.load(row.anchor, 0), x))
        force = mat3.transform_back(R, vec3.add_scaled(force, -row.damping, velocity))
        vec3.store(wrenches_out[row.entry], 0, vec3.cross(vec3.load(row.point, 0), force))
        vec3.store(wrenches_out[row.entry], 3, force)


@kernel
def load_clusters(part, pulls, pushed, begin, end, cluster_work, room_work, wrenches_out):
    """Forces on the clusters of a tree as it stands: those of the bodies `pushed[begin:end]`, of which `pulls` follow."""
    clusters, dofs, _, _, _, q, v, external, cluster_of, place = cluster_work[:10]
    if pulls.shape[0] > 0:
        motions(clusters[: part.clusters], dofs[: part.cluster_nv], q, v, room_work[0], room_work[1])
        pull(pulls, pushed, cluster_of, place, room_work[0], wrenches_out)
    push_clusters(pushed, wrenches_out, begin, end, part.clusters, cluster_of, place, external)
