"""Pulled plugs: what was not waited for may be on the disk or not, sector by sector."""

import os
import random

import pytest

from stringless.timeline import ChunkIndex, Store, writer

SECTOR = 512


class Disk:
    """Stands for `sync`: remembers what is durable, and before that pulls the plug a few times."""

    def __init__(self, path, rng, check):
        self.rng, self.check = rng, check
        self.log = f"{path}-wal"
        self.main = os.open(path, os.O_RDONLY)
        self.durable = {"": self.content(""), "-wal": b""}
        self.images = 0

    def content(self, end):
        if end == "":
            return os.pread(self.main, 1 << 30, 0)
        return open_and_read(self.log) if os.path.exists(self.log) else b""

    def sync(self, descriptor):
        same = os.path.sameopenfile
        if same(descriptor, self.main):
            end = ""
        elif os.path.exists(self.log) and os.path.samestat(os.fstat(descriptor), os.stat(self.log)):
            end = "-wal"
        else:
            return
        for _ in range(2):
            self.pull_the_plug()
        self.durable[end] = self.content(end)

    def pull_the_plug(self):
        self.images += 1
        self.check({end: self.mixed(self.durable[end], self.content(end)) for end in ("", "-wal")})

    def mixed(self, old, new):
        """Any sector may be that of before or that of now; so may the length. What is cut off is not wiped."""
        if len(new) < len(old):
            new = new + old[len(new) :] if self.rng.random() < 0.5 else new
            old = old[: len(new)]
        size = self.rng.choice([len(old), len(new)])
        share = self.rng.choice([0.0, 0.1, 0.5, 0.9, 1.0])
        parts = []
        for at in range(0, size, SECTOR):
            source = new if self.rng.random() < share else old
            parts.append(source[at : at + SECTOR].ljust(min(SECTOR, size - at), b"\0"))
        return b"".join(parts)


def open_and_read(path):
    with open(path, "rb") as file:
        return file.read()


@pytest.mark.parametrize("seed", range(6))
def test_a_pulled_plug_loses_only_what_was_not_yet_durable(tmp_path, monkeypatch, seed):
    rng = random.Random(seed)
    monkeypatch.setattr(writer, "COMMIT_EVERY", 1e6)  # commits happen only when told
    monkeypatch.setattr(writer, "LOG_LIMIT", 60_000)
    written, durable = [], 0

    def check(image):
        path = tmp_path / "image.stringless"
        for end, content in image.items():
            (tmp_path / f"image.stringless{end}").write_bytes(content)
        with Store.open(path) as store:
            found = [entry for _, entry in store.journal()]
            assert durable <= len(found) <= len(written)
            assert found == written[: len(found)]
            for number, index in enumerate(store.chunks(0)):
                assert store.read_chunk(0, number) == bytes([number % 251]) * index.frames

    path = tmp_path / "a.stringless"
    Store.create(path).close()
    disk = Disk(path, rng, check)
    monkeypatch.setattr(writer, "sync", disk.sync)
    for _ in range(3):
        with Store.open(path) as store:
            for _ in range(12):
                number = rng.randrange(len(store.chunks(0)) + 1)
                frames = rng.choice([100, 9000])
                written.append({"text": "x" * rng.randrange(50)})
                store.append(written[-1])
                store.put_chunk(0, number, ChunkIndex(0, 1, frames), bytes([number % 251]) * frames)
                store.flush()
                durable = len(written)
                disk.pull_the_plug()
    os.close(disk.main)
    assert disk.images > 100
