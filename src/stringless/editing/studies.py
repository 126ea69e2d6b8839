"""Small motions to edit, each from a bad start: what the tests solve, the gallery shows and a newcomer can try.

Every study is an editor that says what is wanted; `solve()` finds the motion.
"""

from collections.abc import Sequence

import numpy as np

from stringless.editing.editor import Editor
from stringless.editing.plan import At, Bar, Bounce, Grip, Plane, Release, Touch, Transition
from stringless.model import JointSpec, Model, ModelBuilder, Pose, Shape
from stringless.model.pose import Vector

ORIGIN = (0.0, 0.0, 0.0)
Z = ((0.0, 0.0, 1.0),)
LINK = {"mass": 1.0, "center_of_mass": (0.0, -0.2, 0.0), "inertia": (0.0145, 0.0016, 0.0145, 0.0, 0.0, 0.0)}
"""A rod 0.4 m long, hanging from its origin."""
TIP = (0.0, -0.4, 0.0)
CLAMP = (0.0, 2.0, 0.0)
"""Where the chain hangs."""
HINGE = JointSpec(kind="revolute", axes=Z)
BALL_RADIUS = 0.12
"""Of a basketball [m]."""
HOOP, BOARD = (4.0, 3.05, 0.0), 4.25
"""Middle of the hoop, and how far away the board behind it is [m]."""
FLIERS_BAR = Bar((-0.26, 1.63, 0.0), radius=0.02)
"""What the flier is to grab."""
COLORS = ((0.90, 0.45, 0.25, 1.0), (0.95, 0.70, 0.30, 1.0), (0.35, 0.62, 0.60, 1.0), (0.30, 0.42, 0.65, 1.0))
LEATHER = (0.85, 0.42, 0.16, 1.0)
STEP = 5e-3
WEAK = JointSpec(kind="ball", effort=(0.5,))
UNIVERSAL = JointSpec(kind="universal", axes=((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
SPRUNG = JointSpec(kind="revolute", axes=Z, stiffness=(15.0,), damping=(1.0,), effort=(5.0,))
FALLING, CLAMPED, FLYING = ("free", WEAK, WEAK), (UNIVERSAL,) * 4, ("free", SPRUNG, SPRUNG)
"""Joints of the characters. Where nothing resists, what directs them later must not be strong enough to whirl them round."""


def ball(shapes: Sequence[Shape] = ()) -> Model:
    """A ball of basketball's size and weight, and these shapes in its world."""
    builder = ModelBuilder("ball")
    builder.world_shapes += shapes
    look = Shape(kind="sphere", size=(BALL_RADIUS,), purpose="visual", color=LEATHER)
    builder.add_body("ball", joint="free", mass=0.6, inertia=(0.0034, 0.0034, 0.0034, 0.0, 0.0, 0.0), shapes=(look,))
    return builder.build()


def links(
    kinds: tuple[str | JointSpec, ...], name: str = "links", shapes: Sequence[Shape] = (), at: Vector = ORIGIN
) -> Model:
    """Rods hanging from each other by these joints, the first at a place, and these shapes in their world."""
    builder = ModelBuilder(name)
    builder.world_shapes += shapes
    upright = Pose((0.0, -0.2, 0.0), (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)))
    for i, joint in enumerate(kinds):
        place = Pose(TIP if i else at)
        look = Shape(kind="capsule", size=(0.035, 0.165), place=upright, purpose="visual", color=COLORS[i % 4])
        builder.add_body(f"link {i + 1}", f"link {i}" if i else "", joint, place=place, shapes=(look,), **LINK)
    return builder.build()


def hoop(*, board: bool = False, model: Model | None = None, lazy: bool = False) -> Editor:
    """Shoot a ball into a hoop, 4 m away and 3.05 m high, after 1 s; off the board behind it if asked to.

    The first throw is much too short, or meets the board too low.
    """
    q = np.array([0.0, 1.8, 0.0, 0.0, 0.0, 0.0, 1.0])
    v = np.array([0.0, 0.0, 0.0, 6.0, 5.0, 0.3] if board else [0.0, 0.0, 0.0, 1.0, 2.0, 0.5])
    happens: list[Transition] = []
    if board:
        plane = Plane((BOARD - BALL_RADIUS, 0.0, 0.0), (-1.0, 0.0, 0.0))
        happens.append(Bounce(body="ball", when=Touch(plane), restitution=0.7))
    editor = Editor(model or ball(), duration=1.2, transitions=happens, dt=STEP, q=q, v=v, lazy=lazy)
    editor.lock("position", "rotation", "angular velocity")
    editor.nail("ball", time=1.0, target=HOOP)
    return editor


def two_pins(*, model: Model | None = None, lazy: bool = False) -> Editor:
    """Three links in free fall, pinned at one end when they begin and at the other when 0.6 s have passed."""
    model = model or links(FALLING, "falling links")
    q = model.neutral()
    q[:3] = 0.0, 2.0, 0.0
    v = np.zeros(model.nv)
    v[:6] = 0.5, 0.0, 1.0, 0.0, 2.0, 0.0
    editor = Editor(model, duration=0.8, dt=STEP, q=q, v=v, lazy=lazy)
    editor.nail("link 1", time=0.0, target=(0.0, 2.0, 0.0))
    editor.nail("link 3", time=0.6, target=(0.6, 1.2, 0.3), point=TIP)
    return editor


def clamped_chain(*, model: Model | None = None, lazy: bool = False) -> Editor:
    """Four links on universal joints, the first clamped: its tip is wanted half a metre aside, 0.5 s after the start."""
    model = model or links(CLAMPED, "clamped chain", at=CLAMP)
    q = np.array([0.4, 0.0, -0.2, 0.3, 0.1, -0.2, 0.0, 0.2])
    editor = Editor(model, duration=1.0, dt=STEP, q=q, lazy=lazy)
    editor.nail("link 4", time=0.5, target=(0.28, 0.54, -0.53), point=TIP)
    return editor


def flier(*, model: Model | None = None, lazy: bool = False) -> Editor:
    """Three links fly, grab a bar when they meet it, swing and let go.

    At first they pass a quarter of a metre below the bar, and would come down 0.7 m short. The throw may change, not its pose.
    """
    model = model or links(FLYING, "flier")
    q = model.neutral()
    q[:3] = -1.5, 1.2, 0.0
    v = np.zeros(model.nv)
    v[3:6] = 3.0, 2.6, 0.0
    v[6:] = 1.0, 1.0
    happens = [Grip(body="link 1", when=Touch(FLIERS_BAR)), Release(when=At(0.8, free=True))]
    editor = Editor(model, duration=1.2, transitions=happens, dt=STEP, q=q, v=v, lazy=lazy)
    editor.lock("position", "rotation")
    editor.nail("link 1", time=1.2, target=(0.3, 0.7, 0.0))
    return editor


STUDIES = {"hoop": hoop, "two pins": two_pins, "clamped chain": clamped_chain, "flier": flier}
