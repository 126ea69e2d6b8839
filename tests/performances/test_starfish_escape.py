"""The starfish gets out of its box, whatever it is made of."""

from typing import Any

import pytest

from stringless.performances.starfish_escape import StarfishEscape


@pytest.mark.parametrize("changes", [{}, {"young": 20e3}, {"young": 30e3}, {"cells": (18, 2, 18)}])
def test_starfish_escape(changes: dict[str, Any]) -> None:
    show = StarfishEscape(watch=True, **changes).run()
    assert show.facts["off_parabola"] < 1e-9
    assert show.facts["strings"] < 1e-9
