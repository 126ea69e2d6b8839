"""Adaptive dynamics (Redon, Galoppo & Lin 2005): only the joints that matter move, the others are rigid."""
