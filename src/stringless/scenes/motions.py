"""Motions to edit: small bodies that fly and swing, each with a constraint that its motion does not meet yet."""

import math

from stringless.editing import studies
from stringless.editing.data import as_data
from stringless.editing.editor import Editor
from stringless.model.pose import Vector
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.scenes.bones import box, capsule, sphere

STEEL, RED, WHITE = (0.62, 0.65, 0.70, 1.0), (0.80, 0.22, 0.15, 1.0), (0.92, 0.93, 0.95, 1.0)
RING, PARTS = 0.225, 20
"""Radius of a hoop [m], and of how many rods it is made."""


def hoop() -> Scene:
    """A ball is to go off the board into the hoop; thrown as it is, it comes nowhere near."""
    x, y, z = studies.HOOP
    middle = (studies.BOARD + 0.02, y + 0.38, z)
    board = box(middle, (0.02, 0.53, 0.9), WHITE, name="board", purpose="visual")
    arm = rod((x + RING, y, z), (studies.BOARD, y, z), 0.012, RED, "arm")
    post = rod((studies.BOARD + 0.3, 0.0, z), (studies.BOARD + 0.05, y + 0.2, z), 0.05, STEEL, "post")
    shapes = [board, *frame(studies.BOARD - 0.005, y + 0.1, z), arm, post, *ring(studies.HOOP)]
    return scene_of(studies.hoop(board=True, model=studies.ball(shapes), lazy=True))


def two_pins() -> Scene:
    """Three links in free fall that are to be at one pin when they begin, and at another 0.6 s later."""
    pins = [
        sphere(at, 0.03, RED, name=name, purpose="visual")
        for name, at in (("first pin", (0.0, 2.0, 0.0)), ("second pin", (0.6, 1.2, 0.3)))
    ]
    model = studies.links(studies.FALLING, "falling links", pins)
    return scene_of(studies.two_pins(model=model, lazy=True))


def clamped_chain() -> Scene:
    """Four links hang from a clamp by universal joints; the last one's tip is wanted elsewhere half a second on."""
    clamp = box((0.0, 2.03, 0.0), (0.06, 0.03, 0.06), STEEL, name="clamp", purpose="visual")
    model = studies.links(studies.CLAMPED, "clamped chain", [clamp], studies.CLAMP)
    return scene_of(studies.clamped_chain(model=model, lazy=True))


def flier() -> Scene:
    """Three links that are to grab a bar in flight, swing on it, let go and come down; they pass below it."""
    shapes = bar("bar", studies.FLIERS_BAR.point, (0.0, 0.0, 0.5), studies.FLIERS_BAR.radius)
    return scene_of(studies.flier(model=studies.links(studies.FLYING, "flier", shapes), lazy=True))


def scene_of(editor: Editor) -> Scene:
    """The scene of a motion and of what is wanted of it."""
    controls = editor.controls
    return Scene(editor.model, q=controls.q, v=controls.v, dt=editor.course.dt, study=as_data(editor))


def rod(start: Vector, end: Vector, radius: float, color: Vector, name: str) -> Shape:
    """A rod that is there to be seen and touches nothing."""
    return capsule(start, end, radius, color, name=name, purpose="visual")


def bar(name: str, middle: Vector, half: Vector, radius: float) -> list[Shape]:
    """A bar about its middle, and the posts it lies on."""
    ends = [tuple(m + s * h for m, h in zip(middle, half, strict=True)) for s in (-1.0, 1.0)]
    posts = [rod((x, 0.0, z), (x, y, z), radius, STEEL, f"{name} post {k}") for k, (x, y, z) in enumerate(ends, 1)]
    return [rod(ends[0], ends[1], radius, STEEL, name), *posts]


def ring(middle: Vector) -> list[Shape]:
    """A level ring about a point, of short rods."""
    x, y, z = middle
    angles = [2.0 * math.pi * k / PARTS for k in range(PARTS + 1)]
    points = [(x + RING * math.cos(a), y, z + RING * math.sin(a)) for a in angles]
    return [rod(points[k], points[k + 1], 0.01, RED, f"hoop {k + 1}") for k in range(PARTS)]


def frame(x: float, y: float, z: float) -> list[Shape]:
    """The square on a board above its hoop."""
    corners = [(x, y, z - 0.3), (x, y, z + 0.3), (x, y + 0.45, z + 0.3), (x, y + 0.45, z - 0.3)]
    return [rod(corners[k], corners[(k + 1) % 4], 0.012, RED, f"square {k + 1}") for k in range(4)]
