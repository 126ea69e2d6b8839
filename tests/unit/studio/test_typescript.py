"""The page's types are those of the studio, and its offsets find what was packed."""

import re
import struct

import numpy as np
import pytest

from stringless.studio import frames, messages
from typescript import FRAME_FIELDS, TARGET, find_offsets, generate_files

FILES = generate_files()
TEXT = "".join(FILES.values())


@pytest.mark.skipif(not TARGET.parents[2].exists(), reason="the sources of the page are not here")
def test_the_page_has_the_types_of_this_studio():
    there = {path.name: path.read_text(encoding="utf-8") for path in TARGET.iterdir()}
    assert there == FILES, "run: python tools/typescript.py"


def test_a_file_imports_what_it_uses_and_no_more():
    assert 'import type { Vector } from "./basic";\n\n' in FILES["editing.ts"]
    assert 'import type { Edit } from "./editing";\n' in FILES["index.ts"]
    assert 'export * from "./editing";\n' in FILES["index.ts"]
    assert "import" not in FILES["basic.ts"]
    assert not re.search(r"^import", FILES["frames.ts"], re.MULTILINE)


def test_every_message_is_declared_with_its_tag():
    kinds = [*messages.FromPage.__args__, *messages.FromStudio.__args__]
    for kind in kinds:
        assert f'export interface {kind.__name__} {{\n  type: "{kind.__name__.lower()}";\n' in TEXT
    assert len(re.findall(r"^  type: ", TEXT, re.MULTILINE)) == len(kinds)


def test_a_page_may_leave_out_what_has_a_default_and_the_studio_leaves_out_nothing():
    assert "  watch?: boolean;" in TEXT
    assert "  version: number;" in TEXT
    assert "  result: unknown;" in TEXT


def test_types_and_comments_are_carried_over():
    assert "  /** Of the bone that is held, along the bone's axes. */\n  point?: Vector;" in TEXT
    assert "export type Vector = [number, number, number];" in TEXT
    assert "  points: Uint8Array;" in TEXT
    assert "  limits: [number, number][];" in TEXT
    assert '  level: "info" | "warning" | "error";' in TEXT
    assert "  flesh: FleshInfo | null;" in TEXT


def test_offsets_find_what_was_packed():
    frame = frames.FrameData(
        7,
        9,
        1.25,
        3.5,
        2.0,
        4.0,
        -5.0,
        frames.LIVE | frames.TOUCHING,
        np.zeros((2, 7)),
        np.zeros((3, 3)),
        np.zeros(6),
        np.zeros((4, 6)),
        np.zeros((5, frames.GOAL)),
        np.zeros(6, np.uint32),
        np.zeros(7),
        np.zeros(8, np.uint32),
    )
    packed = frames.pack_frame(11, frame)
    kinds = frames.HEADER.format[1:]
    found = {
        name: struct.unpack_from("<" + kind, packed, offset)[0]
        for name, kind, offset in zip(FRAME_FIELDS, kinds, find_offsets(frames.HEADER), strict=True)
    }
    assert found == {
        "kind": frames.FRAME,
        "version": messages.VERSION,
        "flags": 17,
        "sequence": 11,
        "epoch": 7,
        "input": 9,
        "time": 1.25,
        "wait": 3.5,
        "real_time": 2.0,
        "kinetic": 4.0,
        "potential": -5.0,
        "bodies": 2,
        "nodes": 3,
        "contacts": 4,
        "goals": 5,
        "flagged": 6,
        "effort": 7,
        "moving": 8,
        "placed": 0,
    }
    assert "  real_time: 28,\n" in TEXT
    assert f"export const FRAME_HEADER = {{\n  size: {frames.HEADER.size},\n" in TEXT


def test_constants_are_those_of_the_frames():
    assert "export const FIRST_BYTE = {\n  MESSAGE: 0,\n  FRAME: 1,\n  GHOSTS: 2,\n} as const;" in TEXT
    for name in ("LIVE", "PRESENT", "STALE", "DIRECTED", "TOUCHING", "AHEAD", "BEFORE", "POSE"):
        assert f"  {name}: {getattr(frames, name)},\n" in TEXT
    assert f"export const GOAL = {frames.GOAL};\n" in TEXT
