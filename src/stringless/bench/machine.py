"""What the figures were measured on."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stringless.bench.peers.base import Peer


def describe_machine(peers: Sequence[Peer]) -> dict[str, Any]:
    """Processor, interpreter, our compiler, and the version of every peer (None where it is not installed)."""
    return {
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": importlib.metadata.version("numpy"),
        "numba": importlib.metadata.version("numba"),
        "peers": {peer.name: peer.available() for peer in peers},
    }


def cpu_name() -> str:
    """The processor's own name for itself, or what the platform calls it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()
