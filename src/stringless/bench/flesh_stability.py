"""Whether flesh stays stable: solids around bones that weigh next to nothing, characters of any stiffness and damping.

Every case is dropped onto the floor at steps of 1 ms with automatic substeps. Solids are wrapped as in example 04,
two bones of 20 g in up to some tons of flesh.
"""

import itertools
import warnings
from collections.abc import Iterator, Sequence

import numpy as np

from stringless.bench.harness import Options, Row, at_most
from stringless.errors import StringlessError, StringlessWarning
from stringless.flesh import generators
from stringless.flesh.surface import Surface
from stringless.flesh.wrap import wrap
from stringless.model import JointSpec, ModelBuilder, Scene
from stringless.scenes import bones, load_scene
from stringless.scenes.ground import floor
from stringless.simulation import Simulation

TASK = "stability"
CHARACTERS = ("worm", "fish", "finger", "starfish")
YOUNG, DAMPING = (0.1, 1.0, 10.0, 100.0), (0.0, 1.0, 20.0)
"""Factors on stiffness and damping of the characters."""
SIZES = (0.05, 0.2, 1.0, 4.0)
"""Lengths of the solids [m]."""
BONE = 0.02
"""Mass of a bone of theirs [kg]."""
CALM = 1e3
"""Speed that nothing which falls for a second can have [m/s]."""


def solids() -> dict[str, Surface]:
    """Shapes one metre long: round, thin, flat, holed."""
    return {
        "sphere": generators.sphere(radius=0.5),
        "rod": generators.capsule((-0.5, 0.0, 0.0), (0.5, 0.0, 0.0), 0.03),
        "plate": generators.box((0.0, 0.0, 0.0), (0.5, 0.02, 0.3), (10, 1, 6)),
        "ring": generators.torus(0.4, 0.1),
        "pear": generators.turned([(0.0, 0.15), (0.2, 0.35), (0.4, 0.4), (0.7, 0.2), (1.0, 0.1)]),
    }


def wrapped(surface: Surface) -> Scene:
    """Two light bones along the longest side of a solid, as in the example."""
    low, high = surface.bounds
    size = high - low
    along = np.where(np.arange(3) == np.argmax(size), size, 0.0)
    bar = bones.capsule((0.0, 0.0, 0.0), tuple(0.3 * along), 0.15 * size.min())
    builder = ModelBuilder("solid")
    start = tuple((low + high) / 2 - 0.3 * along)
    builder.add(bones.body("lower", bar, BONE, joint=JointSpec(kind="free", actuated=False), at=start))
    hinge = JointSpec(kind="ball", damping=(0.01,), armature=(1e-4,))
    builder.add(bones.body("upper", bar, BONE, parent="lower", joint=hinge, at=tuple(0.3 * along)))
    wrap(builder, surface, tets=600, within=0.05 * size.min())
    builder.world_shapes.append(floor())
    model = builder.build()
    q = model.neutral()
    q[1] += 0.05 - low[1]
    return Scene(model, q=q)


def measure_stability(options: Options) -> Iterator[Row]:
    """Drop every case, and say what became of it."""
    seconds = 0.1 if options.quick else 1.0
    options.report(TASK)
    for (name, surface), size in itertools.product(solids().items(), SIZES):
        scene = wrapped(Surface(size * surface.vertices, surface.triangles, name))
        yield {"case": name, "size": size} | drop(scene, seconds, 1.0)
    for name, young, damping in itertools.product(CHARACTERS, YOUNG, DAMPING):
        usual = load_scene(name)
        assert usual.model.flesh is not None
        stiff = load_scene(name, young=young * usual.model.flesh.specs[0].young)
        yield {"case": name, "young": young, "damping": damping} | drop(stiff, seconds, damping)


def drop(scene: Scene, seconds: float, damping: float) -> Row:
    """Let a scene go on for a while: how fast its flesh is in the end, or why it went no further."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StringlessWarning)
        sim = Simulation(scene, record=0, substeps="auto", flesh_damping=damping)
    row: Row = {"task": TASK, "program": "stringless"}
    try:
        sim.advance(seconds)
    except StringlessError as error:
        return row | {"stable": False, "seconds": sim.time, "note": str(error)}
    speed = float(np.abs(sim.state.xdot).max())
    return row | {"stable": speed < CALM, "seconds": sim.time, "speed": speed, "parts": 2 ** sim.substeps[1]}


def stability_claims(rows: Sequence[Row]) -> Iterator[Row]:
    """No case is lost."""
    cases = [row for row in rows if row["task"] == TASK]
    lost = sum(not row["stable"] for row in cases)
    text = "flesh of 5 cm to 4 m around bones of 20 g, characters of any stiffness and damping: cases that diverge"
    yield at_most(text, 0, float(lost) if cases else None, "no case")
