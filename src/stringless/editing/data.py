"""An editor as plain data, and back: what a project keeps of an edit, and what a scene may carry as its study.

Numbers go through unchanged, so a motion that was written down comes back to the last bit. What is not a number, such as
the time of a transition that waits for a touch, is None.
"""

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

import numpy as np

from stringless.control.checks import number
from stringless.editing.constraints import Constraint, list_kinds
from stringless.editing.control_steps import find_attribute, mask_columns
from stringless.editing.editor import Editor
from stringless.editing.plan import At, Bar, Bounce, Controls, Grip, Plane, Release, Touch, Transition
from stringless.editing.rollout import JointStiffness
from stringless.errors import InputError
from stringless.model.model import Model
from stringless.model.scene import Scene
from stringless.spatial.arrays import FloatArray

Data = dict[str, Any]
TRANSITIONS: dict[str, type[Transition]] = {"grip": Grip, "release": Release, "bounce": Bounce}
SURFACES: dict[str, type[Plane] | type[Bar]] = {"plane": Plane, "bar": Bar}
RENAMED = {"kind": "hold"}
"""Fields of a grip whose name another thing has in the data."""
NEEDED = ("duration", "dt", "controls")
"""Without these there is no motion."""
KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    **dict.fromkeys(("transitions", "nails", "locked", "allowed"), ((list, tuple), "a list")),
    **dict.fromkeys(("controls", "muscles", "masses", "strengths", "first"), (Mapping, "values by name")),
}
"""What parts of the data are."""
FIRST = ("controls", "transitions", "muscles")
"""What is told of the motion as it was opened."""


def as_data(editor: Editor, first: Mapping[str, Any] | None = None) -> Data:
    """All that an editor holds, but for what hands drag; `first` is the motion as it was opened, if that was another one."""
    course = editor.course
    motion = {
        "controls": controls_data(editor.controls),
        "transitions": [transition_data(editor.model, transition) for transition in course.transitions],
        "muscles": dict(editor.muscles),
    }
    return {
        "duration": course.duration,
        "dt": course.dt,
        **{name: _plain(value) for name, value in course.before.items()},
        **dataclasses.asdict(course.joint_stiffness),
        **motion,
        "first": motion if first is None else dict(first),
        "nails": [constraint_data(editor.model, nail) for nail in editor.nails],
        "locked": list_locks(editor),
        "masses": dict(editor.masses),
        "strengths": dict(editor.strengths),
        "allowed": list(editor.allowed),
    }


def from_data(scene: Scene | Model, data: Mapping[str, Any]) -> Editor:
    """The editor that `as_data` returned; refuses what it cannot read by saying which part."""
    model = scene.model if isinstance(scene, Scene) else scene
    _check(model, data)
    editor = Editor(
        scene,
        duration=data["duration"],
        dt=data["dt"],
        transitions=_each(model, data, "transitions", read_transition),
        controls=_part(model, "controls", read_controls, data["controls"]),
        before=_before(model, data),
        allow=tuple(data.get("allowed", ())),
        muscles=data.get("muscles", {}),
        **{field.name: data[field.name] for field in dataclasses.fields(JointStiffness) if field.name in data},
    )
    editor.nails.extend(_each(model, data, "nails", lambda entry: read_constraint(model, entry)))
    for attribute, body in _each(model, data, "locked", _lock):
        editor.lock(attribute, body=body or None)
    editor.set_resistance(data.get("masses", {}))
    editor.strengths.update(data.get("strengths", {}))
    editor.check()
    return editor


def _check(model: Model, data: Any) -> None:
    """Refuse data whose parts are missing or of another kind."""
    if not isinstance(data, Mapping):
        raise InputError(f"an edit of model '{model.name}' is {data!r}; expected what `as_data` writes, by name")
    for name in NEEDED:
        if data.get(name) is None:
            raise InputError(
                f"an edit of model '{model.name}' has no '{name}'; found {', '.join(data) or 'nothing'}; expected "
                f"{', '.join(NEEDED)} at least, as `as_data` writes them"
            )
    _check_kinds(model, data)
    first = data.get("first", {})
    for name in first:
        if name not in FIRST:
            raise InputError(
                f"'first' of an edit of model '{model.name}' has '{name}'; expected {', '.join(FIRST)}, as `as_data` writes them"
            )
    _check_kinds(model, first)
    _each(model, first, "transitions", read_transition)
    if "controls" in first:
        _part(model, "first controls", read_controls, first["controls"])


def _check_kinds(model: Model, data: Mapping[str, Any]) -> None:
    for name, (kind, words) in KINDS.items():
        if name in data and not isinstance(data[name], kind):
            raise InputError(f"'{name}' of an edit of model '{model.name}' is {data[name]!r}; expected {words}")


def _before(model: Model, data: Mapping[str, Any]) -> dict[str, Any] | None:
    """The acceleration and the length of the step before the start, if there was one."""
    if data.get("last") is None:
        return None
    last = _part(model, "last", lambda value: number(value, "the step before the start", "s", least=0.0), data["last"])
    known = data.get("vdot")
    vdot = None if known is None else _part(model, "vdot", lambda value: _finite(value, model.nv), known)
    return {"vdot": vdot, "last": last}


def _finite(values: Any, count: int) -> Any:
    found = np.array(values, float)
    if found.shape != (count,) or not np.all(np.isfinite(found)):
        raise InputError(f"found {values!r}; expected {count} finite numbers")
    return found


def _each(model: Model, data: Mapping[str, Any], name: str, read: Callable[[Any], Any]) -> list[Any]:
    return [_part(model, f"{name} {k}", read, entry) for k, entry in enumerate(data.get(name, ()), start=1)]


def _part(model: Model, what: str, read: Callable[[Any], Any], value: Any) -> Any:
    """A part as it is read, or which one it was, and what is wrong with it."""
    where = f"'{what}' of an edit of model '{model.name}'"
    try:
        return read(value)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    except KeyError as error:
        raise InputError(f"{where} has no {error}; found {value!r}; expected what `as_data` writes") from error
    except (TypeError, AttributeError, ValueError) as error:
        raise InputError(f"{where} is {value!r}; expected what `as_data` writes ({error})") from error


def _lock(entry: Any) -> tuple[str, str]:
    attribute, body = entry
    return attribute, body


# --- controls ---


def controls_data(controls: Controls) -> Data:
    """Controls as plain data."""
    return {field.name: _plain(getattr(controls, field.name)) for field in dataclasses.fields(controls)}


def read_controls(data: Mapping[str, Any]) -> Controls:
    """The controls that `controls_data` returned; a field that came after they were written is as it is at the beginning."""
    kinds = get_type_hints(Controls)
    for name in data:
        if name not in kinds:
            raise InputError(f"control '{name}' is unknown; choose one of: {', '.join(kinds)}")
    return Controls(**{name: _control(kinds[name], value) for name, value in data.items()})


def _control(kind: Any, value: Any) -> Any:
    """A value as the annotation of its field says."""
    if kind == tuple[FloatArray, ...]:
        return tuple(np.array(part, float) for part in value)
    if kind == tuple[float, ...]:
        return tuple(math.nan if part is None else float(part) for part in value)
    return np.array(value, float)


# --- transitions ---


def transition_data(model: Model, transition: Transition) -> Data:
    """A transition as plain data."""
    kind = next(name for name, made in TRANSITIONS.items() if type(transition) is made)
    values = {field.name: getattr(transition, field.name) for field in dataclasses.fields(transition)}
    del values["when"]
    if "body" in values:
        values["body"] = model.specs[model.body(values["body"]).index].name
    timing = transition.timing
    if isinstance(timing, At):
        when: Data = {"time": float(timing.time), "free": timing.free}
    else:
        surface = next(name for name, made in SURFACES.items() if type(timing.surface) is made)
        when = {surface: {name: _plain(value) for name, value in dataclasses.asdict(timing.surface).items()}}
    return {"kind": kind, "when": when, **{RENAMED.get(name, name): _plain(value) for name, value in values.items()}}


def read_transition(data: Mapping[str, Any]) -> Transition:
    """The transition that `transition_data` returned."""
    if data.get("kind") not in TRANSITIONS:
        raise InputError(f"transition '{data.get('kind')}' is unknown; choose one of: {', '.join(TRANSITIONS)}")
    made = TRANSITIONS[data["kind"]]
    names = {RENAMED.get(field.name, field.name): field.name for field in dataclasses.fields(made)}
    values = {names[name]: _tuples(value) for name, value in data.items() if name not in ("kind", "when")}
    return made(when=_read_timing(data["when"]), **values)


def _read_timing(when: Mapping[str, Any]) -> At | Touch:
    if "time" in when:
        return At(float(when["time"]), bool(when.get("free", False)))
    for name, made in SURFACES.items():
        if name in when:
            return Touch(made(**{key: _tuples(value) for key, value in when[name].items()}))
    raise InputError(f"a transition happens {dict(when)!r}; expected a time, a plane or a bar")


# --- constraints ---


def constraint_data(model: Model, constraint: Constraint) -> Data:
    """A constraint as plain data."""
    values = {field.name: _plain(getattr(constraint, field.name)) for field in dataclasses.fields(constraint)}
    return {"kind": constraint.kind, **values, "body": model.specs[constraint.body].name}


def read_constraint(model: Model, data: Mapping[str, Any]) -> Constraint:
    """The constraint that `constraint_data` returned."""
    kinds = list_kinds()
    if data.get("kind") not in kinds:
        raise InputError(
            f"a constraint of kind '{data.get('kind')}' is unknown; choose one of: {', '.join(sorted(kinds))}"
        )
    values: Data = {name: value for name, value in data.items() if name != "kind"}
    for name, value in values.items():
        values[name] = np.array(value, float) if isinstance(value, (list, tuple)) else value
    values["body"] = model.body(data["body"]).index
    return kinds[data["kind"]](**values)


# --- what may change ---


def list_locks(editor: Editor) -> list[list[str]]:
    """What is locked: attributes of everything, with an empty name, or of single bodies."""
    out: list[list[str]] = []
    model, columns, mask = editor.model, editor.every, editor.locked
    for attribute in dict.fromkeys(find_attribute(model, column) for column in columns):
        if mask[mask_columns(model, columns, (attribute,), None)].all():
            out.append([attribute, ""])
            continue
        for spec in model.specs:
            some = mask[mask_columns(model, columns, (attribute,), spec.name)]
            if len(some) and some.all():
                out.append([attribute, spec.name])
    return out


# --- numbers ---


def _plain(value: Any) -> Any:
    """A value as JSON holds it."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (tuple, list)):
        return [_plain(part) for part in value]
    if isinstance(value, (float, np.floating)):
        return None if math.isnan(value) else float(value)
    return int(value) if isinstance(value, np.integer) else value


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value
