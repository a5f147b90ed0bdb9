import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from types import SimpleNamespace

import pytest

from fundstelle.corpus.manifest import Rejected
from fundstelle.errors import CorpusError
from fundstelle.ingest.build import workers
from fundstelle.ingest.history.contents import read_slugs, read_titles
from fundstelle.ingest.history.snapshots import SpooledFile
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.courts import plain
from fundstelle.ingest.sources.courts.adapters import iter_decisions
from fundstelle.ingest.sources.files import patience
from fundstelle.ingest.sources.files.failures import tell_failure
from fundstelle.ingest.sources.files.patience import TooSlow, limit_each, limited
from tests.unit.ingest.sources.decision_files import rii


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "MOST_S", 1.0)


def loop() -> None:
    while True:
        pass


def match() -> None:
    re.fullmatch(r"(?:a|a)*b", "a" * 60)


@pytest.mark.parametrize("work", [loop, match])
@pytest.mark.usefixtures("short")
def test_what_takes_too_long_is_ended(work: Callable[[], None]) -> None:
    with pytest.raises(TooSlow, match="processor time"), limited():
        work()
    assert sum(range(1_000)) == 499_500  # and what follows has a time of its own


@pytest.mark.usefixtures("short")
def test_each_of_many_has_a_time_of_its_own() -> None:
    def take_long_in_all() -> Iterator[int]:
        for number in range(6):
            begun = process_time()
            while process_time() - begun < patience.MOST_S / 4:
                pass
            yield number

    assert list(limit_each(take_long_in_all())) == list(range(6))


@pytest.mark.usefixtures("short")
def test_beside_the_main_thread_nothing_is_ended() -> None:
    done = []

    def work() -> None:
        with limited():
            done.append(sum(range(1_000)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [499_500]


@pytest.mark.usefixtures("short")
def test_a_decision_that_takes_too_long_is_named_and_the_next_one_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plain, "parse", lambda _: loop())
    slow = SourceFile("decisions/a.txt", "", b"Urteil", listed=True)
    good = SourceFile("decisions/b.xml", "", rii().encode(), listed=True)
    first, second = iter_decisions([slow, good])
    assert isinstance(first, Rejected)
    assert first.name == "decisions/a.txt"
    assert not isinstance(second, Rejected)


@pytest.mark.parametrize(
    "text",
    ["Ende." + " " * 100_000 + "x", "\t" * 100_000, "\f1\n" * 5_000, "Gründe" + " " * 100_000],
    ids=["blanks", "tabs", "pages", "behind a heading"],
)
@pytest.mark.usefixtures("short")
def test_blanks_and_empty_pages_take_no_time(text: str) -> None:
    """As ``pdftotext`` writes them."""
    words = " ".join(f"Wort{number}" for number in range(60))
    file = SourceFile("decisions/a.txt", "", f"{words}\n{text}".encode(), listed=True)
    (parsed,) = iter_decisions([file])
    assert not isinstance(parsed, Rejected)


@pytest.mark.usefixtures("short")
def test_a_law_that_takes_too_long_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_LAWS", SimpleNamespace(read_header=lambda _: loop()))
    (tmp_path / "spool").write_bytes(b"<dokumente/>")
    file = SpooledFile("laws/ag/BJNR1.xml", "ag", listed=True, offset=0, length=12, sha256="")
    _, (rejected,), unread = workers.read_headers(0, tmp_path / "spool", [file])
    assert rejected.name == file.name
    assert unread == [(0, "ag")]
    assert "processor time" in rejected.reason


@pytest.mark.usefixtures("short")
def test_blanks_in_a_table_of_contents_take_no_time() -> None:
    item = b"<item><title>x</title>%b<link>%b<!-- --></link></item>"
    contents = item % (b" " * 100_000, b" " * 100_000)
    with limited():
        assert list(read_slugs(contents)) == []
        assert list(read_titles(contents)) == []


def test_that_memory_is_spent_is_no_fault_of_a_file() -> None:
    with pytest.raises(CorpusError, match="memory of this machine is spent"):
        tell_failure(MemoryError())


def test_a_list_of_what_are_no_decisions_ends_soon() -> None:
    data = b"[" + b"0," * 5_000 + b"0]"
    found = list(iter_decisions([SourceFile("a.json", "", data, listed=True)]))
    assert len(found) == 1_001
    assert isinstance(found[-1], Rejected)
    assert found[-1].name == "a.json"
