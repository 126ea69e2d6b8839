"""Scratch of the elastic forces, allocated once per simulation."""

from stringless import jit
from stringless.flesh.kernels_lanes import ASIDE_WORK, BLOCK_WORK
from stringless.flesh.records import ElasticWork


def elastic_scratch() -> ElasticWork:
    """Room for `elastic_forces`."""
    return ElasticWork(jit.rows(1, BLOCK_WORK), jit.rows(1, ASIDE_WORK))
