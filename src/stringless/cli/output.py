"""What the commands print: tables, JSON, progress."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table


def out() -> Console:
    """Console on stdout. Made when needed, so that a test's redirection is seen."""
    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def err() -> Console:
    """Console on stderr: progress and remarks, never results."""
    return Console(highlight=False, stderr=True)


# --- JSON -----------------------------------------------------------------------------------------------------------


def write_json(document: object) -> None:
    """Write one JSON document to stdout; numbers that JSON cannot hold (inf, NaN) become null."""

    def make_plain(value: Any) -> Any:
        return value.tolist() if hasattr(value, "tolist") else str(value)  # NumPy's, without importing NumPy

    encoded = msgspec.json.encode(document, enc_hook=make_plain)
    sys.stdout.write(msgspec.json.format(encoded, indent=2).decode() + "\n")
    sys.stdout.flush()


def answer(document: object, as_json: bool, *shown: str | Table) -> None:
    """Print `document` for a program, or what is `shown` of it for a person."""
    if as_json:
        write_json(document)
        return
    console = out()
    for each in shown:
        console.print(each)


def remarks(*, quiet: bool) -> Callable[[str], None]:
    """What prints a remark on stderr, unless a program reads along."""
    return lambda remark: None if quiet else err().print(text(remark))


# --- tables ---------------------------------------------------------------------------------------------------------


def table(rows: Sequence[Mapping[str, Any]], *, title: str = "") -> Table:
    """A table of records, one column for every key that occurs, in order of appearance."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    result = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for key in keys:
        numeric = all(isinstance(row.get(key), int | float) or row.get(key) is None for row in rows)
        result.add_column(key.replace("_", " "), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        result.add_row(*(text(row.get(key)) for key in keys))
    return result


def facts(pairs: Sequence[tuple[str, str]]) -> Table:
    """Two columns: a name and its value."""
    result = Table.grid(padding=(0, 2))
    result.add_column(style="bold")
    result.add_column(overflow="fold")
    for name, value in pairs:
        result.add_row(name, value)
    return result


def text(value: Any) -> str:
    """One cell; `[` is escaped because rich would read it as a style."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value).replace("[", r"\[")


# --- progress -------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def compile_progress(*, quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
    """A bar that names the kernel being compiled; what is yielded takes (name, done, total).

    Nothing is shown when nothing is compiled, nor when a program reads along (`quiet`).
    """
    console = err()
    columns = (TextColumn("compiling"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    bar = Progress(*columns, TimeElapsedColumn(), console=console, transient=True)
    shown = console.is_terminal and not quiet
    task = None

    def report(name: str, done: int, total: int) -> None:
        nonlocal task
        if quiet:
            return
        if task is None:
            console.print("First run: compiling the kernels. Later runs find them compiled.")
            task = bar.add_task(name, total=total)
            if shown:
                bar.start()
        bar.update(task, description=name, completed=done, total=total)

    try:
        yield report
    finally:
        if shown:
            bar.stop()


@contextlib.contextmanager
def progress(what: str, total: float = 1.0, *more: str, quiet: bool) -> Iterator[Callable[[float], None]]:
    """A bar over anything; what is yielded takes how much of `total` is done."""
    console = err()
    columns = (TextColumn(what), BarColumn(), *map(TextColumn, more), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
