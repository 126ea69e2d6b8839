"""Loops over steps are compiled once for all simulations that have the same phases."""

import stringless as sl


def test_a_simulation_that_was_directed_leaves_bare_ones_alone():
    """A prepared director once brought tables of contact into a loop without contact, which other simulations then had to use."""
    directed = sl.Simulation(sl.load("double_pendulum"), record=0)
    directed.director.poses()
    directed.step()
    bare = sl.Simulation(sl.load("double_pendulum"), record=0)
    bare.step()
    assert (bare.q == directed.q).all()
