"""Where points lie in the elements of a cage."""

from stringless.flesh.kernels_boxtree import LEAF, next_leaf, start_walk
from stringless.flesh.kernels_fill import element_frame
from stringless.jit import kernel
from stringless.spatial import vec3


@kernel
def locate_points(points, x, tets, order, bounds, slack, stack_work, tet_out, weights_out):
    """For every point the element whose lowest weight is highest, among those whose boxes are within `slack`."""
    for i in range(points.shape[0]):
        point = vec3.load(points[i], 0)
        margin = (slack, slack, slack)
        low, high = vec3.subtract(point, margin), vec3.add(point, margin)
        best = -1e300
        top = start_walk(stack_work)
        first, top = next_leaf(bounds, low, high, top, stack_work)
        while first >= 0:
            for place in range(first, min(first + LEAF, order.shape[0])):
                e = order[place]
                w = element_weights(x, tets, e, point)
                depth = min(w[0], w[1], w[2], w[3])
                # Of equals the lowest number, whatever the order of the tree.
                if depth > best or (depth == best and e < tet_out[i]):
                    best = depth
                    tet_out[i] = e
                    for k in range(4):
                        weights_out[i, k] = w[k]
            first, top = next_leaf(bounds, low, high, top, stack_work)


@kernel(inline=True)
def element_weights(x, tets, e, point):
    """Barycentric coordinates of a point in an element."""
    o, a, b, c, _volume = element_frame(x, tets, e)
    d = vec3.subtract(point, o)
    u, v, w = vec3.dot(a, d), vec3.dot(b, d), vec3.dot(c, d)
    return 1.0 - u - v - w, u, v, w
