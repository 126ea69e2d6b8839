"""A motion as one HTML page that anybody can open and scrub, with nothing to install."""

from __future__ import annotations

import base64
import html
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.errors import InputError
from stringless.model.joints import JOINT_TYPES
from stringless.model.model import Model
from stringless.model.pose import quaternion_from_matrix
from stringless.model.shapes import Shape

TEMPLATE = Path(__file__).with_name("replay.html")
MOST_POSES = 1_000_000
"""Body poses kept in a page; a longer motion is thinned to so many. A million take 37 MB."""


def write_replay(
    path: Path,
    model: Model,
    *,
    time: NDArray[np.float64],
    position: NDArray[np.float64],
    rotation: NDArray[np.float64],
    title: str,
    description: str = "",
    skin: NDArray[np.float64] | None = None,
) -> None:
    """Write the motion of `model` as a self-contained page.

    Args:
        path: where to write.
        model: whose bodies are drawn, by their shapes.
        time: moments of the frames, shape (k,) [s].
        position: world positions of the bodies, shape (k, n, 3) [m].
        rotation: world rotations of the bodies, shape (k, n, 3, 3).
        title: shown on the page.
        description: one sentence under the title.
        skin: world positions of the flesh's surface vertices, shape (k, m, 3) [m], for a model with flesh.
    """
    if not len(time) == len(position) == len(rotation) > 0:
        raise InputError(f"a replay needs as many times as poses, got {len(time)}, {len(position)}, {len(rotation)}")
    thin = max(1, -(-len(time) * max(model.body_count, 1) // MOST_POSES))
    time, position, rotation = time[::thin], position[::thin], rotation[::thin]
    low, high = _stage(model, position)
    hidden: set[int] = set()
    surface = None
    if model.flesh is not None and skin is not None:
        skin = skin[::thin]
        low, high = np.minimum(low, skin.min(axis=(0, 1))), np.maximum(high, skin.max(axis=(0, 1)))
        hidden = {int(bone) for bone in model.flesh.nodes["bone"]}
        surface = _skin(model, skin)
    extent = float(max(np.max(high - low), 0.3))
    data = {
        "time": [round(float(t), 6) for t in time],
        "bodies": model.body_count,
        "poses": base64.b64encode(_poses(position, rotation).tobytes()).decode(),
        "shapes": [shape for shape in _drawn(model) if shape["body"] not in hidden],
        "skin": surface,
        "center": [float(c) for c in (low + high) / 2],
        "extent": extent,
        "floor": float(min(0.0, low[1] - 0.1)),
        "grid": _grid(extent),
    }
    page = TEMPLATE.read_text(encoding="utf-8")
    # "</" could close the script element early; JSON may write it with a backslash.
    for mark, value in (
        ("__TITLE__", html.escape(title)),
        ("__DESCRIPTION__", html.escape(description)),
        ("__DATA__", json.dumps(data).replace("</", "<\\/")),
    ):
        page = page.replace(mark, value)
    path.write_text(page, encoding="utf-8")


def _poses(position: NDArray[np.float64], rotation: NDArray[np.float64]) -> NDArray[np.float32]:
    frames, bodies = position.shape[:2]
    poses = np.empty((frames, bodies, 7), dtype="<f4")
    poses[..., :3] = position
    flat = rotation.reshape(-1, 3, 3)
    poses[..., 3:] = np.array([quaternion_from_matrix(R) for R in flat]).reshape(frames, bodies, 4)
    return poses


def _stage(model: Model, position: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Corners of the room to show: all that hangs from the world, and the start of what flies off.

    What falls for seconds would otherwise shrink everything to a dot.
    """
    flies = model.tree["kind"][model.tree["root"]] == JOINT_TYPES["free"].code
    points = np.concatenate([position[:, ~flies].reshape(-1, 3), position[: len(position) // 6 + 1].reshape(-1, 3)])
    return points.min(axis=0), points.max(axis=0)


def _skin(model: Model, skin: NDArray[np.float64]) -> dict[str, Any]:
    """Triangles of all flesh in the model, and where their corners are in each frame."""
    triangles, first = [], 0
    for spec in model.flesh.specs if model.flesh else ():
        triangles.extend((spec.triangles + first).tolist())
        first += len(spec.vertices)
    return {
        "triangles": triangles,
        "count": skin.shape[1],
        "points": base64.b64encode(skin.astype("<f4").tobytes()).decode(),
    }


def _grid(extent: float) -> float:
    """Spacing of the floor's lines: 1, 2 or 5 times a power of ten [m]."""
    power = 10.0 ** np.floor(np.log10(extent / 4))
    return float(power * max(step for step in (1, 2, 5) if step * power <= extent / 4))


def _drawn(model: Model) -> Iterator[dict[str, Any]]:
    for body in model.bodies:
        shapes = [shape for shape in body.shapes if shape.kind not in ("plane", "mesh")]
        visual = [shape for shape in shapes if shape.purpose != "collision"]
        for shape in visual or shapes:
            yield {"body": body.index, **_outline(shape)}
        if not shapes:
            parent = model.bodies[body.parent].name if body.parent >= 0 else ""
            yield {"body": body.index, "round": True, "radius": 0.02, "points": _bone(body.spec.place.position, parent)}


def _bone(offset: tuple[float, ...], parent: str) -> list[list[float]]:
    """A thin bar back to the parent for a body without shapes, as the joint's place has it."""
    return [[0.0, 0.0, 0.0], [-c for c in offset] if parent else [0.0, 0.0, 0.0]]


def _outline(shape: Shape) -> dict[str, Any]:
    """End points and radius of a round shape, or the corners of a box."""
    size = shape.size
    if shape.kind == "sphere":
        local, radius = [(0.0, 0.0, 0.0)] * 2, size[0]
    elif shape.kind in ("capsule", "cylinder"):
        local, radius = [(0.0, 0.0, -size[1]), (0.0, 0.0, size[1])], size[0]
    else:
        local, radius = list(itertools.product(*((-half, half) for half in size))), 0.0
    return {
        "round": radius > 0,
        "radius": radius,
        "points": [[round(c, 5) for c in shape.place.apply(point)] for point in local],
    }
