"""The scene itself: parameters, bodies, joints, gravity, or another scene altogether."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from stringless.engines.config import FIXED, SimulationConfig
from stringless.errors import InputError
from stringless.loading import load
from stringless.model import ModelBuilder, Scene
from stringless.project.commands.registry import command
from stringless.project.scene_files import keep_scene

if TYPE_CHECKING:
    from stringless.project.project import Project


@command("change parameters")
def configure(project: Project, **changes: Any) -> None:
    """Change parameters of the simulation, such as dt, friction, or those of flesh."""
    project.sim.configure(**changes)


@command("open scene {source}")
def open_scene(project: Project, source: str, options: dict[str, Any] | None = None) -> None:
    """Go on with another scene, from its start, with the engine and, if nobody has chosen one, the step it is made for."""
    scene, now = load(source, **(options or {})), project.sim.parameters()
    if scene.engine != project.sim.config.engine:
        config = SimulationConfig(engine=scene.engine)  # pyright: ignore[reportArgumentType]
        use(project, scene, source, {name: getattr(config, name) for name in FIXED})
    else:
        is_chosen = now["dt"] != project.scene().dt
        use(project, scene, source, {}, now if is_chosen else now | {"dt": scene.dt})


@command("change body {body}")
def edit_body(project: Project, body: str, **changes: Any) -> None:
    """Change fields of a body, such as its mass."""
    _edit(project, body, lambda spec: dataclasses.replace(spec, **changes), changes)


@command("change joint of {body}")
def edit_joint(project: Project, body: str, **changes: Any) -> None:
    """Change fields of the joint that a body hangs on, such as its limits, effort or damping."""
    _edit(
        project,
        body,
        lambda spec: dataclasses.replace(spec, joint=dataclasses.replace(spec.joint, **changes)),
        changes,
    )


@command("change gravity")
def gravity(project: Project, gravity: list[float]) -> None:
    """Change gravity [m/s²]."""
    model = project.sim.model
    _rebuild(project, list(model.specs), tuple(gravity))


def _edit(project: Project, body: str, change: Any, changes: dict[str, Any]) -> None:
    model = project.sim.model
    index = [spec.name for spec in model.specs].index(model.body(body).name)
    specs = list(model.specs)
    try:
        specs[index] = change(specs[index])
    except (TypeError, ValueError) as error:
        raise InputError(f"body '{body}' cannot be changed by {', '.join(changes)}: {error}") from None
    _rebuild(project, specs, tuple(model.gravity))


def _rebuild(project: Project, specs: list[Any], gravity: tuple[float, ...]) -> None:
    model, scene = project.sim.model, project.scene()
    builder = ModelBuilder(model.name, gravity=gravity)
    builder.specs = specs
    builder.world_shapes = list(model.world_shapes)
    builder.flesh = list(model.flesh.specs) if model.flesh else []
    builder.loops = list(model.loop_specs)
    changed = dataclasses.replace(scene, model=builder.build(), warnings=(), source=None)
    use(project, changed, "", {})


def use(
    project: Project, scene: Scene, source: str, fixed: dict[str, Any], parameters: dict[str, Any] | None = None
) -> None:
    """Go on with a scene, from here if it is built alike, else from its start."""
    files = keep_scene(project.store, scene)
    data = {**project.scene_data, **fixed, "name": scene.name, "source": source, "files": files}
    project.replace_scene(data, parameters)
