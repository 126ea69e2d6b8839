"""Whether a state is made of finite numbers and unit quaternions: one look at all of it before a step."""

from __future__ import annotations
