"""Elastic forces of the cage: the finite-volume force of every tetrahedron, gathered at its nodes.

Selective diagonalization (Kim & Pollard 2008, section 4.4): an element within the range of its material takes the plain
stress; only the others are decomposed. Both are done for many elements side by side, by vector instructions.
"""

from stringless.flesh.kernels_diagonal import decompose
from stringless.flesh.kernels_lanes import LANES, corner_forces, deform_lanes, load_lane
from stringless.flesh.materials import registry
from stringless.jit import kernel
from stringless.spatial import mat3


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
def load_edges(block, x, D_out):
    """`Ds`, the edges from the first node, of all elements of a block, side by side."""
    n = block.n
    for l in range(block.count):
        a, b, c, d = n[0, l], n[1, l], n[2, l], n[3, l]
        for j in range(3):
            o = x[a, j]
            D_out[3 * j, l], D_out[3 * j + 1, l], D_out[3 * j + 2, l] = x[b, j] - o, x[c, j] - o, x[d, j] - o


@kernel(inline=True)
def add_forces(n, l, f, f_out):
    """Add an element's forces, those on all nodes but the first, to its nodes; `f0 = -(f1 + f2 + f3)`."""
    for j in range(3):
        f_out[n[1, l], j] += f[j]
        f_out[n[2, l], j] += f[j + 3]
        f_out[n[3, l], j] += f[j + 6]
        f_out[n[0, l], j] -= f[j] + f[j + 3] + f[j + 6]


@kernel(inline=True)
def add_stretch_forces(blocks, material, count, aside_work, f_out):
    """Stress and forces of the elements that were put aside."""
    # Whole vectors: what stands in the lanes beyond is of no use and does no harm.
    registry.stretch_lanes(material, min(LANES, (count + 7) // 8 * 8), aside_work)
    for l in range(count):
        block, m = blocks[aside_work.element[l] // LANES], aside_work.element[l] % LANES
        f = corner_forces(load_lane(aside_work.P, l), load_lane(block.Dm_inv, m), -block.volume[m])
        add_forces(block.n, m, f, f_out)


@kernel(inline=True)
def add_plain_forces(block, material, block_work, f_out):
    """Forces of a block's elements within their range; `block_work` tells which those are, and keeps F of all."""
    registry.plain_lanes(material, block, block_work)
    for l in range(block.count):
        add_forces(block.n, l, load_lane(block_work.f, l), f_out)


@kernel
def elastic_forces(blocks, materials, x, full, elastic_work, f_out):
    """Add the elastic forces of all elements to `f_out`; return how many had to be decomposed.

    `full` decomposes every element, to compare with.
    """
    here, aside = elastic_work.block[0], elastic_work.aside[0]
    waiting = 0
    total = 0
    for b in range(blocks.shape[0]):
        block = blocks[b]
        material = materials[block.material]
        load_edges(block, x, here.edges)
        if full:
            deform_lanes(block, here)
        else:
            add_plain_forces(block, material, here, f_out)
        for l in range(block.count):
            if here.inside[l] == 0.0:
                aside.element[waiting] = b * LANES + l
                for k in range(9):
                    aside.F[k, waiting] = here.F[k, l]
                waiting += 1
                total += 1
                if waiting == LANES:
                    add_stretch_forces(blocks, material, waiting, aside, f_out)
                    waiting = 0
        last = b + 1 == blocks.shape[0] or blocks[b + 1].material != block.material
        if last and waiting > 0:
            add_stretch_forces(blocks, material, waiting, aside, f_out)
            waiting = 0
    return total


@kernel
def flag_elements(elements, materials, x, flagged_out):
    """Tell which elements are beyond the range of their material, and so are decomposed."""
    for i in range(elements.shape[0]):
        inside, _ = registry.plain(deformation(elements[i], x), materials[elements[i].material])
        flagged_out[i] = not inside


@kernel
def elastic_energy(elements, materials, x):
    """Elastic energy of all elements [J]."""
    total = 0.0
    for i in range(elements.shape[0]):
        s = decompose(deformation(elements[i], x))[3]
        total += elements[i].volume * registry.by_stretch(s, materials[elements[i].material])[0]
    return total
