"""What a glove on a hand would send: the angles of all joints of `scenes.hand`, and where the palm is.

The hand opens, pinches, makes a fist, and taps the table with one finger after the other.
"""

from typing import NamedTuple

import numpy as np

from stringless.errors import InputError
from stringless.model.pose import Pose, Vector, multiply_quaternions
from stringless.scenes.bones import turned
from stringless.scenes.hand import FINGERS, HEIGHT, TABLE
from stringless.spatial.arrays import FloatArray

Angles = dict[str, tuple[Vector, Vector, Vector]]
"""Of each finger: to the side and toward the palm, and the two joints further out [rad]."""
LONG = ("index", "middle", "ring", "little")
JOINTS = tuple(bone for finger in FINGERS.values() for bone in finger.bones)
"""Names of the 15 joints, in the order of `recorded`."""


def _alike(bend: Vector, thumb: tuple[Vector, Vector, Vector], fan: Vector = (0.0, 0.0, 0.0, 0.0)) -> Angles:
    """The long fingers bent alike, spread by `fan`."""
    a, b, c = bend
    return {"thumb": thumb} | {name: ((side, a), (b,), (c,)) for name, side in zip(LONG, fan, strict=True)}


REST: Angles = {name: finger.rest for name, finger in FINGERS.items()}
OPEN = _alike((-0.15, 0.05, 0.0), ((-0.2, -0.2), (0.0,), (0.0,)), (0.18, 0.05, -0.08, -0.22))
FIST = _alike((1.45, 1.65, 0.9), ((-0.2, 0.6), (0.6,), (0.7,)))
PINCH = _alike((0.35, 0.3, 0.15), ((-0.21, 0.73), (-0.05,), (-0.15,))) | {"index": ((-0.25, 0.44), (1.1,), (0.92,))}
READY = _alike((0.15, 0.45, 0.25), ((0.0, 0.0), (0.1,), (0.1,)))
TAPS: Angles = {
    "thumb": ((0.16, 0.12), (0.1,), (0.1,)),
    "index": ((0.0, 0.45), (0.55,), (0.3,)),
    "middle": ((0.0, 0.37), (0.55,), (0.3,)),
    "ring": ((0.0, 0.41), (0.55,), (0.3,)),
    "little": ((0.0, 0.63), (0.55,), (0.3,)),
}
"""How each finger presses some millimetres into the table from `LOW`."""
START = ((0.0, TABLE + HEIGHT, 0.0), 0.0, 0.0)
HIGH = ((0.01, TABLE + 0.17, 0.0), 0.5, 0.2)
LOW = ((0.0, TABLE + 0.062, 0.0), 0.0, 0.0)
"""Places of the palm: its middle [m], its roll about the fingers and how far these point up [rad]."""
Place = tuple[Vector, float, float]


class Key(NamedTuple):
    """A time at which the hand is in a pose and at rest."""

    time: float
    angles: Angles
    place: Place


def _keys() -> list[Key]:
    keys = [Key(0.0, REST, START), Key(0.8, OPEN, HIGH), Key(1.8, PINCH, HIGH), Key(2.4, PINCH, HIGH)]
    keys += [Key(3.2, OPEN, HIGH), Key(4.0, FIST, HIGH), Key(4.6, FIST, HIGH), Key(5.4, OPEN, HIGH)]
    time = 6.4
    keys.append(Key(time, READY, LOW))
    for finger, bent in TAPS.items():
        pressed = READY | {finger: bent}
        keys += [Key(time + 0.2, pressed, LOW), Key(time + 0.3, pressed, LOW), Key(time + 0.5, READY, LOW)]
        time += 0.5
    return [*keys, Key(time + 1.0, REST, START)]


KEYS = tuple(_keys())
LENGTH = KEYS[-1].time
"""How long the recording is [s]."""


def _between(time: float) -> tuple[Key, Key, float]:
    """The keys around a time, and the way done from one to the other: `10 s³ - 15 s⁴ + 6 s⁵`, which jerks least."""
    times = [key.time for key in KEYS]
    k = int(np.clip(np.searchsorted(times, time, side="right") - 1, 0, len(KEYS) - 2))
    s = float(np.clip((time - times[k]) / (times[k + 1] - times[k]), 0.0, 1.0))
    return KEYS[k], KEYS[k + 1], s**3 * (10 - 15 * s + 6 * s * s)


def glove_angles(time: float) -> dict[str, Vector]:
    """Angles of every joint of the hand by its name [rad]; before the start and after the end it stands."""
    here, there, done = _between(time)
    found: dict[str, Vector] = {}
    for name, finger in FINGERS.items():
        for bone, a, b in zip(finger.bones, here.angles[name], there.angles[name], strict=True):
            found[bone] = tuple(x + done * (y - x) for x, y in zip(a, b, strict=True))
    return found


def palm_pose(time: float) -> Pose:
    """Where the palm is and how it is turned."""
    here, there, done = _between(time)
    (a, roll_a, pitch_a), (b, roll_b, pitch_b) = here.place, there.place
    roll, pitch = roll_a + done * (roll_b - roll_a), pitch_a + done * (pitch_b - pitch_a)
    rotation = multiply_quaternions(turned((0.0, 0.0, 1.0), pitch), turned((1.0, 0.0, 0.0), roll))
    return Pose(tuple(x + done * (y - x) for x, y in zip(a, b, strict=True)), tuple(float(x) for x in rotation))


class Recording(NamedTuple):
    """What a glove has sent, at equal intervals."""

    times: FloatArray
    """(n,) [s]."""
    angles: FloatArray
    """(n, 20): those of `JOINTS` one after the other, two of each finger's first joint [rad]."""
    positions: FloatArray
    """(n, 3) of the palm [m]."""
    rotations: FloatArray
    """(n, 4) of the palm, quaternions x, y, z, w."""


def recorded(rate: float = 60.0) -> Recording:
    """The whole stream, `rate` times a second."""
    if not rate > 0:
        raise InputError(f"rate is {rate!r}; expected a number above 0 [1/s]")
    times = np.arange(round(LENGTH * rate) + 1) / rate
    sent = [glove_angles(time) for time in times]
    palms = [palm_pose(time) for time in times]
    return Recording(
        times,
        np.array([[x for name in JOINTS for x in angles[name]] for angles in sent]),
        np.array([palm.position for palm in palms]),
        np.array([palm.rotation for palm in palms]),
    )
