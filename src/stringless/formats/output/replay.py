"""A motion as one HTML page that anybody can open and scrub, with nothing to install."""

from __future__ import annotations

import base64
import html
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stringless.errors import InputError
from stringless.formats.output.replay_meshes import drawn_meshes, shape_mesh, visible
from stringless.model.joints import JOINT_TYPES
from stringless.model.model import Model
from stringless.model.neutral_configuration import neutral_places
from stringless.model.pose import quaternion_from_matrix

TEMPLATE = Path(__file__).with_name("replay.html")
Floats = NDArray[np.float64]

SKIN_COLOR = (0.85, 0.55, 0.42)
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
        hidden = covered_bones(model)
        surface = _skin(model, skin)
    low, high = _with_walls(model, low, high)
    extent = float(max(np.max(high - low), 0.3))
    data = {
        "time": [round(float(t), 6) for t in time],
        "bodies": model.body_count,
        "poses": _packed(_poses(position, rotation)),
        "meshes": drawn_meshes(model, hidden),
        "skin": surface,
        "center": [float(c) for c in (low + high) / 2],
        "extent": extent,
        "floor": _floor(model, float(low[1])),
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


def _with_walls(model: Model, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """The same corners, moved out to show the world around, unless that is much larger than what moves in it."""
    size = np.max(high - low)
    for shape in visible(model.world_shapes):
        x = np.array([shape.place.apply(point) for point in shape_mesh(shape)[0]])
        if np.max(np.maximum(high, x.max(axis=0)) - np.minimum(low, x.min(axis=0))) < 2 * size:
            low, high = np.minimum(low, x.min(axis=0)), np.maximum(high, x.max(axis=0))
    return low, high


def covered_bones(model: Model) -> set[int]:
    """Bones that lie in the flesh they hold; a bone that sticks out is drawn."""
    inside: set[int] = set()
    for spec in model.flesh.specs if model.flesh else ():
        low, high = spec.vertices.min(axis=0), spec.vertices.max(axis=0)
        places = neutral_places(model.specs)
        for name in set(spec.bones) - {""}:
            shapes = visible(model.body(name).shapes)
            ends = [(places[name] @ shape.place).apply(point) for shape in shapes for point in shape_mesh(shape)[0]]
            if all(np.all(low <= end) and np.all(end <= high) for end in ends):
                inside.add(model.body(name).index)
    return inside


def _skin(model: Model, skin: NDArray[np.float64]) -> dict[str, Any]:
    """Triangles of all flesh in the model, their colours, and where their corners are in each frame."""
    triangles, colors, first = [], [], 0
    for spec in model.flesh.specs if model.flesh else ():
        triangles.extend((spec.triangles + first).tolist())
        first += len(spec.vertices)
        plain = np.broadcast_to(SKIN_COLOR, (len(spec.vertices), 3))
        colors.append(spec.colors if len(spec.colors) else plain)
    return {
        "triangles": triangles,
        "count": skin.shape[1],
        "points": _packed(skin.astype("<f4")),
        "colors": _packed(np.concatenate(colors).astype("<f4")),
    }


def _packed(values: NDArray[np.float32]) -> str:
    return base64.b64encode(values.tobytes()).decode()


def _floor(model: Model, lowest: float) -> float:
    """Height of the floor that is drawn: a plane of the world that faces up, or below everything [m]."""
    for shape in model.world_shapes:
        if shape.kind == "plane" and shape.place.matrix[1, 2] > 0.99:
            return float(shape.place.position[1])
    return min(0.0, lowest - 0.1)


def _grid(extent: float) -> float:
    """Spacing of the floor's lines: 1, 2 or 5 times a power of ten [m]."""
    power = 10.0 ** np.floor(np.log10(extent / 4))
    return float(power * max(step for step in (1, 2, 5) if step * power <= extent / 4))
