"""Fetching from the official site, played by a loopback server with all its failures."""

import io
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.errors import SourceError
from fundstelle.ingest import origin
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.looks import is_demonstration
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.files.archives import ArchiveSnapshot, FolderSnapshot
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.gii import official_site
from fundstelle.ingest.sources.gii.official_site import SiteSnapshot
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_law

NOW = datetime(2025, 2, 1, 12, tzinfo=UTC)


@dataclass
class Answer:
    """What the server says to one path; ``failures`` come first, one a request."""

    body: bytes
    etag: str = '"1"'
    kind: str = "application/zip"
    failures: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    cut: int = 0  # bytes promised and not sent


@dataclass
class Publisher:
    """The server, what it holds and what it was asked."""

    url: str
    now: datetime = NOW  # by its clock
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def add(self, slug: str, number: int, text: str, folder: Path) -> Answer:
        path = write_law(folder, slug, number, {"§ 1": text})
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as packed:
            packed.write(path, path.name)
        self.answers[f"/{slug}/xml.zip"] = answer = Answer(buffer.getvalue())
        links = "".join(
            f"<item><title>x</title><link>http://www.gesetze-im-internet.de{name}</link></item>"
            for name in self.answers
            if name.endswith(".zip")
        )
        self.answers["/gii-toc.xml"] = Answer(f"<items>{links}</items>".encode(), kind="text/xml")
        return answer


class Handler(BaseHTTPRequestHandler):
    publisher: Publisher

    def do_GET(self) -> None:
        self.publisher.asked.append(self.path)
        answer = self.publisher.answers.get(self.path)
        if answer is None:
            self.send_error(404)
        elif answer.failures:
            self.send_response(answer.failures.pop(0))
            self._finish(answer, b"")
        elif self.headers.get("If-None-Match") == answer.etag:
            self.send_response(304)
            self.end_headers()
        else:
            self.send_response(200)
            self._finish(answer, answer.body)

    def _finish(self, answer: Answer, body: bytes) -> None:
        for name, value in {"ETag": answer.etag, **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) - answer.cut])

    def date_time_string(self, timestamp: float | None = None) -> str:
        assert timestamp is None
        return format_datetime(self.publisher.now, usegmt=True)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Quiet."""


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    publisher = Handler.publisher = Publisher(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield publisher
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def client(waits: list[float]) -> Downloader:
    return Downloader(pause=0, timeout=5, sleep=waits.append)


def fetch(
    publisher: Publisher,
    client: Downloader,
    cache: Path,
    laws: tuple[str, ...] | None = None,
    now: datetime = NOW,
) -> SiteSnapshot:
    return official_site.fetch(Order(cache, publisher.url, laws), client, Heard(), lambda: now)


def read_names(snapshot: SiteSnapshot) -> list[str]:
    return [entry.name for entry in snapshot.entries() if entry.problem is None]


def test_laws_are_fetched_built_and_dated_by_the_day_of_fetching(
    publisher: Publisher, client: Downloader, tmp_path: Path
) -> None:
    publisher.add("ag", 1, "Erfunden.", tmp_path)
    publisher.add("bg", 2, "Auch erfunden.", tmp_path)
    manifest = build(tmp_path / "data", [fetch(publisher, client, tmp_path / "cache")])
    assert (manifest.stand, manifest.statutes) == (NOW.date(), 2)
    [source] = manifest.sources
    assert (source.complete, source.url) == (True, publisher.url + "/")
    assert list(builds.open_active(tmp_path / "data").statutes) == ["de/ag", "de/bg"]


def test_a_selection_is_not_complete(
    publisher: Publisher, client: Downloader, tmp_path: Path
) -> None:
    publisher.add("ag", 1, "Erfunden.", tmp_path)
    publisher.add("bg", 2, "Auch erfunden.", tmp_path)
    snapshot = fetch(publisher, client, tmp_path / "cache", ("bg", "zg"))
    assert read_names(snapshot) == ["gii-toc.xml", "laws/bg/BJNR900000002.xml"]
    assert not build(tmp_path / "data", [snapshot]).sources[0].complete
    with pytest.raises(SourceError, match="lists no law zg"):
        fetch(publisher, client, tmp_path / "cache", ("zg",))


def test_a_second_run_asks_only_whether_something_changed(
    publisher: Publisher, client: Downloader, tmp_path: Path
) -> None:
    publisher.add("ag", 1, "Alt.", tmp_path)
    publisher.add("bg", 2, "Gleich.", tmp_path)
    fetch(publisher, client, tmp_path / "cache")
    publisher.add("ag", 1, "Neu.", tmp_path).etag = '"2"'
    publisher.now = NOW + timedelta(days=1)
    snapshot = fetch(publisher, client, tmp_path / "cache", now=NOW + timedelta(days=1))
    bodies = [entry.data for entry in snapshot.entries()]
    assert b"Neu." in bodies[1]
    assert b"Gleich." in bodies[2]


def test_an_interrupted_run_goes_on_where_it_stopped(
    publisher: Publisher, client: Downloader, tmp_path: Path
) -> None:
    publisher.add("ag", 1, "Erfunden.", tmp_path)
    fetch(publisher, client, tmp_path / "cache")
    publisher.add("bg", 2, "Auch erfunden.", tmp_path)
    publisher.asked.clear()
    snapshot = fetch(publisher, client, tmp_path / "cache", now=NOW + timedelta(hours=1))
    assert publisher.asked == ["/gii-toc.xml", "/bg/xml.zip"]
    assert len(read_names(snapshot)) == 3


@pytest.mark.parametrize(
    ("failures", "headers", "expected"),
    [
        ([503], {}, [1.0]),
        ([429, 429], {"Retry-After": "7"}, [7.0, 7.0]),
        ([500, 502, 504], {}, [1.0, 2.0, 4.0]),
        ([429], {"Retry-After": "86400"}, [60.0]),
    ],
)
def test_a_busy_site_is_asked_again_later(  # noqa: PLR0917 fixtures
    publisher: Publisher,
    client: Downloader,
    waits: list[float],
    tmp_path: Path,
    failures: list[int],
    headers: dict[str, str],
    expected: list[float],
) -> None:
    answer = publisher.add("ag", 1, "Erfunden.", tmp_path)
    answer.failures, answer.headers = list(failures), headers
    assert len(read_names(fetch(publisher, client, tmp_path / "cache"))) == 2
    assert [wait for wait in waits if wait] == expected


def test_a_host_that_fails_again_and_again_is_not_waited_for_without_end(
    publisher: Publisher, client: Downloader, waits: list[float], tmp_path: Path
) -> None:
    """Every other law is there, so that the site is never given up as a whole."""
    for number in range(40):
        answer = publisher.add(f"l{number:02}", number, "Erfunden.", tmp_path)
        if number % 2:
            answer.failures, answer.headers = [503] * 9, {"Retry-After": "3600"}
    client.patience = 300, 600
    snapshot = fetch(publisher, client, tmp_path / "cache")
    assert 300 < sum(waits) <= 300 + client.tries * 60
    assert len(read_names(snapshot)) == 1 + 20
    assert {str(entry.problem).rpartition("cannot be")[2] for entry in snapshot.missing[2:]} == {
        " fetched in 1 tries: answers 503"
    }
    client.patience = 100, 200
    with pytest.raises(SourceError, match="was not asked for: its host's failures"):
        fetch(publisher, client, tmp_path / "cache", now=NOW + timedelta(days=1))


@pytest.mark.parametrize("answers", ["a file", "as it was", "not there"])
def test_a_host_that_answers_all_and_slowly_is_not_waited_for_without_end(
    publisher: Publisher, answers: str
) -> None:
    """Ten minutes for each of five thousand files are a month, in which no source is updated."""
    path = "/bg/xml.zip"
    if answers != "not there":
        publisher.answers[path] = Answer(b"x", etag='"1"')
    known = {"etag": '"1"'} if answers == "as it was" else None
    minutes = count(0, 120)
    client = Downloader(pause=0, timeout=5, clock=lambda: float(next(minutes)))
    url = publisher.url + path
    said = set[str]()
    for _ in range(200):
        try:
            client.fetch(url, 9, known)
        except SourceError as error:
            said.add(str(error).rpartition("/")[2])
    assert len(publisher.asked) < 100
    assert said - {"xml.zip is not there (404)"} == {
        (
            "xml.zip was not asked for: its host's failures and slow answers have taken more than"
            " 120 minutes"
        )
    }


def spoil_missing(publisher: Publisher) -> None:
    del publisher.answers["/bg/xml.zip"]


def spoil_cut(publisher: Publisher) -> None:
    publisher.answers["/bg/xml.zip"].cut = 50


def spoil_page(publisher: Publisher) -> None:
    publisher.answers["/bg/xml.zip"] = Answer(b"<html>Wartung</html>", kind="text/html")


def spoil_forever_busy(publisher: Publisher) -> None:
    publisher.answers["/bg/xml.zip"].failures = [503] * 9


def spoil_forbidden(publisher: Publisher) -> None:
    publisher.answers["/bg/xml.zip"].failures = [403]


def spoil_redirected(publisher: Publisher) -> None:
    answer = publisher.answers["/bg/xml.zip"]
    answer.failures, answer.headers = [302], {"Location": "file:///etc/passwd"}


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (spoil_missing, "is not there (404)"),
        (spoil_cut, "cannot be fetched in 4 tries"),
        (spoil_page, "is not a zip file with a law in it (text/html)"),
        (spoil_forever_busy, "answers 503"),
        (spoil_forbidden, "answers 403"),
        (spoil_redirected, "file:///etc/passwd"),
    ],
)
def test_a_law_that_cannot_be_had_is_named_and_the_rest_goes_on(
    publisher: Publisher, client: Downloader, tmp_path: Path, spoil: object, reason: str
) -> None:
    publisher.add("ag", 1, "Erfunden.", tmp_path)
    publisher.add("bg", 2, "Auch erfunden.", tmp_path)
    assert callable(spoil)
    spoil(publisher)
    snapshot = fetch(publisher, client, tmp_path / "cache")
    manifest = build(tmp_path / "data", [snapshot], allow_rejects=True)
    [rejected] = manifest.rejected
    assert rejected.name == "laws/bg/xml.zip"
    assert reason in rejected.reason
    assert manifest.statutes == 1


def test_a_site_that_fails_again_and_again_is_given_up(
    publisher: Publisher, client: Downloader, tmp_path: Path
) -> None:
    for number in range(1, 8):
        publisher.add(f"a{number}g", number, "Erfunden.", tmp_path).failures = [503] * 9
    with pytest.raises(SourceError, match=r"5 times in a row.*goes on where it stopped"):
        fetch(publisher, client, tmp_path / "cache")


@pytest.mark.parametrize("body", [b"<html>Please sign in</html>", b"", b"<items/>"])
def test_a_proxy_s_page_is_no_table_of_contents(
    publisher: Publisher, client: Downloader, tmp_path: Path, body: bytes
) -> None:
    publisher.answers["/gii-toc.xml"] = Answer(body)
    with pytest.raises(SourceError, match="is not a table of contents"):
        fetch(publisher, client, tmp_path / "cache")


def test_names_in_the_contents_cannot_leave_the_cache(
    publisher: Publisher, client: Downloader, tmp_path: Path
) -> None:
    link = "<item><link>http://x.de/..%2F..%2Fetc/xml.zip</link></item>"
    hidden = "<item><link>http://x.de/../xml.zip</link></item>"
    publisher.answers["/gii-toc.xml"] = Answer(f"<items>{link}{hidden}</items>".encode())
    snapshot = fetch(publisher, client, tmp_path / "cache")
    assert [entry.problem is None for entry in snapshot.entries()] == [True, False, False]
    assert publisher.asked == ["/gii-toc.xml"]


def find_origin(
    tmp_path: Path, site_url: str, source: str | None = None, *laws: str
) -> origin.Origin:
    return origin.Origin(source, laws, False, (tmp_path / "root",), tmp_path / "cache", site_url)  # noqa: FBT003


def test_without_any_source_the_demonstration_says_so_loudly(
    client: Downloader, tmp_path: Path
) -> None:
    heard = Heard()
    found = origin.find(find_origin(tmp_path, "http://127.0.0.1:9"), client, heard)
    assert all(isinstance(one, Collection) or is_demonstration(one) for one in found)
    assert "kein geltendes Recht" in heard.notes[-1]
    assert "fundstelle ingest --source" in heard.notes[-1]


def test_a_law_asked_for_is_never_replaced_by_the_demonstration(
    client: Downloader, tmp_path: Path
) -> None:
    with pytest.raises(SourceError, match="cannot be fetched"):
        origin.find(find_origin(tmp_path, "http://127.0.0.1:9", None, "bgb"), client, Heard())


@pytest.mark.parametrize("place", ["root/corpus", "shared/corpus"])
def test_archives_carried_in_come_before_the_site(
    publisher: Publisher, client: Downloader, tmp_path: Path, place: str
) -> None:
    (tmp_path / "root").mkdir()
    write_law(tmp_path / place / "gii-2025-01-01" / "laws", "ag", 1, {"§ 1": "Erfunden."})
    (found,) = origin.find(find_origin(tmp_path, publisher.url), client, Heard())
    assert isinstance(found, FolderSnapshot)
    assert found.name == "gii-2025-01-01"
    assert publisher.asked == []


def test_an_archive_is_fetched_by_its_address(
    publisher: Publisher, client: Downloader, tmp_path: Path
) -> None:
    answer = publisher.add("ag", 1, "Erfunden.", tmp_path)
    publisher.answers["/gii-2025-01-01.zip"] = answer
    url = publisher.url + "/gii-2025-01-01.zip"
    [snapshot] = origin.find(find_origin(tmp_path, publisher.url, url), client, Heard())
    assert isinstance(snapshot, ArchiveSnapshot)
    assert snapshot.url == url
    assert [entry.name for entry in snapshot.entries()] == ["BJNR900000001.xml"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("file:///etc/x.zip", "is not an http"),
        ("ftp://x.de/x.zip", "is not an http"),
        ("https://x.de/", "is not the address of an archive"),
    ],
)
def test_other_addresses_are_refused(
    client: Downloader, tmp_path: Path, source: str, message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        origin.find(find_origin(tmp_path, "http://127.0.0.1:9", source), client, Heard())


@pytest.mark.parametrize("days", [-400, 400])
def test_with_a_clock_that_is_days_off_nothing_is_fetched(
    publisher: Publisher, client: Downloader, tmp_path: Path, days: int
) -> None:
    """The texts would be of a day on which nobody saw them, and updates wait until it comes."""
    publisher.add("ag", 1, "Erfunden.", tmp_path)
    publisher.now = NOW + timedelta(days=days)
    with pytest.raises(SourceError, match="this machine's clock says 2025-02-01: set it"):
        fetch(publisher, client, tmp_path / "cache")
