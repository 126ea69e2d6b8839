"""Motions and forces: six numbers in a row, angular part first, handled as two vectors of three."""

from stringless.jit import kernel
from stringless.spatial import vec3


@kernel(inline=True)
def load(values, at):
    """Read angular and linear part from `values[at:]`."""
    return vec3.load(values, at), vec3.load(values, at + 3)


@kernel(inline=True)
def store(values_out, at, w, v):
    """Write angular and linear part to `values_out[at:]`."""
    vec3.store(values_out, at, w)
    vec3.store(values_out, at + 3, v)


@kernel(inline=True)
def add_to(values_out, at, w, v):
    """Add angular and linear part to `values_out[at:]`."""
    vec3.add_to(values_out, at, w)
    vec3.add_to(values_out, at + 3, v)
