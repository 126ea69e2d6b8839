"""Keep rounding from growing where a character is its own mirror image.

A planar root holds its character in a plane. If the character is mirror-symmetric about that plane, so is its motion, and
the root has nothing to hold: no sideways force. But flesh under load is soft sideways, and makes of a rounding error of
1e-16 m one of 1e-9 m within a hundred steps; that would act on the root. So what a step adds to the difference between a
node and its image is taken out again, as long as it is no more than rounding. A real difference, of a push from one
side, is left alone: then the root holds, as it is there for.
"""

from stringless.flesh.kernels_motion import row3, set_row3
from stringless.jit import kernel
from stringless.model.joints.planar import PLANAR
from stringless.spatial import vec3

ROUNDING = 1e-12
"""Differences below this share of the largest coordinate are rounding; of velocities, per step."""
_PLANAR = PLANAR.code


@kernel(inline=True)
def reflected(a, n):
    """Mirror image of a direction."""
    return vec3.add_scaled(a, -2.0 * vec3.dot(a, n), n)


@kernel(inline=True)
def image(x, p, n):
    """Mirror image of a point in the plane through `p`."""
    return vec3.add_scaled(x, -2.0 * vec3.dot(vec3.subtract(x, p), n), n)


@kernel(inline=True)
def largest(a):
    """Largest of the numbers of a vector, without sign."""
    return max(abs(a[0]), abs(a[1]), abs(a[2]))


@kernel
def differs(tree, nodes, root, p, n, h, x, xdot):
    """Whether some node of a character and its image differ, in place or way of a step, by more than rounding."""
    most, far = 0.0, 0.0
    for i in range(nodes.shape[0]):
        node = nodes[i]
        if node.fixed == 0 and node.mirror >= i and tree[node.bone].root == root:
            here, moving = row3(x, i), row3(xdot, i)
            far = max(far, largest(here))
            most = max(most, largest(vec3.subtract(here, image(row3(x, node.mirror), p, n))))
            most = max(most, h * largest(vec3.subtract(moving, reflected(row3(xdot, node.mirror), n))))
    return not most <= ROUNDING * far


@kernel
def keep_mirrored(tree, nodes, h, x_out, xdot_out):
    """Make mirror images of nodes exact where they differ by rounding: each of a pair takes the mean of both.

    The mean leaves the momentum along the plane as it was, and its moment up to the square of rounding.
    """
    for root in range(tree.shape[0]):
        row = tree[root]
        if row.kind != _PLANAR or row.root != root:
            continue
        p, n = vec3.load(row.p, 0), (row.R[2], row.R[5], row.R[8])
        if differs(tree, nodes, root, p, n, h, x_out, xdot_out):
            continue
        for i in range(nodes.shape[0]):
            node = nodes[i]
            if node.fixed == 0 and node.mirror >= i and tree[node.bone].root == root:
                j = node.mirror
                x = vec3.scale(0.5, vec3.add(row3(x_out, i), image(row3(x_out, j), p, n)))
                v = vec3.scale(0.5, vec3.add(row3(xdot_out, i), reflected(row3(xdot_out, j), n)))
                set_row3(i, x, x_out)
                set_row3(i, v, xdot_out)
                if j != i:
                    set_row3(j, image(x, p, n), x_out)
                    set_row3(j, reflected(v, n), xdot_out)
