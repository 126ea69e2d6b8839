"""Projects: a scene, what is wanted of it, and all that was simulated, in one file that cannot be lost."""

from stringless.project.exports import export
from stringless.project.project import Project

__all__ = ["Project", "export"]
