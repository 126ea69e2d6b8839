"""Configurations of whole trees on their manifold."""

from stringless.jit import kernel
from stringless.model.joints import registry


@kernel
def integrate(tree, q, dq, dt, q_out):
    """q ⊕ dt dq for the whole model; `q_out` may be `q` itself."""
    for i in range(tree.shape[0]):
        registry.integrate(tree[i], q, dq, dt, q_out)


@kernel
def difference(tree, q_from, q_to, dq_out):
    """q_to ⊖ q_from for the whole model."""
    for i in range(tree.shape[0]):
        registry.difference(tree[i], q_from, q_to, dq_out)


@kernel
def displacement(tree, q_rest, q, x_out):
    """Displacement of every joint spring."""
    for i in range(tree.shape[0]):
        registry.displacement(tree[i], q_rest, q, x_out)
