"""Whether all numbers are finite."""

import math

from stringless.jit import kernel

UNIT = 1e-3
"""How far the length of a quaternion may be from 1; steps keep it there to rounding."""


@kernel
def is_sound(tree, q, v):
    """Whether all of q and v is finite, and every quaternion in q (the last four numbers of its joint) of unit length."""
    wrong = 0
    for k in range(q.shape[0]):
        wrong += 0 if abs(q[k]) < math.inf else 1  # NaN fails the comparison
    for k in range(v.shape[0]):
        wrong += 0 if abs(v[k]) < math.inf else 1
    if wrong > 0:
        return False
    for i in range(tree.shape[0]):
        row = tree[i]
        if row.nq > row.nv:
            end = row.q0 + row.nq
            square = 0.0
            for k in range(end - 4, end):
                square += q[k] * q[k]
            if abs(math.sqrt(square) - 1.0) > UNIT:
                return False
    return True
