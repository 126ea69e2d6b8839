"""Goals, one file each, below `@register_goal`; files of this folder are found by themselves."""

import importlib
import pkgutil

from stringless.control.goals.base import Goal
from stringless.control.goals.center import Center
from stringless.control.goals.drag import Drag, Pin
from stringless.control.goals.fields import GoalField
from stringless.control.goals.pose import Pose
from stringless.control.goals.registry import GOAL_TYPES, find_goal_type, list_goal_types, register_goal
from stringless.control.goals.turn import Turn

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = [
    "GOAL_TYPES",
    "Center",
    "Drag",
    "Goal",
    "GoalField",
    "Pin",
    "Pose",
    "Turn",
    "find_goal_type",
    "list_goal_types",
    "register_goal",
]
