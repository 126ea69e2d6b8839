"""Joint limits and stiff springs inside a step: held, never pulling, never adding energy, never exploding."""

import dataclasses

import numpy as np
import pytest

from checks import relative
from models import NO_GRAVITY, Z_AXIS, random_forest, random_motion, solid
from naive import dynamics as naive
from stringless.errors import DivergenceError
from stringless.model import JointSpec, ModelBuilder, Scene
from stringless.model.joints import registry
from stringless.scenes import load_scene
from stringless.simulation import Simulation

BONE = ((0.0, -1.0, 0.0),)
DT = 1e-3
STOP = 100.0
"""The default stop frequency [rad/s]."""
ROUNDING = 1e-9
"""Energy that rounding may add, relative to what there is."""

CASES = {
    # name: joint, velocity at the start, limit coordinate, its bound, whether from above
    "hinge, upper": (JointSpec(kind="revolute", axes=Z_AXIS, upper=(0.5,)), [4.0], 0),
    "hinge, lower": (JointSpec(kind="revolute", axes=Z_AXIS, lower=(-0.5,)), [-4.0], 0),
    "slider, upper": (JointSpec(kind="prismatic", axes=Z_AXIS, lower=(-0.2,), upper=(0.5,)), [4.0], 0),
    "slider, lower": (JointSpec(kind="prismatic", axes=Z_AXIS, lower=(-0.2,), upper=(0.5,)), [-4.0], 0),
    "universal, first": (
        JointSpec(kind="universal", axes=((1.0, 0, 0), (0, 0, 1.0)), lower=(-1, -1), upper=(0.4, 1)),
        [4.0, 0.1],
        0,
    ),
    "universal, second": (
        JointSpec(kind="universal", axes=((1.0, 0, 0), (0, 0, 1.0)), lower=(-1, -0.3), upper=(1, 1)),
        [0.1, -4.0],
        1,
    ),
    "planar, angle": (JointSpec(kind="planar", lower=(-9, -9, -1), upper=(9, 9, 0.4)), [0.1, 0.1, 4.0], 2),
    "translational, y": (JointSpec(kind="translational", lower=(-1, -0.2, -1), upper=(1, 1, 1)), [0.1, -4.0, 0.1], 1),
    "ball, swing": (JointSpec(kind="ball", axes=BONE, lower=(0, -1, 0), upper=(0.6, 1, 3)), [3.0, 0.0, 2.0], 0),
    "ball, twist": (JointSpec(kind="ball", axes=BONE, lower=(0, -0.5, 0), upper=(1, 0.5, 3)), [0.5, 5.0, 0.0], 1),
    "ball, twist back": (JointSpec(kind="ball", axes=BONE, lower=(0, -0.5, 0), upper=(1, 0.5, 3)), [0.5, -5.0, 0.0], 1),
    "ball, turn": (JointSpec(kind="ball", axes=BONE, lower=(0, -3, 0), upper=(3, 3, 0.7)), [2.0, 2.0, 1.0], 2),
}


def body_on(joint, gravity=NO_GRAVITY):
    builder = ModelBuilder("limited", gravity=gravity)
    builder.add_body(
        "body", "", joint, mass=1.0, center_of_mass=(0.0, -0.5, 0.0), inertia=(0.08, 0.01, 0.08, 0.0, 0.0, 0.0)
    )
    return builder.build()


def violation(model, q):
    """How far each limit coordinate is beyond its bounds; negative within."""
    row = model.tree.view(np.recarray)[0]
    values = np.array([registry.limit(row, q, k)[0] for k in range(len(model.limits))])
    return np.maximum(values - model.limits["upper"], model.limits["lower"] - values)


def watch(sim, seconds):
    """Violations and energies after every step."""
    over, energy = [violation(sim.model, sim.q)], [sim.energy().total]
    for _ in range(round(seconds / sim.config.dt)):
        sim.step()
        over.append(violation(sim.model, sim.q))
        energy.append(sim.energy().total)
    return np.array(over), np.array(energy)


@pytest.mark.parametrize("integrator", ["symplectic", "rk4"])
@pytest.mark.parametrize("case", CASES)
def test_limit_is_reached_held_and_left_again(case, integrator):
    """A critically damped stop of frequency f met at speed u is entered by at most u/(e f), and left again."""
    joint, v, k = CASES[case]
    model = body_on(joint)
    sim = Simulation(Scene(model, v=np.array(v, float)), dt=DT, integrator=integrator)
    over, energy = watch(sim, 1.0)
    speed = float(np.linalg.norm(v))
    assert over[:, k].max() > -2 * DT * speed, "the limit was never reached"
    # Twice the bound: the inertia about a stop changes with the pose, and on a ball joint it is a mean.
    assert over[:, k].max() < 2 * speed / (np.e * STOP)
    assert over[-1, k] < 1e-3
    assert energy[-1] < 0.9 * energy[0]
    assert np.all(np.diff(energy) <= 0.02 * energy[0]), "energy appeared"
    assert energy.max() <= energy[0] * (1 + 0.02)


@pytest.mark.parametrize("integrator", ["symplectic", "rk4"])
def test_stop_takes_energy_and_never_adds_any(integrator):
    """On a hinge without gravity nothing else acts: the energy must fall from step to step, to rounding."""
    model = solid("revolute", axes=Z_AXIS, lower=(-0.3,), upper=(0.3,))
    sim = Simulation(Scene(model, v=np.array([8.0])), dt=DT, integrator=integrator)
    _, energy = watch(sim, 2.0)
    # The stop stores nothing that `energy` counts, so what it gives back on the way out shows; it gave less than it took.
    assert energy[-1] <= energy[0]
    assert energy.max() <= energy[0] * (1 + ROUNDING)


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_stop_pushes_and_never_pulls(kind):
    """A body that leaves its stop faster than the stop can follow is not held back."""
    model = solid(kind, axes=Z_AXIS, upper=(0.3,))
    sim = Simulation(Scene(model, q=np.array([0.301]), v=np.array([-5.0])), dt=DT)
    sim.step(50)
    # The spring may add the little energy of a millimetre, 0.5 (100 · 1e-3)², but nothing may slow the body down.
    assert -np.sqrt(25.0 + 0.02) < sim.v[0] <= -5.0


def test_body_resting_on_its_stop_stays_there():
    """Weight against the stop: it settles where the spring of the stop carries the torque, and stays."""
    model = solid("revolute", gravity=(0.0, -9.81, 0.0), axes=Z_AXIS, upper=(-0.7,))
    sim = Simulation(Scene(model, q=np.array([-0.7])), dt=DT)
    sim.advance(3.0)
    torque = 9.81 * 0.5 * np.sin(-sim.q[0])
    inertia = 0.08 + 0.25
    assert abs(sim.v[0]) < 1e-9
    assert sim.q[0] + 0.7 == pytest.approx(torque / (STOP**2 * inertia), rel=1e-6)


def limited(seed):
    """A tree of balls and hinges with narrow limits, and a motion of it that knows nothing of them."""
    model = random_forest(
        seed, bodies=6, kinds=("ball", "universal", "revolute"), dampers=True, armature=True, roots=0.0
    )
    builder = ModelBuilder("limited", gravity=tuple(model.gravity))
    for spec in model.specs:
        count = len(model.body(spec.name).joint.kind.limit_names)
        joint = dataclasses.replace(spec.joint, lower=(-0.3,) * count, upper=(0.3,) * count)
        builder.add(dataclasses.replace(spec, joint=joint))
    return builder.build(), random_motion(model, seed)


@pytest.mark.parametrize("seed", range(5))
def test_step_with_stops_is_the_dense_implicit_step(seed):
    """`(M + h c + Σ (h c_s + h² k_s) g gᵀ) vdot = -bias - c v - Σ f_s g` over the stops that act."""
    model, m = limited(seed)
    A = naive.mass_matrix(model, m.q) + DT * np.diag(model.dofs["damping"])
    b = -naive.bias(model, m.q, m.v) - model.dofs["damping"] * m.v
    tree, acting = model.tree.view(np.recarray), 0
    for row in tree:
        for j in range(row.nl):
            limit = model.limits[row.l0 + j]
            value, gradient = registry.limit(row, m.q, j)
            g = np.zeros(model.nv)
            g[row.v0 : row.v0 + row.nv] = gradient[: row.nv]
            side = (
                np.sign(value) if value + DT * g @ m.v > limit["upper"] or value + DT * g @ m.v < limit["lower"] else 0
            )
            k, c = STOP**2 * limit["inertia"], 2 * STOP * limit["inertia"]
            force = k * (abs(value) - 0.3 + DT * side * g @ m.v) + c * side * g @ m.v
            if side and force > 0:
                acting += row.sequential == 0
                A += DT * (c + DT * k) * np.outer(g, g)
                b -= side * force * g
    assert acting >= 2
    sim = Simulation(Scene(model, q=m.q, v=m.v), dt=DT)
    sim.step()
    assert relative((sim.v - m.v) / DT, np.linalg.solve(A, b)) < 1e-9


# --- stiff springs and dampers ---

LIGHT = {"mass": 0.01, "center_of_mass": (0.0, -0.05, 0.0), "inertia": (1e-6, 1e-6, 1e-6, 0.0, 0.0, 0.0)}


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "universal", "ball", "planar", "translational", "free"])
@pytest.mark.parametrize("stiffness", [1e4, 1e6])
def test_stiff_spring_on_a_light_link_does_not_explode(kind, stiffness):
    """The frequency is up to 1e5 rad/s, a hundred times what an explicit step of 1 ms could follow."""
    axes = {"revolute": Z_AXIS, "prismatic": Z_AXIS, "universal": ((1.0, 0, 0), (0, 0, 1.0))}.get(kind, ())
    joint = JointSpec(kind=kind, axes=axes, stiffness=(stiffness,))
    model = ModelBuilder("light", gravity=(0.0, -9.81, 0.0)).add_body("link", "", joint, **LIGHT).build()
    q = model.integrate(model.neutral(), np.full(model.nv, 0.05))
    sim = Simulation(Scene(model, q=q), dt=DT)
    start = sim.energy().total
    for _ in range(50):
        sim.step(20)
        assert sim.energy().total <= start * 1.01
    assert np.abs(model.displacement(sim.q)).max() < 0.01


def test_explicit_reference_shows_that_the_stiff_spring_is_stiff():
    joint = JointSpec(kind="revolute", axes=Z_AXIS, stiffness=(1e6,))
    model = ModelBuilder("light").add_body("link", "", joint, **LIGHT).build()
    with pytest.raises(DivergenceError):
        Simulation(Scene(model, q=np.array([0.05])), dt=DT, integrator="rk4").advance(1.0)


@pytest.mark.parametrize("damping", [1.0, 1e3, 1e6])
def test_strong_damper_on_a_light_link_brings_it_to_rest(damping):
    joint = JointSpec(kind="revolute", axes=Z_AXIS, damping=(damping,))
    model = ModelBuilder("light", gravity=NO_GRAVITY).add_body("link", "", joint, **LIGHT).build()
    sim = Simulation(Scene(model, v=np.array([10.0])), dt=DT)
    speeds = [10.0]
    for _ in range(20):
        sim.step()
        speeds.append(sim.v[0])
    assert np.all(np.diff(speeds) <= 0)
    assert 0 <= speeds[-1] < 1e-3


def test_implicit_damper_is_exactly_backward_euler():
    """v+ = v / (1 + h c / I) for a hinge without anything else."""
    model = solid("revolute", axes=Z_AXIS, damping=(2.0,))
    sim = Simulation(Scene(model, v=np.array([3.0])), dt=DT)
    sim.step()
    assert sim.v[0] == pytest.approx(3.0 / (1 + DT * 2.0 / 0.33), rel=1e-13)


def test_implicit_spring_is_exactly_backward_euler():
    """v+ = (v - h k x / I) / (1 + h² k / I), x+ = x + h v+."""
    model = solid("revolute", axes=Z_AXIS, stiffness=(500.0,))
    sim = Simulation(Scene(model, q=np.array([0.2]), v=np.array([3.0])), dt=DT)
    sim.step()
    v = (3.0 - DT * 500.0 * 0.2 / 0.33) / (1 + DT * DT * 500.0 / 0.33)
    assert sim.v[0] == pytest.approx(v, rel=1e-13)
    assert sim.q[0] == pytest.approx(0.2 + DT * v, rel=1e-13)


# --- stops of fleshed joints ------------------------------------------------------------------------------------------

RUN_IN = 0.05
"""How far a joint may run past its stop when its actuator drives it there at full effort [rad], if it does not turn by
more than that within one step: no stop acts at a finer time."""
HELD = 0.015
"""How far the actuator may then hold it there [rad]: what a stop gives way, 0.01, and what flesh and weight add."""


@pytest.mark.parametrize("name", ["worm", "fish", "finger", "starfish", "lamp", "donut"])
def test_stop_holds_bones_and_the_flesh_on_them_at_full_effort(name):
    sim = Simulation(load_scene(name))
    row, dofs, limits = sim.model.tree, sim.model.dofs, sim.model.limits
    bounded = np.concatenate([np.arange(b["v0"], b["v0"] + b["nl"]) for b in row])
    at = np.concatenate([np.arange(b["q0"], b["q0"] + b["nl"]) for b in row])
    sim.tau[bounded] = dofs["effort"][bounded]
    assert np.all(np.isfinite(sim.tau))
    past, fastest = [], 0.0
    for _ in range(400):
        sim.step()
        fastest = max(fastest, np.abs(sim.v[bounded]).max())
        past.append(np.max(sim.q[at] - limits["upper"]))
    assert max(past) > 0.001, "no stop was reached"
    assert max(past) < max(RUN_IN, DT * fastest)
    assert max(past[-50:]) < HELD


def test_stop_counts_the_free_flesh_beyond_the_joint():
    model = load_scene("worm").model
    tip = model.bodies[model.body_count - 1]
    nodes = model.flesh.nodes[model.flesh.nodes["bone"] == tip.index]
    # The hinge turns about z through the bone's origin, and nothing hangs beyond the last bone.
    whole = np.sum(nodes["mass"] * (nodes["r"][:, 0] ** 2 + nodes["r"][:, 1] ** 2)) + tip.spec.inertia[2]
    assert model.limits[-1]["inertia"] == pytest.approx(whole, rel=1e-12)
    assert model.limits[-1]["inertia"] > 2 * model.dofs[-1]["inertia"], "the free nodes must matter in this test"
    assert model.limits[-1]["least_stiffness"] == pytest.approx(5.0 / 0.01)
