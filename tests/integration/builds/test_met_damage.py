"""Damage that a request meets is looked into at once: the server leaves the damaged build."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import orjson
import pytest

from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.corpus import builds
from fundstelle.corpus.soundness import background
from fundstelle.corpus.soundness.background import DOUBTED_EVERY, CompleteCheck
from fundstelle.corpus.soundness.check import Finding, check_completely
from fundstelle.corpus.soundness.record import find_record
from fundstelle.corpus.soundness.watch import DOUBTED, BuildWatch
from fundstelle.errors import DamagedBuild
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.sources import demonstration
from fundstelle.mcp.engine import Engine
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from fundstelle.tools.spec import CallContext
from fundstelle.web.live import LiveCorpus
from tests.integration.builds.damaging import copy_data, get_live, replace_bytes
from tests.integration.builds.test_builds import make_build
from tests.integration.corpora.building import build

HEADERS = {
    b"content-type": b"application/json",
    b"accept": b"application/json, text/event-stream",
    b"mcp-protocol-version": b"2025-11-25",
}
LOOKUP = ("tools/call", {"name": "legal_lookup", "arguments": {"citation": "§ 3 DemoG"}})
SEARCH = ("tools/call", {"name": "legal_search", "arguments": {"query": "Haftung Wiese"}})
READ = ("resources/read", {"uri": "legal://norm/de/demog/3"})


@pytest.fixture
def data(demonstration_data: Path, tmp_path: Path) -> Settings:
    """Two builds; what is served was just read whole."""
    settings = copy_data(demonstration_data, tmp_path / "data")
    sources: list[Snapshot | Collection] = [
        *demonstration.open_snapshots()[:1],
        demonstration.open_decisions(),
    ]
    newest = build(settings.data, sources, engine=TantivyEngine(), fresh=True)
    CompleteCheck(settings.data).check(newest.release)
    return settings


def ask(engine: Engine, method: str, params: object) -> str:
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    return engine.handle(HEADERS, body, CallContext("r", "someone"), lambda _: None).body.decode()


def shorten_store(build: Path) -> None:
    os.truncate(build / builds.DATABASE, 8192)


def change_text(build: Path) -> None:
    for name in builds.DATABASES:
        replace_bytes(build / name, "Papierdrachen", "Papierdracken")


def overwrite_index(build: Path) -> None:
    for path in (build / "index").glob("*.*"):
        if path.suffix in {".idx", ".term", ".store", ".fast", ".pos"}:
            with path.open("r+b") as file:  # in its place: it is mapped into memory
                file.write(b"\xa5" * path.stat().st_size)


def show_damaged_page(corpus: LiveCorpus) -> None:
    with corpus.read():
        raise DamagedBuild("the stored text of de/demog/3 does not fit its hash")


def follow(corpus: LiveCorpus) -> Engine | None:
    """What the follower of a server does every second, until there is another build."""
    ends = time.monotonic() + 30
    while time.monotonic() < ends:
        engine = corpus.poll()
        if engine is not None:
            return engine
        time.sleep(0.05)
    return None


@pytest.mark.parametrize(
    ("damage", "request_"),
    [
        (shorten_store, LOOKUP),
        (change_text, LOOKUP),
        (change_text, READ),
        (overwrite_index, SEARCH),
    ],
)
def test_a_request_that_meets_damage_moves_the_server_to_the_sound_build(
    data: Settings,
    damage: Callable[[Path], None],
    request_: tuple[str, object],
) -> None:
    corpus = build_live_corpus(data)
    first = corpus.poll()
    assert first is not None
    assert corpus.poll() is None
    assert list(corpus.problems) == []
    damage(get_live(data))
    assert "INTERNAL" in ask(first, *request_) or "-32603" in ask(first, *request_)
    assert list(corpus.problems) == [DOUBTED]  # what /readyz and the metric say, at once
    second = follow(corpus)
    assert second is not None
    assert second.release != first.release
    (notice,) = list(corpus.problems)
    assert f"The live corpus build {first.release} is damaged" in notice
    assert "INTERNAL" not in ask(second, *request_)


def test_a_page_that_meets_damage_does_so_too(data: Settings) -> None:
    corpus = build_live_corpus(data)
    first = corpus.poll()
    assert first is not None
    with pytest.raises(DamagedBuild):
        show_damaged_page(corpus)
    assert list(corpus.problems) == [DOUBTED]
    change_text(get_live(data))
    second = follow(corpus)
    assert second is not None
    assert second.release != first.release


def test_a_store_that_is_gone_is_damage_where_a_thread_opens_it(data: Settings) -> None:
    corpus = build_live_corpus(data)
    first = corpus.poll()
    assert first is not None
    (get_live(data) / builds.DATABASE).unlink()
    assert "INTERNAL" not in ask(first, *LOOKUP)  # what is open is read on

    def show_page() -> None:
        with corpus.read() as library:
            assert library is not None
            library.store.find_fassung("de/demog/3", date(2026, 1, 1))

    with ThreadPoolExecutor(1) as pool, pytest.raises(DamagedBuild):
        pool.submit(show_page).result()
    assert list(corpus.problems) == [DOUBTED]
    second = follow(corpus)
    assert second is not None
    assert second.release != first.release


def test_no_other_question_has_a_build_read(data: Settings) -> None:
    corpus = build_live_corpus(data)
    engine = corpus.poll()
    assert engine is not None
    before = find_record(data.data, engine.release)
    for citation in ("§ 9999 DemoG", "", "\0", "§" * 5000, "§ 3 " + "x" * 900):
        for tool, name in (("legal_lookup", "citation"), ("legal_search", "query")):
            ask(engine, "tools/call", {"name": tool, "arguments": {name: citation}})
    assert list(corpus.problems) == []
    assert corpus.poll() is None
    assert find_record(data.data, engine.release) == before


def test_a_doubt_that_was_unfounded_has_a_build_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = make_build(tmp_path, "Eins")
    now = datetime(2026, 1, 1, tzinfo=UTC)
    read: list[Path] = []

    def read_whole(folder: Path, advance: Callable[[int], None]) -> list[Finding]:
        read.append(folder)
        return check_completely(folder, advance)

    monkeypatch.setattr(background, "check_completely", read_whole)

    def check(*, doubted: bool) -> int:
        # each one is a process of its own: they know of one another by the data folder alone
        CompleteCheck(tmp_path, lambda: now).check(release, doubted=doubted)
        return len(read)

    assert check(doubted=False) == 1
    assert check(doubted=True) == 2  # however fresh the daily one is
    assert check(doubted=True) == 2
    now += DOUBTED_EVERY - timedelta(seconds=1)
    assert check(doubted=True) == 2
    now += timedelta(seconds=1)
    assert check(doubted=True) == 3


def test_a_build_known_to_be_damaged_is_not_read_again_for_it(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    builds.activate(tmp_path, release)
    now = datetime(2026, 1, 1, tzinfo=UTC)
    (tmp_path / "builds" / release / "stray").write_text("")
    checks = CompleteCheck(tmp_path, lambda: now)
    checks.check(release, doubted=True)
    first = find_record(tmp_path, release)
    assert first is not None
    assert first.findings
    now += DOUBTED_EVERY
    checks.check(release, doubted=True)
    assert find_record(tmp_path, release) == first


def test_a_doubt_ends_where_nothing_meets_damage_any_more(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    builds.activate(tmp_path, release)
    now = 0.0
    watch = BuildWatch(tmp_path, clock=lambda: now)
    watch.choose()
    watch.meet_damage("0" * 16)  # of a build that was in use before
    assert list(watch.doubts) == []
    watch.meet_damage(release)
    assert list(watch.doubts) == [DOUBTED]
    now = 600.0
    assert list(watch.doubts) == []
