"""Ask how the accelerations answer to a small change of configuration, velocity or effort.

Idea: the derivatives of forward dynamics live in the tangent space, so they fit every joint, quaternions included: a
change `dq` is applied with `model.integrate`. Here they predict a character's accelerations after a small nudge.

Run: python examples/03_derivatives.py
"""

from __future__ import annotations

import numpy as np

import stringless as sl
from stringless import dynamics


def main() -> float:
    """Return the error of the linear prediction for a nudge of 1e-5, relative to the change it predicts."""
    scene = sl.load("humanoid")
    model = scene.model
    rng = np.random.default_rng(1)
    q, v, tau = model.random(rng), rng.normal(size=model.nv), rng.normal(size=model.nv)

    dvdot_dq, dvdot_dv, dvdot_dtau = dynamics.forward_derivatives(model, q, v, tau)
    strongest = np.unravel_index(np.argmax(np.abs(dvdot_dtau)), dvdot_dtau.shape)
    print(f"effort on {model.dof_name(strongest[1])} moves {model.dof_name(strongest[0])} most:")
    print(f"  {dvdot_dtau[strongest]:.3g} rad/s² per N·m")

    dq, dv, dtau = (1e-5 * rng.normal(size=model.nv) for _ in range(3))
    predicted = dvdot_dq @ dq + dvdot_dv @ dv + dvdot_dtau @ dtau
    before = dynamics.forward(model, q, v, tau)
    after = dynamics.forward(model, model.integrate(q, dq), v + dv, tau + dtau)
    print(f"accelerations change by {np.linalg.norm(after - before):.4g}, predicted {np.linalg.norm(predicted):.4g}")
    return float(np.linalg.norm(after - before - predicted) / np.linalg.norm(predicted))


if __name__ == "__main__":
    print(f"the prediction is off by {main():.1e} of itself")
