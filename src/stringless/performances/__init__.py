"""Performances: scenes directed by scripts, with the same goals that a hand would use.

Registered in `PERFORMANCES`. A performance switches on what it sees (contact, height, speed), not on the
clock, and says what makes it that motion.
"""

from stringless.errors import InputError
from stringless.model.checks import suggest
from stringless.performances.base import Performance, Show
from stringless.performances.donut_roll import DonutRoll
from stringless.performances.finger_turn import FingerTurn
from stringless.performances.fish import FishEscape, FishTurnover
from stringless.performances.hand_glove import HandGlove
from stringless.performances.lamp import LampBalance, LampHop
from stringless.performances.starfish_escape import StarfishEscape
from stringless.performances.worm_beat import WormBend, WormWave
from stringless.performances.worm_jumps import WormHop, WormJump, WormStretchJump
from stringless.performances.worm_limp import WormLimp
from stringless.performances.worm_roll import WormRoll

PERFORMANCES: dict[str, type[Performance]] = {
    act.name: act
    for act in (
        *(WormJump, WormStretchJump, WormHop, WormRoll, WormWave, WormBend, WormLimp),
        *(FishEscape, FishTurnover, FingerTurn, StarfishEscape, LampBalance, LampHop, DonutRoll, HandGlove),
    )
}


def find_performance(name: str) -> type[Performance]:
    """The performance of this name."""
    if name not in PERFORMANCES:
        raise InputError(f"there is no performance '{name}'. {suggest(name, PERFORMANCES)}")
    return PERFORMANCES[name]


__all__ = ["PERFORMANCES", "Performance", "Show", "find_performance"]
