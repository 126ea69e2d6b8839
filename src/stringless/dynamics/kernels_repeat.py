"""Forward dynamics many times over inside compiled code: what an engine pays for it, without the way in from Python."""

from stringless.dynamics.kernels import hybrid
from stringless.jit import kernel


@kernel
def repeat_forward(skeleton, q, v, inputs, count, work, vdot_out, tau_out):
    """Run the recursion of `kernels.hybrid` `count` times on the same state."""
    for _ in range(count):
        hybrid(skeleton, q, v, inputs.prescribed, inputs.vdot, inputs.tau, inputs.external, work, vdot_out, tau_out)
