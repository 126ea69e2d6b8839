"""Contact: shapes that push back, penalty forces and anchored friction."""
