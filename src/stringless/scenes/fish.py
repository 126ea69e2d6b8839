"""The fish of Kim & Pollard 2008: seven bones, six actuators, lying on its side on a dock.

It lies along x, its head toward -x, its left side up and its back toward +z: what is sideways to the fish is upright in
the world, so that the strokes of its tail throw it into the air.
"""

import math

import numpy as np
from scipy.interpolate import PchipInterpolator

from stringless.flesh import generators
from stringless.flesh.cage import Cage
from stringless.flesh.section_cage import between_sections, cell_middles, centred_cage
from stringless.flesh.surface import Surface
from stringless.flesh.wrap import wrap
from stringless.model.builder import ModelBuilder
from stringless.model.pose import Pose
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.model.spec import BodySpec, JointSpec
from stringless.scenes.bones import box, capsule, dropped, hinge, root_joint
from stringless.scenes.ground import floor
from stringless.spatial.arrays import FloatArray

RINGS, SIDES = 40, 24
SPINE = (-0.186, -0.11, -0.065, -0.025, 0.015, 0.055, 0.1, 0.15)
"""Ends of the bones along x, from the nose to the root of the tail [m]."""
NAMES = ("head", "gills", "chest", "belly", "loin", "stem", "fin")
ROOT = 3
"""The bone that carries the root: the heaviest."""
LIMITS = (0.35, 0.45, 0.5, 0.6, 0.7, 0.9)
"""How far the joints bend either way, from the gills to the tail [rad]."""
EFFORTS = (1.0, 2.5, 4.0, 2.5, 1.2, 0.7)
"""What the muscles can do at the same joints [N·m]: the flesh beyond a joint is all that they can push against."""

OUTLINE = np.array(
    [
        # x, thickness, height of the back, depth of the belly: halves, seen from the spine [mm]
        (-180, 5, 5, 7),
        (-174, 12, 13, 14),
        (-160, 20, 23, 24),
        (-140, 27, 34, 34),
        (-110, 32, 45, 43),
        (-75, 34, 52, 49),
        (-40, 33, 53, 51),
        (0, 29, 48, 47),
        (40, 23, 38, 38),
        (80, 16, 26, 27),
        (110, 11, 17, 18),
        (126, 9, 16, 16),
        (145, 7.5, 27, 27),
        (165, 6.5, 47, 47),
        (182, 6, 60, 60),
        (190, 5, 60, 60),
    ]
)

BACK, BELLY, FIN = (0.26, 0.42, 0.52), (0.88, 0.88, 0.82), (0.90, 0.50, 0.26)
SECTIONS = (
    # x, half width, height of the back, depth of the belly of the cage [mm]; one at each end of a bone, and the last
    (-186, 23, 26, 26),
    (-110, 43, 56, 52),
    (-65, 40, 76, 58),
    (-25, 39, 80, 58),
    (15, 35, 74, 58),
    (55, 28, 56, 62),
    (100, 16, 25, 30),
    (150, 10, 35, 35),
    (220, 10, 71, 71),
)
DOCK_TOP, DOCK_HALF, PLANK = 0.4, (0.35, 0.1, 0.22), 0.07
"""Height of the dock, half its size, and how wide its planks are about [m]."""
WOOD = ((0.56, 0.42, 0.30, 1.0), (0.50, 0.37, 0.26, 1.0))


def skin() -> Surface:
    """Rings around the spine, drawn out to fins at the back, the belly and the tail."""
    start, end = OUTLINE[0, 0] * 1e-3, OUTLINE[-1, 0] * 1e-3
    share = np.linspace(0.0, 1.0, RINGS)
    x = start + (end - start) * (share - 0.12 * np.sin(2 * math.pi * share) / math.pi)  # closer at nose and tail
    tube = generators.tube([(s, 0.0, 0.0) for s in x], np.full(RINGS, 1.0), SIDES, cap_rings=0)
    along = np.clip(tube.vertices[:, 0], start - 0.003, end)  # the poles of a tube lie beyond its ends
    return Surface(shaped(along, tube.vertices[:, 1], tube.vertices[:, 2]), tube.triangles, "fish")


def shaped(x: FloatArray, y: FloatArray, z: FloatArray) -> FloatArray:
    """Points (n, 3) of the fish from those of a tube of radius 1 [m]."""
    thickness, back, belly = PchipInterpolator(OUTLINE[:, 0] * 1e-3, OUTLINE[:, 1:] * 1e-3)(x).T
    width = thickness * y
    width += 0.007 * np.clip(4 * y, -1.0, 1.0) * hill(x, -0.137, 0.011) * hill(z, 0.3, 0.28)  # eyes
    width += 0.004 * np.clip(4 * y, -1.0, 1.0) * hill(x, -0.085, 0.010) * hill(z, -0.1, 0.6)  # lids of the gills
    height = np.where(z > 0, back, belly) * z
    height += 0.022 * hill(x, -0.03, 0.042) * np.maximum(z, 0.0) ** 12  # fin of the back
    height -= 0.016 * hill(x, 0.058, 0.022) * np.maximum(-z, 0.0) ** 12  # fin of the belly
    tail = np.clip((x - 0.126) / 0.064, 0.0, 1.0)
    return np.stack([x + 0.028 * tail * z**2, width, height], axis=1)


def hill(x: FloatArray, middle: float, width: float) -> FloatArray:
    """A round hill of height 1."""
    return np.exp(-(((x - middle) / width) ** 2))


def colors(surface: Surface) -> FloatArray:
    """A dark back, a pale belly, orange fins and eyes."""
    x, y, z = surface.vertices.T
    share = np.clip((z + 0.03) / 0.06, 0.0, 1.0)[:, None]
    body = (1 - share) * np.array(BELLY) + share * np.array(BACK)
    fin = np.clip((x - 0.125) / 0.03, 0.0, 1.0) + np.clip((np.abs(z) - 0.057) / 0.008, 0.0, 1.0)
    body += np.clip(fin, 0.0, 1.0)[:, None] * (np.array(FIN) - body)
    eye = (np.hypot(x + 0.137, z - 0.011) < 0.0085) & (np.abs(y) > 0.02)
    body[eye] = (0.06, 0.07, 0.09)
    return body


def skeleton(root: str = "planar") -> ModelBuilder:
    """Seven bones in a row along x, the belly at the origin; the others hang from it to both sides."""
    builder = ModelBuilder("fish")
    add_bone(builder, ROOT, "", (0.0, 0.0, 0.0), root_joint(root))
    for side in (-1, 1):
        parent = ROOT
        while 0 <= parent + side < len(NAMES):
            k = parent + side
            pivot, before = hinge_place(k), hinge_place(parent)
            limit, effort = LIMITS[min(k, parent)], EFFORTS[min(k, parent)]
            joint = hinge((-limit, limit), damping=0.01, armature=4e-4, effort=effort)
            add_bone(builder, k, NAMES[parent], (pivot - before, 0.0, 0.0), joint)
            parent = k
    return builder


def hinge_place(k: int) -> float:
    """Where bone k turns: its end toward the root, or the origin for the root itself [m]."""
    return 0.0 if k == ROOT else SPINE[k + 1] if k < ROOT else SPINE[k]


def add_bone(builder: ModelBuilder, k: int, parent: str, at: tuple[float, float, float], joint: JointSpec) -> None:
    """Bone k, between its two ends of the spine."""
    start, end = SPINE[k] - hinge_place(k), SPINE[k + 1] - hinge_place(k)
    bar = capsule((start + (0.02 if k == 0 else 0.0), 0.0, 0.0), (end, 0.0, 0.0), 0.005)  # the nose is flesh
    builder.add(BodySpec(name=NAMES[k], parent=parent, joint=joint, place=Pose(at), shapes=(bar,)))


def cage(slices: int = 1) -> tuple[Cage, dict[str, list[int]]]:
    """Slices of four cells along the spine, and the nodes that each bone holds: the middles of its own slices.

    There are `slices` to each bone, and as many in the tail beyond the last.
    """
    corners = np.array(
        [
            [[(x, y, z) for z in (-belly, 0, back)] for y in (-wide, 0, wide)]
            for x, wide, back, belly in between_sections(SECTIONS, slices)
        ]
    )
    corners = 1e-3 * corners
    corners[:, ::2, ::2, 1:] *= 0.85  # round like the fish
    # The middles of the cells lie nearer to the spine than to the skin: the flesh over them is thick.
    around, middle = centred_cage(corners, cell_middles(corners) * (1.0, 0.8, 0.8), name="fish")
    held = {name: [int(n) for n in middle[k * slices : (k + 1) * slices].ravel()] for k, name in enumerate(NAMES)}
    held["head"] += range(9)  # the snout: all bone
    return around, held


def ledge() -> list[Shape]:
    """A ledge to lie on and to fall from: planks to look at, one slab to touch."""
    x, y, z = DOCK_HALF
    shapes = [box((0.0, DOCK_TOP - y, 0.0), DOCK_HALF, name="dock", purpose="collision")]
    count = round(2 * x / PLANK)
    half, tall = x / count, DOCK_TOP / 2 - 0.016
    for k in range(count):
        middle = ((2 * k + 1 - count) * half, DOCK_TOP - 0.016, 0.0)
        shapes.append(box(middle, (half, 0.016, z), WOOD[k % 2], name=f"plank_{k}", purpose="visual"))
    for k, (right, front) in enumerate(((-1, -1), (-1, 1), (1, -1), (1, 1))):
        middle = (right * (x - 0.05), tall, front * (z - 0.05))
        shapes.append(box(middle, (0.022, tall, 0.022), WOOD[1], name=f"post_{k}", purpose="visual"))
    return shapes


def build(root: str = "planar", *, young: float = 30e3, slices: int = 1) -> ModelBuilder:
    """Skeleton and flesh, the dock and the floor below."""
    builder = skeleton(root)
    around, held = cage(slices)
    outside = skin()
    wrap(builder, outside, cage=around, fixed=held, young=young, colors=colors(outside), name="fish")
    builder.world_shapes += [*ledge(), floor()]
    return builder


def fish(root: str = "planar", *, young: float = 30e3, slices: int = 1, at: float = 0.0) -> Scene:
    """A fish out of water: it lies on its side on a dock, dropped from a hand's breadth, and moves in a plane.

    `at` is where it lies along the dock [m].
    """
    return dropped(build(root, young=young, slices=slices), at, DOCK_TOP + 0.13)


def dock(*, young: float = 30e3, slices: int = 1) -> Scene:
    """The fish with a free root over the edge of the dock: it slips off and falls to the floor."""
    x, y = DOCK_HALF[0] + 0.03, DOCK_TOP + 0.08
    return dropped(build("free", young=young, slices=slices), x, y, 0.0, math.sin(0.2), 0.0, 0.0, math.cos(0.2))
