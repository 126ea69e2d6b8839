"""A clip as one GLB file (glTF 2.0): the bones as nodes that move, the flesh as a skinned surface with morph targets."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stringless.formats.clip import Clip, Progress
from stringless.formats.glb_file import GlbFile
from stringless.formats.glb_shapes import add_world
from stringless.formats.glb_skeleton import add_skeleton, animate_skeleton
from stringless.formats.glb_surface import add_flesh
from stringless.formats.replay import covered_bones


def write_glb(path: Path, clip: Clip, *, world: bool, progress: Progress) -> None:
    """Write a clip.

    Metres, seconds and y up, as in the simulation and in glTF. Bones have their names and their hierarchy. In every frame
    each vertex of the flesh is where it was within a bound that the file names (`asset.extras.surface_error`).

    Args:
        path: where to write.
        clip: what to write.
        world: also what stands around.
        progress: told what share is done.
    """
    model = clip.model
    drawn = clip.drawn(lambda done: progress(0.3 * done))
    extras = {"units": "m, s, y up", "scene": clip.scene, "lane": clip.name, "start": float(clip.frames[0].time)}
    file = GlbFile(extras)
    skeleton = add_skeleton(file, model, covered_bones(model) if model.flesh is not None else set())
    file.begin_animation(clip.name, clip.time)
    animate_skeleton(file, model, skeleton, drawn)
    if model.flesh is not None:
        extras["surface_error"] = add_flesh(
            file, model, skeleton, drawn, lambda done: progress(0.3 + 0.6 * min(done, 1.0))
        )
    if world:
        points = np.concatenate([drawn.position.reshape(-1, 3), drawn.skin.reshape(-1, 3)])
        add_world(file, model, points.min(axis=0), points.max(axis=0))
    progress(0.9)
    file.write(path)
    progress(1.0)
