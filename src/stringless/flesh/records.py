"""What the kernels of the flesh are given: records of arrays."""

from typing import Any, NamedTuple


class ElasticWork(NamedTuple):
    """Scratch of the elastic forces."""

    block: Any
    """The block of elements at hand: one row of `BLOCK_WORK`."""
    aside: Any
    """Elements that were put aside to be decomposed: one row of `ASIDE_WORK`."""
