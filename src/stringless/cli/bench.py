"""`stringless bench`: run one benchmark or all, and set the result beside what we promise."""

from __future__ import annotations

from stringless.cli import output


def run_bench(name: str, *, quick: bool, against: list[str], as_json: bool) -> None:
    """Run benchmark `name`, or every one for `all`, and print rows and claims."""
    from stringless.bench import run as measure

    def report(text: str) -> None:
        if not as_json:
            output.err().print(output.text(text))

    result = measure(name, quick=quick, against=against, report=report)
    if as_json:
        output.write_json(result)
        return
    machine = ", ".join(f"{key} {value}" for key, value in result["machine"].items())
    console = output.out()
    console.print(output.text(machine))
    console.print(output.table(result["rows"], title=result["bench"]))
    console.print()
    console.print(output.table(result["claims"], title="claims"))
