"""Pulling at a motion: a hand that wants more than can be had takes it along as far as it goes."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stringless.editing.bodies import Bodies
from stringless.editing.constraints import Constraint
from stringless.editing.editor import Editor
from stringless.editing.improving import Edit, attribute_of
from stringless.editing.solving import least_change
from stringless.model.pose import rotation_matrix
from stringless.spatial import rotation

Floats = NDArray[np.float64]
SHARES = (1.0, 0.3, 0.1)
"""How much of what goes is wanted at once, one after the other, until the motion follows."""
FIRM = 10.0
"""How much more nails count than a hand, when it is found out what goes."""
NOTHING = 0.02
"""If less than this share of what hands want goes, it is impossible."""


def pull(
    editor: Editor, wishes: Sequence[Constraint], *, nails_only: bool = False, nearest: bool = False, trials: int = 1000
) -> Edit:
    """One iteration; if it does not get all that is wanted, one toward as much of the hands' wishes as goes.

    An edit with a scale above 0 has changed the motion; its message tells if more was wanted.
    """
    edit = editor.iterate(nails_only=nails_only, nearest=nearest, trials=trials)
    if not edit.message or not wishes:
        return edit
    before = [wish.target for wish in wishes]
    try:
        goes = within_reach(editor, wishes)
        for share in SHARES if goes else ():
            for wish, (seen, way) in zip(wishes, goes, strict=True):
                wish.target = led(wish, seen, share * way)
            part = editor.iterate(trials=trials)
            if not part.message:
                return dataclasses.replace(part, message=edit.message)
    finally:
        for wish, target in zip(wishes, before, strict=True):
            wish.target = target
    return edit


def within_reach(editor: Editor, wishes: Sequence[Constraint]) -> list[tuple[Bodies, Floats]]:
    """What is seen at the moment of each wish, and how much of what is missing goes, to first order; empty if next to nothing.

    The change is the smallest that comes nearest to all wishes, nails counting `FIRM` times as much.
    """
    columns = editor.columns
    errors, rows, run = editor.look(columns)
    wanted = [*editor.nails, *editor.drags]
    seen = [sighting.bodies for sighting in run.sightings]
    sizes = [len(c.error(s)[0]) for c, s in zip(wanted, seen, strict=True)]
    ends = np.cumsum(sizes)
    firm = np.full(len(errors), FIRM)
    for wish in wishes:
        k = wanted.index(wish)
        firm[ends[k] - sizes[k] : ends[k]] = 1.0
    masses = np.array([editor.masses[attribute_of(editor.model, column)] for column in columns])
    step = least_change(rows * firm[:, None], errors * firm, masses)[1].step
    out: list[tuple[Bodies, Floats]] = []
    asked = went = 0.0
    for wish in wishes:
        k = wanted.index(wish)
        own = slice(ends[k] - sizes[k], ends[k])
        way = rows[own] @ step
        asked, went = asked + float(errors[own] @ errors[own]), went + float(way @ way)
        out.append((seen[k], way / editor.strength(wish)))
    return out if went > NOTHING**2 * asked else []


def led(wish: Constraint, seen: Bodies, way: Floats) -> Floats:
    """The target of a wish that is so far from what is seen."""
    missing = wish.error(seen)[0]
    if wish.target.shape == missing.shape:
        return wish.target - missing + way
    if wish.target.shape == (3, 3):
        # log(R_target Rᵀ) is what is missing now.
        now = rotation_matrix(rotation.exp_quaternion(tuple(-missing))) @ wish.target
        return rotation_matrix(rotation.exp_quaternion(tuple(way))) @ now
    return wish.target
