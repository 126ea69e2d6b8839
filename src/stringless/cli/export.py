"""`stringless export`: a project's motion as a file for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stringless.cli import output


def export_project(
    project: Path,
    file: Path,
    *,
    lane: str | None,
    start: float | None,
    end: float | None,
    rate: float,
    options: dict[str, Any],
    as_json: bool,
) -> None:
    """Export and say what was written."""
    from stringless.project import Project, export

    with Project.open(project, readonly=True) as opened, output.share_progress("exporting", quiet=as_json) as report:
        chosen = int(lane) if lane is not None and lane.isdecimal() else lane
        path = export(opened, file, lane=chosen, start=start, end=end, rate=rate, progress=report, **options)
    size = path.stat().st_size
    if as_json:
        output.write_json({"project": str(project), "file": str(path), "bytes": size})
    else:
        output.out().print(output.text(f"{path}: {size / 1e6:.2f} MB"))
