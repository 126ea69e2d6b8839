"""`stringless bench`: run one benchmark or all, and set the result beside what we promise."""

from __future__ import annotations

from typing import Any

from stringless.cli import output
from stringless.errors import InputError


def run_bench(name: str, *, quick: bool, against: list[str], as_json: bool) -> None:
    """Run benchmark `name`, or every one for `all`, and print rows and claims."""
    from stringless.bench import BENCHES
    from stringless.bench import run as measure

    if name != "all" and name not in BENCHES:
        raise InputError(f"there is no benchmark '{name}'; there are: all, {', '.join(sorted(BENCHES))}")
    names = sorted(BENCHES) if name == "all" else [name]
    results: list[dict[str, Any]] = []
    for each in names:
        if not as_json:
            output.err().print(f"measuring {each} ...")
        results.append(measure(each, quick=quick, against=against))
    result = results[0] if name != "all" else merge(results)
    if as_json:
        output.write_json(result)
        return
    machine = ", ".join(f"{key} {value}" for key, value in result["machine"].items())
    console = output.out()
    console.print(output.text(machine))
    for each in results:
        console.print(output.table(each["rows"], title=each["bench"]))
        console.print()
    console.print(output.table(result["claims"], title="claims"))


def merge(results: list[dict[str, Any]]) -> dict[str, Any]:
    """One result of the same shape, with the benchmark's name in every row and claim."""
    return {
        "bench": "all",
        "machine": results[0]["machine"] if results else {},
        "rows": [{"bench": each["bench"], **row} for each in results for row in each["rows"]],
        "claims": [{"bench": each["bench"], **claim} for each in results for claim in each["claims"]],
    }
