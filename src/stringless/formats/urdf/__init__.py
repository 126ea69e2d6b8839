"""URDF, the robot description of ROS: a tree of links and joints, Z up."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from stringless.formats.input import find_root
from stringless.formats.registry import Format, register, register_reader

if TYPE_CHECKING:
    from stringless.formats.input.findings import Findings
    from stringless.model.scene import Scene

register(
    Format(
        name="Parts of models",
        suffixes=(".off", ".gltf", ".bin", ".dae", ".png", ".jpg", ".jpeg"),
        kind="part",
        description="shapes and textures that a model names",
    )
)


@register_reader(
    "URDF",
    suffixes=(".urdf", ".xml", ".mjcf"),
    description="a robot of ROS",
    mark="robot",
    sniff=find_root,
    advice={".xacro": "has macros in it. Expand it with the xacro program and load the URDF it writes."},
    rank=20,
)
def read_urdf(
    path_or_text: str | os.PathLike[str],
    *,
    floating: bool = False,
    up: Literal["z", "y"] = "z",
    mend: bool = False,
    findings: Findings | None = None,
) -> Scene:
    """Read a URDF robot.

    Args:
        path_or_text: a file, or the XML itself.
        floating: give the root link a free joint; otherwise it is fixed to the world.
        up: which axis points up in the file.
        mend: replace moments of inertia that no body can have by the nearest possible, and give joints that move no
            mass an armature. Otherwise such moments are taken as they are, because many files in use have them, and
            massless joints are refused. Either way a warning names them.
        findings: collects errors and warnings, for a caller that wants them even when reading fails.

    Raises:
        InputError: the file cannot be opened.
        ModelError: with everything that is wrong with its content.
    """
    from stringless.formats.urdf.robot import read_robot

    return read_robot(path_or_text, floating, up, mend, findings)
