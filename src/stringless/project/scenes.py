"""The scenes of a project: each as our own scene file with its meshes, so that it opens on any machine."""

import tempfile
from pathlib import Path
from typing import Any

from stringless.formats import read_toml, write_toml
from stringless.model import Scene
from stringless.timeline.store import Store

NAME = "scene.toml"
FIRST_ENGINE = {"engine": "reduced", "solver": "condensed", "update": "joints"}
"""What files of earlier versions were made with, which do not say all of it."""
SceneData = dict[str, Any]
"""Name, source, files and engine of a scene, as the document has it."""


def keep_scene(store: Store, scene: Scene) -> dict[str, str]:
    """Put a scene into a store; the names of its files with their places in the store."""
    with tempfile.TemporaryDirectory() as folder:
        write_toml(scene, Path(folder) / NAME)
        return {file.name: store.put_blob(file.read_bytes()) for file in sorted(Path(folder).iterdir())}


def read_scene(store: Store, files: dict[str, Any]) -> Scene:
    """A scene from a store, to the last bit what was put there."""
    with tempfile.TemporaryDirectory() as folder:
        for name, kept in files.items():
            (Path(folder) / Path(name).name).write_bytes(store.read_blob(kept))
        return read_toml(Path(folder) / NAME)


def scene_id(data: SceneData) -> str:
    """What distinguishes a scene: its file, and the engine it runs with if that is not the first we had."""
    chosen = [data.get(name, usual) for name, usual in FIRST_ENGINE.items()]
    others = [value for value, usual in zip(chosen, FIRST_ENGINE.values(), strict=True) if value != usual]
    return " ".join([data["files"][NAME], *others])


class Scenes:
    """All scenes that branches of a project show."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[str, Scene] = {}

    def add(self, data: SceneData, scene: Scene | None = None) -> None:
        """Remember a scene for as long as there may be branches that show it; `scene` is it, if it was read already."""
        known = self._store.get("scenes") or {}
        if scene_id(data) not in known and not self._store.readonly:
            self._store.set("scenes", known | {scene_id(data): data})
        if scene is not None:
            self._read[scene_id(data)] = scene

    def find_data(self, name: str) -> SceneData | None:
        """The data of a scene that was added."""
        return (self._store.get("scenes") or {}).get(name)

    def read(self, data: SceneData) -> Scene:
        """A scene by its data."""
        name = scene_id(data)
        if name not in self._read:
            self._read[name] = read_scene(self._store, data["files"])
        return self._read[name]

    def find(self, name: str, usual: SceneData) -> Scene:
        """A scene by what distinguishes it; `usual` if it is unknown."""
        return self._read[name] if name in self._read else self.read(self.find_data(name) or usual)
