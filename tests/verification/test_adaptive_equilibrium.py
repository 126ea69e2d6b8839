"""Redon, Galoppo & Lin 2005, Figure 6: a pendulum pulled aside by a spring comes to rest where a few joints let it."""

import numpy as np
import pytest
from scipy.optimize import minimize

import stringless as sl
from stringless import dynamics
from stringless.engines.adaptive.reference import assemble
from stringless.engines.adaptive.rows import body_states
from stringless.kinematics import body_poses, point_jacobian
from stringless.kinematics.bodies import run_motions
from stringless.scenes.pendulums import chain

LINKS, PULLED = 50, 30
ANCHOR, STIFFNESS, DAMPING = np.array([1.2, -0.9, 0.0]), 30.0, 3.0
"""The spring [m, N/m, N·s/m]."""
SECONDS, AT_ONCE = 60.0, 5
"""Time in which the swing of the loose end dies down, and steps of 1 ms with one force: the spring is slower than 20 rad/s."""


def hanging():
    return chain(LINKS, length=0.06, mass=0.02, damping=0.1, name="pulled").build()


def equilibrium(model):
    """Where all joints together come to rest: potential energy at its least, by scipy."""
    still = np.zeros(model.nv)

    def energy(q):
        stretch = body_poses(model, q).position[PULLED] - ANCHOR
        return dynamics.energy(model, q, still).potential + 0.5 * STIFFNESS * stretch @ stretch

    def slope(q):
        stretch = body_poses(model, q).position[PULLED] - ANCHOR
        return dynamics.inverse(model, q, still, still) + STIFFNESS * stretch @ point_jacobian(model, q, PULLED)

    found = minimize(energy, np.full(model.nv, 0.01), jac=slope, method="BFGS", options={"gtol": 1e-8, "maxiter": 3000})
    assert np.abs(slope(found.x)).max() < 1e-6
    return body_poses(model, found.x).position


def pull(sim):
    work = run_motions(sim.model, sim.q, sim.v).bodies[PULLED]
    force = STIFFNESS * (ANCHOR - work["p"]) - DAMPING * work["V"][3:]
    sim.external[PULLED, 3:] = work["R"].reshape(3, 3).T @ force


def come_to_rest(sim):
    for _ in range(round(SECONDS / AT_ONCE / sim.config.dt)):
        pull(sim)
        sim.step(AT_ONCE)
    return sim.body_poses().position


def breadth_first(model, count):
    """The first joints of the assembly tree, level by level: a choice beforehand."""
    assembly = assemble(model.tree["parent"])
    found, level = [], [assembly.root]
    while len(found) < count:
        inner = [assembly.nodes[k] for k in level if not assembly.nodes[k].is_leaf]
        found += [node.joint for node in inner]
        level = [child for node in inner for child in (node.A, node.B)]
    return found[:count]


def fixed_choice(model, joints):
    """Only these joints move, ever."""
    sim = sl.Simulation(sl.Scene(model), engine="adaptive", update_every=10**9, record=0)
    sim.step(1)
    body_states(sim.state.kept)["active"] = 0.0
    body_states(sim.state.kept)["active"][joints] = 1.0
    sim.state.v[:], sim.state.vdot[:] = 0.0, 0.0
    sim.step(1)
    assert np.flatnonzero(sim.active_joints).tolist() == sorted(joints)
    return sim


@pytest.mark.parametrize(("count", "closer"), [(5, 2.0), (10, 10.0)])
def test_chosen_joints_come_closer_to_the_equilibrium_of_all(count, closer):
    model = hanging()
    goal = equilibrium(model)

    def off(positions):
        return np.sqrt(np.mean(np.sum((positions - goal) ** 2, axis=1)))

    fixed = off(come_to_rest(fixed_choice(model, breadth_first(model, count))))
    chosen = off(come_to_rest(sl.Simulation(sl.Scene(model), engine="adaptive", active=count, record=0)))
    print(f"{count} joints: fixed {fixed:.4f} m, chosen {chosen:.4f} m")
    assert fixed > 0.01
    assert chosen < fixed / closer
