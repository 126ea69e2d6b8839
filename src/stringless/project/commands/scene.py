"""The scene itself: parameters, bodies, joints, gravity, or another scene altogether."""

import dataclasses
from typing import Any

from stringless.engines.config import FIXED, SimulationConfig
from stringless.errors import InputError
from stringless.loader import load
from stringless.model import ModelBuilder, Scene
from stringless.project.commands.registry import Project, command
from stringless.project.scenes import keep_scene

Data = dict[str, Any]


@command("change parameters")
def configure(project: Project, **changes: Any) -> None:
    """Change parameters of the simulation, such as dt, friction, or those of flesh."""
    project.sim.configure(**changes)


@command("open scene {source}")
def open_scene(project: Project, source: str, options: dict[str, Any] | None = None) -> None:
    """Go on with another scene, from its start, with the engine and, if none was chosen, the step it is made for."""
    scene, now = load(source, **(options or {})), project.sim.parameters()
    if scene.engine != project.sim.config.engine:
        config = SimulationConfig(engine=scene.engine)  # pyright: ignore[reportArgumentType]
        set_scene(project, scene, source, **{name: getattr(config, name) for name in FIXED})
    else:
        is_chosen = now["dt"] != project.scene().dt
        set_scene(project, scene, source, parameters=now if is_chosen else now | {"dt": scene.dt})


@command("change body {body}")
def edit_body(project: Project, body: str, **changes: Any) -> None:
    """Change fields of a body, such as its mass."""
    _edit_body(project, body, changes)


@command("change joint of {body}")
def edit_joint(project: Project, body: str, **changes: Any) -> None:
    """Change fields of the joint that a body hangs on, such as its limits, effort or damping."""
    _edit_body(project, body, changes, joint=True)


@command("change gravity")
def gravity(project: Project, gravity: list[float]) -> None:
    """Change gravity [m/s²]."""
    _rebuild(project, list(project.sim.model.specs), tuple(gravity))


def _edit_body(project: Project, body: str, changes: dict[str, Any], *, joint: bool = False) -> None:
    model = project.sim.model
    index, specs = model.body(body).index, list(model.specs)
    old = specs[index]
    try:
        fields = {"joint": dataclasses.replace(old.joint, **changes)} if joint else changes
        specs[index] = dataclasses.replace(old, **fields)
    except (TypeError, ValueError) as error:
        raise InputError(f"body '{body}' cannot be changed by {', '.join(changes)}: {error}") from None
    _rebuild(project, specs, tuple(model.gravity))


def _rebuild(project: Project, specs: list[Any], gravity: tuple[float, ...]) -> None:
    model = project.sim.model
    builder = ModelBuilder(model.name, gravity=gravity)
    builder.specs = specs
    builder.world_shapes = list(model.world_shapes)
    builder.flesh = list(model.flesh.specs) if model.flesh else []
    builder.loops = list(model.loop_specs)
    set_scene(project, dataclasses.replace(project.scene(), model=builder.build(), warnings=(), source=None))


def set_scene(project: Project, scene: Scene, source: str = "", parameters: Data | None = None, **fixed: Any) -> None:
    """Continue with a scene, from here if it is built alike, else from its start; `fixed` as the engine's config has it."""
    files = keep_scene(project.store, scene)
    data = {**project.scene_data, **fixed, "name": scene.name, "source": source, "files": files}
    project.replace_scene(data, parameters)
