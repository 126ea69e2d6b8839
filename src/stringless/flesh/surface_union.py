"""Pieces of a surface that overlap, joined into one that does not cross itself."""

from typing import Any

import numpy as np

from stringless.errors import ModelError, Problem
from stringless.flesh.surface import Surface, signed_volumes
from stringless.flesh.surface_checks import check_surface
from stringless.flesh.surface_repair import Repair


def join_overlaps(surface: Surface, notes: list[Problem]) -> tuple[Surface, list[Problem]]:
    """Join pieces that overlap; refuse what remains wrong."""
    problems = check_surface(surface)
    if any(problem.severity == "error" for problem in problems):
        joined = _join_pieces(surface)
        if joined is None:
            raise ModelError(surface.name, problems + notes)
        found, expected = "pieces that overlap", "a surface that does not cross itself"
        notes = [*notes, Problem(surface.name, found, expected, "They were joined into one.", severity="warning")]
        surface, problems = joined, check_surface(joined)
        if any(problem.severity == "error" for problem in problems):
            raise ModelError(surface.name, problems + notes)
    return surface, notes + problems


def _join_pieces(surface: Surface) -> Surface | None:
    """The union of the solid pieces without the hollow ones; none if that does not help or cannot be done."""
    import manifold3d as manifold  # here, because few scenes need it

    pieces = surface.components
    if pieces.max() == 0:
        return None
    volumes = np.bincount(pieces, weights=signed_volumes(surface.corners - surface.bounds.mean(axis=0)))
    solids: list[Any] = []
    hollows: list[Any] = []
    for piece, volume in enumerate(volumes):
        triangles = surface.triangles[pieces == piece]
        used, numbers = np.unique(triangles, return_inverse=True)
        corners = numbers.reshape(-1, 3) if volume > 0 else numbers.reshape(-1, 3)[:, ::-1]
        mesh = manifold.Mesh64(surface.vertices[used], np.ascontiguousarray(corners, np.uint64))
        body = manifold.Manifold(mesh)
        if body.status() != manifold.Error.NoError or body.is_empty():
            return None
        (solids if volume > 0 else hollows).append(body)
    joined = manifold.Manifold.batch_boolean(solids, manifold.OpType.Add)
    for hollow in hollows:
        joined = joined - hollow
    mesh = joined.to_mesh64()
    if len(mesh.tri_verts) == 0:
        return None
    repair = Repair(
        Surface(np.array(mesh.vert_properties[:, :3], float), np.array(mesh.tri_verts, np.int64), surface.name)
    )
    repair.run()
    return repair.surface
