"""The solvers of Hernández, Garre, Casillas & Otaduy 2011 as the paper has them: in maximal coordinates, to compare with.

The engine itself condenses joints out of its system (`stiff.kernels_solve`). What is here reaches the same velocities, or
those of the paper's own update, by the paper's means: a velocity of 6 numbers for each body, and Lagrange multipliers for
each joint. `Simulation(..., solver="ldlt" or "ldu", update="joints" or "bodies")` runs it; each part can also be called.

| entry point                                | what it is                                                              |
| ------------------------------------------ | ----------------------------------------------------------------------- |
| `run_bodies`                               | the whole step with the paper's update of poses, eq. 3                  |
| `assemble`                                 | `A = M - h dF/dV - h² dF/dq`, b and J of eq. 3, in blocks               |
| `load_joint`                               | forces of a joint and their derivatives (theory, section 3)             |
| `factor_symmetric`, `solve_symmetric`      | block LDLᵀ in linear time: the paper's section 4 (theory, 5.2)          |
| `factor_general`, `solve_general`          | block LDU of a system that is not symmetric (theory, 5.3)               |
| `solve_multiplied`                         | eq. 3 within the default update, in place of the condensed solve        |
| `bodies_from_joints`, `joints_from_bodies` | from joint coordinates to maximal ones and back                         |

`maximal_work(model, general=...)` allocates what they write to; `MaximalState`, `Inputs`, `StiffForces` and `MaximalSettings`
are what they read. "Theory" is docs/theory/stiff.md, sections 4 and 5, which has the equations and says where they differ from
what is printed.
"""

from stringless.engines.stiff.reference.kernels_assembly import assemble
from stringless.engines.stiff.reference.kernels_blocks import (
    factor_general,
    factor_symmetric,
    solve_general,
    solve_symmetric,
)
from stringless.engines.stiff.reference.kernels_conversions import bodies_from_joints, joints_from_bodies
from stringless.engines.stiff.reference.kernels_joint_forces import EXACT, PLAIN, SYMMETRIC, load_joint
from stringless.engines.stiff.reference.kernels_maximal import run_bodies
from stringless.engines.stiff.reference.kernels_multipliers import solve_multiplied
from stringless.engines.stiff.reference.records import (
    MaximalSettings,
    MaximalState,
    MaximalWork,
    maximal_work,
)

__all__ = [
    "EXACT",
    "PLAIN",
    "SYMMETRIC",
    "MaximalSettings",
    "MaximalState",
    "MaximalWork",
    "assemble",
    "bodies_from_joints",
    "factor_general",
    "factor_symmetric",
    "joints_from_bodies",
    "load_joint",
    "maximal_work",
    "run_bodies",
    "solve_general",
    "solve_multiplied",
    "solve_symmetric",
]
