"""Joint types, one file each."""

from stringless.model.joints.base import JointType
from stringless.model.joints.registry import JOINT_TYPES, find_joint, register_joint

__all__ = ["JOINT_TYPES", "JointType", "find_joint", "register_joint"]
