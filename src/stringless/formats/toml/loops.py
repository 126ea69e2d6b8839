"""Loops in our scene file.

```toml
[[loop]]
name = "left grip"
kind = "hinge"                    # point, hinge (about the z axes of both places) or weld
body_a = "left_hand"
body_b = "bar"                    # left out: the ground

[loop.place_a]                    # of the end on body_a, in its frame; left out: its origin
position = [0.0, -0.08, 0.0]

[loop.place_b]                    # of the other end, in the frame of body_b or in the world
position = [0.0, 0.0, -0.2]
```
"""

from stringless.formats.toml.bodies import read_frame
from stringless.formats.toml.tables import Table
from stringless.model.loops import LoopSpec


def read_loop(table: Table) -> LoopSpec:
    """Read one loop; the builder checks its names."""
    loop = LoopSpec(
        table.text("name"),
        table.text("kind"),
        table.text("body_a"),
        table.text("body_b"),
        read_frame(table.table("place_a")),
        read_frame(table.table("place_b")),
    )
    table.report_unknown()
    return loop
