"""Forces of pulls, the springs from points of bodies to points of the world."""

from collections.abc import Sequence

import numpy as np

from stringless.kinematics.bodies import run_motions
from stringless.model.model import Model
from stringless.model.pulls import Pull
from stringless.spatial.arrays import FloatArray


def pull_wrenches(model: Model, pulls: Sequence[Pull], q: FloatArray, v: FloatArray) -> FloatArray:
    """Wrenches of `k (anchor - x) - c v` on all bodies, moment first, along their own axes; shape (bodies, 6)."""
    out = np.zeros((model.body_count, 6))
    bodies = run_motions(model, q, v).bodies
    for pull in pulls:
        i = model.body(pull.body).index
        work, R = bodies[i], bodies[i]["R"].reshape(3, 3)
        arm = R @ np.asarray(pull.point)
        velocity = work["V"][3:] + np.cross(work["V"][:3], arm)
        force = R.T @ (pull.stiffness * (np.asarray(pull.anchor) - work["p"] - arm) - pull.damping * velocity)
        out[i, :3] += np.cross(pull.point, force)
        out[i, 3:] += force
    return out
