"""Bodies that several tests of flesh use."""

import numpy as np
import pytest

from stringless.flesh.generators import tube


@pytest.fixture(scope="session")
def worm():
    """The worm of the paper: 26 rings of 10 and two poles, 0.42 m long, 0.032 m in radius."""
    x = np.linspace(-0.21 + 0.032, 0.21 - 0.032, 22)
    return tube(np.stack([x, 0 * x, 0 * x], axis=1), np.full(22, 0.032), 10)
