"""Motions with a known answer. The equation is in each docstring; tolerances follow from the step and its order."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from scipy.special import ellipk

from models import Z_AXIS, floating, free_body, pendulum, point_chain, random_forest, random_motion, solid
from stringless import dynamics, kinematics
from stringless.model import JointSpec, ModelBuilder, Scene
from stringless.simulation import Simulation

G = 9.81
RK4_ERROR = 1e-8
"""Fourth order with a step of a five-hundredth of the fastest period or less: (2π/500)⁴/120 is 2e-10 per radian."""


@pytest.mark.parametrize("amplitude", [0.01, 0.5, 1.5, 2.8])
def test_pendulum_reaches_the_bottom_after_a_quarter_of_its_period(amplitude):
    """T = 4 √(l/g) K(sin²(a/2)), K the complete elliptic integral of the first kind."""
    length = 0.7
    quarter = np.sqrt(length / G) * ellipk(np.sin(amplitude / 2) ** 2)
    scene = Scene(pendulum(length, mass=3.0), q=np.array([amplitude]))
    sim = Simulation(scene, dt=quarter / 500, integrator="rk4")
    sim.step(500)
    assert abs(sim.q[0]) < RK4_ERROR
    # At the bottom: v² = 2 g/l (1 - cos a).
    assert abs(sim.v[0]) == pytest.approx(np.sqrt(2 * G / length * (1 - np.cos(amplitude))), rel=RK4_ERROR)
    sim.step(1500)
    assert sim.q[0] == pytest.approx(amplitude, abs=10 * RK4_ERROR)


def test_symplectic_pendulum_keeps_the_period_to_first_order():
    """The same at an amplitude of 1 rad: the phase after a quarter is off by at most half a step."""
    quarter = np.sqrt(1 / G) * ellipk(np.sin(0.5) ** 2)
    sim = Simulation(Scene(pendulum(), q=np.array([1.0])), dt=quarter / 1000)
    sim.step(1000)
    assert 0 < abs(sim.q[0]) < 0.51 * abs(sim.v[0]) * sim.config.dt


def test_physical_pendulum_swings_with_its_small_angle_frequency():
    """ω² = m g c / (I + m c²); at 1e-4 rad the amplitude changes it by 6e-10."""
    model = solid("revolute", gravity=(0.0, -G, 0.0), axes=Z_AXIS)
    w = np.sqrt(1.0 * G * 0.5 / (0.08 + 0.25))
    sim = Simulation(Scene(model, q=np.array([1e-4])), dt=2 * np.pi / w / 1000, integrator="rk4")
    sim.step(3250)  # three and a quarter periods
    assert abs(sim.q[0]) < 1e-4 * 1e-7
    assert sim.v[0] == pytest.approx(-1e-4 * w, rel=1e-8)


def test_armature_slows_a_pendulum_like_inertia():
    """ω² = g l m / (m l² + J)."""
    model = pendulum(armature=(0.5,))
    w = np.sqrt(G / 1.5)
    sim = Simulation(Scene(model, q=np.array([1e-4])), dt=2 * np.pi / w / 1000, integrator="rk4")
    sim.step(250)
    assert abs(sim.q[0]) < 1e-4 * 1e-7


def slider(mass, **joint):
    builder = ModelBuilder("oscillator", gravity=(0.0, 0.0, 0.0))
    builder.add_body("cart", "", JointSpec(kind="prismatic", axes=((1.0, 0.0, 0.0),), **joint), mass=mass)
    return builder.build()


@pytest.mark.parametrize("damping", [0.0, 0.8, 4.0, 12.0])
def test_damped_oscillator_follows_its_formula(damping):
    """m x'' + c x' + k x = 0: roots of m s² + c s + k, under, critically and over damped."""
    m, k, x0, v0, t = 2.0, 8.0, 0.3, -1.0, 2.0
    roots = np.roots([m, damping, k])
    if damping == 2 * np.sqrt(m * k):
        s = -damping / (2 * m)
        x = (x0 + (v0 - s * x0) * t) * np.exp(s * t)
    else:
        a = np.linalg.solve([[1, 1], roots], [x0, v0])
        x = float(np.real(a @ np.exp(roots * t)))
    model = slider(m, stiffness=(k,), damping=(damping,), rest=(0.0,))
    sim = Simulation(Scene(model, q=np.array([x0]), v=np.array([v0])), dt=1e-3, integrator="rk4")
    sim.advance(t)
    assert sim.q[0] == pytest.approx(x, abs=1e-11)
    explicit = Simulation(Scene(model, q=np.array([x0]), v=np.array([v0])), dt=1e-4)
    explicit.advance(t)
    assert explicit.q[0] == pytest.approx(x, abs=1e-3)


def test_two_bodies_on_a_spring_swing_with_the_reduced_mass():
    """ω² = k (1/m1 + 1/m2): a free slider carries another on a spring, no force from outside."""
    m1, m2, k = 1.5, 0.6, 40.0
    builder = ModelBuilder("two", gravity=(0.0, 0.0, 0.0))
    along = ((0.0, 1.0, 0.0),)
    builder.add_body("one", "", JointSpec(kind="prismatic", name="rail", axes=along), mass=m1)
    spring = JointSpec(kind="prismatic", name="spring", axes=along, stiffness=(k,), rest=(0.5,))
    builder.add_body("two", "one", spring, mass=m2)
    w = np.sqrt(k * (1 / m1 + 1 / m2))
    sim = Simulation(Scene(builder.build(), q=np.array([0.0, 0.7])), dt=2 * np.pi / w / 1000, integrator="rk4")
    sim.step(2250)
    assert sim.q[1] == pytest.approx(0.5, abs=1e-9)
    sim.step(250)
    assert sim.q[1] == pytest.approx(0.3, abs=1e-9)
    # The centre of gravity has not moved.
    assert sim.center_of_gravity[1] == pytest.approx(0.7 * m2 / (m1 + m2), abs=1e-12)


def test_centre_of_gravity_of_a_tumbling_tree_flies_a_parabola():
    """x = x0 + v0 t + g t²/2 whatever the joints do; symplectic Euler adds g h t/2 and nothing else."""
    model = floating(random_forest(3, bodies=7, springs=True, dampers=True, roots=0.0))
    m = random_motion(model, 3)
    start = kinematics.center_of_gravity(model, m.q, m.v)
    t = 0.5
    expected = start.position + t * start.velocity + 0.5 * t * t * model.gravity
    for integrator, error in (("rk4", 1e-9), ("symplectic", 5e-3)):
        sim = Simulation(Scene(model, q=m.q, v=m.v), dt=5e-4, integrator=integrator)
        sim.advance(t)
        np.testing.assert_allclose(sim.center_of_gravity, expected, atol=error)


def test_thrown_spinning_body_flies_a_parabola_with_the_symplectic_step():
    """p = p0 + v0 t + g (t² + h t)/2: the discrete parabola, exactly, however fast it spins."""
    model = free_body((0.1, 0.2, 0.25), gravity=(0.0, -G, 0.0))
    v = np.array([3.0, -7.0, 11.0, 2.0, 5.0, -1.0])
    h, t = 1e-3, 1.0
    sim = Simulation(Scene(model, v=v), dt=h)
    sim.advance(t)
    expected = t * v[3:] + 0.5 * (t * t + h * t) * model.gravity
    np.testing.assert_allclose(sim.q[:3], expected, atol=1e-11)


def test_symmetric_top_precesses_about_its_momentum():
    """Free symmetric top: the axis goes around L at |L|/I1, the body spins about its axis at w3 (1 - I3/I1)."""
    I1, I3 = 0.2, 0.3
    model = free_body((I1, I1, I3))
    w = np.array([0.8, 0.0, 5.0])
    L = np.array([I1 * w[0], 0.0, I3 * w[2]])
    rate = np.linalg.norm(L) / I1
    t = 2.0
    sim = Simulation(Scene(model, v=np.concatenate([w, np.zeros(3)])), dt=5e-4, integrator="rk4")
    sim.advance(t)
    axis = Rotation.from_quat(sim.q[3:]).as_matrix()[:, 2]
    expected = Rotation.from_rotvec(rate * t * L / np.linalg.norm(L)).apply([0.0, 0.0, 1.0])
    np.testing.assert_allclose(axis, expected, atol=1e-9)
    # Euler: in the body w turns about the axis with the rate w3 (I1 - I3)/I1 (backwards for a flat top).
    phase = w[2] * (I3 - I1) / I1 * t
    np.testing.assert_allclose(sim.v[:3], [0.8 * np.cos(phase), 0.8 * np.sin(phase), 5.0], atol=1e-9)
    full = Rotation.from_rotvec(rate * t * L / np.linalg.norm(L)) * Rotation.from_rotvec([0, 0, -phase])
    np.testing.assert_allclose(Rotation.from_quat(sim.q[3:]).as_matrix(), full.as_matrix(), atol=1e-9)


def test_tennis_racket_turns_over_and_keeps_energy_and_momentum():
    """Spin about the middle axis is unstable: w2 changes sign; energy and |L| stay. Euler's equations by SciPy agree."""
    I = np.array([0.1, 0.2, 0.28])
    model = free_body(I)
    w = np.array([1e-3, 6.0, 1e-3])
    sim = Simulation(Scene(model, v=np.concatenate([w, np.zeros(3)])), dt=1e-3, integrator="rk4")
    energy, momentum = sim.energy().total, dynamics.momentum(model, sim.q, sim.v).angular
    seen = []
    for _ in range(60):
        sim.advance(0.1)
        seen.append(sim.v[1])
    assert min(seen) < -5.9
    assert max(seen) > 5.9
    assert sim.energy().total == pytest.approx(energy, rel=1e-9)
    np.testing.assert_allclose(dynamics.momentum(model, sim.q, sim.v).angular, momentum, atol=1e-9)
    euler = solve_ivp(lambda t, x: np.cross(I * x, x) / I, (0.0, 6.0), w, rtol=1e-12, atol=1e-14, method="DOP853")
    # The instability multiplies early errors by 1e4 before it saturates.
    np.testing.assert_allclose(sim.v[:3], euler.y[:, -1], atol=1e-5)


def double_pendulum(t, x):
    """Textbook equations for unit masses and lengths, absolute angles a, b from the vertical."""
    a, b, u, w = x
    c, s = np.cos(a - b), np.sin(a - b)
    M = np.array([[2.0, c], [c, 1.0]])
    f = np.array([-s * w * w - 2 * G * np.sin(a), s * u * u - G * np.sin(b)])
    return np.concatenate([[u, w], np.linalg.solve(M, f)])


def test_double_pendulum_is_the_textbooks():
    a, b, u, w = 1.2, -0.4, 0.5, 2.0
    sim = Simulation(Scene(point_chain(2), q=np.array([a, b - a]), v=np.array([u, w - u])), dt=2.5e-4, integrator="rk4")
    sim.advance(3.0)
    ours = np.array([sim.q[0], sim.q[0] + sim.q[1], sim.v[0], sim.v[0] + sim.v[1]])
    theirs = solve_ivp(double_pendulum, (0.0, 3.0), [a, b, u, w], rtol=1e-12, atol=1e-13, method="DOP853").y[:, -1]
    np.testing.assert_allclose(ours, theirs, atol=1e-7)


def test_heavy_top_precesses_slowly_as_the_formula_says():
    """Steady precession Ω of a fast top at angle θ: I1 Ω² cos θ - I3 w3 Ω + m g l = 0 (slow root)."""
    I1, I3, l, tilt, spin = 0.05, 0.01, 0.3, 0.4, 300.0
    builder = ModelBuilder("top")
    builder.add_body("top", "", "ball", mass=1.0, center_of_mass=(0.0, l, 0.0), inertia=(I1, I3, I1, 0.0, 0.0, 0.0))
    model = builder.build()
    A = I1 + l * l
    omega = min(np.roots([A * np.cos(tilt), -I3 * spin, G * l]).real)
    R = Rotation.from_rotvec([tilt, 0.0, 0.0])
    # Precession about the vertical plus the rest of the spin about the own axis; w3 counts both.
    w = R.inv().apply([0.0, omega, 0.0])
    w[1] = spin
    sim = Simulation(Scene(model, q=R.as_quat(), v=w), dt=1e-4, integrator="rk4")
    t = 1.0
    sim.advance(t)
    axis = Rotation.from_quat(sim.q).apply([0.0, 1.0, 0.0])
    expected = Rotation.from_rotvec([0.0, omega * t, 0.0]).apply(R.apply([0.0, 1.0, 0.0]))
    np.testing.assert_allclose(axis, expected, atol=1e-7)
