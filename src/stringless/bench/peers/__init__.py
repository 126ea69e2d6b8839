"""The programs we compare with, one file each. To add one: write its file, and name it here."""

from __future__ import annotations

from collections.abc import Sequence

from stringless.bench.peers import dart, mujoco, pinocchio
from stringless.bench.peers.base import Peer, PeerModel, UnsupportedError
from stringless.errors import InputError

PEERS: dict[str, Peer] = {peer.name: peer for peer in (pinocchio.PEER, dart.PEER, mujoco.PEER)}


def choose(names: Sequence[str]) -> tuple[Peer, ...]:
    """The peers of these names; of no name, all of them."""
    for name in names:
        if name not in PEERS:
            raise InputError(f"there is no peer '{name}' to compare with; there are: {', '.join(PEERS)}")
    return tuple(PEERS[name] for name in names or PEERS)


__all__ = ["PEERS", "Peer", "PeerModel", "UnsupportedError", "choose"]
