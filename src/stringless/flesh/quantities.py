"""Where the flesh is at a configuration of its bones, and what it weighs in energy and momentum."""

import numpy as np
from numpy.typing import ArrayLike

from stringless.dynamics.energy import Energy
from stringless.flesh import kernels_elastic
from stringless.flesh.kernels_motion import carry_all
from stringless.kinematics.bodies import run_motions
from stringless.model.flesh import Flesh
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray, IntArray


def flagged_elements(flesh: Flesh, x: ArrayLike) -> IntArray:
    """Elements that are stretched beyond the plain range of their material, and so are decomposed, with nodes at x."""
    flagged = np.zeros(len(flesh.elements), bool)
    kernels_elastic.flag_elements(flesh.elements, flesh.materials, np.ascontiguousarray(x, float), flagged)
    return np.flatnonzero(flagged)


def carried_nodes(model: Model, q: ArrayLike, v: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Positions and velocities of all nodes when the flesh moves rigidly with its bones."""
    if model.flesh is None:
        return np.zeros((0, 3)), np.zeros((0, 3))
    x, xdot = model.flesh.rest.copy(), np.zeros_like(model.flesh.rest)
    work = run_motions(model, q, v)
    carry_all(model.flesh.nodes, True, work.bodies, x, xdot)
    return x, xdot


def carry_nodes(model: Model, q: ArrayLike, v: ArrayLike, x_out: FloatArray, xdot_out: FloatArray) -> None:
    """Put the fixed nodes where their bones are."""
    if model.flesh is not None:
        work = run_motions(model, q, v)
        carry_all(model.flesh.nodes, False, work.bodies, x_out, xdot_out)


def free_masses(flesh: Flesh) -> FloatArray:
    """Masses of the free nodes, zero for the fixed ones, which count with their bones, shape (n,) [kg]."""
    return np.where(flesh.nodes["fixed"] == 1, 0.0, flesh.nodes["mass"])


def flesh_energy(flesh: Flesh, gravity: FloatArray, x: FloatArray, xdot: FloatArray) -> Energy:
    """Energy of the free nodes, in gravity too, and of the elements [J]; fixed nodes count with their bones."""
    mass = free_masses(flesh)
    kinetic = 0.5 * float(np.sum(mass * np.sum(xdot * xdot, axis=1)))
    weight = -float(gravity @ (mass @ x))
    return Energy(kinetic, weight + kernels_elastic.elastic_energy(flesh.elements, flesh.materials, x))
