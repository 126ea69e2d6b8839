"""A dock to fall from and a glass box to be trapped in: nothing but shapes of the world."""

from stringless.model.shapes import Shape, ShapePurpose
from stringless.scenes.bones import box

DOCK_TOP, DOCK_HALF, PLANK = 0.4, (0.35, 0.1, 0.22), 0.07
"""Height of a dock, half its size, and how wide its planks are about [m]."""
WOOD = ((0.56, 0.42, 0.30, 1.0), (0.50, 0.37, 0.26, 1.0))
BOX_HALF, BOX_HEIGHT = 0.32, 0.3
"""Half the width of a glass box inside, and its height [m]."""
GLASS = (0.75, 0.85, 0.9, 0.1)
PANE, WALL = 0.01, 0.06
"""Thickness of the glass as it is seen and as it is felt [m]."""


def dock() -> list[Shape]:
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


def glass_box(half: float = BOX_HALF, height: float = BOX_HEIGHT) -> list[Shape]:
    """Four walls around the origin, open at the top: half the width inside and the height [m].

    What is seen is thin; what is felt reaches further out, since soft arms thrown at a wall sink in before they turn.
    """
    return [*walls(half, height, PANE, "visual"), *walls(half, height, WALL, "collision")]


def walls(half: float, height: float, thickness: float, purpose: ShapePurpose) -> list[Shape]:
    """Four boxes around a square of `half` the width [m]."""
    across, wide, up = half + thickness / 2, half + thickness, height / 2
    along_x, along_z = (wide, up, thickness / 2), (thickness / 2, up, wide)
    sides = {
        "left": ((-across, up, 0.0), along_z),
        "right": ((across, up, 0.0), along_z),
        "back": ((0.0, up, -across), along_x),
        "front": ((0.0, up, across), along_x),
    }
    return [box(center, size, GLASS, name=f"glass_{side}", purpose=purpose) for side, (center, size) in sides.items()]
