"""Directing: goals in, commands out."""
