"""Files from elsewhere and our own. A format is one module or package here; `registry` finds them and lists them."""

import importlib
import pkgutil

from stringless.formats.meshes import read_surface
from stringless.formats.mjcf import read_mjcf
from stringless.formats.registry import (
    Format,
    list_formats,
    list_readers,
    list_suffixes,
    list_writers,
    register,
    register_reader,
    register_writer,
)
from stringless.formats.toml import read_toml, write_toml
from stringless.formats.urdf import read_urdf

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = [
    "Format",
    "list_formats",
    "list_readers",
    "list_suffixes",
    "list_writers",
    "read_mjcf",
    "read_surface",
    "read_toml",
    "read_urdf",
    "register",
    "register_reader",
    "register_writer",
    "write_toml",
]
