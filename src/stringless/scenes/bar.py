"""A monkey that hangs from a bar with both hands: a closed loop, through the ground or through the bar itself.

It faces +z, its left hand toward +x, and the bar lies along x.
"""

import math

import numpy as np

from stringless.model.builder import ModelBuilder
from stringless.model.loops import LoopSpec
from stringless.model.pose import Pose
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.model.spec import JointSpec
from stringless.scenes.bones import DOWN, UP, X, Y, ball, body, box, capsule, hinge, sphere, turned
from stringless.scenes.ground import floor

FUR, FACE = (0.47, 0.33, 0.22, 1.0), (0.90, 0.72, 0.55, 1.0)
WOOD, STEEL = (0.72, 0.53, 0.34, 1.0), (0.55, 0.57, 0.6, 1.0)
DARK = (0.12, 0.09, 0.07, 1.0)
HEIGHT, HALF, THICK = 1.8, 0.5, 0.016
"""Of the bar: how high it is, half its length and its radius [m]."""
SHOULDER = (0.13, 0.15, 0.0)
UPPER_ARM, FOREARM = 0.2, 0.23
"""From shoulder to elbow, and on to the middle of the fist [m]."""
BEND = 0.35
"""Of the elbows at the start [rad]."""
ALONG_BAR = turned(Y, math.pi / 2)
"""Takes z, about which a loop may turn, to the bar."""
TAIL = 5


def spring(stiffness: float, damping: float, effort: float) -> dict[str, float]:
    """What holds a joint of the monkey."""
    return {"stiffness": stiffness, "damping": damping, "effort": effort}


def trunk(builder: ModelBuilder) -> None:
    """Torso, head and tail."""
    belly = capsule((0, -0.05, 0.055), (0, 0.04, 0.055), 0.055, FACE)
    throat = capsule((0, 0.14, 0), (0, 0.24, 0.005), 0.05, FUR)
    chest = capsule((0, -0.09, 0), (0, 0.09, 0), 0.095, FUR)
    builder.add(body("torso", chest, 6.0, joint=JointSpec(kind="free"), looks=(belly, throat)))
    neck, skull = ball(0.8, 1.0, UP, **spring(20.0, 0.6, 20.0)), sphere((0, 0.09, 0.01), 0.085, FUR)
    ears = [sphere((x, 0.11, 0.0), 0.032, FACE) for x in (-0.085, 0.085)]
    eyes = [sphere((x, 0.115, 0.083), 0.012, DARK) for x in (-0.03, 0.03)]
    muzzle = sphere((0, 0.07, 0.07), 0.045, FACE)
    looks = (*ears, *eyes, muzzle)
    builder.add(body("head", skull, 1.4, parent="torso", joint=neck, at=(0, 0.2, 0), looks=looks))
    parent, at = "torso", (0.0, -0.16, -0.06)
    for k in range(TAIL):
        bone = capsule((0, 0, 0), (0, -0.08, 0), 0.014, FUR)
        bend = ball(0.9, 0.5, DOWN, **spring(0.4, 0.02, 2.0))
        turn = turned(X, 0.9 if k == 0 else 0.25)  # out behind at first, and curled up from there
        builder.add(body(f"tail_{k}", bone, 0.06, parent=parent, joint=bend, at=at, turn=turn))
        parent, at = f"tail_{k}", (0.0, -0.08, 0.0)


def arm(builder: ModelBuilder, side: str, s: float) -> None:
    """Upper arm and forearm with its fist, stretched up when neutral; the fist touches nothing, it holds."""
    x, y, z = SHOULDER
    upper, lower = f"{side}_upper_arm", f"{side}_forearm"
    shoulder = ball(2.2, 1.2, UP, name=f"{side}_shoulder", **spring(12.0, 0.8, 60.0))
    bone = capsule((0, 0.02, 0), (0, UPPER_ARM - 0.02, 0), 0.032, FUR)
    knob = capsule((-s * 0.05, -0.02, 0), (0, 0.01, 0), 0.042, FUR)
    builder.add(body(upper, bone, 0.7, parent="torso", joint=shoulder, at=(s * x, y, z), looks=(knob,)))
    elbow = hinge((0.0, 2.3), X, name=f"{side}_elbow", **spring(8.0, 0.4, 50.0))
    bone = capsule((0, 0.02, 0), (0, FOREARM - 0.09, 0), 0.027, FUR)
    fist = capsule((-0.022, FOREARM - 0.01, 0), (0.022, FOREARM - 0.01, 0), 0.033, FACE)
    wrist = capsule((0, FOREARM - 0.09, 0), (0, FOREARM - 0.03, 0), 0.024, FUR)
    builder.add(body(lower, bone, 0.6, parent=upper, joint=elbow, at=(0, UPPER_ARM, 0), looks=(wrist, fist)))


def leg(builder: ModelBuilder, side: str, s: float) -> None:
    """Thigh and shin with its foot."""
    thigh, shin = f"{side}_thigh", f"{side}_shin"
    hip = ball(1.3, 0.6, DOWN, name=f"{side}_hip", **spring(15.0, 0.8, 60.0))
    bone = capsule((0, -0.03, 0), (0, -0.16, 0), 0.04, FUR)
    builder.add(body(thigh, bone, 0.9, parent="torso", joint=hip, at=(s * 0.075, -0.15, 0), turn=turned(X, -0.5)))
    knee = hinge((-0.7, 1.6), X, name=f"{side}_knee", **spring(10.0, 0.4, 50.0))
    bone = capsule((0, -0.02, 0), (0, -0.16, 0), 0.03, FUR)
    foot = capsule((0, -0.18, -0.005), (0, -0.18, 0.075), 0.025, FACE)
    builder.add(body(shin, bone, 0.6, parent=thigh, joint=knee, at=(0, -0.18, 0), turn=turned(X, 0.7), looks=(foot,)))


def rod(height: float = 0.0, name: str = "") -> Shape:
    """The bar, its middle so high over the origin [m]."""
    return capsule((-HALF, height, 0), (HALF, height, 0), THICK, WOOD, name=name)


def posts() -> list[Shape]:
    """A fixed bar, and what it rests on."""
    found = [rod(HEIGHT, "bar")]
    for name, x in (("left", HALF), ("right", -HALF)):
        half = HEIGHT / 2 + 0.03
        found.append(box((x, half, 0.0), (0.02, half, 0.02), STEEL, name=f"{name}_post"))
        found.append(box((x, 0.015, 0.0), (0.03, 0.015, 0.3), STEEL, name=f"{name}_foot"))
    return found


def grips(bar: str) -> list[LoopSpec]:
    """The left fist turns about the bar; the right one is held at a point: two hinges would say the same thing twice."""
    fist, middle = Pose((0.0, FOREARM, 0.0), ALONG_BAR), 0.0 if bar else HEIGHT
    return [
        LoopSpec(f"{side}_grip", kind, f"{side}_forearm", bar, fist, Pose((s * SHOULDER[0], middle, 0.0), ALONG_BAR))
        for side, s, kind in (("left", 1.0, "hinge"), ("right", -1.0, "point"))
    ]


def build(*, free_bar: bool = False) -> ModelBuilder:
    """Monkey, bar and floor, and the two loops."""
    builder = ModelBuilder("bar")
    trunk(builder)
    for side, s in (("left", 1.0), ("right", -1.0)):
        arm(builder, side, s)
        leg(builder, side, s)
    if free_bar:
        builder.add(body("bar", rod(), 0.6, joint=JointSpec(kind="free")))
    else:
        builder.world_shapes += posts()
    for grip in grips("bar" if free_bar else ""):
        builder.close(grip)
    builder.world_shapes.append(floor())
    return builder


def bar(*, free_bar: bool = False) -> Scene:
    """A monkey that swings from a bar, held by both hands; with `free_bar` it falls, and the bar with it."""
    model = build(free_bar=free_bar).build()
    swing = 0.1 if free_bar else 0.7
    # Where the fist is seen from the shoulder with the elbow bent, and the turn of the shoulder that puts it overhead.
    up, aside = UPPER_ARM + FOREARM * math.cos(BEND), FOREARM * math.sin(BEND)
    reach = math.hypot(up, aside)
    q = model.neutral()
    for side in ("left", "right"):
        q[model.joint(f"{side}_shoulder").q_slice] = turned(X, -math.atan2(aside, up))
        q[model.joint(f"{side}_elbow").q_slice] = BEND
    below = SHOULDER[1] + reach
    torso = (0.0, HEIGHT - below * math.cos(swing), -below * math.sin(swing))
    q[model.joint("torso").q_slice] = np.concatenate([torso, turned(X, swing)])
    if free_bar:
        q[model.joint("bar").q_slice][:3] = (0.0, HEIGHT, 0.0)
    return Scene(model, q=q, engine="stiff", dt=1 / 100)
