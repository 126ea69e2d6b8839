"""Which bone a node belongs to and which nodes are fixed; what cannot be attached is refused by name."""

import math

import numpy as np
import pytest

from stringless.errors import ModelError
from stringless.flesh.attachment import attach, distance
from stringless.model import BodySpec, JointSpec, Pose
from stringless.model.shapes import Shape
from stringless.scenes import bones

NODES = np.array([[0.0, 0.0, 0.0], [0.0, 0.3, 0.0], [1.0, 0.0, 0.0], [1.0, 0.06, 0.0], [0.4, 0.5, 0.0]])


def pair():
    """Two balls of radius 0.05, at x = 0 and x = 1."""
    ball = bones.sphere((0.0, 0.0, 0.0), 0.05)
    return [
        BodySpec(name="left", joint=JointSpec(kind="free"), shapes=(ball,)),
        BodySpec(
            name="right", parent="left", joint=JointSpec(kind="ball"), place=Pose((1.0, 0.0, 0.0)), shapes=(ball,)
        ),
    ]


def test_nodes_inside_a_bone_are_fixed_and_the_others_go_to_the_nearest():
    owner, fixed = attach(NODES, pair())
    assert owner == ("left", "left", "right", "right", "left")
    assert list(fixed) == [True, False, True, False, False]


def test_nodes_within_a_distance_are_fixed_too():
    _, fixed = attach(NODES, pair(), within=0.011)
    assert list(fixed) == [True, False, True, True, False]


def test_nodes_can_be_fixed_by_list():
    owner, fixed = attach(NODES, pair(), fixed={"right": [4]})
    assert owner[4] == "right"
    assert list(fixed) == [True, False, True, False, True]


def test_only_the_chosen_bones_hold():
    owner, fixed = attach(NODES, pair(), bones=["right"])
    assert set(owner) == {"right"}
    assert list(fixed) == [False, False, True, False, False]


def test_bone_with_nothing_to_hold_is_named():
    far = [*pair(), BodySpec(name="tail", parent="right", joint=JointSpec(), place=Pose((5.0, 0.0, 0.0)))]
    attach(NODES, far)  # a body without shapes holds nothing and is not asked to
    far[-1] = BodySpec(
        name="tail", parent="right", joint=JointSpec(), place=Pose((5.0, 0.0, 0.0)), shapes=pair()[0].shapes
    )
    with pytest.raises(ModelError, match="bone 'tail': found no node of the cage to hold") as caught:
        attach(NODES, far)
    assert "finer cage" in str(caught.value)
    assert "`within`" in str(caught.value)
    assert len(caught.value.problems) == 1
    attach(NODES, far, bones=["left", "right"])
    attach(NODES, far, fixed={"tail": [4]})


@pytest.mark.parametrize("options", [{"bones": ["rihgt"]}, {"fixed": {"rihgt": [0]}}])
def test_unknown_bone_is_named_with_a_suggestion(options):
    with pytest.raises(ModelError, match="bone 'rihgt'") as caught:
        attach(NODES, pair(), **options)
    assert "Did you mean 'right'?" in str(caught.value)


def test_bone_without_a_shape_cannot_be_chosen():
    specs = [*pair(), BodySpec(name="bare", parent="right", joint=JointSpec())]
    with pytest.raises(ModelError, match="bone 'bare'"):
        attach(NODES, specs, bones=["left", "right", "bare"])


def test_skeleton_without_shapes_is_refused():
    with pytest.raises(ModelError, match="no bone with a shape"):
        attach(NODES, [BodySpec(name="bare", joint=JointSpec())])


@pytest.mark.parametrize("node", [5, -6])
def test_node_that_does_not_exist_is_refused(node):
    with pytest.raises(ModelError, match=f"node {node}"):
        attach(NODES, pair(), fixed={"left": [node]})


TURN = Pose((0.2, -0.1, 0.3), (math.sin(0.4), 0.0, 0.0, math.cos(0.4)))


@pytest.mark.parametrize(
    ("kind", "size", "inside", "outside"),
    [
        ("sphere", (0.2,), [((0.1, 0.0, 0.0), -0.1)], [((0.0, 0.5, 0.0), 0.3)]),
        ("capsule", (0.1, 0.3), [((0.0, 0.05, 0.2), -0.05)], [((0.0, 0.0, 0.5), 0.1), ((0.3, 0.0, 0.0), 0.2)]),
        ("box", (0.1, 0.2, 0.3), [((0.05, 0.0, 0.0), -0.05)], [((0.4, 0.6, 0.0), 0.5)]),
        ("cylinder", (0.1, 0.3), [((0.0, 0.0, 0.28), -0.02)], [((0.0, 0.0, 0.35), 0.05), ((0.13, 0.0, 0.34), 0.05)]),
    ],
)
def test_distance_to_a_shape(kind, size, inside, outside):
    shape = Shape(kind=kind, size=size, place=TURN)
    place = Pose((1.0, 2.0, 3.0), (0.0, math.sin(0.2), 0.0, math.cos(0.2)))
    for local, expected in [*inside, *outside]:
        world = np.array([(place @ TURN).apply(local)])
        assert distance(shape, place, world)[0] == pytest.approx(expected, abs=1e-12)


def test_plane_cannot_hold_flesh():
    with pytest.raises(ModelError, match="kind 'plane'"):
        distance(Shape(kind="plane", name="floor"), Pose(), NODES)


def test_a_free_node_between_two_arms_belongs_to_what_carries_both():
    """Damped against one of them, it would pull a symmetric body to that side."""
    ball = bones.sphere((0.0, 0.0, 0.0), 0.05)
    specs = [BodySpec(name="middle", joint=JointSpec(kind="free"), shapes=(ball,))]
    for name, x in (("left", -1.0), ("right", 1.0)):
        place = Pose((x, 2.0, 0.0))
        specs.append(BodySpec(name=name, parent="middle", joint=JointSpec(kind="ball"), place=place, shapes=(ball,)))
    nodes = np.array([(0.0, 0.0, 0.0), (-1.0, 2.0, 0.0), (1.0, 2.0, 0.0), (0.0, 3.0, 0.0), (1e-16, 3.0, 0.1)])
    for order in (specs, specs[::-1]):
        assert attach(nodes, order)[0] == ("middle", "left", "right", "middle", "middle")
    # Without their parent among the holders, one of the two must do.
    assert attach(nodes[1:], specs, bones=["left", "right"])[0][2] == "left"
    # A fixed node stays with a bone that holds it.
    owner, fixed = attach(nodes, specs, within=1.365)
    assert (owner[3], fixed[3]) == ("left", True)
