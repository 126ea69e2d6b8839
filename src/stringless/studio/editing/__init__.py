"""The motion editor in the studio: hands that drag a motion, what pages are shown of it, and the kernels it needs."""

from stringless.studio.editing.bench import Bench
from stringless.studio.editing.view import closed, describe_edit

__all__ = ["Bench", "closed", "describe_edit"]
