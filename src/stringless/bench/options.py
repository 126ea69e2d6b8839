"""What every benchmark is given, and what it returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from stringless.bench.peers.base import Peer

Report = Callable[[str], None]
Row = dict[str, Any]


def be_quiet(text: str) -> None:
    """Report nothing."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """How to measure."""

    quick: bool = False
    """Fewer repeats and sizes: within 30 s after compilation."""
    peers: Sequence[Peer] = ()
    """The programs to measure beside us, installed or not."""
    report: Report = be_quiet
    """Is told what is being measured."""


class Measured(NamedTuple):
    """What was found, and whether it is what we promise."""

    rows: list[Row]
    claims: list[Row]
