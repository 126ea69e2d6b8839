"""Flesh against closed forms and conservation laws."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

from checks import orders, trend
from flesh_models import MATERIALS, block, clustered, forces, tables
from stringless.dynamics.energy import energy
from stringless.flesh import generators
from stringless.flesh.stability import stiffness
from stringless.flesh.wrap import wrap
from stringless.kinematics.bodies import body_accelerations, body_poses, body_velocities
from stringless.model import JointSpec, ModelBuilder, Scene
from stringless.scenes import bones
from stringless.scenes.worm import RADIUS, build
from stringless.simulation import Simulation

MOMENTUM = 1e-9
"""Rate of momentum against gravity and contact, relative to the weight: sums of a thousand forces of its size."""
DENSITY, YOUNG, G = 1000.0, 30e3, 9.81
DT_FREE = 1e-3


# --- statics ----------------------------------------------------------------------------------------------------------


def pull(counts, size, poisson, traction):
    """Mean lengthening of a bar held at x = 0 in x only and pulled at its end, by the linear stiffness."""
    nodes, tets, _ = block(counts=counts, size=size, jitter=0.2)
    flesh = tables(nodes, tets, poisson=poisson)
    K = stiffness(nodes, tets, np.ones(len(tets)), *flesh.specs[0].lame).toarray()
    end = nodes[:, 0] > size[0] - 1e-9
    # The end carries the traction, spread over its nodes as the faces there say.
    load = np.zeros_like(nodes)
    for t in tets:
        face = t[end[t]]
        if len(face) == 3:
            a, b, c = nodes[face]
            load[face, 0] += traction * np.linalg.norm(np.cross(b - a, c - a)) / 2 / 3
    assert load.sum() == pytest.approx(traction * size[1] * size[2], rel=1e-9)
    held = np.zeros_like(nodes, bool)
    held[:, 0] = nodes[:, 0] < 1e-9
    corner = int(np.argmin(np.linalg.norm(nodes, axis=1)))
    held[corner] = True
    held[int(np.argmin(np.linalg.norm(nodes - [0, 0, size[2]], axis=1))), 1] = True
    free = ~held.ravel()
    u = np.zeros(nodes.size)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], load.ravel()[free])
    return u.reshape(-1, 3), nodes, end, flesh


@pytest.mark.parametrize("poisson", [0.1, 0.33, 0.45])
def test_bar_under_an_axial_pull_stretches_as_hooke_says(poisson):
    """`u = sigma L/E`, sideways `-nu sigma/E`: uniform strain, so that even an irregular cage is exact."""
    size, traction = (0.3, 0.1, 0.1), 30.0
    u, nodes, end, _ = pull((4, 2, 2), size, poisson, traction)
    np.testing.assert_allclose(u[end, 0], traction * 0.3 / YOUNG, rtol=1e-9)
    strain = traction / YOUNG
    np.testing.assert_allclose(u[:, 1] - u[0, 1], -poisson * strain * (nodes[:, 1] - nodes[0, 1]), atol=1e-12)
    assert strain > 1e-4


@pytest.mark.parametrize("material", MATERIALS)
def test_nonlinear_forces_balance_a_small_pull(material):
    """The same bar with the kernels' own forces: what is left is quadratic in the strain."""
    traction = 0.03
    u, nodes, _, _ = pull((4, 2, 2), (0.3, 0.1, 0.1), 0.33, traction)
    mesh = block(counts=(4, 2, 2), size=(0.3, 0.1, 0.1), jitter=0.2)
    f, _ = forces(tables(mesh[0], mesh[1], material=material), nodes + u)
    inner = (nodes[:, 0] > 1e-9) & (nodes[:, 0] < 0.3 - 1e-9)
    end = nodes[:, 0] > 0.3 - 1e-9
    total = traction * 0.01
    assert f[end, 0].sum() == pytest.approx(-total, rel=1e-4)
    assert np.abs(f[inner]).max() < 1e-4 * total


def sag(n):
    """Tip of a column hanging under its own weight, relative to the closed form `rho g L²/(2 E)` at nu = 0."""
    size = (0.4, 0.1, 0.1)
    nodes, tets, _ = block(counts=(n, 1, 1), size=size)
    # Poisson's ratio nearly zero: the column is then one-dimensional.
    flesh = tables(nodes, tets, poisson=1e-9, masses=clustered(nodes, tets, DENSITY))
    spec = flesh.specs[0]
    K = stiffness(nodes, tets, np.ones(len(tets)), *spec.lame).toarray()
    free = np.repeat(nodes[:, 0] > 1e-9, 3)
    load = np.zeros_like(nodes)
    load[:, 0] = spec.masses * G
    u = np.zeros(nodes.size)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], load.ravel()[free])
    exact = DENSITY * G * 0.4**2 / (2 * YOUNG)
    x, u = nodes[:, 0], u.reshape(-1, 3)[:, 0]
    # Nodes share the weight unevenly in a section, so it bends a little: the mean of each section counts.
    sections = np.unique(np.round(x, 9))
    mean = [u[np.abs(x - s) < 1e-9].mean() for s in sections]
    fine = np.linspace(0, 0.4, 401)
    line = np.interp(fine, sections, mean)
    return np.abs(line - DENSITY * G / YOUNG * (0.4 * fine - fine**2 / 2)).max() / exact


def test_column_under_its_own_weight_converges():
    """Linear elements: second order in the size of a cell."""
    errors = [sag(n) for n in (4, 8, 16)]
    assert errors[-1] < 0.01
    assert np.all(orders(errors) > 1.7), errors


def deflection(n):
    """Tip deflection of a slender cantilever under a tip load, over Timoshenko's."""
    L, a, nu, force = 0.4, 0.08, 0.0, 0.01
    nodes, tets, _ = block(counts=(5 * n, n, n), size=(L, a, a))
    K = stiffness(nodes, tets, np.ones(len(tets)), YOUNG / 2 / (1 + nu), 0.0)
    free = np.repeat(nodes[:, 0] > 1e-9, 3)
    end = nodes[:, 0] > L - 1e-9
    load = np.zeros_like(nodes)
    load[end, 1] = force / end.sum()
    u = np.zeros(nodes.size)
    u[free] = spsolve(K[free][:, free].tocsc(), load.ravel()[free])
    bend = force * L**3 / (3 * YOUNG * a**4 / 12)
    shear = force * L / (5 / 6 * YOUNG / 2 * a**2)
    return u.reshape(-1, 3)[end, 1].mean() / (bend + shear)


def test_cantilever_converges_to_the_closed_form():
    """`F L³/(3 E I) + F L/(k G A)` from the stiff side: linear tetrahedra bend reluctantly, and less so when finer."""
    found = np.array([deflection(n) for n in (2, 4, 6)])
    assert np.all(np.diff(found) > 0)
    assert np.all(found < 1.0)
    assert found[-1] > 0.9
    assert np.all(orders(1 - found[:2]) > 1.2)


# --- conservation -----------------------------------------------------------------------------------------------------


def flying_worm(seed=0):
    """A worm with a free root in the air, bones and flesh in a wild motion."""
    model = build("free").build()
    rng = np.random.default_rng(seed)
    q = model.neutral()
    q[:3] = 0.3, 3.0, -0.2
    q[7:] = rng.uniform(-0.5, 0.5, len(q) - 7)
    sim = Simulation(Scene(model, q=q, v=rng.normal(size=model.nv)))
    free = model.flesh.nodes["fixed"] == 0
    sim.state.x[free] += 2e-3 * rng.normal(size=(free.sum(), 3))
    sim.state.xdot[free] += 0.5 * rng.normal(size=(free.sum(), 3))
    return sim


def rates(sim):
    """Rates of linear and angular momentum about the world's origin over the next step, from its accelerations."""
    model, state = sim.model, sim.save()
    sim.step()
    R = body_poses(model, state.q).rotation
    p = body_poses(model, state.q).position
    # The step takes its velocity products from v + dt/2 vdot.
    u = state.v + 0.5 * sim.config.dt * state.vdot
    V, A = body_velocities(model, state.q, u), body_accelerations(model, state.q, u, sim.engine.work.vdot)
    linear, angular = np.zeros(3), np.zeros(3)
    for i, row in enumerate(model.tree):
        m = row["mass"]
        c = R[i] @ row["h"] / m
        xx, yy, zz, xy, xz, yz = row["I_o"]
        I = R[i] @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R[i].T
        w, alpha, a = V[i, :3], A[i, :3], A[i, 3:]
        pdot = m * (a + np.cross(alpha, c) + np.cross(w, np.cross(w, c)))
        linear += pdot
        # About the body's origin: I_o alpha + w x I_o w + m c x a; then moved to the world's.
        angular += I @ alpha + np.cross(w, I @ w) + m * np.cross(c, a) + np.cross(p[i], pdot)
    nodes = model.flesh.nodes
    free = nodes["fixed"] == 0
    f = sim.engine.workspace.force[free] + nodes["mass"][free, None] * model.gravity
    linear += f.sum(axis=0)
    angular += np.cross(state.x[free], f).sum(axis=0)
    return linear, angular, state


@pytest.mark.parametrize("seed", range(3))
def test_momentum_of_bones_and_flesh_changes_only_by_gravity(seed):
    sim = flying_worm(seed)
    sim.step(5)
    linear, angular, state = rates(sim)
    nodes = sim.model.flesh.nodes
    free = nodes["fixed"] == 0
    mass = sim.model.mass + nodes["mass"][free].sum()
    assert sim.engine.workspace.counts[1] == 0, "nothing may touch"
    assert np.abs(sim.engine.workspace.force).max() > 1e-2 * mass * G, "and the flesh must be at work"
    np.testing.assert_allclose(linear, mass * sim.model.gravity, rtol=0, atol=MOMENTUM * mass * G)
    sim.restore(state)
    arm = np.cross(sim.center_of_gravity, mass * sim.model.gravity)
    np.testing.assert_allclose(angular, arm, rtol=0, atol=10 * MOMENTUM * mass * G)


def test_momentum_on_the_floor_changes_by_gravity_and_contact():
    sim = flying_worm()
    sim.state.q[1] -= 3.0 - RADIUS
    sim.set_state(q=sim.q, v=sim.v)
    sim.step(20)
    linear, angular, state = rates(sim)
    nodes = sim.model.flesh.nodes
    mass = sim.model.mass + nodes["mass"][nodes["fixed"] == 0].sum()
    touch = sim.engine.workspace.contact_forces
    assert sim.engine.workspace.counts[1] > 3
    scale = mass * G + np.abs(touch).sum()
    np.testing.assert_allclose(linear, mass * sim.model.gravity + touch.sum(axis=0), rtol=0, atol=MOMENTUM * scale)
    sim.restore(state)
    arm = np.cross(sim.center_of_gravity, mass * sim.model.gravity)
    arm = arm + np.cross(sim.surface_positions, touch).sum(axis=0)
    np.testing.assert_allclose(angular, arm, rtol=0, atol=10 * MOMENTUM * scale)


def test_centre_of_gravity_falls_on_a_parabola():
    """Symplectic Euler is off by `g h t/2` exactly, and by the first order of the joints' motion."""
    offs = []
    for dt in (1e-3, 0.5e-3):
        sim = flying_worm(1)
        start, speed = sim.center_of_gravity, sim.center_of_gravity_velocity
        finer = Simulation(sim.scene, dt=dt)
        finer.restore(sim.save())
        finer.advance(0.2)
        expected = start + 0.2 * speed + 0.5 * 0.2**2 * sim.model.gravity
        offs.append(np.linalg.norm(finer.center_of_gravity - expected))
    assert 0 < offs[0] < 5e-3
    assert offs[1] < 0.6 * offs[0]


def beam(bone=0.05, damping=0.0):
    """A bar of flesh about a free bone of mass `bone` [kg], without gravity."""
    builder = ModelBuilder("beam", gravity=(0.0, 0.0, 0.0))
    bar = bones.capsule((-0.03, 0.0, 0.0), (0.03, 0.0, 0.0), 0.012)
    builder.add(bones.body("bone", bar, bone, joint=JointSpec(kind="free")))
    skin = generators.capsule((-0.12, 0.0, 0.0), (0.12, 0.0, 0.0), 0.04)
    wrap(builder, skin, cells=(8, 4, 4), damping=damping)
    return builder.build()


@pytest.mark.parametrize(("speed", "beyond"), [(0.15, False), (2.5, True)])
def test_energy_does_not_grow_in_an_undamped_free_vibration(speed, beyond):
    """Ten seconds of swinging ends, gently and beyond the range of the plain law.

    Symplectic Euler keeps a nearby energy: what is seen goes up and down with the vibration, but there is no trend.
    """
    model = beam()
    sim = Simulation(model, dt=DT_FREE)
    x = model.flesh.rest
    free = model.flesh.nodes["fixed"] == 0
    sim.state.xdot[free, 1] = speed * (x[free, 0] / 0.12) ** 2
    start = sum(sim.energy())
    assert start > 1e-4
    totals, farthest, flagged = [start], 0.0, 0
    for _ in range(round(10.0 / DT_FREE / 5)):
        sim.step(5)
        totals.append(sum(sim.energy()))
        flagged = max(flagged, int(sim.engine.workspace.counts[0]))
        farthest = max(farthest, np.abs(sim.flesh_positions - sim.body_poses().position[0] - x)[:, 1].max())
    assert sim.time == pytest.approx(10.0)
    assert farthest > 1e-3, "it must vibrate"
    assert (flagged > 0.2 * len(model.flesh.elements)) == beyond
    assert max(totals) < 1.2 * start
    assert trend(totals) < 0.02 * start
    assert energy(model, sim.q, sim.v).kinetic > 0, "and shake its bone"
    # Momentum stays what it was at the start.
    mass = np.where(free, model.flesh.nodes["mass"], 0.0)
    begin = (mass[:, None] * np.outer((x[:, 0] / 0.12) ** 2, [0, speed, 0])).sum(axis=0) / (model.mass + mass.sum())
    np.testing.assert_allclose(sim.center_of_gravity_velocity, begin, rtol=0, atol=1e-3 * begin[1])


def test_a_worm_torn_about_recovers():
    """Nodes thrown about by more than a cell, so that elements lie flat and inverted: the worm finds its shape again."""
    model = build("free").build()
    q = model.neutral()
    q[1] = 3.0
    sim = Simulation(Scene(model, q=q), flesh_damping=3.0)
    free = model.flesh.nodes["fixed"] == 0
    rng = np.random.default_rng(5)
    sim.state.x[free] += 0.02 * rng.uniform(-1, 1, (free.sum(), 3))
    assert volumes(sim).min() < -0.1, "inverted"
    sim.advance(1.5)
    assert sim.engine.workspace.counts[0] == 0
    # It falls freely, so nothing but its own forces shapes it.
    assert np.abs(volumes(sim) - 1).max() < 0.02


def volumes(sim):
    """Volume of each element over that at rest; negative where it is inverted."""
    tets = sim.model.flesh.elements["n"]
    now, rest = (np.linalg.det(x[tets[:, 1:]] - x[tets[:, :1]]) for x in (sim.flesh_positions, sim.model.flesh.rest))
    return now / rest


def test_another_process_finds_the_same_bits():
    """A landing with contact, friction and flagged elements, twice from nothing."""
    script = (
        "import hashlib; from stringless.scenes import load_scene; from stringless.simulation import Simulation;"
        "sim = Simulation(load_scene('worm_tilted')); state = sim.state;"
        "counts = sum(sim.step(10) or sim.engine.workspace.counts for _ in range(40));"
        "parts = (state.q, state.v, state.x, state.xdot, state.anchors);"
        "print(*counts[:2], hashlib.sha256(b''.join(p.tobytes() for p in parts)).hexdigest())"
    )
    found = [subprocess.run([sys.executable, "-c", script], check=True, capture_output=True).stdout for _ in range(2)]
    assert found[0] == found[1]
    flagged, touching, _ = found[0].split()
    assert int(flagged) > 0
    assert int(touching) > 0, "it must have landed"


def test_damping_to_the_bone_takes_energy_away_at_its_rate():
    """A node's speed against its bone dies down at the rate alpha while it is all kinetic, that is half of the time."""
    model = beam(bone=50.0, damping=6.0)  # a bone too heavy to be shaken
    fading = []
    for factor in (0.0, 1.0):
        sim = Simulation(model, flesh_damping=factor)
        free = model.flesh.nodes["fixed"] == 0
        sim.state.xdot[free, 1] = 0.2 * (model.flesh.rest[free, 0] / 0.12) ** 2
        start = sum(sim.energy())
        sim.advance(0.3)
        fading.append(sum(sim.energy()) / start)
    assert fading[0] > 0.8
    # Half the energy of a vibration is kinetic: it fades as exp(-alpha t).
    assert fading[1] == pytest.approx(np.exp(-6.0 * 0.3), rel=0.25)
