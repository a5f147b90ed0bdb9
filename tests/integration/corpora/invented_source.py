"""The law of an invented Land in a format of its own, as a newcomer would add it.

The format, a law a file: line 1 its abbreviation, line 2 its title, line 3 the day of its text;
then for each section its designation and heading, ``§ 1 Bäume``, and a line with its words.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime

from fundstelle.corpus.manifest import Rejected
from fundstelle.errors import RejectedFile
from fundstelle.ingest.history.snapshots import SourceEntry
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.records import ParsedAct, SourceFile
from fundstelle.ingest.sources.adapter import CollectionAdapter, Order
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.files.failures import tell_failure
from fundstelle.ingest.sources.files.patience import limited
from fundstelle.ingest.sources.registry import CollectionSource
from fundstelle.law.identifiers import build_norm_id, build_statute_id
from fundstelle.law.norms import DatePrecision, Fassung, Norm, NormKind, NormStatus, Statute
from fundstelle.law.sources import Kind, Selection

_SECTION = re.compile(r"§ (\d+[a-z]?) (.+)")


def read(files: Iterable[SourceFile]) -> Iterator[ParsedAct | Rejected]:
    """A law for each file."""
    for file in files:
        try:
            with limited():
                yield _parse(file)
        except Exception as error:  # noqa: BLE001 one file must not end the build
            yield Rejected(file.name, tell_failure(error))


@dataclass(frozen=True)
class Fetched:
    """The one law that its publisher has."""

    url: str
    data: bytes
    retrieved_at: datetime = datetime(2025, 6, 1, tzinfo=UTC)
    name: str = "landesrecht.thueringen.de"

    def entries(self) -> Iterator[SourceEntry]:
        """Its file."""
        yield SourceEntry("land/law.txt", self.data)


def fetch(order: Order, client: Downloader, progress: Progress) -> Fetched:
    """What the publisher has now."""
    progress.start(f"fetch from {order.address}", 1, "laws")
    fetched = client.fetch(f"{order.address}/law.txt", 2**20)
    return Fetched(order.address + "/", fetched.data or b"")


def _parse(file: SourceFile) -> ParsedAct:
    lines = file.data.decode("utf-8").splitlines()
    if len(lines) < 5:
        raise RejectedFile(file.name, "it holds no law")
    abbreviation, title, day, *rest = lines
    stand = date.fromisoformat(day)
    statute_id = build_statute_id(abbreviation, LAND.jurisdiction)
    norms = tuple(
        _build(statute_id, abbreviation, position, (heading, text), stand)
        for position, (heading, text) in enumerate(zip(rest[::2], rest[1::2], strict=True))
    )
    statute = Statute(
        statute_id=statute_id,
        slug=abbreviation,
        publisher_id=abbreviation,
        abbreviation=abbreviation,
        abbreviations_juris=(abbreviation,),
        abbreviation_official=abbreviation,
        title=title,
        short_title=None,
        issued_on=None,
        publication=None,
        stand_notes=(),
        document_kind="statute",
        listed=True,
        source_url=LAND.url,
        stand=stand,
        norm_count=len(norms),
        source_type=LAND.source_type,
        jurisdiction=LAND.jurisdiction,
    )
    return ParsedAct(statute, norms)


def _build(
    statute_id: str, law: str, position: int, written: tuple[str, str], stand: date
) -> tuple[Norm, tuple[Fassung, ...]]:
    heading, text = written
    found = _SECTION.fullmatch(heading)
    if found is None:
        raise ValueError(f"{heading!r} is no section")
    norm_id = build_norm_id(statute_id, found[1])
    norm = Norm(
        norm_id=norm_id,
        statute_id=statute_id,
        position=position,
        kind=NormKind.SECTION,
        number=found[1],
        number_end=None,
        label=f"§ {found[1]}",
        title=found[2],
        citation=f"§ {found[1]} {law}",
        level=1,
        parent_id=None,
        hierarchy=(),
        status=NormStatus.IN_FORCE,
        publisher_id="",
    )
    fassung = Fassung(
        norm_id=norm_id,
        text=text,
        text_sha256=hashlib.sha256(text.encode()).hexdigest(),
        segments=(),
        tables=(),
        footnotes=(),
        notes=(),
        in_force_from=stand,
        in_force_until=None,
        date_precision=DatePrecision.EXACT,
        stand=stand,
    )
    return norm, (fassung,)


LAND = CollectionSource(
    selections=(Selection("landesrecht_th", "law of Thüringen"),),
    name="Landesrecht Thüringen",
    url="https://landesrecht.thueringen.de/",
    jurisdiction="de_th",
    kinds=frozenset({Kind.STATUTES}),
    licence="Invented, free for every use.",
    begins=("landesrecht-th",),
    cache="landesrecht-th",
    adapter=lambda: CollectionAdapter(read, fetch),
)
