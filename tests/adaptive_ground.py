"""Characters on the ground, for the tests of the adaptive engine: figures, random trees in solid shapes, chains that lie."""

import dataclasses
import warnings

import numpy as np

import stringless as sl
from models import floating, random_forest
from stringless.contact.tables import contact_tables
from stringless.errors import StringlessWarning
from stringless.model import JointSpec, ModelBuilder, Pose
from stringless.scenes.bones import box, capsule, sphere
from stringless.scenes.combined_model import combine_models
from stringless.scenes.figure import figure
from stringless.scenes.ground import floor
from stringless.simulation import Simulation
from stringless.simulation.placement import lifted

GRAVITY = (0.0, -9.81, 0.0)
APART = 8.0
"""Between characters that are not to touch each other [m]."""


def quietly(scene, **options):
    """A simulation; that characters pass through each other is known."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StringlessWarning)
        return Simulation(scene, **({"record": 0} | options))


def solid_tree(seed, bodies=12, **options):
    """A random floating tree on joints that turn, whose bodies are balls, rods and boxes by turns."""
    kinds = ("revolute", "universal", "ball")
    model = floating(
        random_forest(seed, bodies=bodies, kinds=kinds, roots=0.0, gravity=GRAVITY, dampers=True, **options)
    )
    builder = ModelBuilder(f"solid_{seed}", gravity=GRAVITY)
    for i, spec in enumerate(model.specs):
        c = np.asarray(spec.center_of_mass)
        shapes = (sphere(tuple(c), 0.1), capsule((0.0, 0.0, 0.0), tuple(c), 0.04), box(tuple(c), (0.1, 0.05, 0.15)))
        builder.add(dataclasses.replace(spec, shapes=(shapes[i % 3],)))
    return builder.build()


def standing(models, world, height=0.1, seed=0, speed=1.0):
    """A scene of floating characters in a row, the lowest point of each at a height, turned and moving at random."""
    model = combine_models("row", [(f"p{k}_", one) for k, one in enumerate(models)], world)
    rng = np.random.default_rng([seed, 5])
    q, v, at_q, at_v = model.neutral(), np.zeros(model.nv), 0, 0
    for k, one in enumerate(models):
        turn = rng.normal(size=4)
        q[at_q : at_q + 7] = (APART * k, 0.0, 0.0, *(turn / np.linalg.norm(turn)))
        v[at_v : at_v + one.nv] = speed * rng.normal(size=one.nv)
        at_q, at_v = at_q + one.nq, at_v + one.nv
    q = lifted(model, q, contact_tables(model, 1e-3, 0.8).samples, height)
    return sl.Scene(model, q=q, v=v)


def dropped(count=1, height=1.0, seed=0, world=None):
    """Figures that fall on a floor, leaning a little and turning slowly."""
    model = combine_models("dropped", [(f"p{k}_", figure(heavy=True)) for k in range(count)], world or [floor()])
    rng = np.random.default_rng(seed)
    q, v = model.neutral().reshape(count, -1), np.zeros((count, model.nv // count))
    for k in range(count):
        turn = np.array([0.3 * rng.normal(), 0.0, 0.3 * rng.normal(), 1.0])
        q[k, :7] = (APART * k, height, 0.0, *(turn / np.linalg.norm(turn)))
        v[k, :3] = rng.normal(size=3)
    return sl.Scene(model, q=q.ravel(), v=v.ravel())


def rope(links=20, world=None, height=0.3):
    """A floating chain of rods in a row along x."""
    builder = ModelBuilder("rope", gravity=GRAVITY)
    builder.world_shapes = [floor()] if world is None else world
    rod = {"mass": 0.2, "center_of_mass": (0.05, 0.0, 0.0), "inertia": (4e-5, 2e-4, 2e-4, 0.0, 0.0, 0.0)}
    for i in range(links):
        joint = JointSpec(kind="ball", damping=(2e-3,)) if i else JointSpec(kind="free")
        builder.add_body(
            f"rod_{i}",
            f"rod_{i - 1}" if i else "",
            joint,
            place=Pose((0.1 if i else 0.0, 0.0, 0.0)),
            shapes=(capsule((0.01, 0.0, 0.0), (0.09, 0.0, 0.0), 0.02),),
            **rod,
        )
    model = builder.build()
    q = model.neutral()
    q[:3] = (-0.05 * links, height, 0.0)
    return sl.Scene(model, q=q)


def lowest(sim):
    """Height of the lowest point of every tree [m]."""
    samples, poses = sim.parameter_set._tables.samples, sim.body_poses()
    body = samples["body"]
    y = poses.position[body, 1] + np.einsum("bj,bj->b", poses.rotation[body, 1], samples["r"]) - samples["radius"]
    trees = np.unique(sim.model.tree["root"][body], return_inverse=True)[1]
    return np.array([y[trees == t].min() for t in range(trees.max() + 1)])


def apart(one, other):
    """How far the bodies of two simulations are from each other, as a root of the mean square [m]."""
    between = one.body_poses().position - other.body_poses().position
    return float(np.sqrt(np.mean(np.sum(between**2, axis=1))))
