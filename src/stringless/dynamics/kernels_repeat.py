"""Forward dynamics many times over inside compiled code: what an engine pays for it, without the way in from Python."""

from __future__ import annotations

from stringless.dynamics.kernels import hybrid
from stringless.jit import kernel


@kernel
def repeat_forward(
    tree, dofs, rest, gravity, q, v, prescribed, vdot, tau, external, count, body_work, dof_work, vdot_out, tau_out
):
    """Run the recursion of `kernels.hybrid` `count` times on the same state."""
    for _ in range(count):
        hybrid(
            tree, dofs, rest, gravity, q, v, prescribed, vdot, tau, external, body_work, dof_work, vdot_out, tau_out
        )  # fmt: skip
