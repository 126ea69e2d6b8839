"""Arrays of the controls, as attributes of the simulation."""

from typing import Any


class Signal:
    """One of the arrays of `Controls`, set and read on the simulation itself."""

    def __init__(self, text: str) -> None:
        self.__doc__ = text

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, sim: Any, owner: type | None = None) -> Any:
        return self if sim is None else getattr(sim.controls, self.name)

    def __set__(self, sim: Any, value: Any) -> None:
        setattr(sim.controls, self.name, value)
