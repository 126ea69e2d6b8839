"""Wrap your own mesh in flesh: a skin from a file, a few bones inside, soft matter between them.

Idea: a skeleton is described body by body; `wrap` fills a closed surface with tetrahedra around it, fixes those near a
bone to it and leaves the rest soft. Without a file of your own, a pear made of capsules is written and read instead.

Run: python examples/04_wrap_a_mesh.py [MESH.obj|.stl|.ply|.glb]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

import stringless as sl
from stringless.flesh import generators
from stringless.flesh.wrap import wrap
from stringless.formats import read_surface
from stringless.model import JointSpec, ModelBuilder, Scene
from stringless.scenes.bones import body, capsule
from stringless.scenes.ground import floor


def pear(path: Path) -> Path:
    """Write a mesh to read."""
    skin = generators.turned([(0.0, 0.03), (0.03, 0.07), (0.08, 0.08), (0.14, 0.05), (0.2, 0.035), (0.22, 0.015)], 32)
    lines = [f"v {x} {y} {z}" for x, y, z in skin.vertices] + [f"f {a} {b} {c}" for a, b, c in skin.triangles + 1]
    path.write_text("\n".join(lines) + "\n")
    return path


def main(mesh: str = "") -> float:
    """Drop the mesh onto the floor; return how far below the floor its skin lies at rest [m]."""
    with tempfile.TemporaryDirectory() as folder:
        surface, notes = read_surface(mesh or pear(Path(folder) / "pear.obj"))
    for note in notes:
        print(note)
    low, high = surface.bounds
    middle, size = (low + high) / 2, high - low
    along = np.where(np.arange(3) == np.argmax(size), size, 0.0)  # two bones along the longest side

    builder = ModelBuilder("mine")
    bar = capsule((0.0, 0.0, 0.0), tuple(0.3 * along), 0.15 * size.min())
    start = tuple(middle - 0.3 * along)
    builder.add(body("lower", bar, 0.02, joint=JointSpec(kind="free", actuated=False), at=start))
    hinge = JointSpec(kind="ball", damping=(0.01,), armature=(1e-4,))
    builder.add(body("upper", bar, 0.02, parent="lower", joint=hinge, at=tuple(0.3 * along)))
    flesh = wrap(builder, surface, tets=600, within=0.05 * size.min(), young=30e3)
    builder.world_shapes.append(floor())
    model = builder.build()
    print(f"{len(flesh.tets)} tetrahedra, {len(flesh.vertices)} vertices, {flesh.masses.sum():.3g} kg of flesh")

    q = model.neutral()
    q[1] += 0.05 - low[1]
    sim = sl.Simulation(Scene(model, name="mine", q=q), substeps="auto")
    for _ in range(6):
        sim.advance(0.5)
        print(f"{sim.time:.1f} s: lowest point {1e3 * sim.surface_positions[:, 1].min():7.2f} mm")
    return -float(sim.surface_positions[:, 1].min())


if __name__ == "__main__":
    print(f"the skin rests {1e3 * main(*sys.argv[1:]):.2f} mm deep in the floor")
