"""Scratch that the kernels of contact need, allocated once per simulation."""

import numpy as np

from stringless import jit
from stringless.contact.kernels import OBSTACLE_WORK
from stringless.contact.kernels_restitution import RESTITUTION_WORK
from stringless.contact.kernels_skin import HIT_ROW
from stringless.contact.records import ContactWork
from stringless.contact.tables import ContactTables
from stringless.flesh.boxtree import STACK


def contact_work(tables: ContactTables, skin: int) -> ContactWork:
    """Scratch for a model with `skin` surface vertices."""
    points = skin + len(tables.samples)
    return ContactWork(
        obstacles=jit.rows(len(tables.obstacles), OBSTACLE_WORK),
        stack=np.zeros(STACK, np.int64),
        restitution=jit.rows(len(tables.restitution), RESTITUTION_WORK),
        points=np.zeros((points, 3)),
        boxes=np.zeros((len(tables.skin.regions), 6)),
        hits=jit.rows(points, HIT_ROW),
        listed=np.zeros(points, np.int64),
        moments=np.zeros((len(tables.samples), 3)),
    )
