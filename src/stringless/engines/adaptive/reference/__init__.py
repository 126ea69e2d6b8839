"""The divide-and-conquer passes of Redon, Galoppo & Lin 2005, written to be read.

The engine does not use them: it steps rigid clusters, which is faster. They serve to compare with, and to read beside the paper;
docs/theory/adaptive.md, section 1, says what differs from its print. All is plain NumPy. Spatial vectors are angular first and
are taken at the world's origin along world axes, at one instant, so that nothing is carried from one frame to another.

In the order of the paper:

========================  ==========================  ================================================================
function                  paper                       what it finds
========================  ==========================  ================================================================
`take_snapshot`                                       all that the passes need to know of a model in a state
`assemble`                section 3.1                 the assembly tree
`main_pass`               eqs. 1-3 and 6              articulated-body coefficients of all nodes: `a = Φ f + b`
`back_substitution`       eqs. 4 and 5                accelerations of all joints, from the root down
`metric_pass`             eqs. 7 and 8, Theorem 2     the acceleration metric of all nodes, without accelerations
`velocity_metrics`        section 5.4.1               their velocity metric
`partial_substitution`    section 5.3.1               accelerations of the most important joints only
`tensor_pass`             eq. 9, Theorems 3 and 4     linear coefficients of a passive node, in constant time
`rigidify`                section 5.4.2               rates after some joints were brought to rest by impulses
========================  ==========================  ================================================================

The accelerations of a pendulum, and of the half of its joints that matter most:

>>> import numpy as np
>>> import stringless as sl
>>> from stringless import dynamics
>>> from stringless.engines.adaptive import reference
>>> scene = sl.load("long_pendulum", links=8)
>>> model, q, v, tau = scene.model, scene.q, np.zeros(8), np.zeros(8)
>>> snapshot = reference.take_snapshot(model, q, v, tau)
>>> tree = reference.assemble(snapshot.parents)
>>> coefficients = reference.main_pass(snapshot, tree)
>>> found, _ = reference.back_substitution(tree, coefficients)
>>> np.allclose([found[joint] for joint in range(8)], dynamics.forward(model, q, v, tau)[:, None])
True
>>> weights = [np.eye(1)] * 8
>>> metrics = reference.metric_pass(tree, coefficients, weights)
>>> partial = reference.partial_substitution(tree, coefficients, metrics, weights, most=4)
>>> len(partial.accelerations)
4
>>> partial.errors[-1] < partial.errors[0]
True
"""

from stringless.engines.adaptive.reference.assembly import Assembly, Node, assemble
from stringless.engines.adaptive.reference.coefficients import Coefficients, main_pass
from stringless.engines.adaptive.reference.metrics import Metric, metric_pass, velocity_metrics
from stringless.engines.adaptive.reference.snapshot import Snapshot, take_snapshot
from stringless.engines.adaptive.reference.substitution import (
    Partial,
    back_substitution,
    partial_substitution,
    rigidify,
)
from stringless.engines.adaptive.reference.tensors import Tensors, tensor_pass

__all__ = [
    "Assembly",
    "Coefficients",
    "Metric",
    "Node",
    "Partial",
    "Snapshot",
    "Tensors",
    "assemble",
    "back_substitution",
    "main_pass",
    "metric_pass",
    "partial_substitution",
    "rigidify",
    "take_snapshot",
    "tensor_pass",
    "velocity_metrics",
]
