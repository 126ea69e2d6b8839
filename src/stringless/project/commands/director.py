"""The director: styles, weights, which joints it has, what is passive."""

from typing import Any

from stringless.errors import InputError
from stringless.project.commands.registry import Project, command

SETTINGS = ("limit_firmness", "top_acceleration", "counted_friction", "keep_momentum")
"""Settings of a director."""


@command("style {style}")
def style(project: Project, style: Any, character: str | int | None = None) -> None:
    """Choose what is minimised: acceleration, torque or velocity."""
    project.sim.director.style(style, character)


@command("weigh joints")
def weigh(project: Project, weights: dict[str, float]) -> None:
    """Set joint weights: above 1, a joint does less of what the style minimises, below 1 more."""
    project.sim.director.set_joint_weights(weights)


@command("set a posture")
def posture(project: Project, pose: Any = None, character: str | int | None = None, **gains: float) -> None:
    """Choose the rest pose, to which joints drift that no goal needs."""
    project.sim.director.set_rest_pose(pose, character=character, **gains)


@command("let joints go")
def passive(project: Project, joints: list[str] | None = None, **options: Any) -> None:
    """Let joints go, on springs and dampers if wanted."""
    project.sim.director.passive(joints, **options)


@command("direct joints")
def direct(project: Project, joints: list[str] | None = None, character: str | int | None = None) -> None:
    """Let the director have joints."""
    project.sim.director.take(character, joints)


@command("leave joints")
def leave(project: Project, joints: list[str] | None = None, character: str | int | None = None) -> None:
    """Take joints from the director."""
    project.sim.director.leave(character, joints)


@command("set the director")
def set_director(project: Project, **settings: Any) -> None:
    """Change limit_firmness, top_acceleration, counted_friction or keep_momentum."""
    for name, value in settings.items():
        if name not in SETTINGS:
            raise InputError(f"the director has no setting '{name}'; it has: {', '.join(SETTINGS)}")
        setattr(project.sim.director, name, value)
