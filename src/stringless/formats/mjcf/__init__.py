"""MJCF, MuJoCo's model format: nested bodies with joints and geoms, Z up, quaternions w first."""

from stringless.formats.mjcf.reader import read_mjcf

__all__ = ["read_mjcf"]
