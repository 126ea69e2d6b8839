import pytest

from stringless.bench import directing, editing, flesh, harness


@pytest.fixture
def hasty(monkeypatch):
    """Give each contestant no longer than it must have."""
    best_times = harness.best_times

    def at_once(works, seconds, **how):
        return best_times(works, 0.0, **how | ({"turn": 1e-4} if "turn" in how else {}))

    for module in (harness, directing, editing, flesh):
        monkeypatch.setattr(module, "best_times", at_once)
