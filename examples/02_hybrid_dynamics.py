"""Prescribe the motion of some joints and let the others follow the physics.

Idea: hybrid dynamics takes, for every coordinate, either its acceleration or its effort, and returns the other. Here
a character's right arm is commanded to wave; everything else is free, and the recoil of the body comes out.

Run: python examples/02_hybrid_dynamics.py
"""

from __future__ import annotations

import numpy as np

import stringless as sl
from stringless import dynamics


def main() -> float:
    """Return how far the momentum of the floating body is from conserved, relative to the arm's share of it."""
    scene = sl.load("humanoid")
    model, rest = scene.model, np.zeros(scene.model.nv)
    arm = [model.joint(f"right_{part}") for part in ("shoulder", "upper_arm", "elbow", "forearm")]
    prescribed = np.zeros(model.nv, dtype=bool)
    vdot = np.zeros(model.nv)
    for joint in arm:
        prescribed[joint.v_slice] = True
        vdot[joint.v_slice] = 10.0  # [rad/s²]
    print("commanded:", ", ".join(joint.name for joint in arm))

    tau = np.zeros(model.nv)  # nothing drives the other joints
    vdot, tau = dynamics.hybrid(model, scene.q, rest, prescribed=prescribed, vdot=vdot, tau=tau)
    for joint in arm:
        print(f"  {joint.name}: effort {np.round(tau[joint.v_slice], 3)} N·m")
    print(f"  {model.joints[0].name}: acceleration {np.round(vdot[model.joints[0].v_slice], 3)}")

    # The character floats, so only its weight changes its momentum. From rest, the rate of momentum is that of vdot.
    change = dynamics.momentum(model, scene.q, vdot).linear
    force = model.mass * model.gravity
    alone = np.where(prescribed, vdot, 0.0)
    share = np.linalg.norm(dynamics.momentum(model, scene.q, alone).linear)
    return float(np.linalg.norm(change - force) / share)


if __name__ == "__main__":
    print(f"momentum is conserved to {main():.1e} of the arm's share")
