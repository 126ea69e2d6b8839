"""The editing benchmark: its answer is complete, its claims can fail, every turn does the same work."""

from __future__ import annotations

import json

import numpy as np
import pytest

from stringless import bench
from stringless.bench import editing
from stringless.bench.harness import Options


@pytest.fixture
def small(monkeypatch, hasty):
    """Two links, and each contestant no longer than it must."""
    monkeypatch.setattr(editing, "QUICK_LINKS", (2,))


@pytest.mark.usefixtures("small")
def test_the_answer_is_complete():
    document = json.loads(json.dumps(bench.run("editing", quick=True)))
    (row,) = document["rows"]
    assert (row["case"], row["columns"]) == ("ball chain 2", 12)
    assert all(row[part] > 0 for part in (editing.PLAIN, editing.ROLL, editing.SOLVE, editing.EDIT))
    assert len(document["claims"]) == 6
    assert not any(claim["holds"] for claim in document["claims"]), "what was not measured does not hold"


@pytest.mark.usefixtures("small")
def test_a_peer_that_was_not_asked_for_is_said_to_be_missing():
    (row,) = editing.measure(Options(quick=True))
    assert "pinocchio was not asked for" in row["note"]


@pytest.mark.parametrize(("edits", "holds"), [(101.0, True), (99.0, False)])
def test_claims_follow_the_rows(edits, holds):
    row = {"case": "ball chain 10", "columns": 60, "edits per second": edits, "overhead": 15.0, "ratio": 0.4}
    found = list(editing.claims([row]))
    assert [claim["holds"] for claim in found[:3]] == [holds, True, True]


@pytest.mark.parametrize("links", editing.LINKS)
def test_every_chain_can_do_what_is_wanted_of_it(links):
    edit = editing.swinging(links).iterate()
    assert edit.scale == 1.0
    assert edit.after < 0.1 * edit.before


def test_an_edit_leaves_the_editor_as_it_was():
    editor = editing.swinging(10, few=True)
    assert len(editor.columns) == editing.FEW
    before = editor.controls
    editing.parts(editor)[editing.EDIT]()
    assert editor.controls is before
    assert np.all(np.isfinite(editor.run.clips[0].frames.q))
