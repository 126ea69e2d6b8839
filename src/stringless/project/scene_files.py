"""A scene inside a project: our own scene file and the meshes beside it, so that it opens on any machine."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from stringless.formats import read_toml, write_toml
from stringless.model import Scene
from stringless.timeline.store import Store

NAME = "scene.toml"


def keep_scene(store: Store, scene: Scene) -> dict[str, str]:
    """Put a scene into a store; the names of its files to where they are kept."""
    with tempfile.TemporaryDirectory() as folder:
        write_toml(scene, Path(folder) / NAME)
        return {file.name: store.put_blob(file.read_bytes()) for file in sorted(Path(folder).iterdir())}


def kept_scene(store: Store, files: dict[str, Any]) -> Scene:
    """A scene from a store, to the last bit what was put there."""
    with tempfile.TemporaryDirectory() as folder:
        for name, kept in files.items():
            (Path(folder) / Path(name).name).write_bytes(store.read_blob(kept))
        return read_toml(Path(folder) / NAME)
