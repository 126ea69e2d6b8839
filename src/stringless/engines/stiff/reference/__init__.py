"""Solvers in maximal coordinates, to compare with (Hernández et al.)."""
