"""Interchangeable ways to advance a state."""
