"""Goals, one file each. To add one: write its class in a new file and name it in `GOAL_TYPES`."""

from stringless.control.goals.base import Goal
from stringless.control.goals.center import Center
from stringless.control.goals.place import Drag, Pin
from stringless.control.goals.pose import Pose
from stringless.control.goals.turning import Turn

GOAL_TYPES: dict[str, type[Goal]] = {goal.kind: goal for goal in (Drag, Pin, Turn, Center, Pose)}

__all__ = ["GOAL_TYPES", "Center", "Drag", "Goal", "Pin", "Pose", "Turn"]
