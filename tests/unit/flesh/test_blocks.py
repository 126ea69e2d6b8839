"""Elements in blocks: nothing lost, nothing mixed."""

import numpy as np
import pytest

from flesh_models import block, tables
from stringless.flesh.kernels_lanes import LANES, element_blocks
from stringless.model.flesh import freeze_flesh


def two_materials(first, second):
    """Elements of two bodies of flesh, `first` and `second` of them."""
    nodes, tets, _ = block(counts=(4, 4, 4))
    parts = [
        tables(nodes, tets[:count], material=name).specs[0]
        for name, count in (("stvk", first), ("neo_hookean", second))
    ]
    return freeze_flesh(parts, {}, {}, {}).elements


@pytest.mark.parametrize(
    ("first", "second", "counts"), [(64, 1, [64, 1]), (63, 65, [63, 64, 1]), (1, 130, [1, 64, 64, 2])]
)
def test_every_element_stands_in_a_block_of_its_material(first, second, counts):
    elements = two_materials(first, second)

    blocks = element_blocks(elements)

    assert list(blocks["count"]) == counts
    found = [
        (b["material"], *b["n"][:, l], *b["Dm_inv"][:, l], b["volume"][l]) for b in blocks for l in range(b["count"])
    ]
    given = [(row["material"], *row["n"], *row["Dm_inv"], row["volume"]) for row in elements]
    np.testing.assert_array_equal(found, given)


def test_lanes_beyond_the_count_are_zero():
    (last,) = element_blocks(two_materials(5, 0))
    assert last["n"].shape == (4, LANES)
    for name in ("n", "Dm_inv", "volume"):
        assert not np.any(last[name][..., 5:])


def test_no_elements_no_blocks():
    assert len(element_blocks(two_materials(1, 0)[:0])) == 0
