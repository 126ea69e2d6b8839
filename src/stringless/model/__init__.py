"""The model: bodies, joints and shapes, checked once by the builder and frozen."""

from stringless.model.builder import ModelBuilder
from stringless.model.loops import LoopSpec
from stringless.model.model import Body, Joint, Model
from stringless.model.pose import Pose
from stringless.model.scene import Scene
from stringless.model.shapes import Shape
from stringless.model.spec import BodySpec, JointSpec
from stringless.model.world_springs import WorldSpring

__all__ = [
    "Body",
    "BodySpec",
    "Joint",
    "JointSpec",
    "LoopSpec",
    "Model",
    "ModelBuilder",
    "Pose",
    "Scene",
    "Shape",
    "WorldSpring",
]
