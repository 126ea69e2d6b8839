"""What is known of a whole tree at a look, before joints are let go for trial."""

from __future__ import annotations

from stringless.engines.adaptive.kernels_aims import prepare
from stringless.engines.adaptive.kernels_exchange import AIM, ARM, EFFORT, INERTIA, RATE, RESIDUAL
from stringless.engines.adaptive.kernels_frozen import freeze
from stringless.jit import kernel


@kernel(inline=True)
def is_frozen(part, h, frequency):
    """Whether the coefficients of joints held are those of the clusters as they are, for looks that far ahead."""
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
def site_of(own, count, cluster_work, room_work):
    """What trials need to know of a tree of so many clusters, once it is surveyed."""
    cluster_of, place, body_of, bodies, frozen = (
        cluster_work[8],
        cluster_work[9],
        cluster_work[10],
        cluster_work[12],
        cluster_work[13],
    )
    aim, arm, motion = room_work[2][AIM], room_work[2][ARM], room_work[9]
    return own[0], own[1], cluster_of, body_of, place, motion, count, bodies, frozen, aim, arm


@kernel
def survey(own, limits, gravity, none, tau, rates, external, h, frequency, cluster_work, room_work, part_out):
    """Find what joints are about to do within the interval h, all that trials need; `rates` are those of the clusters' joints.

    Where clusters are new, the configuration of the whole tree is in the scratch.
    """
    (
        clusters,
        cluster_dofs,
        cluster_rest,
        cluster_tau,
        _,
        cluster_q,
        _,
        _,
        cluster_of,
        place,
        body_of,
        _,
        bodies,
        frozen,
    ) = cluster_work
    body_work, dof_work, vectors_work, _, q_work, _, _, _, _, motion, sums_work = room_work[:11]
    if not is_frozen(part_out, h, frequency):
        freeze(
            own, limits, none, q_work, h, frequency, cluster_of, body_of, place, vectors_work[RATE], vectors_work[EFFORT],
            body_work, dof_work, bodies, frozen, part_out,
        )  # fmt: skip
    m, nv = part_out.clusters, part_out.cluster_nv
    prepare(
        own, limits, gravity, none, external, h, frequency, clusters[:m], cluster_dofs[:nv], cluster_rest, cluster_q,
        rates, cluster_tau, tau, cluster_of, place, body_of, bodies, vectors_work[EFFORT], body_work,
        dof_work, sums_work, motion, frozen, vectors_work[ARM], vectors_work[AIM], vectors_work[INERTIA],
    )  # fmt: skip
