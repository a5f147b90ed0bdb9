"""A look asks six thousand times: what each exchange costs beside the answer."""

import threading
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from fundstelle.errors import SourceError
from fundstelle.ingest.sources.files import download
from fundstelle.ingest.sources.files.cache import CachedFile
from fundstelle.ingest.sources.files.download import Downloader
from tests.integration.services.loopback import Answer, serve

NOW = datetime(2025, 2, 1, 12, tzinfo=UTC)


def test_one_thread_watches_over_many_exchanges_also_after_one_that_dripped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[threading.Thread] = []

    class Threads:
        Condition = threading.Condition

        @staticmethod
        def Thread(**given: object) -> threading.Thread:  # noqa: N802 stands for the class
            begun.append(threading.Thread(**given))  # type: ignore[arg-type]
            return begun[-1]

    monkeypatch.setattr(download, "threading", Threads)
    client = Downloader(pause=0, timeout=5, longest=1.5, tries=1)
    with serve() as service:
        service.answers = {
            "/a": Answer(b"whole"),
            "/b": Answer(b"x" * 10**6, drips=True),
        }
        for _ in range(20):
            assert client.fetch(f"{service.url}/a", 1_000).data == b"whole"
        with pytest.raises(SourceError, match="it drips"):
            client.fetch(f"{service.url}/b", 10**7)
        assert client.fetch(f"{service.url}/a", 1_000).data == b"whole"
        with pytest.raises(SourceError, match="it drips"):
            client.fetch(f"{service.url}/b", 10**7)
    assert len(begun) == 1


def test_nobody_watches_where_nothing_is_fetched_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "_REST", 0.01)
    begun = set(threading.enumerate())
    client = Downloader(pause=0, timeout=5, longest=0.05)
    with serve() as service:
        service.answers = {"/a": Answer(b"whole")}
        for _ in range(2):
            client.fetch(f"{service.url}/a", 1_000)
            for thread in set(threading.enumerate()) - begun:
                if "_watch" in thread.name:
                    thread.join(10)
                    assert not thread.is_alive()


def test_the_state_of_a_file_that_is_as_it_was_is_written_in_its_place(tmp_path: Path) -> None:
    with serve() as service:
        service.answers = {"/a": Answer(b"whole")}
        url, client = f"{service.url}/a", Downloader(pause=0, timeout=5)
        file = CachedFile(tmp_path / "a" / "file", url)
        state = tmp_path / "a" / "state.json"

        def refresh(moment: datetime) -> None:
            file.refresh(partial(client.fetch, url, 1_000), lambda *_: None, moment)

        refresh(NOW)
        before = state.stat().st_ino
        later = NOW + timedelta(days=7, microseconds=1)  # written longer, and then shorter again
        for moment in (later, NOW + timedelta(days=14)):
            refresh(moment)
            assert state.stat().st_ino == before
            assert file.read_state().is_fresh(moment)
        assert [one.is_conditional for one in service.asked] == [False, True, True]

        state.write_bytes(state.read_bytes()[:-9])  # the power failed
        refresh(NOW + timedelta(days=21))
        assert not service.asked[-1].is_conditional
        assert file.read_state().etag == '"1"'
