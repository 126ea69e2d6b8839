"""Jobs beside everything else."""

from __future__ import annotations

import msgspec
import numpy as np

from stringless.studio.jobs import Job


def test_how_far_a_job_is_can_be_sent_whatever_kind_of_number_it_is():
    job = Job(1, "Export")
    job.report(np.float32(0.5))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(job.info))["done"] == 0.5
