"""Formats as somebody else would add them: one module outside of the package, with one reader or writer of each kind."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, Literal

import numpy as np

import stringless as sl


@sl.formats.register_reader("Stick figure", suffixes=(".stick",), description="rods that hang from each other")
def read_sticks(path: Path, *, length: float = 1.0, findings: Any = None) -> sl.Scene:
    """Read a figure: a name for each rod.

    Args:
        path: of the file.
        length: of a rod [m]. They are all alike.
        findings: takes warnings.
    """
    names = path.read_text().split()
    builder = sl.ModelBuilder("sticks")
    for above, name in itertools.pairwise(["", *names]):
        place = sl.Pose((0.0, -length, 0.0)) if above else sl.Pose((0.0, 2.0, 0.0))
        if name.isupper():
            findings.warn(f"rod '{name}'", "a name in capitals", "small letters")
        builder.add_body(
            name,
            above,
            sl.JointSpec(kind="revolute", axes=((0.0, 0.0, 1.0),)),
            place=place,
            mass=1.0,
            center_of_mass=(0.0, -length / 2, 0.0),
            inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0),
        )
    return sl.Scene(builder.build(), name="sticks", warnings=tuple(findings.warnings), source=path)


@sl.formats.register_writer("Stick figure", kind="scene", suffixes=(".stick",))
def write_sticks(scene: sl.Scene, path: Path) -> list[Path]:
    """Write the names of all bodies."""
    path.write_text("\n".join(body.name for body in scene.model.bodies))
    return [path]


@sl.formats.register_writer("Track", suffixes=(".track",), description="heights of all bodies", media_type="text/plain")
def write_track(clip: Any, path: Path, *, digits: int = 3, order: Literal["up", "down"] = "up", progress: Any) -> None:
    """Write the heights of all bodies, a line for each frame.

    Args:
        clip: what to write.
        path: where to write.
        digits: behind the point.
        order: of the bodies.
        progress: told what share is done.
    """
    heights = clip.drawn(progress).position[:, :, 1]
    np.savetxt(path, heights if order == "up" else heights[:, ::-1], fmt=f"%.{digits}f")


@sl.formats.register_reader("Triangles", kind="mesh", suffixes=(".tri",))
def read_triangles(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Read a file with three corners in each line."""
    corners = np.loadtxt(path).reshape(-1, 3)
    return corners, np.arange(len(corners)).reshape(-1, 3)
