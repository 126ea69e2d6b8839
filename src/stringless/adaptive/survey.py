"""What is known of a whole tree at a look, before joints are let go for trial."""

from __future__ import annotations

from stringless.adaptive.aims import prepare
from stringless.adaptive.exchange import AIM, ARM, EFFORT, INERTIA, RATE, RESIDUAL
from stringless.adaptive.frozen import freeze
from stringless.jit import kernel


@kernel(inline=True)
def is_frozen(part, h, frequency):
    """Whether the coefficients of joints held are those of the lumps as they are, for looks that far ahead."""
    return part.horizon == h and part.firmness == frequency


@kernel(inline=True)
def trial(room_work):
    """The part of a tree's scratch that trials need."""
    body_work, dof_work, vectors_work, _, _, _, _, _, _, _, sums, rows, pieces, piece_of, order = room_work
    return (
        body_work, dof_work, vectors_work[EFFORT], vectors_work[RATE], vectors_work[RESIDUAL], sums, rows, pieces, piece_of,
        order,
    )  # fmt: skip


@kernel(inline=True)
def site_of(own, count, lump_work, room_work):
    """What trials need to know of a tree of so many lumps, once it is surveyed."""
    lump_of, place, body_of, bodies, frozen = lump_work[8], lump_work[9], lump_work[10], lump_work[12], lump_work[13]
    aim, arm, motion = room_work[2][AIM], room_work[2][ARM], room_work[9]
    return own[0], own[1], lump_of, body_of, place, motion, count, bodies, frozen, aim, arm


@kernel
def survey(own, limits, gravity, none, tau, rates, external, h, frequency, lump_work, room_work, part_out):
    """Find what joints are about to do within the interval h, all that trials need; `rates` are velocities of the lumps' joints.

    Where lumps are new, the configuration of the whole tree is in the scratch.
    """
    lumps, lump_dofs, lump_rest, lump_tau, _, lump_q, _, _, lump_of, place, body_of, _, bodies, frozen = lump_work
    body_work, dof_work, vectors_work, _, q_work, _, _, _, _, motion, sums_work = room_work[:11]
    if not is_frozen(part_out, h, frequency):
        freeze(
            own, limits, none, q_work, h, frequency, lump_of, body_of, place, vectors_work[RATE], vectors_work[EFFORT],
            body_work, dof_work, bodies, frozen, part_out,
        )  # fmt: skip
    m, nv = part_out.lumps, part_out.lump_nv
    prepare(
        own, limits, gravity, none, external, h, frequency, lumps[:m], lump_dofs[:nv], lump_rest, lump_q,
        rates, lump_tau, tau, lump_of, place, body_of, bodies, vectors_work[EFFORT], body_work,
        dof_work, sums_work, motion, frozen, vectors_work[ARM], vectors_work[AIM], vectors_work[INERTIA],
    )  # fmt: skip
