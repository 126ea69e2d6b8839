"""Make a closed surface of the triangles that mesh files hold, as far as it is clear what was meant.

Every repair is a warning. What cannot be repaired without guessing is refused with the reason.
"""

from typing import Any

import numpy as np
from scipy.spatial import KDTree

from stringless.errors import ModelError, Problem
from stringless.flesh.surface import Surface, connect, directed_edges
from stringless.flesh.surface_checks import MOST_NESTED_PAIRS, check_surface, name_some, place, thin_triangles, winding
from stringless.spatial.arrays import FloatArray, IntArray

WELD = 1e-6
"""Vertices nearer than this part of the surface's size become one; single-precision files repeat them to about 1e-7."""
SMALL_HOLE = 0.1
"""Holes up to this part of the surface's size are filled, and those of one triangle whatever their size."""
_PROBES = 12
"""Vertices of a piece that are tried for being inside another."""
_ROUNDS = 8
"""How often flat triangles are joined with neighbours, which may be flat themselves."""


class Repair:
    """A surface under repair: each step mends one kind of fault and notes what it did."""

    def __init__(self, surface: Surface) -> None:
        self.name = surface.name
        self.vertices: FloatArray = surface.vertices
        self.triangles: IntArray = surface.triangles
        self.notes: list[Problem] = []

    @property
    def surface(self) -> Surface:
        """The surface as it is now."""
        return Surface(self.vertices, self.triangles, self.name)

    def run(self) -> None:
        """All steps.

        Raises:
            ModelError: the surface cannot be repaired.
        """
        self.weld()
        self.drop_unused()
        self.drop_needless()
        self.refuse_crowded_edges()
        self.agree_on_sense()
        self.flip_needles()
        self.fill_holes()
        self.turn_outward()
        self.drop_unused()

    def note(self, found: str, expected: str, remedy: str) -> None:
        """Add a warning."""
        self.notes.append(Problem(self.name, found, expected, remedy, severity="warning"))

    def refuse(self, found: str, expected: str, remedy: str) -> None:
        """Give up.

        Raises:
            ModelError: always, with the warnings so far behind the reason.
        """
        raise ModelError(self.name, [Problem(self.name, found, expected, remedy), *self.notes])

    def weld(self) -> None:
        """Make vertices at the same place one. Files of loose triangles repeat each; that is not worth a note."""
        _, first, same = np.unique(self.vertices, axis=0, return_index=True, return_inverse=True)
        leader = first[same.reshape(-1)]
        kept = np.sort(first)
        points = self.vertices[kept]
        reach = WELD * float(np.max(np.ptp(points, axis=0)))
        pairs = KDTree(points).query_pairs(reach, output_type="ndarray")
        if len(pairs):
            n = len(points)
            count, label = connect(pairs, n)
            lowest = np.zeros(count, np.int64)
            lowest[label[::-1]] = np.arange(n)[::-1]
            leader = kept[lowest[label]][np.searchsorted(kept, leader)]
            found = f"{n - count} vertices within {reach:.3g} m of another"
            self.note(found, "vertices that are shared", "They were welded.")
        self.triangles = leader[self.triangles]

    def drop_needless(self) -> None:
        """Leave out triangles that name a vertex twice, repeat another, or lie back to back with one."""
        t = self.triangles
        whole = (t[:, 0] != t[:, 1]) & (t[:, 1] != t[:, 2]) & (t[:, 2] != t[:, 0])
        if not np.all(whole):
            found = f"{np.sum(~whole)} triangles with two corners in one place"
            self.note(found, "three corners apart", "They were left out.")
        t = t[whole]
        key, first, same = np.unique(np.sort(t, axis=1), axis=0, return_index=True, return_inverse=True)
        falls = np.sum(t > np.roll(t, -1, axis=1), axis=1)  # once round, a triangle falls once or twice
        sense = np.where(falls == 1, 1, -1)
        net = np.bincount(same.reshape(-1), weights=sense, minlength=len(key))
        keep = np.sort(first[net != 0])
        if len(keep) < len(t):
            found = f"{len(t) - len(keep)} triangles on the same corners as another"
            self.note(found, "every triangle once", "They were left out; pairs back to back altogether.")
        self.triangles = t[keep]
        if len(keep) == 0:
            self.refuse("no triangle with an area", "a closed surface", "Look at the file in a mesh editor.")

    def refuse_crowded_edges(self) -> None:
        """Where more than two triangles meet at an edge, inside and outside cannot be told."""
        edges, count = np.unique(np.sort(directed_edges(self.triangles), axis=1), axis=0, return_counts=True)
        crowded = edges[count > 2]
        if len(crowded):
            found = f"{len(crowded)} edges with more than two triangles (non-manifold), "
            found += place(self.vertices[crowded[0]])
            remedy = "Remove walls inside the body, or separate the parts that meet there."
            self.refuse(found, "two triangles at every edge", remedy)

    def agree_on_sense(self) -> None:
        """Turn triangles until neighbours agree, turning as few as possible in each connected piece."""
        edges, n = directed_edges(self.triangles), len(self.triangles)
        order = np.lexsort(np.sort(edges, axis=1).T)
        both = np.sort(edges, axis=1)[order]
        pairs = np.flatnonzero(np.all(both[1:] == both[:-1], axis=1))
        i, j = order[pairs], order[pairs + 1]
        same = np.all(edges[i] == edges[j], axis=1)
        i, j = i // 3, j // 3
        # Two copies of every triangle, as it is and turned; neighbours that agree are joined.
        agreeing = np.stack([np.concatenate([i, i + n]), np.concatenate([j + n * same, j + n * ~same])], axis=1)
        count, label = connect(agreeing, 2 * n)
        if np.any(label[:n] == label[n:]):
            k = int(np.argmax(label[:n] == label[n:]))
            found = f"a surface with one side only, {place(self.vertices[self.triangles[k]])}"
            self.refuse(found, "an inside and an outside", "Cut it open where it is twisted.")
        kept = np.bincount(label[:n], minlength=count)
        as_it_is, turned = kept[label[:n]], kept[label[n:]]
        turn = (as_it_is < turned) | ((as_it_is == turned) & (label[:n] > label[n:]))
        if np.any(turn):
            found = f"{np.sum(turn)} triangles of another sense than their neighbours"
            self.note(found, "all counter-clockwise seen from outside", "They were turned.")
            self.triangles = np.where(turn[:, None], self.triangles[:, ::-1], self.triangles)

    def flip_needles(self) -> None:
        """Take away triangles whose corners lie in one line: the neighbour at the long side is cut in two instead."""
        count = len(thin_triangles(self.surface))
        for _ in range(_ROUNDS):
            needles = thin_triangles(self.surface)
            if len(needles) == 0:
                break
            self.triangles = flip(self.vertices, self.triangles, needles)
        if count:
            found = f"{count} triangles without an area"
            self.note(found, "three corners not in one line", "They were joined with their neighbours.")

    def fill_holes(self) -> None:
        """Close small holes by triangles around their middle."""
        loops = boundary_loops(self.triangles)
        if not loops:
            return
        size = float(np.max(np.ptp(self.vertices, axis=0)))
        spans = [float(np.max(np.ptp(self.vertices[loop], axis=0))) for loop in loops]
        large = [k for k, loop in enumerate(loops) if len(loop) > 3 and spans[k] > SMALL_HOLE * size]
        edges = sum(len(loop) for loop in loops)
        if large:
            worst = max(large, key=lambda k: spans[k])
            rim = loops[worst]
            found = (
                f"an open surface: {edges} edges with a triangle on one side only, around {len(loops)} holes; the "
                f"largest, {place(self.vertices[rim])}, is {spans[worst]:.3g} m wide with {len(rim)} edges"
            )
            expected = f"a closed surface, or holes of at most {SMALL_HOLE:.0%} of its size ({SMALL_HOLE * size:.3g} m)"
            self.refuse(found, expected, "Close it in a mesh editor.")
        added, triangles = [self.vertices], [self.triangles]
        number = len(self.vertices)
        for loop in loops:
            if len(loop) == 3:
                triangles.append(np.array([loop]))
                continue
            added.append(self.vertices[loop].mean(axis=0, keepdims=True))
            triangles.append(np.stack([np.array(loop), np.roll(loop, -1), np.full(len(loop), number)], axis=1))
            number += 1
        self.vertices, self.triangles = np.concatenate(added), np.concatenate(triangles)
        found = f"{len(loops)} holes with {edges} edges, the first {place(self.vertices[loops[0]])}"
        self.note(found, "a closed surface", "They were filled.")

    def turn_outward(self) -> None:
        """Turn pieces that are inside out: the outermost are solids, those inside them hollows, and so on."""
        surface = self.surface
        pieces, volumes = surface.components, surface.piece_volumes
        wrong = volumes < 0
        if 1 < len(volumes) <= MOST_NESTED_PAIRS // (_PROBES * len(self.triangles)):
            wrong = np.array([(volumes[piece] < 0) != is_hollow(surface, piece) for piece in range(len(volumes))])
        if np.any(wrong):
            which = f"{np.sum(wrong)} of {len(wrong)} pieces ({name_some('number', np.flatnonzero(wrong))})"
            found = f"{which if len(wrong) > 1 else 'the surface'} inside out"
            self.note(found, "solids side by side, and hollows inside them", "All their triangles were turned.")
            self.triangles = np.where(wrong[pieces][:, None], self.triangles[:, ::-1], self.triangles)

    def drop_unused(self) -> None:
        """Leave out vertices without a triangle."""
        used, triangles = np.unique(self.triangles, return_inverse=True)
        self.vertices, self.triangles = self.vertices[used], triangles.reshape(-1, 3)


def is_hollow(surface: Surface, piece: int) -> bool:
    """Whether a piece lies inside an odd number of others, whichever way these face. One that overlaps does not."""
    pieces = surface.components
    corners = np.unique(surface.triangles[pieces == piece])
    probes = corners[np.linspace(0, len(corners) - 1, min(_PROBES, len(corners))).astype(int)]
    inside = np.ones(int(pieces.max()) + 1, bool)
    for vertex in probes:
        turns = np.bincount(pieces, weights=winding(surface, surface.vertices[vertex]))
        inside &= np.rint(turns).astype(int) % 2 == 1
    inside[piece] = False
    return bool(np.sum(inside) % 2 == 1)


def flip(vertices: FloatArray, triangles: IntArray, needles: IntArray) -> IntArray:
    """Triangles with some flat ones joined to the neighbour at their longest side, and both cut the other way."""
    t = triangles.copy()
    owner = {(int(a), int(b)): k // 3 for k, (a, b) in enumerate(directed_edges(t))}
    gone: set[int] = set()
    for needle in map(int, needles):
        corners = [int(v) for v in t[needle]]
        sides = [float(np.linalg.norm(vertices[corners[i]] - vertices[corners[i - 2]])) for i in range(3)]
        longest = int(np.argmax(sides))
        p, q, r = corners[longest], corners[longest - 2], corners[longest - 1]  # r lies between p and q
        other = owner.get((q, p))
        if other is None or needle in gone or other in gone:
            gone.add(needle)
            continue
        d = int(t[other].sum()) - p - q
        if d == r:
            gone.update((needle, other))
            continue
        t[needle], t[other] = (r, p, d), (d, q, r)
        owner |= {(r, p): needle, (p, d): needle, (d, r): needle, (d, q): other, (q, r): other, (r, d): other}
    return np.delete(t, sorted(gone), axis=0)


def boundary_loops(triangles: IntArray) -> list[list[int]]:
    """The rims of the holes, each in the sense in which triangles that fill it must go round."""
    edges = directed_edges(triangles)
    number = int(triangles.max()) + 1
    forward, backward = edges[:, 0] * number + edges[:, 1], edges[:, 1] * number + edges[:, 0]
    rim = edges[~np.isin(forward, backward)]
    following: dict[int, list[int]] = {}
    for a, b in rim:
        following.setdefault(int(b), []).append(int(a))
    loops: list[list[int]] = []
    for start in sorted(following):
        while following[start]:
            loop, at = [start], following[start].pop()
            while at != start:
                loop.append(at)
                at = following[at].pop()
            loops.append(loop)
    return loops


# --- pieces that overlap ---------------------------------------------------------------------------------------------


def join_overlaps(surface: Surface, notes: list[Problem]) -> tuple[Surface, list[Problem]]:
    """Join pieces that overlap; refuse what remains wrong."""
    problems = check_surface(surface)
    joined = _join_pieces(surface) if problems else None
    if joined is not None:
        found, expected = "pieces that overlap", "a surface that does not cross itself"
        notes = [*notes, Problem(surface.name, found, expected, "They were joined into one.", severity="warning")]
        surface, problems = joined, check_surface(joined)
    if problems:
        raise ModelError(surface.name, problems + notes)
    return surface, notes


def _join_pieces(surface: Surface) -> Surface | None:
    """The union of the solid pieces without the hollow ones; none if that does not help or cannot be done."""
    import manifold3d as manifold  # here, because few scenes need it

    pieces = surface.components
    if pieces.max() == 0:
        return None
    solids: list[Any] = []
    hollows: list[Any] = []
    for piece, volume in enumerate(surface.piece_volumes):
        used, numbers = np.unique(surface.triangles[pieces == piece], return_inverse=True)
        corners = numbers.reshape(-1, 3) if volume > 0 else numbers.reshape(-1, 3)[:, ::-1]
        mesh = manifold.Mesh64(surface.vertices[used], np.ascontiguousarray(corners, np.uint64))
        body = manifold.Manifold(mesh)
        if body.status() != manifold.Error.NoError or body.is_empty():
            return None
        (solids if volume > 0 else hollows).append(body)
    joined = manifold.Manifold.batch_boolean(solids, manifold.OpType.Add)
    mesh = manifold.Manifold.batch_boolean([joined, *hollows], manifold.OpType.Subtract).to_mesh64()
    if len(mesh.tri_verts) == 0:
        return None
    vertices, triangles = np.array(mesh.vert_properties[:, :3], float), np.array(mesh.tri_verts, np.int64)
    repair = Repair(Surface(vertices, triangles, surface.name))
    repair.run()
    return repair.surface
