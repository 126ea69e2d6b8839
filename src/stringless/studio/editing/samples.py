"""An edited motion as poses of all bodies at even times, so that a page can scrub through it without asking."""

import math
from typing import Any, NamedTuple

import numpy as np

from stringless.editing.configurations import HERE
from stringless.editing.data import from_data
from stringless.editing.editor import Editor
from stringless.editing.walk import Clip, Run
from stringless.errors import StringlessError
from stringless.kinematics import kernels
from stringless.model import Scene
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray
from stringless.state.scratch import scratch
from stringless.studio.builders.frame import find_quaternions

PER_SECOND, MOST = 60.0, 240
"""Samples of a motion."""
Data = dict[str, Any]


class Samples(NamedTuple):
    """A motion at some times."""

    times: FloatArray
    poses: FloatArray
    """(samples, bodies, 7): position and quaternion x, y, z, w."""
    centers: FloatArray
    """(samples, 3)."""


def sample_motion(model: Model, run: Run, times: FloatArray, dt: float, factors: FloatArray) -> Samples:
    """Sample a motion at increasing times, linearly between two steps. `factors` are those of the masses of bodies."""
    poses = np.zeros((len(times), model.body_count, 7))
    done = 0
    for clip in run.clips:
        last = len(times) if clip is run.clips[-1] else int(np.searchsorted(times, clip.end, side="right"))
        if last > done:
            poses[done:last] = _sample_clip(clip, times[done:last] - clip.start, dt)
        done = max(done, last)
    _make_continuous(poses[:, :, 3:])
    return Samples(times, poses, _find_centers(model, poses, factors))


def _sample_clip(clip: Clip, local: FloatArray, dt: float) -> FloatArray:
    frames = clip.frames
    q = np.concatenate([frames.q, frames.q_samples[-1:]])
    knots = np.append(dt * np.arange(len(frames.q)), max(clip.end - clip.start, dt * (len(frames.q) - 1) + 1e-12))
    before = np.clip(np.searchsorted(knots, local, side="right") - 1, 0, len(knots) - 2)
    share = np.clip((local - knots[before]) / (knots[before + 1] - knots[before]), 0.0, 1.0)
    needed = np.unique(np.concatenate([before, before + 1]))
    known = _find_poses(clip, q[needed])
    a, b = known[np.searchsorted(needed, before)], known[np.searchsorted(needed, before + 1)]
    opposite = np.einsum("sbk,sbk->sb", a[:, :, 3:], b[:, :, 3:]) < 0
    b[:, :, 3:][opposite] *= -1.0
    out = a + share[:, None, None] * (b - a)
    out[:, :, 3:] /= np.linalg.norm(out[:, :, 3:], axis=2, keepdims=True)
    return out


def _find_poses(clip: Clip, q: FloatArray) -> FloatArray:
    """Poses of the character's bodies at configurations of a clip's tree, (samples, bodies, 7)."""
    configuration = clip.configuration
    model, order = configuration.model, configuration.bodies
    work, still = scratch(model), np.zeros(model.nv)
    turns, p = np.empty((len(q), len(order), 3, 3)), np.empty((len(q), len(order), 3))
    for k, row in enumerate(q):
        kernels.motions(clip.tree, model.dofs, np.ascontiguousarray(row), still, work.bodies, work.dofs)
        turns[k], p[k] = work.bodies["R"].reshape(-1, 3, 3)[order], work.bodies["p"][order]
    for b, frame in enumerate(configuration.frames):
        if frame is not HERE:
            p[:, b] += turns[:, b] @ np.asarray(frame.position)
            turns[:, b] = turns[:, b] @ frame.matrix
    return np.concatenate([p, find_quaternions(turns.reshape(-1, 3, 3)).reshape(len(q), len(order), 4)], axis=2)


def _make_continuous(turns: FloatArray) -> None:
    """Choose the signs of quaternions so that none jumps from a sample to the next."""
    jumps = np.einsum("sbk,sbk->sb", turns[1:], turns[:-1]) < 0
    turns[1:][np.cumsum(jumps, axis=0) % 2 == 1] *= -1.0


def _find_centers(model: Model, poses: FloatArray, factors: FloatArray) -> FloatArray:
    mass = model.tree["mass"] * factors
    x, y, z, w = np.moveaxis(poses[:, :, 3:], 2, 0)
    h = model.tree["h"] * factors[:, None]
    u = np.stack([x, y, z], axis=2)
    turned = h + 2.0 * np.cross(u, np.cross(u, h[None]) + w[:, :, None] * h[None])
    sums = np.einsum("b,sbi->si", mass, poses[:, :, :3]) + turned.sum(axis=1)
    return sums / mass.sum() if mass.sum() > 0 else poses[:, 0, :3]


class Baseline:
    """Remembers the earlier motion and its samples until there is another one."""

    def __init__(self) -> None:
        self.start: Run | None = None
        """The motion when a hand took hold, or a search began."""
        self._first: tuple[Any, Editor | None] = None, None
        self._samples: tuple[Any, Samples | None] = None, None

    def sample(self, editor: Editor, data: Data, scene: Scene) -> tuple[Samples, Samples | None]:
        """The motion at even times, and the earlier one at the same times; None if that is the same."""
        duration = editor.course.duration
        times = np.linspace(0.0, duration, min(MOST, max(math.ceil(duration * PER_SECOND), 1) + 1))
        now = _sample(editor, editor.run, times)
        source = editor if self.start is not None else self._find_opened(data, scene)
        run = self.start if self.start is not None else source and source.run
        if source is None or run is None or run is editor.run:
            return now, None
        if self._samples[0] is not run:
            self._samples = run, _sample(source, run, times)
        return now, self._samples[1]

    def _find_opened(self, data: Data, scene: Scene) -> Editor | None:
        """The motion as it was opened; None if it is still the same, or cannot be made any more."""
        first = data["first"]
        if all(first[name] == data[name] for name in first):
            return None
        if self._first[0] != first:
            try:
                opened = from_data(scene, {**data, **first, "nails": [], "locked": []})
            except StringlessError:
                opened = None
            self._first = first, opened
        return self._first[1]


def _sample(editor: Editor, run: Run, times: FloatArray) -> Samples:
    return sample_motion(editor.model, run, times, editor.course.dt, editor.controls.masses)
