"""A motion as one page that anybody can open and play, with nothing to install: the stage of the studio without the studio."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from stringless.errors import InputError
from stringless.formats.registry import register_writer

if TYPE_CHECKING:
    from stringless.formats.output.clip import Clip

PLAYER = Path(__file__).with_name("page") / "player.html"
"""The page without a motion."""
PLACE = "__MOTION__"
"""Where the motion goes."""


@register_writer(
    "Page",
    suffixes=(".html",),
    description="a page that plays the motion in any browser, from a disk and with nothing to install",
    media_type="text/html",
    rank=20,
)
def write_page(
    clip: Clip, path: Path, *, title: str = "", description: str = "", progress: Callable[[float], object]
) -> None:
    """Write a clip.

    Args:
        clip: what to write.
        path: where to write.
        title: shown on the page; the name of the scene if not given.
        description: a sentence below the title; that of the scene if not given.
        progress: told what share is done.
    """
    if not PLAYER.is_file():
        raise InputError(
            f"cannot write '{path}': the page that plays motions is not built; run `make page` in the sources"
        )
    from stringless.formats.output.whole_file import write_whole
    from stringless.studio.builders.motion import pack_motion

    motion = pack_motion(clip, title, description, progress)
    page = PLAYER.read_bytes().replace(PLACE.encode(), motion, 1)
    write_whole(path, lambda file: file.write(page))
    progress(1.0)
