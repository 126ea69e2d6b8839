"""Stringless: direct physically simulated characters that move by their own actuators."""

__version__ = "0.1.0"
