"""What `stringless run` and `stringless save` leave behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stringless.errors import InputError


def save_run(folder: Path, simulation: Any) -> list[Path]:
    """Write the motion into `folder`; return the files, the one to look at first.

    `replay.html` opens in any browser. `motion.npz` holds `time` [s], shape (k,), `q`, shape (k, nq), `v`, shape
    (k, nv), and the bodies' world poses, `position`, shape (k, n, 3) [m], and `rotation`, shape (k, n, 3, 3);
    for a scene with flesh also `skin`, the vertices of its surface, shape (k, m, 3) [m].
    """
    import numpy as np

    from stringless.formats.output.replay import write_replay
    from stringless.timeline.drawing import draw

    simulation.finish_recording()
    frames = list(simulation.take.frames())
    drawn = [draw(simulation.model, frame) for frame in frames]
    motion: dict[str, Any] = {
        "time": np.array([frame.time for frame in frames]),
        "position": np.array([picture.position for picture in drawn]),
        "rotation": np.array([picture.rotation for picture in drawn]),
    }
    skin = np.array([picture.skin for picture in drawn]) if simulation.model.flesh is not None else None
    page, data = folder / "replay.html", folder / "motion.npz"
    scene = simulation.scene
    write_replay(page, simulation.model, title=scene.name, description=scene.description, skin=skin, **motion)
    if skin is not None:
        motion["skin"] = skin
    q, v = (np.array([getattr(frame, name) for frame in frames]) for name in ("q", "v"))
    np.savez_compressed(data, q=q, v=v, **motion)
    return [page, data]


def save_scene(source: str, path: Path, options: dict[str, Any]) -> list[Path]:
    """Write a scene; return the file and the files beside it. `options` are those of `load`."""
    from stringless.formats.registry import find_writer
    from stringless.loading import load

    writer = find_writer(path, "scene")
    scene = load(source, **options)
    if not path.parent.is_dir():
        raise InputError(f"there is no folder '{path.parent}' to write '{path.name}' into")
    return writer.call(scene, path, options={})
