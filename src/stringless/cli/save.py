"""What `stringless run` leaves behind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stringless.cli.run import Frames


def save_run(folder: Path, scene: Any, simulation: Any, frames: Frames) -> list[Path]:
    """Write the motion into `folder`; return the files, the one to look at first.

    `replay.html` opens in any browser. `motion.npz` holds `time` [s], shape (k,), `q`, shape (k, nq), `v`, shape
    (k, nv), and the bodies' world poses, `position`, shape (k, n, 3) [m], and `rotation`, shape (k, n, 3, 3);
    for a scene with flesh also `skin`, the vertices of its surface, shape (k, m, 3) [m].
    """
    import numpy as np

    from stringless.formats.replay import write_replay
    from stringless.kinematics import body_poses

    poses = [body_poses(simulation.model, q) for q in frames.q]
    motion: dict[str, Any] = {
        "time": np.array(frames.time),
        "position": np.array([pose.position for pose in poses]),
        "rotation": np.array([pose.rotation for pose in poses]),
    }
    skin = np.array(frames.skin) if frames.skin else None
    page, data = folder / "replay.html", folder / "motion.npz"
    write_replay(page, simulation.model, title=scene.name, description=scene.description, skin=skin, **motion)
    if skin is not None:
        motion["skin"] = skin
    np.savez_compressed(data, q=np.array(frames.q), v=np.array(frames.v), **motion)
    return [page, data]
