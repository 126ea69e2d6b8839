"""A patch leads from one document to another, and back."""

from __future__ import annotations

import copy
import json

from hypothesis import given
from hypothesis import strategies as st

from stringless.timeline.patch import apply, difference

KEYS = st.text(alphabet="ab/~0 ", max_size=3)
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(-2, 2), st.text(max_size=2))
DOCUMENTS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=14,
)


@given(st.dictionaries(KEYS, DOCUMENTS, max_size=4), st.dictionaries(KEYS, DOCUMENTS, max_size=4))
def test_a_patch_leads_there_and_back(before, after):
    kept = copy.deepcopy((before, after))
    there = json.loads(json.dumps(difference(before, after)))
    back = difference(after, before)
    assert apply(before, there) == after
    assert apply(after, back) == before
    assert (before, after) == kept, "neither document is touched"


@given(st.dictionaries(KEYS, DOCUMENTS, max_size=4))
def test_a_document_does_not_differ_from_itself(document):
    assert difference(document, copy.deepcopy(document)) == {}


def test_only_what_differs_is_named():
    before = {"goals": [{"id": 1, "target": [0.0, 1.0]}, {"id": 2, "target": [5.0, 5.0]}], "style": "torque"}
    after = {"goals": [{"id": 1, "target": [0.0, 1.0]}, {"id": 2, "target": [5.0, 6.0]}], "style": "torque"}
    assert difference(before, after) == {"/goals/1/target": [5.0, 6.0]}
    shared = apply(before, difference(before, after))
    assert shared["goals"][0] is before["goals"][0]
