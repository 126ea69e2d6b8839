"""What `stringless run` leaves behind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stringless.cli.run import Frames


def save_run(folder: Path, scene: Any, simulation: Any, frames: Frames) -> list[Path]:
    """Write the motion into `folder`; return the files, the one to look at first.

    `motion.npz` holds `time` [s], shape (k,), `q`, shape (k, nq), and `v`, shape (k, nv).
    """
    import numpy as np

    path = folder / "motion.npz"
    np.savez_compressed(path, time=np.array(frames.time), q=np.array(frames.q), v=np.array(frames.v))
    return [path]
