"""Moving on the manifold of configurations; the only way between q and v."""

import numpy as np

from stringless.model.joints import JOINT_TYPES
from stringless.model.spec import JointSpec
from stringless.spatial.arrays import FloatArray


def random_joint(joint: JointSpec, rng: np.random.Generator) -> FloatArray:
    """A random configuration of one joint, within its limits where they bound the coordinates themselves."""
    kind = JOINT_TYPES[joint.kind]
    if kind.is_vector:
        reach = np.where(kind.angular, np.pi, 1.0)
        lower = np.broadcast_to(joint.lower or (-np.inf,), kind.nq)
        upper = np.broadcast_to(joint.upper or (np.inf,), kind.nq)
        # Around the allowed value nearest to zero: a hinge allowed only from 4 to 5 rad is drawn from there.
        middle = np.clip(0.0, lower, upper)
        lower, upper = np.maximum(lower, middle - reach), np.minimum(upper, middle + reach)
        return np.asarray(rng.uniform(lower, upper))
    if kind.limit_names and (joint.lower or joint.upper):
        return _random_ball(joint, rng)
    quaternion = rng.normal(size=4)
    return np.concatenate([rng.uniform(-1, 1, kind.nq - 4), quaternion / np.linalg.norm(quaternion)])


def _random_ball(joint: JointSpec, rng: np.random.Generator) -> FloatArray:
    """Twist about the bone, then swing about a direction normal to it, both within the limits."""
    lower = np.broadcast_to(joint.lower or (-np.inf,), 3)
    upper = np.broadcast_to(joint.upper or (np.inf,), 3)
    turn = min(upper[2], np.pi)
    swing = rng.uniform(0, min(upper[0], np.pi, turn))
    most = np.sqrt(max(turn**2 - swing**2, 0.0))  # the whole turn is at most as long as both legs of the triangle
    twist = rng.uniform(max(lower[1], -most), min(upper[1], most))
    a = np.asarray(joint.axes[0], float) / np.linalg.norm(joint.axes[0])
    n = np.cross(a, rng.normal(size=3))
    n /= np.linalg.norm(n)
    s, t = np.sin(swing / 2) * n, np.sin(twist / 2) * a
    cs, ct = np.cos(swing / 2), np.cos(twist / 2)
    return np.concatenate([cs * t + ct * s + np.cross(s, t), [cs * ct - s @ t]])
