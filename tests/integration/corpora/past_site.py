"""The official site as it was on the days of the looks, given out again by a loopback server."""

import io
import tarfile
import threading
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import zstandard

from fundstelle.ingest.history.contents import read_titles
from fundstelle.ingest.history.looks import LOOKS
from fundstelle.ingest.history.snapshots import SourceEntry


@dataclass(frozen=True)
class Version:
    """A file as it stood from a day on."""

    name: str  # "<slug>/<number>/<day>.xml"
    data: bytes

    @property
    def day(self) -> date:
        return date.fromisoformat(self.name[-len("2022-01-01.xml") : -len(".xml")])

    @property
    def number(self) -> str:
        return self.name.split("/")[1]


@dataclass
class Past:
    """What was looked at: days, versions of some laws, tables of contents."""

    days: list[date] = field(default_factory=list)
    versions: dict[str, list[Version]] = field(default_factory=lambda: defaultdict(list))
    tables: dict[date, dict[str, str]] = field(default_factory=dict)  # slug to title
    _listed: dict[tuple[date, int], dict[str, str]] = field(default_factory=dict)

    def list_on(self, day: date) -> dict[str, str]:
        """Slugs and titles that the site listed on the day of a look.

        Where no table of that day is kept, what the next one lists of the laws that were there.
        """
        asked = day, len(self.versions)  # tests take laws away
        if asked not in self._listed:
            table = self.tables.get(day) or self._find_next(day)
            shown = {
                slug
                for slug, versions in self.versions.items()
                if versions[0].day <= day
                and (slug in table or any(version.day == day for version in versions))
            }
            self._listed[asked] = {slug: table.get(slug, slug) for slug in sorted(shown)}
        return self._listed[asked]

    def find(self, slug: str, day: date) -> Version | None:
        """The file that stood there."""
        return next((v for v in reversed(self.versions.get(slug, ())) if v.day <= day), None)

    def write_table(
        self, day: date, without: Container[str] = (), also: Iterable[str] = ()
    ) -> bytes:
        items = "".join(
            f"<item><title>{_escape(title)}</title>"
            f"<link>http://www.gesetze-im-internet.de/{slug}/xml.zip</link></item>"
            for slug, title in (*self.list_on(day).items(), *((one, one) for one in also))
            if slug not in without
        )
        return f'<?xml version="1.0" encoding="UTF-8"?><items>{items}</items>'.encode()

    def _find_next(self, day: date) -> Mapping[str, str]:
        later = [one for one in sorted(self.tables) if one >= day]
        return self.tables[later[0] if later else max(self.tables)]


@dataclass(frozen=True)
class PastFiles:
    """All of it as one archive of versions."""

    past: Past
    name: str = "past.tar.zst"
    url: str = "https://www.gesetze-im-internet.de/"
    retrieved_at: datetime = datetime(2025, 3, 27, tzinfo=UTC)

    def entries(self) -> Iterator[SourceEntry]:
        days = "".join(f"{day.isoformat()}\n" for day in self.past.days)
        yield SourceEntry(LOOKS, days.encode())
        for day in self.past.days:
            name = f"toc/gii-toc-{day.isoformat()}.xml"
            yield SourceEntry(name, self.past.write_table(day))
        for versions in self.past.versions.values():
            for version in versions:
                yield SourceEntry(version.name, version.data)


def read_past(archive: Path, slugs: Sequence[str] | None, since: date = date.min) -> Past:
    """Some laws of an archive of versions, or all, from the look of a day on.

    Of each table what it says of these laws.
    """
    past, wanted = Past(), None if slugs is None else set(slugs)
    for name, data in _iter_files(archive):
        slug, _, rest = name.partition("/")
        if name == LOOKS:
            days = map(date.fromisoformat, data.decode().split())
            past.days = sorted(day for day in days if day >= since)
        elif slug == "toc":
            titles = dict(read_titles(data))
            kept = titles.keys() if wanted is None else wanted & titles.keys()
            day = date.fromisoformat(rest[len("gii-toc-") : -len(".xml")])
            past.tables[day] = {slug: titles[slug] for slug in kept}
        elif wanted is None or slug in wanted:
            versions = past.versions[slug]  # they come by law and day
            if (
                versions
                and date.fromisoformat(rest[-len("2022-01-01.xml") : -len(".xml")]) <= since
            ):
                versions.clear()
            versions.append(Version(name, data))
    for versions in past.versions.values():
        versions.sort(key=lambda version: version.day)
    begins = min(versions[0].day for versions in past.versions.values())
    past.days = [day for day in past.days if day >= begins]
    return past


def _iter_files(archive: Path) -> Iterator[tuple[str, bytes]]:
    with (
        zstandard.ZstdDecompressor().stream_reader(archive.open("rb")) as stream,
        tarfile.open(fileobj=stream, mode="r|") as packed,
    ):
        for member in packed:
            file = packed.extractfile(member)
            if file is not None:
                yield member.name, file.read()


@dataclass(frozen=True)
class EarlierFiles:
    """What an archive of versions holds up to a day."""

    archive: Path
    until: date
    name: str = "earlier.tar.zst"
    url: str = "https://www.gesetze-im-internet.de/"
    retrieved_at: datetime = datetime(2025, 3, 27, tzinfo=UTC)

    def entries(self) -> Iterator[SourceEntry]:
        last = self.until.isoformat()
        for name, data in _iter_files(self.archive):
            if name == LOOKS:
                days = [day for day in data.decode().split() if day <= last]
                yield SourceEntry(name, "\n".join(days).encode())
            elif name[-len("2022-01-01.xml") : -len(".xml")] <= last:
                yield SourceEntry(name, data)


@dataclass(frozen=True)
class Instead:
    """What comes in place of a file."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass
class PastSite:
    """The server: which day it is there, what goes wrong, and what it was asked."""

    url: str
    past: Past
    today: date
    failures: dict[str, list[str]] = field(default_factory=dict)  # path: "503", "cut", "page"
    instead: dict[str, "Instead"] = field(default_factory=dict)  # by path
    unlisted: set[str] = field(default_factory=set)  # slugs that its table leaves out
    invented: set[str] = field(default_factory=set)  # slugs that its table adds
    asked: Counter[int] = field(default_factory=Counter)  # by status

    def find(self, path: str) -> "Answer | None":
        if path == "/gii-toc.xml":
            table = self.past.write_table(self.today, self.unlisted, self.invented)
            return Answer(_tag(table), lambda: table)
        slug = path.strip("/").removesuffix("/xml.zip")
        version = self.past.find(slug, self.today)
        if version is None or slug not in self.past.list_on(self.today):
            return None
        return Answer(_tag(version.data), lambda: pack(version))


@dataclass(frozen=True)
class Answer:
    """A file that is packed only for who does not have it."""

    tag: str
    open: Callable[[], bytes]


def _tag(data: bytes) -> str:
    return f'"{sha256(data).hexdigest()[:16]}"'


def pack(version: Version) -> bytes:
    """The file as the site gives it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(zipfile.ZipInfo(f"{version.number}.xml"), version.data)
    return buffer.getvalue()


class _Handler(BaseHTTPRequestHandler):
    site: PastSite
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        other = self.site.instead.get(self.path)
        if other is not None:
            self.send_response_only(other.status)
            for name, value in {"Date": self.date_time_string(), **other.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(other.body)))
            self.end_headers()
            self.wfile.write(other.body)
            return
        answer = self.site.find(self.path)
        failure = (self.site.failures.get(self.path) or [""]).pop(0)
        if failure == "503" or answer is None:
            self._send(503 if failure else 404, b"")
        elif failure == "page":
            self._send(200, b"<html>one moment, please</html>")
        elif failure == "cut":
            self._send(200, answer.open(), cut=True)
        elif self.headers.get("If-None-Match") == answer.tag:
            self._send(304, b"", answer.tag)
        else:
            self._send(200, answer.open(), answer.tag)

    def _send(self, status: int, body: bytes, tag: str = "", *, cut: bool = False) -> None:
        self.site.asked[status] += 1
        self.send_response(status)
        if tag:
            self.send_header("ETag", tag)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        if cut:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The day that it is on the site."""
        del timestamp
        return format_datetime(datetime.combine(self.site.today, time(12), UTC), usegmt=True)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Quiet."""


@contextmanager
def serve_past(past: Past) -> Iterator[PastSite]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    site = PastSite(f"http://127.0.0.1:{server.server_port}", past, past.days[0])
    server.RequestHandlerClass = type("Handler", (_Handler,), {"site": site})
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
