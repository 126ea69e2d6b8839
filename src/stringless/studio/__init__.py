"""The studio: a local server, a simulation thread and the page they serve."""
