"""A monkey that hangs from a bar with both hands: a closed loop, through the ground or through the bar itself.

It faces +z, its left hand toward +x, and the bar lies along x.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from stringless.model.builder import ModelBuilder
from stringless.model.loops import LoopSpec
from stringless.model.pose import Pose, Vector
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.model.spec import JointSpec
from stringless.scenes.bones import body, capsule, dressed, painted, placed, sphere, turned
from stringless.scenes.ground import floor

X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
UP, DOWN = (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)
FUR, FACE, WOOD, STEEL = (
    (0.47, 0.33, 0.22, 1.0),
    (0.90, 0.72, 0.55, 1.0),
    (0.72, 0.53, 0.34, 1.0),
    (0.55, 0.57, 0.6, 1.0),
)
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


def joint(kind: str, stiffness: float, damping: float, effort: float, **fields: Any) -> JointSpec:
    """A sprung joint."""
    return JointSpec(kind=kind, stiffness=(stiffness,), damping=(damping,), effort=(effort,), **fields)


def cone(swing: float, twist: float, axis: Vector) -> dict[str, Any]:
    """Limits of a ball joint about a bone."""
    return {"axes": (axis,), "lower": (0.0, -twist, 0.0), "upper": (swing, twist, math.pi)}


def trunk(builder: ModelBuilder) -> None:
    """Torso, head and tail."""
    belly = painted(capsule((0, -0.05, 0.055), (0, 0.04, 0.055), 0.055), FACE)
    throat = painted(capsule((0, 0.14, 0), (0, 0.24, 0.005), 0.05), FUR)
    chest = painted(capsule((0, -0.09, 0), (0, 0.09, 0), 0.095), FUR)
    builder.add(dressed(body("torso", chest, 6.0, joint=JointSpec(kind="free")), belly, throat))
    neck = joint("ball", 20.0, 0.6, 20.0, **cone(0.8, 1.0, UP))
    head = body("head", painted(sphere((0, 0.09, 0.01), 0.085), FUR), 1.4, parent="torso", joint=neck, at=(0, 0.2, 0))
    ears = [painted(sphere((x, 0.11, 0.0), 0.032), FACE) for x in (-0.085, 0.085)]
    eyes = [painted(sphere((x, 0.115, 0.083), 0.012), DARK) for x in (-0.03, 0.03)]
    muzzle = painted(sphere((0, 0.07, 0.07), 0.045), FACE)
    builder.add(dressed(head, *ears, *eyes, muzzle))
    parent, at = "torso", (0.0, -0.16, -0.06)
    for k in range(TAIL):
        bone = painted(capsule((0, 0, 0), (0, -0.08, 0), 0.014), FUR)
        bend = joint("ball", 0.4, 0.02, 2.0, **cone(0.9, 0.5, DOWN))
        spec = body(f"tail_{k}", bone, 0.06, parent=parent, joint=bend, at=at)
        # Out behind at first, and curled up from there.
        builder.add(placed(spec, turned(X, 0.9 if k == 0 else 0.25)))
        parent, at = f"tail_{k}", (0.0, -0.08, 0.0)


def arm(builder: ModelBuilder, side: str, s: float) -> None:
    """Upper arm and forearm with its fist, stretched up when neutral; the fist touches nothing, it holds."""
    x, y, z = SHOULDER
    shoulder = joint("ball", 12.0, 0.8, 60.0, name=f"{side}_shoulder", **cone(2.2, 1.2, UP))
    bone = painted(capsule((0, 0.02, 0), (0, UPPER_ARM - 0.02, 0), 0.032), FUR)
    knob = painted(capsule((-s * 0.05, -0.02, 0), (0, 0.01, 0), 0.042), FUR)
    spec = body(f"{side}_upper_arm", bone, 0.7, parent="torso", joint=shoulder, at=(s * x, y, z))
    builder.add(dressed(spec, knob))
    elbow = joint("revolute", 8.0, 0.4, 50.0, name=f"{side}_elbow", axes=(X,), lower=(0.0,), upper=(2.3,))
    bone = painted(capsule((0, 0.02, 0), (0, FOREARM - 0.09, 0), 0.027), FUR)
    fist = painted(capsule((-0.022, FOREARM - 0.01, 0), (0.022, FOREARM - 0.01, 0), 0.033), FACE)
    spec = body(f"{side}_forearm", bone, 0.6, parent=f"{side}_upper_arm", joint=elbow, at=(0, UPPER_ARM, 0))
    wrist = painted(capsule((0, FOREARM - 0.09, 0), (0, FOREARM - 0.03, 0), 0.024), FUR)
    builder.add(dressed(spec, wrist, fist))


def leg(builder: ModelBuilder, side: str, s: float) -> None:
    """Thigh and shin with its foot."""
    hip = joint("ball", 15.0, 0.8, 60.0, name=f"{side}_hip", **cone(1.3, 0.6, DOWN))
    bone = painted(capsule((0, -0.03, 0), (0, -0.16, 0), 0.04), FUR)
    thigh = body(f"{side}_thigh", bone, 0.9, parent="torso", joint=hip, at=(s * 0.075, -0.15, 0))
    builder.add(placed(thigh, turned(X, -0.5)))
    knee = joint("revolute", 10.0, 0.4, 50.0, name=f"{side}_knee", axes=(X,), lower=(-0.7,), upper=(1.6,))
    bone = painted(capsule((0, -0.02, 0), (0, -0.16, 0), 0.03), FUR)
    foot = painted(capsule((0, -0.18, -0.005), (0, -0.18, 0.075), 0.025), FACE)
    shin = body(f"{side}_shin", bone, 0.6, parent=f"{side}_thigh", joint=knee, at=(0, -0.18, 0))
    builder.add(dressed(placed(shin, turned(X, 0.7)), foot))


def rod() -> Shape:
    """The bar, its middle at the origin."""
    return painted(capsule((-HALF, 0, 0), (HALF, 0, 0), THICK), WOOD)


def posts() -> list[Shape]:
    """What a fixed bar rests on."""
    found = [dataclasses.replace(rod(), name="bar", place=Pose((0.0, HEIGHT, 0.0)) @ rod().place)]
    for name, x in (("left", HALF), ("right", -HALF)):
        post = Shape(kind="box", name=f"{name}_post", size=(0.02, HEIGHT / 2 + 0.03, 0.02), color=STEEL)
        found.append(dataclasses.replace(post, place=Pose((x, HEIGHT / 2 + 0.03, 0.0))))
        foot = Shape(kind="box", name=f"{name}_foot", size=(0.03, 0.015, 0.3), color=STEEL)
        found.append(dataclasses.replace(foot, place=Pose((x, 0.015, 0.0))))
    return found


def grips(bar: str) -> list[LoopSpec]:
    """The left fist turns about the bar; the right one is held at a point: two hinges would say the same thing twice."""
    middle = 0.0 if bar else HEIGHT
    fist = (0.0, FOREARM, 0.0)
    return [
        LoopSpec(
            f"{side}_grip",
            kind,
            f"{side}_forearm",
            bar,
            Pose(fist, ALONG_BAR),
            Pose((s * SHOULDER[0], middle, 0.0), ALONG_BAR),
        )
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
