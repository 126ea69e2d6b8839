"""Joint types, one file each."""

from stringless.model.joints.base import JointType
from stringless.model.joints.registry import JOINT_TYPES

__all__ = ["JOINT_TYPES", "JointType"]
