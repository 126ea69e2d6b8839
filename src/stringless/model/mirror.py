"""Characters that move in a plane, and which of their points mirror each other in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from stringless.model.joints import JOINT_TYPES
from stringless.model.pose import Pose
from stringless.model.spec import GROUND, BodySpec
from stringless.spatial.arrays import FloatArray, IntArray

SAME = 1e-9
"""Share of a character's size by which a point may miss the image of another; of an axis, by which it may lean."""


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane of the world."""

    point: FloatArray
    normal: FloatArray

    def mirrored(self, x: FloatArray) -> FloatArray:
        """Images of the points `x` (n, 3)."""
        return x - 2 * ((x - self.point) @ self.normal)[:, None] * self.normal


def planes_of_motion(specs: Sequence[BodySpec], places: Mapping[str, Pose]) -> dict[str, Plane]:
    """The plane that each body moves in, for those of trees with a planar root and no joint that leads out of it.

    `specs` come parents first and completed, `places` are those of the neutral configuration.
    """
    root: dict[str, str] = {}
    planes: dict[str, Plane] = {}
    leaving: set[str] = set()
    for spec in specs:
        place = places[spec.name]
        root[spec.name] = spec.name if spec.parent == GROUND else root[spec.parent]
        if spec.parent == GROUND:
            if spec.joint.kind == "planar":
                planes[spec.name] = Plane(np.asarray(place.position, float), place.matrix[:, 2])
        elif root[spec.name] in planes and not _stays(spec, place, planes[root[spec.name]]):
            leaving.add(root[spec.name])
    return {name: planes[top] for name, top in root.items() if top in planes and top not in leaving}


def _stays(spec: BodySpec, place: Pose, plane: Plane) -> bool:
    """Whether a joint moves its body along the plane only."""
    kind = JOINT_TYPES[spec.joint.kind]
    if kind.nv == 0:
        return True
    if kind.nv > 1 or kind.axis_count != 1:
        return False
    axis = place.matrix @ np.asarray(spec.joint.axes[0], float)
    across = abs(float(axis @ plane.normal)) / float(np.linalg.norm(axis))
    return across > 1 - SAME if kind.angular[0] else across < SAME


def partners(x: FloatArray, plane: Plane) -> IntArray:
    """Which of the points `x` (n, 3) is the image of each, itself on the plane; all -1 unless every one has one."""
    missed, nearest = KDTree(x).query(plane.mirrored(x))
    found: IntArray = np.asarray(nearest, np.int64)
    mutual = np.array_equal(found[found], np.arange(len(x)))
    complete = mutual and bool(np.all(missed <= SAME * np.ptp(x, axis=0).max()))
    return found if complete else np.full(len(x), -1, np.int64)
