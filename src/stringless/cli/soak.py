"""`stringless soak`: direct at random for a while, and say how it went."""

from __future__ import annotations

from stringless.cli import output


def run_soak(seconds: float, *, seed: int, as_json: bool) -> bool:
    """Soak, print what was found, and return whether all was well."""
    from stringless.studio.soak import soak

    def report(text: str) -> None:
        if not as_json:
            output.err().print(output.text(text))

    found = soak(seconds, seed=seed, report=report)
    if as_json:
        output.write_json(found.as_dict())
        return not found.errors
    rows: list[tuple[str, str]] = []
    for name, value in found.as_dict().items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        rows += [(f"{name} {part}".strip().replace("_", " "), output.text(each)) for part, each in parts]
    output.out().print(output.facts(rows))
    return not found.errors
