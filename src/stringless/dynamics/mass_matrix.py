"""The joint-space mass matrix."""

import numpy as np
from numpy.typing import ArrayLike

from stringless.dynamics import kernels_mass_matrix
from stringless.model.model import Model
from stringless.spatial.arrays import FloatArray
from stringless.state.scratch import scratch


def mass_matrix(model: Model, q: ArrayLike) -> FloatArray:
    """Return M(q), shape (nv, nv), symmetric to the last digit; armature stands on the diagonal.

    Composite-rigid-body algorithm: Featherstone, Rigid Body Dynamics Algorithms (2008), Table 6.2.
    """
    work = scratch(model)
    M = np.zeros((model.nv, model.nv))
    kernels_mass_matrix.mass_matrix(model.tree, model.dofs, model.vector(q, model.nq, "q"), work.bodies, work.dofs, M)
    return M
