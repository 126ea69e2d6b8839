"""Jobs beside everything else."""

from __future__ import annotations

import time

import msgspec
import numpy as np

from stringless.errors import InputError
from stringless.studio import jobs
from stringless.studio.jobs import Job, Jobs


def test_how_far_a_job_is_can_be_sent_whatever_kind_of_number_it_is():
    job = Job(1, "Export")
    job.report(np.float32(0.5))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(job.info))["done"] == 0.5


def test_what_is_finished_is_listed_for_long_only_if_there_is_a_file_to_fetch(tmp_path, monkeypatch):
    def export(job):
        job.file = tmp_path

    def fail(_):
        raise InputError("it does not fit")

    all_jobs = Jobs()
    for title, work in (("play", lambda _: None), ("export", export), ("fail", fail)):
        all_jobs.begin(title, work)
    end = time.monotonic() + 120.0
    while any(info.state == "running" for info in all_jobs.infos):
        assert time.monotonic() < end
        time.sleep(0.01)
    assert [info.title for info in all_jobs.infos] == ["play", "export", "fail"]
    monkeypatch.setattr(jobs, "LISTED", 0.0)
    assert [info.title for info in all_jobs.infos] == ["export", "fail"]
