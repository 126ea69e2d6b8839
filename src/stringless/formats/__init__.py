"""Files from elsewhere and our own: one reader, and where it makes sense one writer, per format."""

from stringless.formats.mjcf import read_mjcf
from stringless.formats.toml import read_toml, write_toml
from stringless.formats.urdf import read_urdf

__all__ = ["read_mjcf", "read_toml", "read_urdf", "write_toml"]
