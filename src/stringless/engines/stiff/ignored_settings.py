"""Settings of a director that have no effect with the stiff engine: its goals are springs that pull at once."""

from __future__ import annotations

import numpy as np

from stringless.control.director import Director

INSTEAD = "with engine 'stiff' all goals are springs that pull at once, and the stiffer one wins"


def ignored_settings(director: Director) -> dict[str, str]:
    """A sentence for each thing that was set and has no effect."""
    found = {}
    ranked = [goal for goal in director.goals if goal.priority != goal.level]
    if ranked:
        goal = ranked[0]
        found["priority"] = (
            f"priority {goal.priority} of a {goal.kind} (goal {goal.id}) does nothing: {INSTEAD}. Choose stiffness or weight, "
            "or engine 'reduced'"
        )
    pushing = [goal for goal in director.goals if goal.push and not goal.pushes]
    if pushing:
        found["push"] = (
            f"push of a {pushing[0].kind} (goal {pushing[0].id}) does nothing: {INSTEAD}, also without ground to push off from. "
            "Use engine 'reduced' for jumps"
        )
    styles = [style for style in director.styles if style != "acceleration"]
    if styles:
        found["style"] = f"style '{styles[0]}' does nothing: {INSTEAD}. Use engine 'reduced' to choose a style"
    if np.any(director.weights != 1.0):
        found["weigh"] = f"weights of joints do nothing: {INSTEAD}. Use engine 'reduced' to weight joints"
    return found
