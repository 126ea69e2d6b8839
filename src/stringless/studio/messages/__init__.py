"""The messages between a page, or a script, and the studio.

Every message is a struct, sent as MessagePack with its name under `type`; frames are binary (`frames.py`). `tools/typescript.py`
generates the page's types from these files.

Commands of a project and actions of the studio (`actions/`) go by name through `Do`. Only what is sent many times a second, or
concerns the connection itself, has a message of its own.
"""

from stringless.studio.messages.basic import VERSION, Message, Name, Number, Quaternion, Vector
from stringless.studio.messages.document import (
    Document,
    GoalFieldInfo,
    GoalInfo,
    GoalKindInfo,
    JointState,
    LaneInfo,
    MarkerInfo,
    SpanInfo,
    TrackInfo,
)
from stringless.studio.messages.editing import Edit, NailInfo, TransitionInfo
from stringless.studio.messages.replies import Answer, CommandInfo, FormatInfo, Log, Notice, OfferInfo, Refusal, Welcome
from stringless.studio.messages.requests import Acknowledge, Do, Grab, Hello, Look, Move, Release, Seek, Wishes
from stringless.studio.messages.scene import BodyInfo, CharacterInfo, FleshInfo, MeshInfo, PullInfo, Scene, ShapeInfo
from stringless.studio.messages.status import DetailInfo, JobInfo, Preparation, Status

FromPage = Hello | Do | Grab | Move | Release | Seek | Wishes | Look | Acknowledge
FromStudio = Welcome | Scene | Document | Status | Edit | Log | Answer | Refusal | Notice

__all__ = [
    "VERSION", "Acknowledge", "Answer", "BodyInfo", "CharacterInfo", "CommandInfo", "DetailInfo", "Do", "Document",
    "Edit", "FleshInfo", "FormatInfo", "FromPage", "FromStudio", "GoalFieldInfo", "GoalInfo", "GoalKindInfo", "Grab",
    "Hello", "JobInfo", "JointState",
    "LaneInfo", "Log", "Look", "MarkerInfo", "MeshInfo", "Message", "Move", "NailInfo", "Name", "Notice", "Number",
    "OfferInfo", "Preparation", "PullInfo", "Quaternion", "Refusal", "Release", "Scene", "Seek", "ShapeInfo", "SpanInfo",
    "Status", "TrackInfo", "TransitionInfo", "Vector", "Welcome", "Wishes",
]  # fmt: skip
