"""What every engine is to a simulation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stringless.contact.tables import ContactTables, retuned_contact
from stringless.control.director import Director
from stringless.engines.config import SimulationConfig
from stringless.engines.controls import Controls
from stringless.engines.features import Feature, features, require
from stringless.model.flesh import Flesh, FleshSpec
from stringless.model.model import Model
from stringless.state import State

if TYPE_CHECKING:
    from stringless.control.goals import Goal
    from stringless.model.scene import Scene

FloatArray = NDArray[np.float64]
REFERENCE_DT = 1e-3
"""Step that the tables of contact are made for, once; they are scaled from it to the one in use [s]."""


class Setup(NamedTuple):
    """What an engine works with: a scene's parameters, its flesh and its contact as they are now."""

    config: SimulationConfig
    flesh: Flesh | None
    contact: ContactTables


class Outcome(NamedTuple):
    """How a run of steps ended. A step that diverged is taken back."""

    done: int
    """Steps done."""
    coordinate: int = -1
    """Velocity coordinate that diverged, -1 if none did."""
    node: int = -1
    """Node of the flesh that diverged, -1 if none did."""


class Substeps(NamedTuple):
    """How often steps were done in shorter ones since the simulation began."""

    steps: int
    """Steps that were divided."""
    most: int
    """Into how many parts at most; 1 if none was divided."""


class Engine(ABC):
    """A way to advance a state. It owns its tables and scratch, and `State.kept`, what it keeps of every body."""

    name: ClassVar[str]
    implicit: ClassVar[bool] = False
    """Whether a step is solved for where it ends, so that it may be long."""
    workspace: Any = None
    """Tables and scratch of flesh and contact, where there are any."""
    one_step_calls: ClassVar[bool] = True
    """Whether springs to the world are evaluated before every single step, and not within the kernel."""

    def __init__(self, scene: Scene, setup: Setup) -> None:
        """Make tables and scratch for a scene.

        Raises:
            InputError: the scene has something that this engine does not support.
        """
        self.scene, self.model = scene, scene.model
        self.config, self.flesh, self.contact = setup
        for feature, what in self.demands():
            self.require(feature, what)

    def demands(self) -> list[tuple[Feature, str]]:
        """What the scene asks of an engine, and where."""
        model, contact = self.model, self.contact
        whose = f", which model '{model.name}' has"
        loops = ", ".join(f"'{loop.name}'" for loop in model.loop_specs)
        found = (
            (Feature.FLESH, model.flesh is not None, whose),
            (Feature.LOOPS, bool(model.loop_specs), f" ({loops}), which model '{model.name}' has"),
            (Feature.CONTACT, not contact.empty, whose),
        )
        return [(feature, what) for feature, is_there, what in found if is_there]

    # --- what parameters come to ---

    @classmethod
    def flesh_dt(cls, config: SimulationConfig, parts: Sequence[FleshSpec]) -> float:
        """Length of the steps that flesh is moved by [s]."""
        return config.dt

    @classmethod
    def scaled_contact(
        cls, tables: ContactTables, config: SimulationConfig, model: Model, parts: Sequence[FleshSpec]
    ) -> ContactTables:
        """Tables of contact that are as stiff as the engine's step safely allows; `tables` are those for `REFERENCE_DT`."""
        dt = cls.flesh_dt(config, parts)
        return retuned_contact(
            tables, ratio=REFERENCE_DT / dt, friction=config.friction, self_contact=config.self_contact
        )

    def advice(self) -> list[str]:
        """Warnings about parameters that are likely to diverge, with what would not."""
        return []

    def step_problem(self) -> str:
        """Why steps of the length that was chosen cannot be taken, with what can; empty if they can."""
        return ""

    def ignored(self, director: Director | None) -> dict[str, str]:
        """A sentence for each thing that was set and has no effect with this engine, by a key."""
        return {}

    # --- what it can do ---

    def supports(self, feature: Feature) -> bool:
        """Whether this engine, with its options, can do something."""
        return feature in features(self.config)

    def require(self, feature: Feature, what: str = "") -> None:
        """Refuse what this engine cannot do, in one sentence that says what can."""
        require(self.config, feature, what)

    # --- running ---

    @abstractmethod
    def new_state(self) -> State:
        """The scene's initial state."""

    @abstractmethod
    def run(self, controls: Controls, state: State, steps: int) -> Outcome:
        """Advance the state in place."""

    @abstractmethod
    def kernel(self, controls: Controls) -> Any:
        """The compiled entry that `run` would call."""

    @abstractmethod
    def use(self, setup: Setup) -> None:
        """Go on with other parameters."""

    @abstractmethod
    def copy(self) -> Engine:
        """Another one for the same scene with scratch of its own: both may run at once."""

    def prepare_goals(self) -> None:
        """Make room for what directing needs."""
        self.require(Feature.GOALS)

    def check_directed(self, config: SimulationConfig) -> None:  # noqa: B027  most engines direct with any
        """Refuse parameters with which no character can be directed."""

    def forget(self) -> None:  # noqa: B027  most engines keep nothing of the last step
        """Drop what belongs to the last step: the state was put elsewhere."""

    # --- what it knows about the last steps ---

    def contact_forces(self) -> FloatArray:
        """Force on every contact sample, skin vertices first, shape (m, 3) [N]."""
        return np.zeros((0, 3)) if self.workspace is None else self.workspace.contact_forces

    def reaction(self, goal: Goal) -> FloatArray:
        """Wrench of a goal's spring on its body in the last step, moment first, along world axes."""
        return np.zeros(6)

    def kinetic_energy(self, state: State, usual: float) -> float:
        """Kinetic energy of the bodies [J]; `usual` is that of q and v."""
        return usual

    @property
    def joint_gap(self) -> float:
        """Largest gap of a joint or a closed loop in the last steps [m, or rad for loops]."""
        return 0.0

    @property
    def substeps(self) -> tuple[int, int]:
        """Steps that were divided so far, and how often one was halved at most."""
        return 0, 0

    def sleeping(self, state: State) -> int:
        """How many characters are at rest and cost nothing until something changes."""
        return 0

    def active_joints(self, state: State) -> NDArray[np.bool_]:
        """Which joints move, by their number."""
        return self.model.tree["nv"] > 0

    def rigidification_errors(self, state: State) -> dict[str, float | None]:
        """Error of the joints rigidified at each character's last active-region update, by the name of its root body."""
        return {}

    @property
    def flesh_parts(self) -> int:
        """Into how many explicit steps of the flesh an implicit step of the bones is divided, 0 if bones are explicit too."""
        return 0

    # --- level of detail ---

    def set_view(self, config: SimulationConfig) -> None:
        """Take over the view of other parameters, as `use` would, at little cost."""
        self.require(Feature.LEVEL_OF_DETAIL)

    def share_out(self, q: FloatArray, total: int) -> int | None:
        """The budget of a character that fills the picture with which at most `total` joints move; None if none can be chosen."""
        self.require(Feature.LEVEL_OF_DETAIL)

    def selectable_joints(self) -> NDArray[np.int64]:
        """How many joints of each character move only while they are selected."""
        return np.zeros(np.count_nonzero(self.model.tree["parent"] < 0), dtype=np.int64)

    def view_shares(self, state: State) -> FloatArray:
        """How large each character was seen at its last active-region update, as a share of the picture."""
        return np.zeros(np.count_nonzero(self.model.tree["parent"] < 0))
