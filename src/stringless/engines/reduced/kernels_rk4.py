"""The classical fourth-order Runge-Kutta method, to compare the default step with."""

from __future__ import annotations

from stringless.engines.reduced.kernels_bones import accelerate, first_diverged
from stringless.engines.reduced.records import Span
from stringless.jit import kernel
from stringless.model.joints import registry


@kernel
def run_rk4(skeleton, inputs, settings, steps, time, work, q_work, vector_work, state, effort_out):
    """Advance bones in place by `steps` steps.

    On the manifold the stages are taken in the tangent space at the step's start (Munthe-Kaas 1998): q ⊕ x, with
    velocity u and the rate of x that belongs to it. Returns the steps done, the time reached and the coordinate that
    diverged, -1 if none did.
    """
    tree, h, coordinates, frequency = skeleton.tree, settings.dt, skeleton.dofs.shape[0], settings.limit_frequency
    u, vdot, x, rate, x_sum, v_sum = work.u, work.vdot, vector_work[0], vector_work[1], vector_work[2], vector_work[3]
    still = Span(0.0, 0.0, 0.0)  # springs and dampers are taken where they are
    for step in range(steps):
        for d in range(coordinates):
            x[d], u[d], x_sum[d], v_sum[d] = 0.0, state.v[d], 0.0, 0.0
        for stage in range(4):
            for i in range(tree.shape[0]):
                registry.integrate(tree[i], state.q, x, 1.0, q_work)
                registry.tangent_rate(tree[i], x, u, rate)
            accelerate(skeleton, q_work, u, u, inputs, still, frequency, work.bodies, work.dofs, vdot, effort_out)
            weight = 1.0 / 6.0 if stage == 0 or stage == 3 else 1.0 / 3.0
            ahead = h if stage == 2 else 0.5 * h
            for d in range(coordinates):
                x_sum[d] += weight * rate[d]
                v_sum[d] += weight * vdot[d]
                x[d] = ahead * rate[d]
                u[d] = state.v[d] + ahead * vdot[d]
        bad = first_diverged(skeleton.dofs, state.v, v_sum, Span(h, h, h), settings.max_speed)
        if bad >= 0:
            return step, time, bad
        for i in range(tree.shape[0]):
            registry.integrate(tree[i], state.q, x_sum, h, state.q)
        for d in range(coordinates):
            state.v[d] += h * v_sum[d]
        time += h
    return steps, time, -1
