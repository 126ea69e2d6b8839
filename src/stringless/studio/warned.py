"""Warnings of the simulation, brought to people instead of to a terminal that nobody looks at."""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from stringless.errors import StringlessWarning


@contextlib.contextmanager
def warnings_told(tell: Callable[[str], None]) -> Iterator[None]:
    """Hand our own warnings that this thread raises to `tell`, one text once until another comes.

    The filters and the hook belong to the whole process, so this is entered once for the life of a thread and not around
    every step; warnings of other threads go where they went before.
    """
    thread, last = threading.get_ident(), ""
    with warnings.catch_warnings():
        warnings.simplefilter("always", StringlessWarning)
        before = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
            nonlocal last
            if threading.get_ident() != thread or not issubclass(category, StringlessWarning):
                before(message, category, *rest, **more)
            elif str(message) != last:
                last = str(message)
                tell(last)

        warnings.showwarning = show
        yield
