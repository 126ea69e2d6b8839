"""Poses as people give them: a whole configuration, or values of some joints by name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stringless.errors import InputError
from stringless.model.model import Model

FloatArray = NDArray[np.float64]
PoseLike = ArrayLike | Mapping[str, ArrayLike]


def whole_pose(model: Model, pose: PoseLike, base: FloatArray) -> FloatArray:
    """A whole configuration: as given, or `base` with the values given by joint name."""
    if not isinstance(pose, Mapping):
        whole = model.vector(pose, model.nq, "pose").copy()
        if not np.isfinite(whole).all():
            raise InputError("the pose holds a number that is not finite")
        return whole
    whole = base.copy()
    for name, value in pose.items():
        joint = model.joint(name)
        try:
            values = np.atleast_1d(np.asarray(value, dtype=np.float64))
        except (TypeError, ValueError):
            values = np.zeros(0)
        if values.shape != (joint.nq,) or not np.isfinite(values).all():
            raise InputError(f"pose of joint '{name}' is {value!r}; expected {joint.nq} finite numbers")
        whole[joint.q_slice] = values
    return whole
