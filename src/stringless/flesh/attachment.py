"""Which bone each node belongs to, and which nodes are fixed to it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from stringless.errors import ModelError, Problem
from stringless.model.builder import ordered
from stringless.model.checks import suggest
from stringless.model.neutral_configuration import neutral_places
from stringless.model.pose import Pose
from stringless.model.shapes import Shape
from stringless.model.spec import BodySpec
from stringless.spatial.arrays import BoolArray, FloatArray

TIE = 1e-9
"""Distances that differ by less than this count as equal [m], or as a part of the cage's size beyond a metre."""
Attachment = tuple[tuple[str, ...], BoolArray]
"""The bone of each node, empty for the ground, and whether it is fixed to it."""


def distance(shape: Shape, place: Pose, points: FloatArray) -> FloatArray:
    """Signed distance of world points to a body's shape (negative inside), shape (n,) [m]."""
    local = (points - np.asarray((place @ shape.place).position)) @ (place @ shape.place).matrix
    size = shape.size
    if shape.kind == "sphere":
        return np.linalg.norm(local, axis=1) - size[0]
    if shape.kind == "cylinder":
        over = np.stack([np.linalg.norm(local[:, :2], axis=1) - size[0], np.abs(local[:, 2]) - size[1]], axis=1)
        return np.linalg.norm(np.maximum(over, 0), axis=1) + np.minimum(over.max(axis=1), 0)
    if shape.kind == "capsule":
        local = local.copy()
        local[:, 2] -= np.clip(local[:, 2], -size[1], size[1])
        return np.linalg.norm(local, axis=1) - size[0]
    if shape.kind == "box":
        over = np.abs(local) - np.asarray(size)
        return np.linalg.norm(np.maximum(over, 0), axis=1) + np.minimum(over.max(axis=1), 0)
    if shape.kind == "ellipsoid":
        return (np.linalg.norm(local / np.asarray(size), axis=1) - 1) * min(size)
    raise ModelError("flesh", [Problem(f"shape '{shape.name}'", f"kind '{shape.kind}'", "a solid to hold flesh by")])


def attach(
    nodes: FloatArray,
    specs: Sequence[BodySpec],
    *,
    bones: Iterable[str] | None = None,
    within: float = 0.0,
    fixed: Mapping[str, Sequence[int]] | None = None,
) -> Attachment:
    """Give every node its nearest bone, and fix those that a bone holds.

    A free node as near to several bones belongs to their common ancestor, so that what is symmetric stays so.

    Args:
        nodes: positions at the neutral configuration, shape (n, 3) [m].
        specs: the skeleton.
        bones: names of the bones that hold this flesh; all that have shapes if not given.
        within: a node is fixed if it is inside its bone's shape, or no farther from it than this [m].
        fixed: nodes fixed to a bone by list, besides the rule.

    Returns:
        The bone of each node, and whether it is fixed to it.
    """
    specs = ordered(specs)
    places = neutral_places(specs)
    holders = {spec.name: spec for spec in specs if spec.shapes and (bones is None or spec.name in set(bones))}
    unknown = [name for name in [*(bones or ()), *(fixed or {})] if name not in places]
    unknown += [name for name in bones or () if name in places and name not in holders]
    if unknown or not holders:
        found, remedy = (
            (f"bone '{unknown[0]}'", suggest(unknown[0], places)) if unknown else ("no bone with a shape", "")
        )
        raise ModelError("flesh", [Problem("flesh", found, "bones of the skeleton that have shapes", remedy)])
    strange = [(name, node) for name, chosen in (fixed or {}).items() for node in chosen if not 0 <= node < len(nodes)]
    if strange:
        name, node = strange[0]
        found = f"node {node}, fixed by list"
        raise ModelError("flesh", [Problem(f"bone '{name}'", found, f"nodes from 0 to {len(nodes) - 1}")])
    names = list(holders)
    apart = np.array(
        [np.min([distance(shape, places[name], nodes) for shape in holders[name].shapes], axis=0) for name in names]
    )
    closest = apart.min(axis=0)
    is_fixed = closest <= within + 1e-12
    near = apart <= closest + TIE * max(float(np.max(np.ptp(nodes, axis=0))), 1.0)
    parents = {spec.name: spec.parent for spec in specs}
    owner = [
        _owner([names[k] for k in np.flatnonzero(column)], parents, names, fixed=bool(held))
        for column, held in zip(near.T, is_fixed, strict=True)
    ]
    for name, chosen in (fixed or {}).items():
        for node in chosen:
            owner[node], is_fixed[node] = name, True
    empty = [name for name in names if not any(o == name and f for o, f in zip(owner, is_fixed, strict=True))]
    if empty:
        found, expected = "no node of the cage to hold", "at least one node inside its shape or near it"
        remedy = "Use a finer cage, a thicker bone, a larger `within`, or leave this bone out of `bones`."
        raise ModelError("flesh", [Problem(f"bone '{name}'", found, expected, remedy) for name in empty])
    return tuple(owner), is_fixed


def _owner(tied: list[str], parents: Mapping[str, str], names: Sequence[str], *, fixed: bool) -> str:
    """Which of several equally near bones a node belongs to: the first if it is fixed, or else their common ancestor.

    A node between two arms would be damped against one of them otherwise, and pull a symmetric body to that side.
    """
    if fixed or len(tied) == 1:
        return tied[0]
    lines = [list(_line(name, parents)) for name in tied]
    common = next((name for name in lines[0] if all(name in line for line in lines)), "")
    return common if common in names else tied[0]


def _line(name: str, parents: Mapping[str, str]) -> Iterator[str]:
    """A bone and its ancestors."""
    while name:
        yield name
        name = parents[name]


def check_attachment(attachment: Attachment, count: int, specs: Sequence[BodySpec]) -> Attachment:
    """Refuse an attachment that does not fit `count` nodes or the skeleton."""
    bones, fixed = tuple(attachment[0]), np.asarray(attachment[1], bool)
    known = {"", *(spec.name for spec in specs)}
    strange = next((name for name in bones if name not in known), None)
    if len(bones) != count or fixed.shape != (count,):
        found, remedy = f"an attachment of {len(bones)} nodes", ""
    elif strange is not None:
        found, remedy = f"bone '{strange}'", suggest(strange, known - {""})
    else:
        return bones, fixed
    raise ModelError("flesh", [Problem("flesh", found, f"a bone of the skeleton for each of {count} nodes", remedy)])
