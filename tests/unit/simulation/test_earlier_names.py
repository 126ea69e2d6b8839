"""Public names of earlier versions go on working, with a warning that names the new one."""

from __future__ import annotations

import numpy as np
import pytest

import stringless as sl


@pytest.fixture(scope="module")
def sim():
    sim = sl.Simulation(sl.load("double_pendulum"))
    sim.advance(0.1)
    return sim


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("begin", ()),
        ("end", ()),
        ("lineage", ()),
        ("frame", (0.05,)),
        ("frames", (0.0, 0.1)),
        ("events", (0.0, 0.1)),
        ("owner", (0.05,)),
    ],
)
def test_takes_are_asked_for_lanes(sim, name, arguments):
    with pytest.warns(DeprecationWarning, match=rf"argument 'lane' of \w+\.{name} is called 'branch' now"):
        found = getattr(sim.take, name)(*arguments, lane=1)
    expected = getattr(sim.take, name)(*arguments, branch=1)
    if name == "frames":
        assert [frame.time for frame in found] == [frame.time for frame in expected]
    elif name == "frame":
        assert found.time == expected.time
    else:
        assert found == expected


def test_lanes_of_a_take_are_its_branches(sim):
    with pytest.warns(DeprecationWarning, match=r"take\.lanes is called take\.branches now"):
        assert sim.take.lanes is sim.take.branches
    with pytest.warns(DeprecationWarning, match=r"position\.lane is called position\.branch now"):
        assert sim.position.lane == 1
    with pytest.warns(DeprecationWarning, match=r"piece\.lane is called piece\.branch now"):
        assert sim.take.lineage()[0].lane == 1
    with pytest.warns(DeprecationWarning, match=r"simulation\.copy_at is called simulation\.recording\.copy_at now"):
        copy, step = sim.copy_at(0.05)
    assert (step, copy.time) == (50, pytest.approx(0.05))
    with pytest.warns(DeprecationWarning, match=r"unlike_record is called simulation\.recording\.find_difference now"):
        assert sim.unlike_record() is None


def test_parts_of_a_simulation_belong_to_its_engine():
    sim = sl.Simulation(sl.load("robot"), record=0)
    with pytest.warns(DeprecationWarning, match=r"simulation\.stiff is called simulation\.engine now"):
        assert sim.stiff is sim.engine
    with pytest.warns(DeprecationWarning, match=r"simulation\.adaptive is called simulation\.engine now"):
        assert sim.adaptive is None
    with pytest.warns(DeprecationWarning, match=r"state\.bodies is called state\.kept now"):
        assert sim.state.bodies is sim.state.kept
    with pytest.warns(DeprecationWarning, match=r"simulation\.workspace is called simulation\.engine\.workspace now"):
        workspace = sim.workspace
    with pytest.warns(DeprecationWarning, match=r"touch is called fleshworkspace\.contact_forces now"):
        assert workspace.touch is workspace.contact_forces
    with pytest.warns(DeprecationWarning, match=r"probes is called fleshworkspace\.samples now"):
        np.testing.assert_array_equal(workspace.probes["body"], workspace.samples["body"])
