"""How statutes, norms and fassungen become rows, and rows become values again.

Pure: the workers of an ingestion encode here, so that only flat rows travel between processes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import lru_cache
from hashlib import sha256
from typing import Any, overload

import orjson

from fundstelle.corpus.fields import build_known
from fundstelle.corpus.store import FassungHead
from fundstelle.errors import CorpusError, DamagedBuild
from fundstelle.law.application import Application
from fundstelle.law.identifiers import fold, number_key
from fundstelle.law.norms import (
    DatePrecision,
    Enactment,
    Fassung,
    Headings,
    Level,
    Norm,
    NormKind,
    NormStatus,
    Segment,
    StandNote,
    Statute,
    Table,
)

# Raised where a version that does not know what is new could not read it, or would say more than it
# knows; a field or table that only adds does not raise it (docs/adr/0002-storage.md).
# Whatever a leaf of the tree says otherwise than before raises it, too, such as the citation of a
# decision: what is read is held against its leaf (``sqlite.leaves``), and would not fit.
SCHEMA_VERSION = 3

Row = tuple[Any, ...]

# Stored as positions in these tuples: what is added or moved raises SCHEMA_VERSION.
_KINDS = tuple(NormKind)
_STATES = tuple(NormStatus)
_PRECISIONS = tuple(DatePrecision)
_LEVELS = tuple(Level)
_KIND_CODES = {kind: code for code, kind in enumerate(_KINDS)}
_STATE_CODES = {status: code for code, status in enumerate(_STATES)}
_PRECISION_CODES = {precision: code for code, precision in enumerate(_PRECISIONS)}
_LEVEL_CODES = {level: code for code, level in enumerate(_LEVELS)}
HEADING_CODE = _KIND_CODES[NormKind.HEADING]
NUMBERED = (NormKind.SECTION, NormKind.ARTICLE)
PROVISIONS = (*NUMBERED, NormKind.ANNEX)

_WIDEST_NUMBER = 10**12 - 1


@dataclass(frozen=True, slots=True)
class EncodedNorm:
    """One norm as rows; its place in the build is given by the writer."""

    row: Row  # norms: norm_id .. publisher_id without statute and place, then the keys
    place: tuple[str | None, str]  # parent_id, hierarchy as JSON
    folded: str | None  # of a heading
    fassungen: tuple[Row, ...]
    former: tuple[tuple[int, str | None, str], ...] = ()  # version, title, hierarchy as JSON
    enactments: tuple[tuple[int, str, str, str, str | None], ...] = ()  # version, as in the table


@dataclass(frozen=True, slots=True)
class EncodedStatute:
    """One statute as rows."""

    statute_id: str
    header: str
    norms: tuple[EncodedNorm, ...]


def sort_key(number: str) -> str:
    """``number_key`` as a text that compares the same way, byte by byte."""
    return "".join(f"{min(n, _WIDEST_NUMBER):012d}{word} " for n, word in number_key(number))


def encode_statute(
    statute: Statute, norms: Iterable[tuple[Norm, Sequence[Fassung]]]
) -> EncodedStatute:
    """All rows of one statute."""
    return EncodedStatute(
        statute.statute_id,
        encode_header(statute),
        tuple(_encode_norm(norm, all_) for norm, all_ in norms),
    )


def encode_header(statute: Statute) -> str:
    """``statutes.header``."""
    return orjson.dumps(asdict(statute)).decode()


def decode_statute(header: str) -> Statute:
    """The inverse of ``encode_header``.

    Raises:
        CorpusError: it is damaged, or has what this version cannot read.
    """
    try:
        return _read_statute(orjson.loads(header))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CorpusError(
            f"the build is damaged or of another version ({error}); build the corpus again with"
            " 'fundstelle ingest'"
        ) from error


def _read_statute(fields: dict[str, Any]) -> Statute:
    fields["stand"] = date.fromisoformat(fields["stand"])
    for name in ("issued_on", "first_look", "last_change", "published_on", "in_force_from"):
        if fields.get(name):
            fields[name] = date.fromisoformat(fields[name])
    fields["date_precision"] = DatePrecision(fields.get("date_precision", "unknown"))
    fields["applications"] = tuple(map(_decode_application, fields.get("applications", ())))
    fields["abbreviations_juris"] = tuple(fields["abbreviations_juris"])
    fields["stand_notes"] = tuple(build_known(StandNote, one) for one in fields["stand_notes"])
    return build_known(Statute, fields)


def _decode_application(fields: dict[str, Any]) -> Application:
    for name in ("since", "general", "latest"):
        if fields[name]:
            fields[name] = date.fromisoformat(fields[name])
    return build_known(Application, fields)


def first_number(number: str, number_end: str | None) -> str:
    """Where a norm stands in the numbering: a range norm (43-44) at its first number.

    Norms of one designation (2, 2~2) stand side by side.
    """
    number = number.partition("~")[0]
    return number.partition("-")[0] if number_end else number


def last_number(number: str, number_end: str) -> str:
    """The last number of a range norm, below the same Artikel as the first."""
    above, slash, _ = number.rpartition("/")
    return f"{above}{slash}{number_end}"


def _encode_norm(norm: Norm, fassungen: Sequence[Fassung]) -> EncodedNorm:
    former = tuple(
        (version, *encode_headings(fassung.headings))
        for version, fassung in enumerate(fassungen)
        if fassung.headings is not None
    )
    enactments = tuple(
        (version, *_encode_enactment(fassung.enactment))
        for version, fassung in enumerate(fassungen)
        if fassung.enactment is not None
    )
    texts = tuple(map(_encode_fassung, fassungen))
    return EncodedNorm(*encode_names(norm), texts, former, enactments)


def encode_names(norm: Norm) -> tuple[Row, tuple[str | None, str], str | None]:
    """``row``, ``place`` and ``folded`` of ``EncodedNorm``."""
    numbered = norm.kind in NUMBERED
    row = (
        norm.norm_id,
        _KIND_CODES[norm.kind],
        norm.number,
        norm.number_end,
        norm.label,
        norm.title,
        norm.citation,
        norm.level,
        _STATE_CODES[norm.status],
        norm.publisher_id,
        sort_key(first_number(norm.number, norm.number_end)) if numbered else None,
        sort_key(last_number(norm.number, norm.number_end))
        if numbered and norm.number_end
        else None,
    )
    is_heading = norm.kind is NormKind.HEADING
    folded = fold(f"{norm.label} {norm.title or ''}".strip()) if is_heading else None
    place = (norm.parent_id, orjson.dumps(norm.hierarchy).decode())
    return row, place, folded


def _encode_enactment(one: Enactment) -> tuple[str, str, str, str | None]:
    said = one.said.isoformat() if one.said else None
    return "\n".join(one.acts), one.without.isoformat(), one.seen.isoformat(), said


def _encode_fassung(fassung: Fassung) -> Row:
    return (
        fassung.text,
        bytes.fromhex(fassung.text_sha256),
        _encode_segments(fassung.segments),
        _dump([(t.start, t.end, t.rows) for t in fassung.tables]),
        _dump(fassung.footnotes),
        _dump(fassung.notes),
        fassung.in_force_from.isoformat() if fassung.in_force_from else None,
        fassung.in_force_until.isoformat() if fassung.in_force_until else None,
        _PRECISION_CODES[fassung.date_precision],
        fassung.stand.isoformat(),
        _STATE_CODES[fassung.status],
    )


def decode_norm(
    row: Row, statute_id: str, first: int, parent_id: str | None, hierarchy: tuple[str, ...]
) -> Norm:
    """A norm from ``NORM_COLUMNS``; ``first`` is the ordinal of its statute's first norm."""
    return Norm(
        norm_id=row[1],
        statute_id=statute_id,
        position=row[0] - first,
        kind=_KINDS[row[3]],
        number=row[4],
        number_end=row[5],
        label=row[6],
        title=row[7],
        citation=row[8],
        level=row[9],
        parent_id=parent_id,
        hierarchy=hierarchy,
        status=_STATES[row[11]],
        publisher_id=row[12],
    )


def check_text(text: str, digest: bytes, of: str) -> None:
    """See that a stored text is the one that its hash was taken of; about a microsecond a page.

    Raises:
        DamagedBuild: it is another; ``of`` says whose it is.
    """
    if sha256(text.encode("utf-8", "surrogatepass")).digest() != digest:
        raise DamagedBuild(f"the stored text of {of} does not fit its hash")


def encode_headings(headings: Headings) -> tuple[str | None, str]:
    """The inverse of ``decode_headings``."""
    return headings.title, orjson.dumps(headings.hierarchy).decode()


def decode_headings(row: Row | None) -> Headings:
    """Headings from ``former_headings``: title, hierarchy; without a row they are not known."""
    return Headings(None) if row is None else Headings(row[0], tuple(orjson.loads(row[1])))


def decode_fassung(
    norm_id: str,
    row: Row,
    headings: Headings | None = None,
    enactment: Enactment | None = None,
) -> Fassung:
    """A fassung from ``FASSUNG_COLUMNS``.

    Raises:
        DamagedBuild: its text does not fit its hash.
    """
    check_text(row[0], row[1], norm_id)
    return Fassung(
        norm_id=norm_id,
        text=row[0],
        text_sha256=row[1].hex(),
        segments=_decode_segments(row[2]),
        tables=_decode_tables(row[3]),
        footnotes=tuple(orjson.loads(row[4])) if row[4] else (),
        notes=decode_notes(row[5]),
        in_force_from=read_day(row[6]),
        in_force_until=read_day(row[7]),
        date_precision=_PRECISIONS[row[8]],
        stand=date.fromisoformat(row[9]),
        status=_STATES[row[10]],
        headings=headings,
        enactment=enactment,
    )


def decode_notes(stored: bytes | None) -> tuple[str, ...]:
    """The publisher's notes of ``fassungen.notes``."""
    return tuple(orjson.loads(stored)) if stored else ()


def decode_status(code: int) -> NormStatus:
    """The status of which ``fassungen.status`` has the code.

    Raises:
        DamagedBuild: it is the code of none.
    """
    try:
        return _STATES[code]
    except (TypeError, LookupError) as error:
        raise DamagedBuild("what is stored of a text cannot be read") from error


def decode_precision(code: int) -> DatePrecision:
    """What the first day is of which ``fassungen.precision`` has the code."""
    return _PRECISIONS[code]


def encode_kind(kind: NormKind) -> int:
    """A norm's kind as ``norms.kind`` has it."""
    return _KIND_CODES[kind]


def decode_kind(code: int) -> NormKind:
    """The kind of which ``norms.kind`` has the code."""
    return _KINDS[code]


def decode_head(row: Sequence[Any]) -> FassungHead:
    """A fassung without its text: from_day, until_day, precision, text_sha256, stand, status."""
    return FassungHead(
        read_day(row[0]),
        read_day(row[1]),
        _PRECISIONS[row[2]],
        row[3].hex(),
        date.fromisoformat(row[4]),
        _STATES[row[5]],
    )


def _dump(values: Sequence[Any]) -> bytes | None:
    return orjson.dumps(values) if values else None


def _encode_segments(segments: Sequence[Segment]) -> bytes | None:
    if not segments:
        return None
    return orjson.dumps(
        (
            [_LEVEL_CODES[segment.level] for segment in segments],
            [segment.value for segment in segments],
            [segment.start for segment in segments],
            [segment.end for segment in segments],
            [segment.body for segment in segments],
            [segment.parent for segment in segments],
        )
    )


def _decode_segments(data: bytes | None) -> tuple[Segment, ...]:
    if data is None:
        return ()
    levels, *others = orjson.loads(data)
    return tuple(map(Segment, map(_LEVELS.__getitem__, levels), *others))


class _StoredTables(Sequence[Table]):
    """Tables that are decoded when one is asked for: answers do without, and annexes hold many."""

    __slots__ = ("_data", "_tables")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._tables: tuple[Table, ...] | None = None

    def _read(self) -> tuple[Table, ...]:
        if self._tables is None:
            self._tables = tuple(
                Table(start, end, tuple(tuple(row) for row in rows))
                for start, end, rows in orjson.loads(self._data)
            )
        return self._tables

    @overload
    def __getitem__(self, index: int) -> Table: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Table, ...]: ...
    def __getitem__(self, index: int | slice) -> Table | tuple[Table, ...]:
        return self._read()[index]

    def __len__(self) -> int:
        return len(self._read())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._read() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._read())


def _decode_tables(data: bytes | None) -> Sequence[Table]:
    return _StoredTables(data) if data is not None else ()


@lru_cache(maxsize=4096)
def read_day(text: str | None) -> date | None:
    """A day as the database holds it."""
    return date.fromisoformat(text) if text else None
