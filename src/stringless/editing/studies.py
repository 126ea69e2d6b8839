"""Small motions to edit, each from a bad start: what the tests solve, the benchmark times and a newcomer can try.

Every study is an editor that says what is wanted; `solve()` finds the motion.
"""

from __future__ import annotations

import numpy as np

from stringless.editing.editor import Editor
from stringless.editing.plan import At, Bounce, Grip, Plane, Release, Touch, Transition
from stringless.model import JointSpec, Model, ModelBuilder, Pose

Z = ((0.0, 0.0, 1.0),)
LINK = {"mass": 1.0, "center_of_mass": (0.0, -0.2, 0.0), "inertia": (0.0145, 0.0016, 0.0145, 0.0, 0.0, 0.0)}
"""A rod 0.4 m long, hanging from its origin."""
TIP = (0.0, -0.4, 0.0)
HINGE = JointSpec(kind="revolute", axes=Z)


def ball() -> Model:
    """A ball of basketball's size and weight."""
    builder = ModelBuilder("ball")
    builder.add_body("ball", joint="free", mass=0.6, inertia=(0.0034, 0.0034, 0.0034, 0.0, 0.0, 0.0))
    return builder.build()


def links(kinds: tuple[str | JointSpec, ...], name: str = "links") -> Model:
    """Rods hanging from each other by these joints."""
    builder = ModelBuilder(name)
    for i, joint in enumerate(kinds):
        builder.add_body(
            f"link {i + 1}", f"link {i}" if i else "", joint, place=Pose(TIP if i else (0.0, 0.0, 0.0)), **LINK
        )
    return builder.build()


def hoop(*, board: bool = False) -> Editor:
    """Shoot a ball into a hoop, 4 m away and 3.05 m high, after 1 s; off the board behind it if asked to.

    The first throw is much too short, or meets the board too low.
    """
    model = ball()
    q = np.array([0.0, 1.8, 0.0, 0.0, 0.0, 0.0, 1.0])
    v = np.array([0.0, 0.0, 0.0, 6.0, 5.0, 0.3] if board else [0.0, 0.0, 0.0, 1.0, 2.0, 0.5])
    happens: list[Transition] = []
    if board:
        happens.append(Bounce(body="ball", when=Touch(Plane((4.25, 0.0, 0.0), (-1.0, 0.0, 0.0))), restitution=0.7))
    editor = Editor(model, duration=1.2, transitions=happens, dt=5e-3, q=q, v=v)
    editor.lock("position", "rotation")
    editor.drag("ball", time=1.0, target=(4.0, 3.05, 0.0))
    return editor


def two_pins() -> Editor:
    """Three links in free fall, pinned at one end when they begin and at the other when 0.6 s have passed."""
    model = links(("free", "ball", "ball"), "falling links")
    q = model.neutral()
    q[:3] = 0.0, 2.0, 0.0
    v = np.zeros(model.nv)
    v[:6] = 0.5, 0.0, 1.0, 0.0, 2.0, 0.0
    editor = Editor(model, duration=0.8, dt=5e-3, q=q, v=v)
    editor.nail("link 1", time=0.0)
    editor.nail("link 3", time=0.6, point=TIP, target=(0.6, 1.2, 0.3))
    return editor


def clamped_chain() -> Editor:
    """Four links on universal joints, the first clamped: its tip is dragged half a metre aside, 0.5 s after the start."""
    joint = JointSpec(kind="universal", axes=((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    model = links((joint, joint, joint, joint), "clamped chain")
    q = np.array([0.4, 0.0, -0.2, 0.3, 0.1, -0.2, 0.0, 0.2])
    editor = Editor(model, duration=1.0, dt=5e-3, q=q)
    x = editor.point("link 4", 0.5, TIP)
    editor.drag("link 4", time=0.5, point=TIP, target=x + np.array([0.3, 0.1, -0.4]))
    return editor


def flier() -> Editor:
    """Three links fly, grab a bar, swing and let go.

    At first they pass 0.18 m below the bar when they should grab it, and come down 0.3 m short.
    """
    hinge = JointSpec(kind="revolute", axes=Z, stiffness=(15.0,), damping=(1.0,))
    model = links(("free", hinge, hinge), "flier")
    q = model.neutral()
    q[:3] = -1.5, 1.2, 0.0
    v = np.zeros(model.nv)
    v[3:6] = 3.0, 2.6, 0.0
    v[6:] = 1.0, 1.0
    happens = [Grip(body="link 1", when=0.38), Release(when=At(0.8, free=True))]
    editor = Editor(model, duration=1.2, transitions=happens, dt=5e-3, q=q, v=v)
    editor.nail("link 1", time=0.38, target=editor.point("link 1", 0.38) + np.array([0.1, 0.15, 0.0]))
    editor.drag("link 1", time=1.2, target=editor.point("link 1", 1.2) + np.array([0.3, 0.0, 0.0]))
    return editor


STUDIES = {"hoop": hoop, "two pins": two_pins, "clamped chain": clamped_chain, "flier": flier}
