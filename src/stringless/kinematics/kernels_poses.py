"""Poses of bodies in their parents, for joints that have moved: no need to form all poses."""

from stringless.jit import kernel
from stringless.model.joints import registry
from stringless.spatial import mat3, rotation, vec3


@kernel
def update_poses(tree, q, number, q_out, places_out, since_out):
    """`X_i T_J(q)` of every body whose joint is not where it was, as position and quaternion x, y, z, w; how many there are.

    `q_out` is where joints were, and is where they are afterwards. `since_out` gets the `number` of this update where a joint has
    moved.
    """
    count = 0
    for i in range(tree.shape[0]):
        row = tree[i]
        moved = since_out[i] == 0
        for k in range(row.q0, row.q0 + row.nq):
            moved = moved or q[k] != q_out[k]
            q_out[k] = q[k]
        if moved:
            R, r = registry.pose(row, q)
            R_X = mat3.load(row.R, 0)
            vec3.store(places_out[i], 0, vec3.add(vec3.load(row.p, 0), mat3.transform(R_X, r)))
            x, y, z, w = rotation.to_quaternion(mat3.multiply(R_X, R))
            places_out[i, 3], places_out[i, 4], places_out[i, 5], places_out[i, 6] = x, y, z, w
            since_out[i] = number
            count += 1
    return count
