"""The programs we compare with, one file each. To add one: write its file, and name it here."""

import functools
from collections.abc import Callable, Sequence

from stringless.bench.peers import dart, mujoco, mujoco_flex, pinocchio
from stringless.bench.peers.base import Peer, StiffPeer
from stringless.errors import InputError
from stringless.model.scene import Scene

PEERS: dict[str, Peer] = {peer.name: peer for peer in (pinocchio.PEER, dart.PEER, mujoco.PEER)}
FLESH_PEERS: dict[str, Callable[[Scene, float], mujoco_flex.FlexModel]] = {"mujoco": mujoco_flex.FlexModel}
"""Those that know flesh: how they rebuild a scene for steps of a given length."""
STIFF_PEERS: dict[str, dict[str, Callable[[Scene, float], StiffPeer]]] = {
    "mujoco": {
        f"mujoco {way}": functools.partial(mujoco.ImplicitModel, integrator=way) for way in ("implicit", "implicitfast")
    },
    "dart": {"dart": dart.ImplicitModel},
}
"""Those that step springs of joints implicitly: their ways of doing it, and how each rebuilds a scene."""


def choose(names: Sequence[str]) -> tuple[Peer, ...]:
    """The peers of these names; of no name, all of them."""
    for name in names:
        if name not in PEERS:
            raise InputError(f"there is no peer '{name}' to compare with; there are: {', '.join(PEERS)}")
    return tuple(PEERS[name] for name in names or PEERS)
