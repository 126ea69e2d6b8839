"""`stringless bench` and `stringless soak`: how fast it is beside what we promise, and whether it breaks."""

from typing import Annotated

import typer

from stringless.cli import output
from stringless.cli.options import Json


def bench(
    name: Annotated[str, typer.Argument(help="Which benchmark, or all.")] = "all",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repeats: within 30 s after compilation.")] = False,
    against: Annotated[str, typer.Option(help="Programs to measure beside us, as pinocchio,dart,mujoco.")] = "",
    as_json: Json = False,
) -> None:
    """Measure speed, beside other programs in the same run, and compare with what we promise."""
    from stringless.bench import run as measure

    peers = [peer.strip() for peer in against.split(",") if peer.strip()]
    result = measure(name, quick=quick, against=peers, report=output.remarks(quiet=as_json))
    machine = ", ".join(f"{key} {value}" for key, value in result["machine"].items())
    rows = output.table(result["rows"], title=result["bench"])
    output.answer(result, as_json, output.text(machine), rows, "", output.table(result["claims"], title="claims"))


def soak(
    seconds: Annotated[float, typer.Option(min=1.0, help="How long to go on [s].")] = 600.0,
    seed: Annotated[int, typer.Option(help="Seed of the random actions.")] = 1,
    as_json: Json = False,
) -> None:
    """Direct at random in a studio of its own, and see that nothing breaks and nothing grows."""
    from stringless.studio.soak import soak as direct_at_random

    found = direct_at_random(seconds, seed=seed, report=output.remarks(quiet=as_json))
    rows: list[tuple[str, str]] = []
    for name, value in found.as_dict().items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        rows += [(f"{name} {part}".strip().replace("_", " "), output.text(each)) for part, each in parts]
    output.answer(found.as_dict(), as_json, output.facts(rows))
    if found.errors:
        raise typer.Exit(1)
