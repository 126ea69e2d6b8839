"""Reference: the assembly tree: in which order bodies are put together (docs/theory/adaptive.md, section 1.2).

A handle is a body, not a joint: all joints of one rigid body share its acceleration, so that their forces add up in one
6-vector. The ground is a body like any other, number -1; a forest is then one tree.
"""

from collections.abc import Sequence
from dataclasses import dataclass

GROUND = -1
LEAF = -1
"""In the place of a child or a joint: there is none."""


@dataclass(frozen=True)
class Node:
    """A set of bodies that were put together, seen by its handles."""

    bodies: frozenset[int]
    handles: tuple[int, ...]
    """Bodies with joints to others outside, in order."""
    joint: int = LEAF
    """The principal joint, by the body it carries; it connects a body of A to one of B."""
    A: int = LEAF
    """The node on the parent's side of it."""
    B: int = LEAF
    """The node on the child's side."""

    @property
    def is_leaf(self) -> bool:
        """Whether this is a single body."""
        return self.joint == LEAF


@dataclass(frozen=True)
class Assembly:
    """The assembly tree of a model: children before their parents, the root last."""

    nodes: tuple[Node, ...]
    parents: tuple[int, ...]
    """Of every body, GROUND for a root."""

    @property
    def root(self) -> int:
        """The node that holds everything."""
        return len(self.nodes) - 1


def assemble(parents: Sequence[int]) -> Assembly:
    """Split the bodies again and again at the best joint; parents come before their children, -1 is the ground."""
    above = tuple(int(parent) for parent in parents)
    neighbours: dict[int, set[int]] = {body: set() for body in (GROUND, *range(len(above)))}
    for i, parent in enumerate(above):
        neighbours[i].add(parent)
        neighbours[parent].add(i)
    nodes: list[Node] = []

    def build(bodies: frozenset[int]) -> int:
        outer = {body for body in bodies if neighbours[body] - bodies}
        handles = tuple(sorted(outer))
        if len(bodies) == 1:
            nodes.append(Node(bodies, handles))
        else:
            joint, part = _best_split(bodies, outer, above)
            A, B = build(bodies - part), build(part)
            nodes.append(Node(bodies, handles, joint, A, B))
        return len(nodes) - 1

    build(frozenset(neighbours))
    return Assembly(tuple(nodes), above)


def _best_split(bodies: frozenset[int], outer: set[int], above: tuple[int, ...]) -> tuple[int, frozenset[int]]:
    """The joint that minimises `max(size) + n max(0, handles - 2)` of the two parts, and the part that it carries."""
    n = len(bodies)
    size, handles = dict.fromkeys(bodies, 1), {body: int(body in outer) for body in bodies}
    inner = [i for i in sorted(bodies, reverse=True) if i != GROUND and above[i] in bodies]
    for i in inner:  # children first: what each carries within the set
        size[above[i]] += size[i]
        handles[above[i]] += handles[i]

    def cost(i: int) -> tuple[int, int]:
        carried = handles[i] + (i not in outer)
        left = len(outer) - handles[i] + (above[i] not in outer)
        return max(size[i], n - size[i]) + n * max(0, carried - 2, left - 2), i

    joint = min(inner, key=cost)
    carried = {joint}
    for i in reversed(inner):
        if above[i] in carried:
            carried.add(i)
    return joint, frozenset(carried)
