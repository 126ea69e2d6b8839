"""What every joint type tells about itself."""

from dataclasses import dataclass
from typing import Any, Literal

from stringless.model.joints import vector


@dataclass(frozen=True, kw_only=True)
class JointType:
    """A kind of joint: its coordinates, their meaning, and its kernels.

    `T_J(q)` is the pose of the moving frame in the joint frame; `T_J⁻¹ dT_J/dt = S(q) u` (Kim & Pollard 2008, eq. 1).
    A type whose configuration is a vector needs `pose` and `axis` only.
    """

    name: str
    code: int = -1
    """Number of this type in the kernels' dispatch; never reused. One from outside of the package is given its number."""
    nq: int
    """Length of the configuration."""
    axis_count: int = 0
    """How many axes the joint needs, two at most."""
    distinct_axes: bool = False
    """Whether its two axes must not be parallel."""
    dof_names: tuple[str, ...]
    """One name per velocity coordinate; its count is nv, six at most."""
    angular: tuple[bool, ...]
    """Whether each velocity coordinate turns about its axis (rad/s) or slides along it (m/s).

    Every axis passes through the body origin, so a column of S is (a; 0) or (0; a).
    """
    limit_names: tuple[str, ...] = ()
    """What the joint's limits bound; usually the coordinates themselves, the first three at most."""
    neutral: tuple[float, ...]
    """Configuration in which T_J is the identity."""
    sequential: bool = True
    """Coordinates act one after the other (as a chain of hinges and sliders would), not all at once."""
    loose: bool = False
    """Whether it holds on to nothing, so that there is nothing to push against."""
    reversal: Literal["", "same order", "opposite order"] = ""
    """How it is built from its other side: it moves by the opposite coordinates, in the same order about the same axes, or in
    the opposite order about exchanged axes. If nothing is said, the editor cannot turn it round."""

    pose: Any
    """`pose(body, q)`: T_J as a rotation matrix and a position."""
    axis: Any = None
    """`axis(body, q, k)`: the axis of coordinate k along body axes."""
    integrate: Any = vector.integrate
    """`integrate(body, q, dq, dt, q_out)`: write q ⊕ dt dq."""
    advance: Any = vector.advance
    """`advance(body, u, vdot, dt, h_v, q_out, v_out)`: one step of symplectic Euler in place."""
    reach: Any = vector.reach
    """`reach(body, q_to, q, v, u, dt, h_v, vdot_out)`: the acceleration with which `advance` leads to `q_to`."""
    difference: Any = vector.difference
    """`difference(body, q_from, q_to, dq_out)`: write q_to ⊖ q_from."""
    displacement: Any = vector.difference
    """`displacement(body, q_rest, q, x_out)`: its displacement from rest, by which its spring acts."""
    tangent_rate: Any = vector.tangent_rate
    """`tangent_rate(body, x, u, rate_out)`: dx/dt for q = q_0 ⊕ x moving with velocity u."""
    limit: Any = vector.limit
    """`limit(body, q, k)`: value of limit coordinate k, and its gradient by the first three velocity coordinates."""

    @property
    def nv(self) -> int:
        """Length of the velocity."""
        return len(self.dof_names)

    @property
    def is_vector(self) -> bool:
        """Whether configurations add like vectors; ball and free joints hold a quaternion and do not."""
        return self.nq == self.nv
