"""What joints have in common whose configuration is a vector, such as an angle or a shift: all but ball and free joints."""

from stringless.jit import kernel


@kernel(inline=True)
def integrate(body, q, dq, dt, q_out):
    """`q + dt dq`."""
    for k in range(body.nv):
        q_out[body.q0 + k] = q[body.q0 + k] + dt * dq[body.v0 + k]


@kernel(inline=True)
def advance(body, u, vdot, dt, h_v, q_out, v_out):
    """`v+ = v + h_v vdot`, `q+ = q + h v+`."""
    for d in range(body.v0, body.v0 + body.nv):
        v_out[d] += h_v * vdot[d]
    for k in range(body.nv):
        q_out[body.q0 + k] += dt * v_out[body.v0 + k]


@kernel(inline=True)
def reach(body, q_to, q, v, u, dt, h_v, vdot_out):
    """The acceleration with which `advance` leads to `q_to`."""
    difference(body, q, q_to, vdot_out)
    for d in range(body.v0, body.v0 + body.nv):
        vdot_out[d] = (vdot_out[d] / dt - v[d]) / h_v


@kernel(inline=True)
def difference(body, q_from, q_to, dq_out):
    """`q_to - q_from`."""
    for k in range(body.nv):
        dq_out[body.v0 + k] = q_to[body.q0 + k] - q_from[body.q0 + k]


@kernel(inline=True)
def tangent_rate(body, x, u, rate_out):
    """The velocity itself."""
    for k in range(body.nv):
        rate_out[body.v0 + k] = u[body.v0 + k]


@kernel(inline=True)
def limit(body, q, k):
    """The coordinate itself, and its gradient."""
    gradient = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
    return q[body.q0 + k], gradient
