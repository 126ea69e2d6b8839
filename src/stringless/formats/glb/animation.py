"""From a clip to a GLB file."""

from pathlib import Path

import numpy as np

from stringless.formats.glb.file import GlbFile
from stringless.formats.glb.shapes import add_world
from stringless.formats.glb.skeleton import add_skeleton, animate_skeleton
from stringless.formats.glb.surface import add_flesh
from stringless.formats.output.clip import Clip, Progress
from stringless.formats.output.shape_meshes import covered_bones


def write_animation(clip: Clip, path: Path, world: bool, progress: Progress) -> None:
    """Write a clip, as `write_glb` says."""
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
