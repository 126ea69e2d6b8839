"""What every joint type tells about itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class JointType:
    """A kind of joint: its coordinates and their meaning. Its kernels stand beside it in the same file.

    `T_J(q)` is the pose of the moving frame in the joint frame; `T_J⁻¹ dT_J/dt = S(q) u` (Kim & Pollard 2008, eq. 1).
    """

    name: str
    code: int
    """Number of this type in the kernels' dispatch; never reused."""
    nq: int
    """Length of the configuration."""
    axis_count: int = 0
    """How many axes the joint needs."""
    dof_names: tuple[str, ...]
    """One name per velocity coordinate; its count is nv."""
    angular: tuple[bool, ...]
    """Whether each velocity coordinate turns about its axis (rad/s) or slides along it (m/s).

    Every axis passes through the body origin, so a column of S is (a; 0) or (0; a).
    """
    limit_names: tuple[str, ...]
    """What the joint's limits bound; usually the coordinates themselves."""
    neutral: tuple[float, ...]
    """Configuration in which T_J is the identity."""
    sequential: bool = True
    """Coordinates act one after the other (as a chain of hinges and sliders would), not all at once."""

    @property
    def nv(self) -> int:
        """Length of the velocity."""
        return len(self.dof_names)

    @property
    def is_vector(self) -> bool:
        """Whether configurations add like vectors; ball and free joints hold a quaternion and do not."""
        return self.nq == self.nv
