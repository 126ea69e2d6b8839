"""What a page, or a script, and the studio say to each other.

Every message is a struct, sent as MessagePack with its name under `type`; frames are binary (`frames.py`). The page's types
are generated from these files by `typescript.py`.

What can be done goes by name through `Do`: the commands of a project, and the actions of the studio (`actions/`). Only what
is sent many times a second, or shapes the connection itself, is a message of its own.
"""

from __future__ import annotations

from stringless.studio.messages.asking import (
    Acknowledge,
    Do,
    FromPage,
    Grab,
    Hello,
    Look,
    Move,
    Release,
    Seek,
    Wishes,
)
from stringless.studio.messages.basic import VERSION, Message, Name, Number, Quaternion, Vector
from stringless.studio.messages.document import (
    Document,
    GoalInfo,
    JointState,
    LaneInfo,
    MarkerInfo,
    SpanInfo,
    TrackInfo,
)
from stringless.studio.messages.editing import Edit, NailInfo, TransitionInfo
from stringless.studio.messages.scene import (
    BodyInfo,
    CharacterInfo,
    FleshInfo,
    MeshInfo,
    PullInfo,
    Scene,
    ShapeInfo,
)
from stringless.studio.messages.status import DetailInfo, JobInfo, Preparation, Status
from stringless.studio.messages.telling import Answer, CommandInfo, FormatInfo, Log, Notice, OfferInfo, Refusal, Welcome

FromStudio = Welcome | Scene | Document | Status | Edit | Log | Answer | Refusal | Notice

__all__ = [
    "VERSION",
    "Acknowledge",
    "Answer",
    "BodyInfo",
    "CharacterInfo",
    "CommandInfo",
    "DetailInfo",
    "Do",
    "Document",
    "Edit",
    "FleshInfo",
    "FormatInfo",
    "FromPage",
    "FromStudio",
    "GoalInfo",
    "Grab",
    "Hello",
    "JobInfo",
    "JointState",
    "LaneInfo",
    "Log",
    "Look",
    "MarkerInfo",
    "MeshInfo",
    "Message",
    "Move",
    "NailInfo",
    "Name",
    "Notice",
    "Number",
    "OfferInfo",
    "Preparation",
    "PullInfo",
    "Quaternion",
    "Refusal",
    "Release",
    "Scene",
    "Seek",
    "ShapeInfo",
    "SpanInfo",
    "Status",
    "TrackInfo",
    "TransitionInfo",
    "Vector",
    "Welcome",
    "Wishes",
]
