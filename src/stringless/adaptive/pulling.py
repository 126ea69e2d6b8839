"""Springs from points of bodies to points of the world, as lumps feel them: at a cost for each spring and each lump."""

from __future__ import annotations

from stringless.adaptive.exchange import push_lumps
from stringless.adaptive.lumps import GROUND, POSITION
from stringless.jit import kernel
from stringless.kinematics.kernels import motions
from stringless.spatial import mat3, vec3

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def pull(pulls, pushed, lump_of, place, body_work, wrenches_out):
    """Wrenches of `k (anchor - x) - c v` along the axes of the bodies pulled, once `motions` has found those of the lumps."""
    for n in range(pulls.shape[0]):
        row = pulls[n]
        i = pushed[row.entry]
        R, p = mat3.load(place[i], 0), vec3.load(place[i], POSITION)
        w, v, origin = ZERO3, ZERO3, ZERO3
        if lump_of[i] != GROUND:
            lump = body_work[lump_of[i]]
            R_L, origin = mat3.load(lump.R, 0), vec3.load(lump.p, 0)
            w, v = vec3.load(lump.V, 0), vec3.load(lump.V, 3)
            R, p = mat3.multiply(R_L, R), vec3.add(origin, mat3.transform(R_L, p))
        x = vec3.add(p, mat3.transform(R, vec3.load(row.point, 0)))
        velocity = vec3.add(v, vec3.cross(w, vec3.subtract(x, origin)))
        force = vec3.scale(row.stiffness, vec3.subtract(vec3.load(row.anchor, 0), x))
        force = mat3.transform_back(R, vec3.add_scaled(force, -row.damping, velocity))
        vec3.store(wrenches_out[row.entry], 0, vec3.cross(vec3.load(row.point, 0), force))
        vec3.store(wrenches_out[row.entry], 3, force)


@kernel
def load_lumps(part, pulls, pushed, begin, end, lump_work, room_work, wrenches_out):
    """Forces on the lumps of a tree as it stands: those of the bodies `pushed[begin:end]`, of which `pulls` follow the bodies."""
    lumps, dofs, _, _, _, q, v, external, lump_of, place = lump_work[:10]
    if pulls.shape[0] > 0:
        motions(lumps[: part.lumps], dofs[: part.lump_nv], q, v, room_work[0], room_work[1])
        pull(pulls, pushed, lump_of, place, room_work[0], wrenches_out)
    push_lumps(pushed, wrenches_out, begin, end, part.lumps, lump_of, place, external)
