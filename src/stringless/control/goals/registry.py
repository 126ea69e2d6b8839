"""The registry of goals. Director, project, studio and page know a kind of goal by its description alone.

A goal is one class below `@register_goal`; its class attributes say what lists, messages and the page need (`Goal` has them
all), its constructor's parameters are its options:

```python
@register_goal
class Height(Goal):
    '''A bone is held at a height.'''

    kind = "height"
    label = "Hold height"
    fields = (*Goal.fields, GoalField("height", "Height", "Of the bone's origin.", unit="m", low=0.0, high=2.0))
```

An installed package names its modules as entry points of the group `stringless.goals`; anything else registers when it is
imported.
"""

from __future__ import annotations

import re
from typing import TypeVar

from stringless.control.goals.base import Goal
from stringless.errors import InputError
from stringless.model.checks import suggest
from stringless.plugins import load_plugins

GROUP = "stringless.goals"
"""Entry points of installed packages that register goals."""
GOAL_TYPES: dict[str, type[Goal]] = {}
"""Goals by the name that `Director.add` knows them by."""
TAKEN = ("keyframes", "directed", "passive")
"""Names that something else has where the studio lists what acted when."""
Type = TypeVar("Type", bound=type[Goal])


def register_goal(goal: Type) -> Type:
    """Register the class below as a kind of goal.

    Raises:
        InputError: its name is taken or cannot be one, or it has no label, or a field that it does not describe well.
    """
    if not re.fullmatch(r"[a-z][a-z_]*", goal.kind) or goal.kind in TAKEN:
        raise InputError(f"goal {goal.__name__} has the kind {goal.kind!r}; expected a name such as 'drag'")
    other = GOAL_TYPES.get(goal.kind)
    if other is not None and (other.__module__, other.__qualname__) != (goal.__module__, goal.__qualname__):
        raise InputError(
            f"goal {goal.__name__} has the kind '{goal.kind}', which is {other.__name__}'s; choose another"
        )
    if not goal.label:
        raise InputError(f"goal {goal.__name__} has no label; expected a word or two for lists")
    names = [field.name for field in goal.fields]
    if len(set(names)) < len(names):
        raise InputError(f"goal {goal.__name__} describes a field twice: {', '.join(names)}")
    GOAL_TYPES[goal.kind] = goal
    return goal


def list_goal_types() -> list[type[Goal]]:
    """All kinds of goals, by name."""
    load_plugins(GROUP, "goals")
    return [GOAL_TYPES[kind] for kind in sorted(GOAL_TYPES)]


def find_goal_type(kind: str) -> type[Goal]:
    """The class of a kind of goal.

    Raises:
        InputError: none of that kind is registered.
    """
    if kind not in GOAL_TYPES:
        load_plugins(GROUP, "goals")
    if kind not in GOAL_TYPES:
        raise InputError(f"there is no goal '{kind}'. {suggest(kind, GOAL_TYPES)}")
    return GOAL_TYPES[kind]
