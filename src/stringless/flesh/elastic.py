"""Elastic forces of the cage: the finite-volume force of every tetrahedron, gathered at its nodes.

Selective diagonalization (Kim & Pollard 2008, section 4.4): an element within the range of its material takes the plain
stress; only the others are decomposed, many side by side.
"""

from __future__ import annotations

from stringless.flesh.diagonal import compose, decompose
from stringless.flesh.materials import neo_hookean, registry, stvk
from stringless.jit import kernel
from stringless.spatial import mat3, vec3

LANES = 64
"""Elements decomposed side by side."""


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
def spread(element, P, f_out):
    """Add the element's forces to its nodes: `[f1 f2 f3] = -V P Dm⁻ᵀ`, `f0 = -(f1 + f2 + f3)` (eq. 14)."""
    n = element.n
    k = -element.volume
    B = mat3.load(element.Dm_inv, 0)
    f1 = vec3.scale(k, mat3.transform(P, (B[0], B[1], B[2])))
    f2 = vec3.scale(k, mat3.transform(P, (B[3], B[4], B[5])))
    f3 = vec3.scale(k, mat3.transform(P, (B[6], B[7], B[8])))
    for j in range(3):
        f_out[n[1], j] += f1[j]
        f_out[n[2], j] += f2[j]
        f_out[n[3], j] += f3[j]
        f_out[n[0], j] -= f1[j] + f2[j] + f3[j]


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
def spread_flagged(elements, material, count, flagged_work, F_work, P_work, f_out):
    """Stress and forces of the elements that were put aside."""
    if material.kind == registry.NEO_HOOKEAN:
        for l in range(count):
            stress_one(l, material, F_work, P_work)
    else:
        stress_lanes_stvk(
            count, material, F_work[0], F_work[1], F_work[2], F_work[3], F_work[4], F_work[5], F_work[6], F_work[7],
            F_work[8], P_work[0], P_work[1], P_work[2], P_work[3], P_work[4], P_work[5], P_work[6], P_work[7],
            P_work[8],
        )  # fmt: skip
    for l in range(count):
        P = (
            P_work[0, l], P_work[1, l], P_work[2, l], P_work[3, l], P_work[4, l], P_work[5, l], P_work[6, l],
            P_work[7, l], P_work[8, l],
        )  # fmt: skip
        spread(elements[flagged_work[l]], P, f_out)


@kernel
def elastic_forces(elements, materials, x, full, flagged_work, F_work, P_work, f_out):
    """Add the elastic forces of all elements to `f_out`; return how many had to be decomposed.

    `full` decomposes every element, to compare with. Elements of one material stand together in the table.
    """
    waiting = 0
    total = 0
    for i in range(elements.shape[0]):
        material = materials[elements[i].material]
        F = deformation(elements[i], x)
        inside, P = registry.plain(F, material)
        if inside and not full:
            spread(elements[i], P, f_out)
        else:
            flagged_work[waiting] = i
            F_work[0, waiting], F_work[1, waiting], F_work[2, waiting] = F[0], F[1], F[2]
            F_work[3, waiting], F_work[4, waiting], F_work[5, waiting] = F[3], F[4], F[5]
            F_work[6, waiting], F_work[7, waiting], F_work[8, waiting] = F[6], F[7], F[8]
            waiting += 1
            total += 1
        last = i + 1 == elements.shape[0] or elements[i + 1].material != elements[i].material
        if waiting == LANES or (last and waiting > 0):
            spread_flagged(elements, material, waiting, flagged_work, F_work, P_work, f_out)
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
