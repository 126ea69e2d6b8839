"""Slow and obvious versions of what the kernels compute: dense matrices, no cleverness, straight from the notes."""
