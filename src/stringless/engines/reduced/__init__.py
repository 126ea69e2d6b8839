"""The default engine: joint coordinates, symplectic Euler, flesh, contact and directing (Kim & Pollard 2008)."""
