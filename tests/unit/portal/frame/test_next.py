"""Where somebody wanted to go, as a session keeps it."""

from types import SimpleNamespace
from typing import Any

import pytest

from fundstelle.portal.frame.visits import Visit


@pytest.mark.parametrize(("length", "is_kept"), [(2_000, True), (2_001, False), (8_000, False)])
def test_a_path_that_is_longer_than_any_is_not_kept(length: int, is_kept: bool) -> None:
    """Strangers have sessions, too."""
    wanted = "/keys?" + "x" * (length - len("/keys?"))
    services = SimpleNamespace(sessions=SimpleNamespace(seal=str))
    visit: Any = SimpleNamespace(next_path=wanted, services=services)
    assert Visit.keep_next(visit) == (wanted if is_kept else "/")
