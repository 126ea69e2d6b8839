"""All contact of one step: points against obstacles, skin against skin, calm landings.

The tables travel as two tuples, `ContactTables.touching` and the scratch that `contact_work` makes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stringless import jit
from stringless.contact.kernels import OBSTACLE_WORK
from stringless.contact.kernels_landing import LANDING_WORK
from stringless.contact.kernels_skin import HIT_ROW
from stringless.contact.tables import ContactTables
from stringless.flesh.boxtree import STACK


def contact_work(tables: ContactTables, skin: int) -> tuple[Any, ...]:
    """Scratch for a model with `skin` surface vertices.

    The last but one is a list for those who look for points. The last holds the moments of the forces on probes about
    their middles.
    """
    points = skin + len(tables.probes)
    return (
        jit.rows(len(tables.obstacles), OBSTACLE_WORK),
        np.zeros(STACK, np.int64),
        jit.rows(len(tables.landing), LANDING_WORK),
        np.zeros((points, 3)),
        np.zeros((len(tables.skin.regions), 6)),
        jit.rows(points, HIT_ROW),
        np.zeros(points, np.int64),
        np.zeros((len(tables.probes), 3)),
    )
