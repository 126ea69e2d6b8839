"""Elastic forces of the cage: the finite-volume force of every tetrahedron, gathered at its nodes.

Selective diagonalization (Kim & Pollard 2008, section 4.4): an element within the range of its material takes the plain
stress; only the others are decomposed. Both are done for many elements side by side, by vector instructions.
"""

from __future__ import annotations

from stringless.flesh.blocks import LANES
from stringless.flesh.kernels_diagonal import compose, decompose
from stringless.flesh.materials import neo_hookean, registry, stvk
from stringless.jit import kernel
from stringless.spatial import mat3, vec3


@kernel(inline=True)
def deformation(element, x):
    """`F = Ds Dm⁻¹`."""
    n = element.n
    a, b, c, d = n[0], n[1], n[2], n[3]
    o = (x[a, 0], x[a, 1], x[a, 2])
    p = (x[b, 0] - o[0], x[b, 1] - o[1], x[b, 2] - o[2])
    q = (x[c, 0] - o[0], x[c, 1] - o[1], x[c, 2] - o[2])
    r = (x[d, 0] - o[0], x[d, 1] - o[1], x[d, 2] - o[2])
    return mat3.multiply((p[0], q[0], r[0], p[1], q[1], r[1], p[2], q[2], r[2]), mat3.load(element.Dm_inv, 0))


@kernel(inline=True)
def edges(block, x, D_out):
    """`Ds`, the edges from the first node, of all elements of a block, side by side."""
    n = block.n
    for l in range(block.count):
        a, b, c, d = n[0, l], n[1, l], n[2, l], n[3, l]
        for j in range(3):
            o = x[a, j]
            D_out[3 * j, l], D_out[3 * j + 1, l], D_out[3 * j + 2, l] = x[b, j] - o, x[c, j] - o, x[d, j] - o


@kernel(lanes=True)
def deform_lanes(
    D0, D1, D2, D3, D4, D5, D6, D7, D8,
    B0, B1, B2, B3, B4, B5, B6, B7, B8,
    F0_out, F1_out, F2_out, F3_out, F4_out, F5_out, F6_out, F7_out, F8_out,
):  # fmt: skip
    """`F = Ds Dm⁻¹` of a block. The arrays do not overlap."""
    for l in range(LANES):
        F = mat3.multiply(
            (D0[l], D1[l], D2[l], D3[l], D4[l], D5[l], D6[l], D7[l], D8[l]),
            (B0[l], B1[l], B2[l], B3[l], B4[l], B5[l], B6[l], B7[l], B8[l]),
        )  # fmt: skip
        F0_out[l], F1_out[l], F2_out[l], F3_out[l], F4_out[l], F5_out[l], F6_out[l], F7_out[l], F8_out[l] = F  # fmt: skip


@kernel(inline=True)
def corner_forces(P, B, k):
    """`[f1 f2 f3] = -V P Dm⁻ᵀ` with k = -V (eq. 14), the forces on all nodes but the first."""
    return (
        vec3.scale(k, mat3.transform(P, (B[0], B[1], B[2]))),
        vec3.scale(k, mat3.transform(P, (B[3], B[4], B[5]))),
        vec3.scale(k, mat3.transform(P, (B[6], B[7], B[8]))),
    )


@kernel(lanes=True)
def plain_lanes_stvk(
    material, volume,
    B0, B1, B2, B3, B4, B5, B6, B7, B8,
    D0, D1, D2, D3, D4, D5, D6, D7, D8,
    inside_out,
    F0_out, F1_out, F2_out, F3_out, F4_out, F5_out, F6_out, F7_out, F8_out,
    f0_out, f1_out, f2_out, f3_out, f4_out, f5_out, f6_out, f7_out, f8_out,
):  # fmt: skip
    """Deformation of a block, whether each element is within the range, and its forces; zero for those that are not."""
    for l in range(LANES):
        B = (B0[l], B1[l], B2[l], B3[l], B4[l], B5[l], B6[l], B7[l], B8[l])
        F = mat3.multiply((D0[l], D1[l], D2[l], D3[l], D4[l], D5[l], D6[l], D7[l], D8[l]), B)  # fmt: skip
        inside, P = stvk.plain(F, material)
        f = corner_forces(P, B, -volume[l] if inside else 0.0)
        inside_out[l] = 1.0 if inside else 0.0
        F0_out[l], F1_out[l], F2_out[l], F3_out[l], F4_out[l], F5_out[l], F6_out[l], F7_out[l], F8_out[l] = F  # fmt: skip
        f0_out[l], f1_out[l], f2_out[l] = f[0]
        f3_out[l], f4_out[l], f5_out[l] = f[1]
        f6_out[l], f7_out[l], f8_out[l] = f[2]


@kernel(lanes=True)
def plain_lanes_neo_hookean(
    material, volume,
    B0, B1, B2, B3, B4, B5, B6, B7, B8,
    D0, D1, D2, D3, D4, D5, D6, D7, D8,
    inside_out,
    F0_out, F1_out, F2_out, F3_out, F4_out, F5_out, F6_out, F7_out, F8_out,
    f0_out, f1_out, f2_out, f3_out, f4_out, f5_out, f6_out, f7_out, f8_out,
):  # fmt: skip
    """The same for the neo-Hookean law, which has no range to leave."""
    for l in range(LANES):
        B = (B0[l], B1[l], B2[l], B3[l], B4[l], B5[l], B6[l], B7[l], B8[l])
        F = mat3.multiply((D0[l], D1[l], D2[l], D3[l], D4[l], D5[l], D6[l], D7[l], D8[l]), B)  # fmt: skip
        f = corner_forces(neo_hookean.plain(F, material)[1], B, -volume[l])
        inside_out[l] = 1.0
        F0_out[l], F1_out[l], F2_out[l], F3_out[l], F4_out[l], F5_out[l], F6_out[l], F7_out[l], F8_out[l] = F  # fmt: skip
        f0_out[l], f1_out[l], f2_out[l] = f[0]
        f3_out[l], f4_out[l], f5_out[l] = f[1]
        f6_out[l], f7_out[l], f8_out[l] = f[2]


@kernel(inline=True)
def add_forces(n, l, f1, f2, f3, f_out):
    """Add an element's forces to its nodes, `f0 = -(f1 + f2 + f3)`."""
    for j in range(3):
        f_out[n[1, l], j] += f1[j]
        f_out[n[2, l], j] += f2[j]
        f_out[n[3, l], j] += f3[j]
        f_out[n[0, l], j] -= f1[j] + f2[j] + f3[j]


@kernel(lanes=True)
def stress_lanes_stvk(
    count,
    material,
    F0,
    F1,
    F2,
    F3,
    F4,
    F5,
    F6,
    F7,
    F8,
    P0_out,
    P1_out,
    P2_out,
    P3_out,
    P4_out,
    P5_out,
    P6_out,
    P7_out,
    P8_out,
):
    """Stress of `count` elements side by side by their principal stretches. The arrays do not overlap."""
    for l in range(count):
        u, v, w, s, a, b, e = decompose((F0[l], F1[l], F2[l], F3[l], F4[l], F5[l], F6[l], F7[l], F8[l]))
        p = stvk.by_stretch(s, material)[1]
        P = compose(u, v, w, p, a, b, e)
        P0_out[l], P1_out[l], P2_out[l], P3_out[l], P4_out[l], P5_out[l], P6_out[l], P7_out[l], P8_out[l] = P


@kernel(inline=True)
def stress_one(l, material, F_work, P_out):
    """Stress of one neo-Hookean element by its principal stretches; only `full` asks for it."""
    F = (
        F_work[0, l], F_work[1, l], F_work[2, l], F_work[3, l], F_work[4, l], F_work[5, l], F_work[6, l], F_work[7, l],
        F_work[8, l],
    )  # fmt: skip
    u, v, w, s, a, b, e = decompose(F)
    p = neo_hookean.by_stretch(s, material)[1]
    P = compose(u, v, w, p, a, b, e)
    for k in range(9):
        P_out[k, l] = P[k]


@kernel(inline=True)
def spread_flagged(blocks, material, count, flagged_work, F_work, P_work, f_out):
    """Stress and forces of the elements that were put aside."""
    if material.kind == registry.NEO_HOOKEAN:
        for l in range(count):
            stress_one(l, material, F_work, P_work)
    else:
        # Whole vectors: what stands in the lanes beyond is of no use and does no harm.
        stress_lanes_stvk(
            min(LANES, (count + 7) // 8 * 8), material,
            F_work[0], F_work[1], F_work[2], F_work[3], F_work[4], F_work[5], F_work[6], F_work[7], F_work[8],
            P_work[0], P_work[1], P_work[2], P_work[3], P_work[4], P_work[5], P_work[6], P_work[7], P_work[8],
        )  # fmt: skip
    for l in range(count):
        P = (
            P_work[0, l], P_work[1, l], P_work[2, l], P_work[3, l], P_work[4, l], P_work[5, l], P_work[6, l],
            P_work[7, l], P_work[8, l],
        )  # fmt: skip
        block = blocks[flagged_work[l] // LANES]
        m = flagged_work[l] % LANES
        B = block.Dm_inv
        rest = (B[0, m], B[1, m], B[2, m], B[3, m], B[4, m], B[5, m], B[6, m], B[7, m], B[8, m])
        f = corner_forces(P, rest, -block.volume[m])
        add_forces(block.n, m, f[0], f[1], f[2], f_out)


@kernel(inline=True)
def plain_forces(block, material, D_work, F_work, P_work, f_out):
    """Forces of a block's elements within their range; row 18 of `F_work` tells which those are, rows 9 to 17 keep F."""
    B = block.Dm_inv
    if material.kind == registry.NEO_HOOKEAN:
        plain_lanes_neo_hookean(
            material, block.volume, B[0], B[1], B[2], B[3], B[4], B[5], B[6], B[7], B[8],
            D_work[0], D_work[1], D_work[2], D_work[3], D_work[4], D_work[5], D_work[6], D_work[7], D_work[8],
            F_work[18], F_work[9], F_work[10], F_work[11], F_work[12], F_work[13], F_work[14], F_work[15], F_work[16], F_work[17],
            P_work[9], P_work[10], P_work[11], P_work[12], P_work[13], P_work[14], P_work[15], P_work[16], P_work[17],
        )  # fmt: skip
    else:
        plain_lanes_stvk(
            material, block.volume, B[0], B[1], B[2], B[3], B[4], B[5], B[6], B[7], B[8],
            D_work[0], D_work[1], D_work[2], D_work[3], D_work[4], D_work[5], D_work[6], D_work[7], D_work[8],
            F_work[18], F_work[9], F_work[10], F_work[11], F_work[12], F_work[13], F_work[14], F_work[15], F_work[16], F_work[17],
            P_work[9], P_work[10], P_work[11], P_work[12], P_work[13], P_work[14], P_work[15], P_work[16], P_work[17],
        )  # fmt: skip
    for l in range(block.count):
        add_forces(
            block.n, l, (P_work[9, l], P_work[10, l], P_work[11, l]), (P_work[12, l], P_work[13, l], P_work[14, l]),
            (P_work[15, l], P_work[16, l], P_work[17, l]), f_out,
        )  # fmt: skip


@kernel(inline=True)
def deform(block, D_work, F_work):
    """Deformation of a block whose elements are all to be decomposed."""
    B = block.Dm_inv
    deform_lanes(
        D_work[0], D_work[1], D_work[2], D_work[3], D_work[4], D_work[5], D_work[6], D_work[7], D_work[8],
        B[0], B[1], B[2], B[3], B[4], B[5], B[6], B[7], B[8],
        F_work[9], F_work[10], F_work[11], F_work[12], F_work[13], F_work[14], F_work[15], F_work[16], F_work[17],
    )  # fmt: skip
    for l in range(LANES):
        F_work[18, l] = 0.0


@kernel
def elastic_forces(blocks, materials, x, full, flagged_work, F_work, P_work, f_out):
    """Add the elastic forces of all elements to `f_out`; return how many had to be decomposed.

    `full` decomposes every element, to compare with. Scratch holds the elements put aside in its first rows (9 of
    `F_work` and `P_work`), then the block at hand (9 and one more), then its edges (9 of `F_work`).
    """
    waiting = 0
    total = 0
    for b in range(blocks.shape[0]):
        block = blocks[b]
        material = materials[block.material]
        edges(block, x, F_work[19:])
        if full:
            deform(block, F_work[19:], F_work)
        else:
            plain_forces(block, material, F_work[19:], F_work, P_work, f_out)
        for l in range(block.count):
            if F_work[18, l] == 0.0:
                flagged_work[waiting] = b * LANES + l
                for k in range(9):
                    F_work[k, waiting] = F_work[9 + k, l]
                waiting += 1
                total += 1
                if waiting == LANES:
                    spread_flagged(blocks, material, waiting, flagged_work, F_work, P_work, f_out)
                    waiting = 0
        last = b + 1 == blocks.shape[0] or blocks[b + 1].material != block.material
        if last and waiting > 0:
            spread_flagged(blocks, material, waiting, flagged_work, F_work, P_work, f_out)
            waiting = 0
    return total


@kernel
def elastic_energy(elements, materials, x):
    """Elastic energy of all elements [J]."""
    total = 0.0
    for i in range(elements.shape[0]):
        s = decompose(deformation(elements[i], x))[3]
        total += elements[i].volume * registry.by_stretch(s, materials[elements[i].material])[0]
    return total
