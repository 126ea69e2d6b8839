"""GLB (glTF 2.0): the bones as nodes that move, the flesh as a skinned surface with morph targets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from stringless.formats.registry import register_writer

if TYPE_CHECKING:
    from stringless.formats.output.clip import Clip


@register_writer(
    "GLB",
    suffixes=(".glb",),
    description="a glTF file with the skeleton, its motion and the deforming surface, for Blender, engines and browsers",
    media_type="model/gltf-binary",
    rank=10,
)
def write_glb(clip: Clip, path: Path, *, world: bool = True, progress: Callable[[float], object]) -> None:
    """Write a clip.

    Metres, seconds and y up, as in the simulation and in glTF. Bones have their names and their hierarchy. In every frame
    each vertex of the flesh is where it was within a bound that the file names (`asset.extras.surface_error`).

    Args:
        clip: what to write.
        path: where to write.
        world: also write what stands around.
        progress: told what share is done.
    """
    from stringless.formats.glb.animation import write_animation

    write_animation(clip, path, world, progress)
