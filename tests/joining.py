"""A script that joins a studio and has more patience than a person: the machine may be busy with other tests."""

from __future__ import annotations

import functools

from stringless.studio import client

PATIENCE = 120.0
"""What any answer may take [s]."""
connect = functools.partial(client.connect, timeout=PATIENCE)
