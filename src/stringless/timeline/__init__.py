"""Takes and the project file that keeps them."""

from stringless.timeline.salvage import Report, rescue
from stringless.timeline.schema import ChunkIndex
from stringless.timeline.store import Recovery, Store

__all__ = ["ChunkIndex", "Recovery", "Report", "Store", "rescue"]
