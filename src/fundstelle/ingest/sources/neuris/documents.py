"""Files of the federal legal information system, whatever they hold: acts, annexes, decisions.

An administrative regulation (``KSNR….akn.xml``) is refused: the service's description knows a
"Kurzreferat" of it and no text, and an abstract is not what a regulation says.
"""

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

import orjson

from fundstelle.corpus.manifest import Rejected
from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedAct, ParsedDecision, SourceFile, Withdrawn
from fundstelle.ingest.sources.courts import legaldocml_case
from fundstelle.ingest.sources.files.failures import tell_failure
from fundstelle.ingest.sources.files.patience import limited
from fundstelle.ingest.sources.neuris.expression import (
    Expression,
    parse_document,
    read_expression,
)
from fundstelle.ingest.sources.neuris.history import Text, build_act
from fundstelle.ingest.sources.registry import NEURIS

WITHDRAWN = "withdrawn.json"  # a file of ours beside those of the publisher: what it took back
_MOST_WITHDRAWN = 1_000_000
_ANNEX = "anlage-regelungstext"
_PROMULGATED = re.compile(r"regelungstext-verkuendung-\d+\.xml$")
_NOT_TEXT = (".jpg", ".jpeg", ".png", ".gif", ".svg", ".pdf", ".html")


@dataclass(frozen=True, slots=True)
class _Kept:
    """A file of a law until all files of it are there: packed, since there are many."""

    name: str
    packed: bytes
    eli: str
    address: str
    rank: tuple[bool, date, str]  # of several files of one expression the highest counts

    @property
    def folder(self) -> str:
        """The manifestation: all files that were made together."""
        return self.address.rpartition("/")[0]

    @property
    def file(self) -> str:
        """``regelungstext-1.xml``."""
        return self.address.rpartition("/")[2]

    def read(self) -> Expression:
        """What the file says.

        Raises:
            RejectedFile: it is no law.
        """
        file = SourceFile(self.name, "", zlib.decompress(self.packed))
        return read_expression(file, parse_document(file))


@dataclass(slots=True)
class _Gathered:
    """The texts of one law, and their separate annexes, by expression."""

    acts: dict[str, list[_Kept]] = field(default_factory=dict)
    annexes: dict[str, list[_Kept]] = field(default_factory=dict)


def iter_documents(
    files: Iterable[SourceFile], today: date | None = None
) -> Iterator[ParsedAct | ParsedDecision | Withdrawn | Rejected]:
    """Every document in ``files``, and each file that cannot be used by its name.

    ``today`` (default: the clock's, and a day for clocks that differ) is the last day of which a
    text may be.
    """
    day = today or datetime.now(UTC).date() + timedelta(days=1)
    works: dict[str, _Gathered] = {}
    for file in files:
        if file.name.lower().endswith(_NOT_TEXT):
            continue
        try:
            with limited():
                read = _read(file)
        except Exception as error:  # noqa: BLE001 one file must not end the build
            yield Rejected(file.name, tell_failure(error))
            continue
        if isinstance(read, Expression):
            gathered = works.setdefault(read.work, _Gathered())
            is_annex = read.root.tag == "doc"
            place = gathered.annexes if is_annex else gathered.acts
            packed = zlib.compress(file.data, 1)
            kept = _Kept(file.name, packed, read.eli, read.address, _get_rank(read))
            place.setdefault(read.eli, []).append(kept)
        elif isinstance(read, ParsedDecision):
            yield read
        else:
            yield from read
    for work in sorted(works):
        yield from _build(work, works.pop(work), day)


def _read(file: SourceFile) -> Expression | ParsedDecision | list[Withdrawn]:
    if file.name.rpartition("/")[2] == WITHDRAWN:
        return _read_withdrawn(file)
    document = parse_document(file)
    if document.tag == "judgment":
        return read_decision(file)
    name = document.get("name") or ""
    if document.tag == "act" or (document.tag == "doc" and _ANNEX in name):
        return read_expression(file, document)
    if name == "offene-struktur" and document.find(".//documentType") is not None:
        raise RejectedFile(
            file.name,
            "it is an administrative regulation: the service gives an abstract of it (Kurzreferat)"
            " and not its own words, so it is not taken",
        )
    raise RejectedFile(file.name, f"its {document.tag} {name[:60]!r} is no law and no decision")


def read_decision(file: SourceFile) -> ParsedDecision:
    """A decision as this publisher has it.

    Raises:
        RejectedFile: it is none.
    """
    parsed = legaldocml_case.parse(file)
    sources = tuple(
        replace(source, source_type=NEURIS.source_type) for source in parsed.decision.sources
    )
    return replace(parsed, decision=replace(parsed.decision, sources=sources))


def _read_withdrawn(file: SourceFile) -> list[Withdrawn]:
    try:
        read = orjson.loads(file.data)
    except ValueError:
        raise RejectedFile(file.name, "it is no JSON") from None
    if not isinstance(read, list) or not all(isinstance(one, str) for one in read):
        raise RejectedFile(file.name, "it is no list of documents")
    return [Withdrawn(NEURIS.source_type, one) for one in read[:_MOST_WITHDRAWN]]


def _build(work: str, gathered: _Gathered, today: date) -> Iterator[ParsedAct | Rejected]:
    try:
        with limited():
            texts = [
                _join(acts, gathered.annexes.pop(eli, ())) for eli, acts in gathered.acts.items()
            ]
            act, rejected = build_act(texts, today)
    except Exception as error:  # noqa: BLE001 one law must not end the build
        yield Rejected(work, tell_failure(error))
        return
    for eli, annexes in gathered.annexes.items():
        for annex in annexes:
            yield Rejected(
                annex.name, f"it is an annex of {eli}, whose text is not among the files"
            )
    for acts in gathered.acts.values():
        yield from _list_passed_over(acts)
    yield from rejected
    if act is not None:
        yield act


def _join(acts: Sequence[_Kept], annexes: Iterable[_Kept]) -> Text:
    """The file of an expression that counts, with its annexes.

    Those that were made with a text that no longer counts are gone with it; of others the newest.
    """
    chosen = max(acts, key=lambda one: one.rank)
    gone = {one.folder for one in acts} - {chosen.folder}
    own: dict[str, _Kept] = {}
    for annex in sorted(annexes, key=lambda one: one.rank):
        if annex.folder not in gone:
            own[annex.file] = annex
    ordered = sorted(own.values(), key=lambda one: _sort(one.address))
    return Text(chosen.read(), tuple(one.read() for one in ordered))


def _list_passed_over(acts: Sequence[_Kept]) -> Iterator[Rejected]:
    """Files beside the one that counts, unless they are older states of that very file."""
    chosen = max(acts, key=lambda one: one.rank)
    for one in acts:
        if one.file != chosen.file:
            reason = f"of {one.eli} the file {chosen.file} is taken, and one law is read of it"
            yield Rejected(one.name, reason)


def _get_rank(expression: Expression) -> tuple[bool, date, str]:
    """Which of several files of one expression counts: a consolidated one, then the newest."""
    is_promulgated = _PROMULGATED.search(expression.address) is not None
    return not is_promulgated, expression.made_on or date.min, expression.address


def _sort(address: str) -> tuple[int, str]:
    """``anlage-regelungstext-2`` before ``-10``."""
    number = re.search(r"-(\d{1,6})\.xml$", address)
    return (int(number[1]) if number else 0), address
