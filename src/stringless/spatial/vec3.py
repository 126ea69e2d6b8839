"""Vectors of three numbers."""

from stringless.jit import kernel


@kernel(inline=True)
def load(values, at):
    """Read three numbers from `values[at:]`."""
    return values[at], values[at + 1], values[at + 2]


@kernel(inline=True)
def store(values_out, at, a):
    """Write three numbers to `values_out[at:]`."""
    values_out[at] = a[0]
    values_out[at + 1] = a[1]
    values_out[at + 2] = a[2]


@kernel(inline=True)
def add_to(values_out, at, a):
    """Add three numbers to `values_out[at:]`."""
    values_out[at] += a[0]
    values_out[at + 1] += a[1]
    values_out[at + 2] += a[2]


@kernel(inline=True)
def add(a, b):
    """Return `a + b`."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel(inline=True)
def subtract(a, b):
    """Return `a - b`."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel(inline=True)
def scale(s, a):
    """Return `s a`."""
    return s * a[0], s * a[1], s * a[2]


@kernel(inline=True)
def add_scaled(a, s, b):
    """Return `a + s b`."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@kernel(inline=True)
def dot(a, b):
    """Return `a · b`."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(inline=True)
def cross(a, b):
    """Return `a x b`."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel(inline=True)
def unit(k):
    """Unit vector along axis k."""
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0
