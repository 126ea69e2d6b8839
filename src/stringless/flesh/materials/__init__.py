"""Laws of elasticity, one file each."""
