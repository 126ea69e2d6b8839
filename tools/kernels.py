"""Compile the large kernels before the tests begin, each once: workers that start side by side would compile them twice.

    python tools/kernels.py    comes back at once if they are all there

Two processes share the work. What one of them compiles is nothing that the other needs meanwhile.
"""

from __future__ import annotations

import multiprocessing
import sys

import stringless as sl
from stringless.errors import StringlessError

SHARES = (("worm", "double_pendulum"), ("robot", "hand"))
"""Scenes that need between them what most tests need: flesh, bare bones, goals and poses; the stiff engine bare and in flesh."""


def compile_for(scenes: tuple[str, ...]) -> None:
    """Compile what the simulations of these scenes need, by themselves and directed."""
    for name in scenes:
        sim = sl.Simulation(sl.load(name))
        sim.warm_up()
        sim.energy()
        fork = sim.fork()
        try:
            characters = fork.director.characters
        except StringlessError:  # there is nobody to direct
            continue
        for character in characters:
            fork.director.take(character.index)
        fork.warm_up()
        fork.director.poser(characters[0].index).solve(1)


def main() -> None:
    """Compile, in a process for each share."""
    workers = [multiprocessing.Process(target=compile_for, args=(scenes,)) for scenes in SHARES]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if any(worker.exitcode for worker in workers):
        sys.exit("tools/kernels.py: the kernels could not be compiled; what went wrong is above")


if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    main()
