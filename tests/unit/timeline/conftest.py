import pytest

from projects import everything, fill
from stringless.timeline import Store


@pytest.fixture(scope="session")
def truth():
    """What a project holds that `fill` has filled."""
    with Store.temporary() as store:
        fill(store)
        return everything(store)
