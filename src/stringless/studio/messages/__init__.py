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

__all__ = ["VERSION", "FromPage", "FromStudio", "Message", "Name", "Number", "Quaternion", "Vector"]
__all__ += ["Acknowledge", "Do", "Grab", "Hello", "Look", "Move", "Release", "Seek", "Wishes"]
__all__ += ["BodyInfo", "CharacterInfo", "FleshInfo", "MeshInfo", "PullInfo", "Scene", "ShapeInfo"]
__all__ += ["Document", "GoalFieldInfo", "GoalInfo", "GoalKindInfo", "JointState", "LaneInfo", "MarkerInfo"]
__all__ += ["DetailInfo", "JobInfo", "Preparation", "SpanInfo", "Status", "TrackInfo"]
__all__ += ["Edit", "NailInfo", "TransitionInfo"]
__all__ += ["Answer", "CommandInfo", "FormatInfo", "Log", "Notice", "OfferInfo", "Refusal", "Welcome"]
