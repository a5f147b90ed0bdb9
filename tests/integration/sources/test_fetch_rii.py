"""Fetching federal decisions from the portal, played by a loopback server with its failures."""

import errno
import shutil
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from fundstelle.errors import SourceError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.adapter import Followed, Order
from fundstelle.ingest.sources.courts import rii_portal
from fundstelle.ingest.sources.courts.adapters import iter_decisions
from fundstelle.ingest.sources.courts.rii_contents import read_contents, require_contents
from fundstelle.ingest.sources.files import patience
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.files.patience import limited
from fundstelle.ingest.sources.registry import COURTS
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_law
from tests.integration.services.loopback import Answer, Service, jump, pack, serve
from tests.integration.sources.decision_archive import read_archive, skip_without_archive

NOW = datetime(2025, 2, 1, 12, tzinfo=UTC)
DAY = "20240110"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def write_decision(number: str, text: str = "Die Revision ist erfunden.") -> bytes:
    return (
        f"<dokument><doknr>{number}</doknr><ecli/><gertyp>BGH</gertyp><gerort/>"
        f"<spruchkoerper>1. Zivilsenat</spruchkoerper><entsch-datum>{DAY}</entsch-datum>"
        f"<aktenzeichen>I ZR {number[-3:]}/23</aktenzeichen><doktyp>Urteil</doktyp>"
        f'<gruende><div><dl class="RspDL"><dt><a name="rd_1">1</a></dt><dd><p>{text}</p></dd>'
        "</dl></div></gruende></dokument>"
    ).encode()


class Portals:
    """Fills a service as the portal lays its files out."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.items: dict[str, str] = {}

    def add(
        self, number: str, data: bytes, *, day: str = DAY, modified: str = "2025-01-01"
    ) -> Answer:
        self.items[number] = (
            f"<item><gericht>BGH 1. Zivilsenat</gericht><entsch-datum>{day}</entsch-datum>"
            f"<aktenzeichen>I ZR 1/23 &amp; a.</aktenzeichen><link>http://www.rechtsprechung-im-"
            f"internet.de/jportal/docs/bsjrs/jb-{number}.zip</link>"
            f"<modified>{modified}T21:55:54.378Z</modified></item>"
        )
        items = "".join(self.items.values())
        self.list(f"<?xml version='1.0'?><items>{items}</items>".encode())
        answer = Answer(pack({f"{number}.xml": data}))
        self.service.answers[get_path(number)] = answer
        return answer

    def list(self, contents: bytes) -> None:
        """Another table of contents."""
        self.service.answers["/rii-toc.xml"] = Answer(
            contents, etag=f'"{hash(contents)}"', kind="text/xml"
        )


def get_path(number: str) -> str:
    return f"/jportal/docs/bsjrs/jb-{number}.zip"


@pytest.fixture
def service() -> Iterator[Service]:
    with serve() as service:
        yield service


@pytest.fixture
def portals(service: Service) -> Portals:
    return Portals(service)


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def client(waits: list[float]) -> Downloader:
    return Downloader(pause=0, timeout=5, sleep=waits.append)


def fetch(
    service: Service,
    client: Downloader,
    cache: Path,
    since: date | None = None,
    now: datetime = NOW,
) -> Collection:
    order = Order(cache, service.url, since=since)
    return Collection(COURTS, rii_portal.fetch(order, client, Heard(), now), adds=True)


def read(collection: Collection) -> dict[str, str]:
    """Decision numbers with the word "held" or the problem."""
    return {e.name: e.problem or "held" for e in collection.files.entries()}


def test_decisions_are_fetched_into_a_collection_that_the_adapter_reads(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    portals.add("KORE000000001", write_decision("KORE000000001"))
    portals.add("KORE000000002", write_decision("KORE000000002"))
    found = fetch(service, client, tmp_path)
    assert found.files.url == service.url + "/"
    files = [SourceFile(e.name, "rii", e.data) for e in found.files.entries()]
    assert [file.name for file in files] == ["rii/KORE000000001.xml", "rii/KORE000000002.xml"]
    parsed = [one.decision for one in iter_decisions(files) if isinstance(one, ParsedDecision)]
    assert [one.dockets for one in parsed] == [("I ZR 001/23",), ("I ZR 002/23",)]


def test_the_table_of_contents_is_read_with_every_field(service: Service, portals: Portals) -> None:
    portals.add("KORE000000001", b"")
    (item,) = read_contents(service.answers["/rii-toc.xml"].body)
    assert (item.court, item.issued_on) == ("BGH 1. Zivilsenat", date(2024, 1, 10))
    assert (item.docket, item.modified) == ("I ZR 1/23 & a.", "2025-01-01T21:55:54.378Z")


@pytest.mark.parametrize(
    "contents",
    [
        pytest.param(b"<items>" + b"<item>" * 100_000, id="items that never end"),
        pytest.param(
            b"<item><link>" + b" " * 20_000 + b"<other></item>", id="blanks that nothing follows"
        ),
    ],
)
def test_a_list_that_is_none_is_read_in_no_more_than_its_length(
    contents: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "MOST_S", 15.0)
    with limited():
        assert not list(read_contents(contents))


@pytest.mark.parametrize("begins", [b"<?>" * 100_000, b"<!" * 100_000, b" " * 100_000 + b"<!x>"])
def test_whether_a_list_is_whole_is_found_in_no_more_than_its_length(
    begins: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = b"<item><link>/jb-KORE1.zip</link></item>"
    monkeypatch.setattr(patience, "MOST_S", 15.0)
    with limited(), pytest.raises(SourceError, match="cut short"):
        require_contents("https://rii.example", begins + item * 1_000, "text/xml")


@pytest.mark.parametrize("begins", [b"", b"\xef\xbb\xbf", b"<?xml version='1.0'?>\n<!DOCTYPE a>"])
def test_a_whole_list_is_taken_with_any_beginning(begins: bytes) -> None:
    whole = begins + b"<items a='1'><item><link>/jb-KORE1.zip</link></item></items>\n"
    require_contents("https://rii.example", whole, "text/xml")


def test_a_list_of_more_decisions_than_there_can_be_is_not_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    item = b"<item><link>/jb-KORE1.zip</link></item>"
    monkeypatch.setattr("fundstelle.ingest.sources.courts.rii_contents._MOST_ITEMS", 3)
    require_contents("https://rii.example", b"<items>" + item * 3 + b"</items>", "text/xml")
    with pytest.raises(SourceError, match="lists more than 3 decisions"):
        require_contents("https://rii.example", b"<items>" + item * 4 + b"</items>", "text/xml")


def test_what_is_longer_than_any_number_of_a_decision_is_none() -> None:
    items = [b"<item><link>/jb-%s.zip</link></item>" % (b"A" * length) for length in (40, 41)]
    assert [len(one.number) for one in read_contents(b"".join(items))] == [40]


@pytest.mark.parametrize("end", ["</items>", "<item><gericht>BGH", "</item>"])
def test_a_list_that_is_just_being_written_is_not_taken_for_all(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path, end: str
) -> None:
    for number in range(1, 4):
        portals.add(f"KORE00000000{number}", write_decision(f"KORE00000000{number}"))
    whole = service.answers["/rii-toc.xml"].body
    portals.list(whole[: whole.rindex(end.encode()) if end in whole.decode() else -20])
    for since in (None, date(2024, 1, 1)):
        with pytest.raises(SourceError, match="is cut short"):
            fetch(service, client, tmp_path, since)
    with pytest.raises(SourceError, match="is cut short"):
        follow(service, client, tmp_path, date(2025, 1, 1))
    portals.list(whole)
    assert len(read(fetch(service, client, tmp_path))) == 3


def test_what_is_owed_is_not_dropped_by_a_list_that_has_lost_most(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    for number in range(9):
        portals.add(f"KORE00000000{number}", write_decision(f"KORE00000000{number}"))
    service.answers[get_path("KORE000000007")].failures = [503] * 4
    assert follow(service, client, tmp_path, date(2025, 1, 1)).problems
    items = list(portals.items.values())
    portals.list(f"<items>{''.join(items[:6])}</items>".encode())
    for _ in range(2):  # the one that it has lost most of is the one before, not the last answer
        with pytest.raises(SourceError, match="lists 6 decisions, and the last time 9"):
            follow(service, client, tmp_path, date(2025, 1, 31))
    portals.list(f"<items>{''.join(items[:8])}</items>".encode())
    assert follow(service, client, tmp_path, date(2025, 1, 31)).new == 1
    portals.list(f"<items>{''.join(items[:2])}</items>".encode())
    fetch(service, client, tmp_path)
    assert follow(service, client, tmp_path, date(2025, 1, 31)).problems == ()


def test_what_an_ingestion_could_not_have_the_next_update_asks_for(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    for number in range(1, 3):
        portals.add(f"KORE00000000{number}", write_decision(f"KORE00000000{number}"))
    service.answers[get_path("KORE000000002")].failures = [503] * 4
    files = fetch(service, client, tmp_path).files
    assert isinstance(files, rii_portal.PortalFiles)
    files.settle()  # a build holds the other one
    followed = follow(service, client, tmp_path, date(2025, 1, 31))
    assert (followed.asked, followed.new) == (1, 1)


def test_what_a_publisher_has_leaves_the_disk_room_for_what_else_goes_on(
    service: Service,
    portals: Portals,
    client: Downloader,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many documents it lists, and however large."""
    for number in range(3):
        portals.add(f"KORE00000000{number}", write_decision(f"KORE00000000{number}"))
    free = iter([2**40, 2**40, 2**20])  # the contents and a decision fit, the next one does not
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=next(free)))
    with pytest.raises(OSError, match="no room for more") as caught:
        fetch(service, client, tmp_path)
    assert caught.value.errno == errno.ENOSPC
    assert len(list(tmp_path.rglob("decision.zip"))) == 1


def test_only_decisions_since_the_day_are_fetched(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    portals.add("KORE000000001", write_decision("KORE000000001"), day="20231231")
    portals.add("KORE000000002", write_decision("KORE000000002"), day="20240101")
    assert list(read(fetch(service, client, tmp_path, date(2024, 1, 1)))) == [
        "rii/KORE000000002.xml"
    ]
    with pytest.raises(SourceError, match="names no decision since 2024-01-02"):
        fetch(service, client, tmp_path, date(2024, 1, 2))


def test_a_second_run_asks_only_for_what_the_contents_say_has_changed(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    portals.add("KORE000000001", write_decision("KORE000000001"))
    portals.add("KORE000000002", write_decision("KORE000000002"))
    fetch(service, client, tmp_path)
    portals.add("KORE000000002", write_decision("KORE000000002", "Neu."), modified="2025-03-01")
    service.asked.clear()
    found = fetch(service, client, tmp_path, now=NOW + timedelta(days=90))
    assert service.paths == ["/rii-toc.xml", get_path("KORE000000002")]
    assert all(one.is_conditional for one in service.asked)
    assert read(found) == dict.fromkeys(read(found), "held")


def test_contents_that_have_not_changed_are_not_sent_again(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    portals.add("KORE000000001", write_decision("KORE000000001"))
    first = fetch(service, client, tmp_path)
    service.asked.clear()
    assert read(fetch(service, client, tmp_path)) == read(first)
    assert [(one.path, one.is_conditional) for one in service.asked] == [("/rii-toc.xml", True)]


def test_an_interrupted_run_goes_on_where_it_stopped(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    numbers = [f"KORE00000000{n}" for n in range(1, 4)]
    for number in numbers:
        portals.add(number, write_decision(number))

    class Interrupted(Heard):
        def advance(self, count: int) -> None:
            raise KeyboardInterrupt(count)

    with pytest.raises(KeyboardInterrupt):
        rii_portal.fetch(Order(tmp_path, service.url), client, Interrupted(), NOW)
    # What an end in the middle of a write leaves behind.
    (tmp_path / numbers[1]).mkdir()
    (tmp_path / numbers[1] / "decision.zip.part").write_bytes(b"PK")
    service.asked.clear()
    found = fetch(service, client, tmp_path)
    assert service.paths == ["/rii-toc.xml", get_path(numbers[1]), get_path(numbers[2])]
    assert list(read(found).values()) == ["held"] * 3


@pytest.mark.parametrize(
    ("failures", "headers", "expected"),
    [
        ([503], {}, [1.0]),
        ([429], {"Retry-After": "7"}, [7.0]),
        ([429, 503], {"Retry-After": "86400"}, [60.0, 60.0]),
    ],
)
def test_a_busy_portal_is_asked_again_later(  # noqa: PLR0917 fixtures
    portals: Portals,
    client: Downloader,
    waits: list[float],
    tmp_path: Path,
    failures: list[int],
    headers: dict[str, str],
    expected: list[float],
) -> None:
    answer = portals.add("KORE000000001", write_decision("KORE000000001"))
    answer.failures, answer.headers = list(failures), headers
    assert list(read(fetch(portals.service, client, tmp_path)).values()) == ["held"]
    assert [wait for wait in waits if wait] == expected


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "is not there (404)"),
        (Answer(b"x" * 100, cut=50), "cannot be fetched in 4 tries"),
        (Answer(pack({"a.xml": b"<dokument/>"})[:40]), "is no whole zip file"),
        (Answer(pack({"a.txt": b"Erfunden"})), "holds no decision"),
        (Answer(b"<html>Wartung</html>", kind="text/html"), "(text/html)"),
        (Answer(b"", failures=[503] * 9), "answers 503"),
        (Answer(b"", failures=[302], headers={"Location": "file:///etc/passwd"}), "/etc/passwd"),
        (Answer(b"x" * 10**6, drips=True), "it drips"),
    ],
)
def test_a_decision_that_cannot_be_had_is_named_and_the_rest_goes_on(
    portals: Portals, tmp_path: Path, answer: Answer | None, reason: str
) -> None:
    client = Downloader(pause=0, timeout=5, sleep=lambda _: None, clock=jump())
    portals.add("KORE000000001", write_decision("KORE000000001"))
    portals.add("KORE000000002", write_decision("KORE000000002"))
    del portals.service.answers[get_path("KORE000000001")]
    if answer:
        portals.service.answers[get_path("KORE000000001")] = answer
    found = read(fetch(portals.service, client, tmp_path))
    assert reason in found["rii/KORE000000001.xml"]
    assert found["rii/KORE000000002.xml"] == "held"


def follow(service: Service, client: Downloader, cache: Path, since: date) -> Followed:
    return rii_portal.follow(Order(cache, service.url, since=since), (), client, Heard(), NOW)


def test_what_failed_is_asked_for_until_it_can_be_had(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    first = portals.add("KORE000000001", write_decision("KORE000000001"), modified="2025-01-01")
    first.failures = [503] * 8
    for day in (2, 20):
        number = f"KORE0000000{day:02}"
        portals.add(number, write_decision(number), modified=f"2025-01-{day:02}")
        followed = follow(service, client, tmp_path, date(2025, 1, 1 if day == 2 else day))
        assert followed.asked == 2
        assert "rii/KORE000000001.xml" in str(followed.problems)
    portals.items = {number: item for number, item in portals.items.items() if "01" in number[-2:]}
    portals.add("KORE000000030", write_decision("KORE000000030"), modified="2025-01-30")
    for _ in range(2):  # no build comes about after the first
        last = follow(service, client, tmp_path, date(2025, 1, 30))
        assert (last.asked, last.new, last.problems) == (2, 2, ())
    write_law(tmp_path / "gii-2025-01-01" / "laws", "ag", 1, {"§ 1": "Erfunden."})
    build(tmp_path / "data", tmp_path / "gii-2025-01-01")
    assert last.files is not None
    build(tmp_path / "data", [Collection(COURTS, last.files, adds=True)])
    assert follow(service, client, tmp_path, date(2025, 1, 31)).asked == 0


def look(service: Service, client: Downloader, data: Path, since: date) -> Followed:
    """As ``follow``, in a data folder."""
    order = Order(data / "cache", service.url, since=since, kept=data / "looks")
    return rii_portal.follow(order, (), client, Heard(), NOW)


def test_what_is_owed_outlasts_the_cache(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    late = portals.add("KORE000000001", write_decision("KORE000000001"))
    late.failures = [503] * 4
    assert look(service, client, tmp_path, date(2025, 1, 1)).problems
    shutil.rmtree(tmp_path / "cache")
    followed = look(service, client, tmp_path, date(2025, 1, 31))
    assert (followed.asked, followed.new) == (1, 1)


def test_a_note_that_lies_in_the_cache_is_read_once(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    late = portals.add("KORE000000001", write_decision("KORE000000001"))
    late.failures = [503] * 4
    assert follow(service, client, tmp_path / "cache", date(2025, 1, 1)).problems
    former = tmp_path / "cache" / "owed.json"
    assert former.is_file()
    assert look(service, client, tmp_path, date(2025, 1, 31)).asked == 1
    assert not former.exists()
    assert look(service, client, tmp_path, date(2025, 1, 31)).asked == 1, "until it is built"


def test_a_note_that_cannot_be_read_is_not_taken_for_an_empty_one(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    portals.add("KORE000000001", write_decision("KORE000000001"))
    (tmp_path / "looks" / "owed.json").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        look(service, client, tmp_path, date(2025, 1, 31))


@pytest.mark.parametrize(
    "data", [b"<html>one moment</html>", b"<dokument><doknr>KORE", write_decision("KORE000000002")]
)
def test_a_file_that_is_not_the_decision_is_not_kept(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path, data: bytes
) -> None:
    portals.add("KORE000000001", data)
    [problem] = follow(service, client, tmp_path, date(2025, 1, 1)).problems
    assert problem.startswith("rii/KORE000000001.xml: http")
    portals.add("KORE000000001", write_decision("KORE000000001"))  # mended under the same stamp
    mended = follow(service, client, tmp_path, date(2025, 1, 1))
    assert (mended.new, mended.problems) == (1, ())


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nX: ", CHUNKED + b"2;"])
def test_an_answer_that_drips_before_its_body_is_given_up(head: bytes) -> None:
    over = threading.Event()

    def drip(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            connection.recv(4096)
            connection.sendall(head)
            while not over.wait(0.01):
                connection.sendall(b"a")

    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        pool.submit(drip, listener)
        client = Downloader(pause=0, timeout=5, longest=0.2, tries=1)
        try:
            with pytest.raises(SourceError, match="it drips"):
                client.fetch(f"http://127.0.0.1:{listener.getsockname()[1]}/x", 1_000)
        finally:
            over.set()


def test_a_portal_that_fails_again_and_again_is_given_up(
    portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    for number in range(1, 8):
        portals.add(f"KORE00000000{number}", b"").failures = [503] * 9
    with pytest.raises(SourceError, match=r"5 times in a row.*goes on where it stopped"):
        fetch(portals.service, client, tmp_path)


@pytest.mark.parametrize("body", [b"<html>Please sign in</html>", b"", b"<items/>"])
def test_a_proxy_s_page_is_no_table_of_contents_and_is_not_kept(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path, body: bytes
) -> None:
    service.answers["/rii-toc.xml"] = Answer(body)
    with pytest.raises(SourceError, match="is not a table of contents"):
        fetch(service, client, tmp_path)
    portals.add("KORE000000001", write_decision("KORE000000001"))
    assert list(read(fetch(service, client, tmp_path)).values()) == ["held"]


def test_what_is_fetched_is_added_to_what_the_live_build_holds(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    write_law(tmp_path / "gii-2025-01-01" / "laws", "ag", 1, {"§ 1": "Erfunden."})
    build(tmp_path / "data", tmp_path / "gii-2025-01-01")
    portals.add("KORE000000001", write_decision("KORE000000001"), day="20240101")
    assert build(tmp_path / "data", [fetch(service, client, tmp_path / "cache")]).decisions == 1
    portals.add("KORE000000002", write_decision("KORE000000002"), day="20250101")
    later = fetch(service, client, tmp_path / "cache", date(2025, 1, 1))
    manifest = build(tmp_path / "data", [later])
    assert (manifest.statutes, manifest.decisions) == (1, 2)
    state = next(s for s in manifest.sources if s.source_type == COURTS.source_type)
    assert (state.items, len(state.snapshots)) == (2, 2)
    heard = Heard()
    build(tmp_path / "data", [later], heard=heard)
    assert heard.notes == ["the live build holds all of it already"]


@pytest.mark.corpus
def test_the_archive_s_decision_comes_through_the_portal_unchanged(
    service: Service, portals: Portals, client: Downloader, tmp_path: Path
) -> None:
    skip_without_archive()
    originals = {f.name: f.data for f in read_archive() if f.name.startswith("rii/")}
    for name, data in originals.items():
        portals.add(Path(name).stem, data)
    found = fetch(service, client, tmp_path)
    assert {entry.name: entry.data for entry in found.files.entries()} == originals
    assert originals
