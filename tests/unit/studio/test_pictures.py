"""Everything in the gallery has a picture; `make pictures` takes them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

import stringless
from stringless.performances import PERFORMANCES
from stringless.scenes import SCENES

FOLDER = Path(stringless.__file__).parent / "studio" / "pictures"
LARGEST = 20_000


@pytest.mark.parametrize("name", [*SCENES, *PERFORMANCES])
def test_there_is_a_small_picture(name):
    data = (FOLDER / f"{name}.webp").read_bytes()

    assert (data[:4], data[8:16]) == (b"RIFF", b"WEBPVP8X")
    width, height = (1 + int.from_bytes(data[at : at + 3], "little") for at in (24, 27))
    assert (width, height) == (480, 300)
    assert len(data) <= LARGEST


def test_there_is_no_picture_of_nothing():
    assert {path.stem for path in FOLDER.iterdir()} == {*SCENES, *PERFORMANCES}
