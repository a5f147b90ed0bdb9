"""A worker lives through many builds: what was replaced is closed and gone, whoever used it."""

import gc
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import ref

import orjson
import pytest

from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.lookup.library import Library
from fundstelle.mcp.engine import Reply
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from fundstelle.tools.spec import CallContext
from fundstelle.web.following import NO_FILES, Follower
from fundstelle.web.live import LiveCorpus
from fundstelle.web.pen import Pen
from fundstelle.web.request_log import RequestLog
from tests.e2e.test_swap import write_law
from tests.integration.corpora.building import build

SWAPS = 30
FILES = Path("/proc/self/fd")
JSON = {b"content-type": b"application/json"}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small builds with real indexes, of one invented law each."""
    folder = tmp_path_factory.mktemp("swaps")
    for word in ("Eins", "Zwei"):
        build(folder / "data", write_law(folder, word), engine=TantivyEngine())
    return folder / "data"


@pytest.fixture
def corpus(data: Path) -> LiveCorpus:
    return build_live_corpus(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))


@pytest.fixture
def follower(corpus: LiveCorpus) -> Follower:
    return Follower(corpus.poll, RequestLog(Pen(os.open(os.devnull, os.O_WRONLY))))


@pytest.fixture
def releases(data: Path) -> Iterator[list[str]]:
    before = (data / "active").read_text()
    yield sorted(path.name for path in (data / "builds").iterdir())
    (data / "active").write_text(before)


def call(follower: Follower, tool: str, **arguments: Any) -> Reply:
    assert follower.engine is not None
    params = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    context = CallContext("request", "key")
    return follower.engine.handle(JSON, orjson.dumps(message), context, lambda _: None)


def use(follower: Follower, corpus: LiveCorpus) -> list[Any]:
    """Ask everything that keeps something; gives weak references to what a build consists of."""
    for tool, arguments in (
        ("legal_lookup", {"citation": "§ 1 SwapG"}),
        ("legal_lookup", {"citation": "§ 9 SwapG"}),
        ("legal_lookup", {"citation": "§ 1 SwapG", "as_of": "2025-01-01"}),
        ("legal_lookup", {"citation": "BGH, Urteil vom 4. Mai 2023 - IX ZR 1/23"}),
        ("legal_lookup_batch", {"text": "Nach § 1 SwapG gilt: „Wort Eins“, ebenso § 2 SwapG."}),
        ("legal_get_toc", {"law": "SwapG"}),
        ("legal_get_toc", {"law": "SwapG", "compare_to": "2025-01-01"}),
        ("legal_get_context", {"document_id": "de/swapg/1", "include": ["versions", "references"]}),
        ("legal_find_citing_decisions", {"cited_norm": "§ 1 SwapG"}),
        ("legal_search", {"query": "Wort Eins Zwei", "facets": True}),
        ("legal_search", {"query": "Wort", "as_of": "2025-01-01"}),
        ("legal_list_laws", {"query": "Swap"}),
        ("legal_get_stats", {}),
    ):
        assert call(follower, tool, **arguments).status == 200

    held: list[Any] = [ref(follower.engine)]

    def read_page() -> None:
        with corpus.search() as library:
            assert library is not None
            assert library.store.find_norm("de/swapg/1") is not None
            held.extend(map(ref, (library.store, library.index, library.names)))

    page = threading.Thread(target=read_page)
    page.start()
    page.join()
    for thread in threading.enumerate():
        if thread.name == "complete-check":  # it has files open, too
            thread.join(60)
    return held


@pytest.mark.skipif(not FILES.is_dir(), reason="counts files under /proc")
def test_no_swap_leaves_a_file_or_an_object_behind(
    data: Path, follower: Follower, corpus: LiveCorpus, releases: list[str]
) -> None:
    files = []
    replaced: list[Any] = []
    for swap in range(SWAPS):
        (data / "active").write_text(releases[swap % 2])
        follower.refresh()
        assert follower.engine is not None
        assert follower.engine.release == releases[swap % 2]
        assert not any(one() for one in replaced), "what was replaced is gone without a collector"
        replaced = use(follower, corpus)
        files.append(len(list(FILES.iterdir())))
    # One that a thread of the engine has open for a moment is no leak: a leak is there ever after.
    half = SWAPS // 2
    assert min(files[half:]) == min(files[1:half]), files


def test_what_was_replaced_lies_in_no_circle(
    data: Path, follower: Follower, corpus: LiveCorpus, releases: list[str]
) -> None:
    """Builds are hidden from the collector (``gc.freeze``), which never finds a circle in them."""
    gc.unfreeze()
    gc.collect()  # what other tests left
    for swap in range(4):
        (data / "active").write_text(releases[swap % 2])
        follower.refresh()
        use(follower, corpus)
    gc.unfreeze()
    gc.garbage.clear()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
        circles = {type(one) for one in gc.garbage if type(one).__module__.startswith("fundstelle")}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
    assert not circles


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="reads /proc")
def test_after_two_hundred_swaps_a_process_is_as_large_as_after_two(
    data: Path, releases: list[str]
) -> None:
    assert len(releases) == 2
    done = subprocess.run(
        [sys.executable, "-m", "tests.integration.web.swapping", str(data), "200"],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    figures = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert len(figures) == 200
    private, files = zip(*figures, strict=True)
    assert max(private[2:]) <= 1.1 * private[1]
    assert min(files[:50]) == min(files[-50:])
    assert max(files) <= min(files) + 2, "what a thread of the index closes a moment later"


def test_a_page_under_way_keeps_its_build_open_and_closes_it_at_its_end(
    data: Path, follower: Follower, corpus: LiveCorpus, releases: list[str]
) -> None:
    (data / "active").write_text(releases[0])
    follower.refresh()
    with corpus.read() as page:
        assert page is not None
        (data / "active").write_text(releases[1])
        follower.refresh()
        assert follower.engine is not None
        assert follower.engine.release == releases[1]
        assert page.store.find_norm("de/swapg/1") is not None, "it is still open"
        store = page.store
    with pytest.raises(Exception, match=r"closed"):
        store.list_norms("de/swapg")
    with corpus.read() as fresh:
        assert fresh is not None
        assert fresh.store.manifest.release == releases[1]


@pytest.mark.skipif(not FILES.is_dir(), reason="counts files under /proc")
def test_a_build_that_finds_no_file_left_to_open_is_taken_when_there_are_some(
    data: Path, follower: Follower, corpus: LiveCorpus, releases: list[str]
) -> None:
    (data / "active").write_text(releases[0])
    follower.refresh()
    use(follower, corpus)
    first = follower.engine
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    (data / "active").write_text(releases[1])
    held: list[int] = []
    try:
        highest = max(int(path.name) for path in FILES.iterdir())
        resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 20, before[1]))
        with suppress(OSError):  # too many open files
            for _ in range(highest + 20):
                held.append(os.dup(0))  # noqa: PERF401 -- those before the error are to be closed
        for _ in range(6):  # it fails in another place each time
            corpus.retry()
            follower.refresh()
            assert follower.engine is first
            assert list(follower.problems) == [NO_FILES]  # nothing is said of a build
            os.close(held.pop())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        for descriptor in held:
            os.close(descriptor)
    assert call(follower, "legal_lookup", citation="§ 1 SwapG").status == 200
    files = len(list(FILES.iterdir()))
    corpus.retry()
    follower.refresh()
    assert follower.engine is not None
    assert follower.engine.release == releases[1]
    assert not follower.problems
    use(follower, corpus)
    assert len(list(FILES.iterdir())) <= files


def test_connections_end_with_the_threads_that_asked_for_them(
    data: Path, corpus: LiveCorpus, releases: list[str]
) -> None:
    (data / "active").write_text(releases[0])
    engine = corpus.poll()
    assert engine is not None
    counts = []

    def read(library: Library) -> None:
        assert library.store.find_norm("de/swapg/1") is not None

    with corpus.read() as library:
        assert library is not None
        for _ in range(5):
            reader = threading.Thread(target=read, args=(library,))
            reader.start()
            reader.join()
            counts.append(len(library.store._connections._all))  # type: ignore[attr-defined] # the port has none
    assert len(set(counts)) == 1
    engine.close()
