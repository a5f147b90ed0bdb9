"""One fleet for all stories, started once; at the end the table of what happened."""

from collections.abc import Iterator

import pytest

from tests.scale.replicas.whole import Fleet, open_fleet

_HEAD = f"{'story':<34}{'answers':>9}{'failed':>8}{'wrong':>7}{'lost':>6}{'longest s':>11}"


@pytest.fixture(scope="session")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with open_fleet(tmp_path_factory.mktemp("fleet")) as opened:
        yield opened
    print("\n" + "\n".join([_HEAD, *opened.rows]))  # noqa: T201 the table is what it is for
