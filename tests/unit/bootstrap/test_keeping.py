"""A server names the indexes of its builds for as long as it runs, whatever happens."""

from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest

from fundstelle.accounts.timetable import Task
from fundstelle.bootstrap.keeping import EVERY_S, FIRST_S, keep_indexes
from fundstelle.errors import SearchUnavailable
from fundstelle.settings import Settings

RELEASE = "0123456789abcdef"


class Later:
    """Has the task that is due next."""

    def __init__(self) -> None:
        self.due: list[tuple[float, Task]] = []

    def __call__(self, delay_s: float, task: Task) -> None:
        self.due.append((delay_s, task))

    def run(self) -> float:
        ((delay_s, task),) = self.due
        self.due.clear()
        task()
        return delay_s


def make_settings(data: Path, **more: str) -> Settings:
    return Settings.from_env({"FUNDSTELLE_DATA": str(data), **more})


def test_the_builds_of_the_data_folder_are_named_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    named: list[list[Path]] = []
    refusals = [None, "status 403", "status 403", None, "status 403", None]

    def keep(folders: Iterable[Path]) -> None:
        if (refusal := refusals.pop(0)) is not None:
            raise SearchUnavailable(refusal)
        named.append(list(folders))

    monkeypatch.setattr(
        "fundstelle.bootstrap.keeping.build_engine", lambda _: SimpleNamespace(keep=keep)
    )
    (tmp_path / "builds" / RELEASE).mkdir(parents=True)
    (tmp_path / "builds" / ".tmp-1-a").mkdir()
    later = Later()
    keep_indexes(make_settings(tmp_path, FUNDSTELLE_SEARCH="opensearch://127.0.0.1:9"), later)
    assert [later.run() for _ in range(6)] == [FIRST_S] + 5 * [EVERY_S]
    assert named == 3 * [[tmp_path / "builds" / RELEASE / "index"]]
    assert [one.getMessage().count("(status 403)") for one in caplog.records] == [1, 1]


def test_where_search_is_embedded_nothing_is_due(tmp_path: Path) -> None:
    later = Later()
    keep_indexes(make_settings(tmp_path), later)
    assert later.due == []
