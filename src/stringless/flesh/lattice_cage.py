"""A cage of our own around any closed surface: a lattice of mirrored cells, without those that hold nothing."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from stringless.errors import InputError
from stringless.flesh.cage import Cage
from stringless.flesh.embedding import OUTSIDE, locate
from stringless.flesh.fill import fill_cage
from stringless.flesh.lattice import PER_CELL, Counts, lattice_nodes, lattice_tets, mirror_marks
from stringless.flesh.surface import Surface
from stringless.flesh.surface_checks import require_surface
from stringless.spatial.arrays import BoolArray, FloatArray, IntArray

MOST_TETS = 2_000_000
"""Lattices of more tetrahedra are refused."""
MOST_ASPECT = 2.0
"""Longest over shortest side of a cell, when the cells are chosen for a number of tetrahedra."""
_TRIES = 12
_NEAR_ENOUGH = 0.02
"""Numbers of tetrahedra that are off by less than this part count as right."""
_DOUBT = 0.05
"""How far the guess of a number may be off, as a part of it."""
_SHAPE_WEIGHT = 0.02
"""Part of the wanted number that is given up for cubes instead of cells twice as long as wide."""

Report = Callable[[int, int], None]


def lattice_cage(
    surface: Surface,
    *,
    cell: float | Sequence[float] | None = None,
    tets: int | None = None,
    cells: Sequence[int] | None = None,
    symmetric: str | None = None,
    report: Report | None = None,
) -> Cage:
    """Cover a surface with a lattice of mirrored cells, and keep the tetrahedra that hold some of its inside.

    The lattice fits the surface's bounds. Across a symmetry plane of the surface it has an even number of cells, so
    that the plane mirrors the cage too: a cage that is not symmetric pushes a symmetric character sideways. Every
    vertex lies in an element that is kept. The same input gives the same cage.

    Args:
        surface: closed; checked.
        cell: largest size of a cell, one for all axes or one each [m].
        tets: wanted number of tetrahedra. Cells may be up to twice as long as wide; `len(cage.tets)` tells the number
            that was reached.
        cells: exact number of cells along x, y and z. An odd number gives up the symmetry along that axis.
        symmetric: axes, such as `"xz"`, whose mirror planes the cage must have; those of the surface if not given.
        report: told how many elements are examined, and how many there are.

    Raises:
        InputError: not exactly one of `cell`, `tets` and `cells` is given, or it is out of range.
        ModelError: the surface cannot be filled.
    """
    if sum(option is not None for option in (cell, tets, cells)) != 1:
        raise InputError("lattice_cage: give exactly one of cell (a size), tets (a number) and cells (three numbers)")
    if symmetric is not None and set(symmetric) - set("xyz"):
        raise InputError(f"symmetric: found '{symmetric}'; expected some of the letters x, y and z")
    require_surface(surface)
    planes = [plane is not None for plane in surface.mirror_planes]
    if symmetric is not None:
        planes = [axis in symmetric for axis in "xyz"]
    if tets is not None:
        return _search(surface, tets, planes, report)
    counts = _given_counts(cells) if cells is not None else _fitting_counts(surface, cell, planes)
    return _build(surface, counts, planes, report)


def _given_counts(cells: Sequence[int]) -> Counts:
    counts = tuple(int(n) for n in cells)
    if len(counts) != 3 or min(counts) < 1:
        raise InputError(f"cells: found {tuple(cells)}; expected three numbers of at least 1")
    return (counts[0], counts[1], counts[2])


def _fitting_counts(surface: Surface, cell: float | Sequence[float] | None, planes: Sequence[bool]) -> Counts:
    sizes = np.asarray(cell, float)
    if sizes.shape not in ((), (3,)) or not np.all(np.isfinite(sizes)) or not np.all(sizes > 0):
        raise InputError(f"cell: found {cell}; expected a positive length or three of them [m]")
    extent = surface.bounds[1] - surface.bounds[0]
    # An extent that is a whole number of cells but for rounding needs no more than these.
    numbers = np.maximum(np.ceil(extent / sizes - 1e-9), 1)
    numbers = numbers + np.where(planes, numbers % 2, 0)
    if PER_CELL * np.prod(numbers) > MOST_TETS:
        found = f"{cell}, which makes a lattice of {PER_CELL * np.prod(numbers):.3g} tetrahedra"
        raise InputError(f"cell: found {found}; expected at most {MOST_TETS:,}. Choose larger cells.")
    return (int(numbers[0]), int(numbers[1]), int(numbers[2]))


def _build(surface: Surface, counts: Counts, planes: Sequence[bool], report: Report | None) -> Cage:
    """The cage of a lattice of so many cells."""
    if PER_CELL * counts[0] * counts[1] * counts[2] > MOST_TETS:
        raise InputError(f"cells: found {counts}; expected a lattice of at most {MOST_TETS:,} tetrahedra")
    nodes, tets, kept = _kept_elements(surface, counts, planes, report)
    used, renumbered = np.unique(tets[kept], return_inverse=True)
    return Cage(nodes[used], renumbered.reshape(-1, 4))


def _kept_elements(
    surface: Surface, counts: Counts, planes: Sequence[bool], report: Report | None
) -> tuple[FloatArray, IntArray, BoolArray]:
    """Nodes and elements of the whole lattice, and which of the elements hold something."""
    nodes = lattice_nodes(surface.bounds.mean(axis=0), (surface.bounds[1] - surface.bounds[0]) / counts, counts)
    tets = lattice_tets(counts)
    kept = fill_cage(surface, nodes, tets, report=report).filled > 0
    mirrored = [wanted and n % 2 == 0 for wanted, n in zip(planes, counts, strict=True)]
    kept = mirror_marks(kept, counts, mirrored)
    # A vertex may reach so little into an element that the volume there is lost in rounding.
    where, weights = locate(surface.vertices, nodes, tets[kept])
    lost = (where < 0) | (weights.min(axis=1) < OUTSIDE)
    if np.any(lost):
        kept[locate(surface.vertices[lost], nodes, tets)[0]] = True
        kept = mirror_marks(kept, counts, mirrored)
    return nodes, tets, kept


# --- a wanted number of tetrahedra ------------------------------------------------------------------------------------


def _search(surface: Surface, target: int, planes: Sequence[bool], report: Report | None) -> Cage:
    """Try the most promising lattices and return the best cage."""
    if not 1 <= target <= MOST_TETS // 4:
        raise InputError(f"tets: found {target}; expected from 1 to {MOST_TETS // 4:,}")
    candidates = np.array(list(_candidates(surface, target, planes)))
    extent = surface.bounds[1] - surface.bounds[0]
    sides = extent / candidates
    aspect = sides.max(axis=1) / sides.min(axis=1)
    size = np.cbrt(sides.prod(axis=1))
    # What is kept is the solid and a layer of cut elements around it, of some part of the cells' size.
    layer, untried = 0.35, np.ones(len(candidates), bool)
    best, best_score = None, np.inf
    for _ in range(_TRIES):
        covered = np.minimum(surface.volume + layer * size * surface.area, extent.prod())
        guess = PER_CELL * covered / sides.prod(axis=1)
        promise = np.where(untried, _score(guess, target, aspect), np.inf)
        k = int(np.argmin(promise))
        if not promise[k] < best_score + _DOUBT or best_score < 2 * _NEAR_ENOUGH:
            break
        untried[k] = False
        counts = _given_counts(candidates[k])
        cage = _build(surface, counts, planes, report)
        score = float(_score(np.array(float(len(cage.tets))), target, aspect[k]))
        if score < best_score:
            best, best_score = cage, score
        layer = (len(cage.tets) / PER_CELL * sides[k].prod() - surface.volume) / (size[k] * surface.area)
    assert best is not None
    return best


def _score(count: FloatArray, target: int, aspect: FloatArray) -> FloatArray:
    """How far a number of tetrahedra is from the wanted one, and the cells from cubes."""
    return np.maximum(np.abs(count / target - 1), _NEAR_ENOUGH) + _SHAPE_WEIGHT * (aspect - 1)


def _candidates(surface: Surface, target: int, planes: Sequence[bool]) -> Iterator[Counts]:
    """Lattices of cells that are not too long, up to a few times the wanted number of tetrahedra."""
    extent = surface.bounds[1] - surface.bounds[0]
    step = np.where(planes, 2, 1)
    longest = int(np.argmax(extent))
    found, n = 0, int(step[longest])
    while True:
        side = extent[longest] / n
        ranges: list[IntArray] = []
        for axis in range(3):
            low, high = extent[axis] / side / MOST_ASPECT, extent[axis] / side * MOST_ASPECT
            numbers = np.arange(step[axis], max(high, step[axis]) + 1, step[axis])
            ranges.append(np.array([n]) if axis == longest else numbers[(numbers >= low) & (numbers <= high)])
        triples = np.stack(np.meshgrid(*ranges, indexing="ij"), axis=-1).reshape(-1, 3)
        sides = extent / triples
        triples = triples[sides.max(axis=1) <= MOST_ASPECT * sides.min(axis=1) * (1 + 1e-9)]
        amounts = PER_CELL * surface.volume / (extent / triples).prod(axis=1)
        for triple in triples[(amounts <= 4 * target) | (found == 0)]:
            yield (int(triple[0]), int(triple[1]), int(triple[2]))
            found += 1
        if found and (len(amounts) == 0 or amounts.min() > 4 * target):
            return
        n += int(step[longest])
