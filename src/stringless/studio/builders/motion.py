"""A recorded motion as a page holds it: the scene message, then all frames, as they go over the wire, each after its length."""

import base64
import gzip
import struct

import msgspec
import numpy as np

from stringless.formats.output.clip import Clip, Progress
from stringless.studio.builders.frame import NO_CONTACTS, NO_GOALS, FrameBuilder
from stringless.studio.builders.scene import build_scene
from stringless.studio.frames import NO_NUMBERS, FrameData, pack_frame

LENGTH = struct.Struct("<I")
EPOCH = 1
MOST_POSES = 1_000_000
"""Poses of bodies that a page holds; a longer motion is thinned to so many, which take 28 MB before they are compressed."""


def pack_motion(clip: Clip, title: str, description: str, progress: Progress) -> bytes:
    """A clip as compressed bytes in base 64; title and description are those of its scene if they are empty."""
    scene = build_scene(clip.source, EPOCH)
    scene = msgspec.structs.replace(scene, name=title or scene.name, description=description or scene.description)
    thin = max(1, -(-len(clip.frames) * clip.model.body_count // MOST_POSES))
    builder, frames = FrameBuilder(clip.model), clip.frames[::thin]
    parts = [msgspec.msgpack.encode(scene)]
    for number, frame in enumerate(frames):
        seen = builder.from_frame(frame)
        head = (EPOCH, 0, frame.time, -1.0, 0.0, np.nan, np.nan, 0)
        arrays = (seen.poses, seen.nodes, seen.center, NO_CONTACTS, NO_GOALS, NO_NUMBERS, frame.effort, NO_NUMBERS)
        parts.append(pack_frame(number, FrameData(*head, *arrays)))
        progress(0.9 * number / len(frames))
    return base64.b64encode(gzip.compress(b"".join(LENGTH.pack(len(part)) + part for part in parts), 6, mtime=0))
