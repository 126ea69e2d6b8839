"""A falling chain in a project, to be edited."""

import numpy as np

from stringless.editing import studies
from stringless.model import Scene

DT = 5e-3
TIP = list(studies.TIP)


def falling_scene(**more):
    model = studies.links(studies.FALLING)
    q, v = model.neutral(), np.zeros(model.nv)
    q[1], v[:6] = 2.0, (0.5, 0.0, 1.0, 0.0, 2.0, 0.0)
    return Scene(model, name="falling", q=q, v=v, dt=DT, **more)


def motion(project):
    return [clip.frames.q.copy() for clip in project.edits.editor().run.clips]


def same(one, other):
    return len(one) == len(other) and all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
