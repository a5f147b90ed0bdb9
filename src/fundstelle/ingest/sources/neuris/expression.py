"""One file of a norm: what it says of itself, before its provisions are read.

Source: LegalDocML.de 1.8.2, elements ``identification``, ``lifecycle``, ``temporalData`` and the
metadata of the namespace ``ris``; the European Legislation Identifier of the federation::

    eli/bund/bgbl-1/2020/s1126                            work
    eli/bund/bgbl-1/2020/s1126/2022-08-04/1/deu           expression: a point in time, a version
    eli/bund/bgbl-1/2020/s1126/2022-08-04/1/deu/2022-08-05/regelungstext-1.xml    manifestation

``ris:inkraft`` is the first day of the expression, ``ris:ausserkraft`` its last one: an expression
until the 3rd is followed by one from the 4th.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from lxml import etree
from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.decision_text.xml import parse_xml
from fundstelle.ingest.sources.gii.header import format_publication
from fundstelle.ingest.sources.neuris.text import read_inline
from fundstelle.ingest.text.lines import collapse
from fundstelle.law.norms import StandNote

ROOT = "akomaNtoso"
EXPRESSION = re.compile(
    r"/?(?P<work>eli/bund/(?P<gazette>[a-z0-9-]{1,20})/(?P<year>\d{4})/(?P<place>[a-z0-9-]{1,30}))"
    r"/(?P<day>\d{4}-\d\d-\d\d)/(?P<version>\d{1,5})/(?P<language>deu)"
)
_GAZETTES = {"bgbl-1": "BGBl I", "bgbl-2": "BGBl II", "banz-at": "BAnz AT"}
_PAGE = re.compile(r"s(\d+[a-z]?)")
_KINDS = {"stand": "Stand", "neuf": "Neuf", "aufh": "Aufh", "hinweis": "Hinweis"}
_SHORT = re.compile(r"^[(\s]+|[)\s]+$")
_DASH = re.compile(r"\s*[-–—]\s*$")


@dataclass(frozen=True, slots=True)
class Period:
    """The days for which something applies, half-open; ``None`` = not said."""

    begins: date | None
    ends: date | None


@dataclass(frozen=True, slots=True)
class Expression:
    """A law as it reads for a time; ``root`` holds its elements by their local names."""

    name: str  # of the file
    work: str  # ELI
    eli: str
    point: date  # of the ELI: the day of the act that made this text
    version: int
    address: str  # ELI of the manifestation
    made_on: date | None  # when the publisher made the file
    period: Period
    is_first: bool  # the text of the act itself, amended by nothing
    abbreviation_juris: str
    abbreviation_official: str | None
    title: str
    short_title: str | None
    issued_on: date | None
    publication: str | None
    form: str  # "gesetz", "verordnung"; "" where it is not said
    stand_notes: tuple[StandNote, ...]
    periods: Mapping[str, Period]  # by eId of ``temporalGroup``
    root: _Element  # ``act``, or ``doc`` of an annex


def parse_document(file: SourceFile) -> _Element:
    """The document of a file, its elements by their local names.

    Raises:
        RejectedFile: it is no LegalDocML.
    """
    root = parse_xml(file, {ROOT})
    for element in root.iter(etree.Element):
        element.tag = etree.QName(element).localname
    document = next(iter(root), None)
    if document is None:
        raise RejectedFile(file.name, "it holds no document")
    return document


def read_expression(file: SourceFile, document: _Element) -> Expression:
    """What an act, or a separate annex, says of itself.

    Raises:
        RejectedFile: it does not say which expression of which law it is.
    """
    meta = document.find("meta")
    if meta is None:
        raise RejectedFile(file.name, "it has no metadata")
    eli = _find_uri(meta, "FRBRExpression")
    named = EXPRESSION.fullmatch(eli)
    if named is None:
        raise RejectedFile(file.name, f"{eli[:100]!r} is no ELI of an expression of federal law")
    issued = _find_event(meta, "ausfertigung")
    dated = next((each for each in document.iter("date") if each.get("date")), None)
    if issued is None and dated is not None and dated.get("refersTo") == "ausfertigung-datum":
        issued = _read_day(dated.get("date"))
    events = {e.get("eId"): e for e in meta.iter("eventRef")}
    return Expression(
        name=file.name,
        work=named["work"],
        eli=eli.lstrip("/"),
        point=_require_day(file, named["day"]),
        version=int(named["version"]),
        address=_find_uri(meta, "FRBRManifestation").lstrip("/"),
        made_on=_find_date(meta, "FRBRManifestation"),
        period=_read_period(meta),
        is_first=not any(event.get("type") == "amendment" for event in events.values()),
        abbreviation_juris=read_inline(next(meta.iter("abkuerzung"), None)),
        abbreviation_official=_find_official(document),
        title=_read_title(document),
        short_title=_read_short_title(document),
        issued_on=issued,
        publication=_format_publication(named),
        form=read_inline(next(meta.iter("typ"), None)).lower(),
        stand_notes=tuple(_iter_stand(meta)),
        periods=dict(_iter_periods(meta, events)),
        root=document,
    )


def _find_uri(meta: _Element, level: str) -> str:
    found = meta.find(f"identification/{level}/FRBRuri")
    return "" if found is None else (found.get("value") or "").strip()


def _find_date(meta: _Element, level: str) -> date | None:
    found = meta.find(f"identification/{level}/FRBRdate")
    return None if found is None else _read_day(found.get("date"))


def _find_event(meta: _Element, name: str) -> date | None:
    """The day of an event that belongs to the act itself, not to one that amends it."""
    events = (each for each in meta.iter("eventRef") if each.get("refersTo") == name)
    own = (each for each in events if each.get("type") == "generation")
    return next((_read_day(each.get("date")) for each in own), None)


def _read_period(meta: _Element) -> Period:
    begins, last = (next(meta.iter(tag), None) for tag in ("inkraft", "ausserkraft"))
    first = None if begins is None else _read_day(begins.get("date"))
    return Period(first, None if last is None else _add_day(_read_day(last.get("date"))))


def _iter_periods(
    meta: _Element, events: Mapping[str | None, _Element]
) -> Iterator[tuple[str, Period]]:
    for group in meta.iter("temporalGroup"):
        interval = group.find("timeInterval")
        if interval is None or interval.get("refersTo") != "geltungszeit":
            continue
        first = events.get((interval.get("start") or "").lstrip("#"))
        last = events.get((interval.get("end") or "").lstrip("#"))
        # what begins with an Ausfertigung says nothing of when it came into force
        is_known = first is not None and first.get("refersTo") == "inkrafttreten"
        yield (
            group.get("eId") or "",
            Period(
                _read_day(first.get("date")) if first is not None and is_known else None,
                None if last is None else _add_day(_read_day(last.get("date"))),
            ),
        )


def _read_title(document: _Element) -> str:
    title = document.find("preface/longTitle//docTitle")
    return read_inline(title) if title is not None else ""


def _read_short_title(document: _Element) -> str | None:
    """``(Musterfinanzierungsgesetz - MFG)`` -> ``Musterfinanzierungsgesetz``."""
    element = document.find("preface/longTitle//shortTitle")
    if element is None:
        return None
    words = _SHORT.sub("", read_inline(element))
    official = _find_official(document)
    if official and words.endswith(official):
        words = _DASH.sub("", words.removesuffix(official))
    return words or None


def _find_official(document: _Element) -> str | None:
    preface = document.find("preface")
    inlines = () if preface is None else preface.iter("inline")
    names = (read_inline(one) for one in inlines if one.get("refersTo") == "amtliche-abkuerzung")
    return next((name for name in names if name), None)


def _iter_stand(meta: _Element) -> Iterator[StandNote]:
    for note in meta.iter("standangabe"):
        if text := read_inline(note):
            yield StandNote(_KINDS.get(note.get("type") or "", "Sonst"), text)


def _format_publication(named: re.Match[str]) -> str | None:
    gazette = _GAZETTES.get(named["gazette"])
    if gazette is None:
        return None
    page = _PAGE.fullmatch(named["place"])
    place = page[1] if page else f"Nr. {named['place']}"
    return format_publication(gazette, f"{named['year']}, {place}") or None


def _require_day(file: SourceFile, written: str) -> date:
    day = _read_day(written)
    if day is None:
        raise RejectedFile(file.name, f"{written!r} is no day")
    return day


def _read_day(written: str | None) -> date | None:
    try:
        return date.fromisoformat(collapse(written or ""))
    except ValueError:
        return None


def _add_day(day: date | None) -> date | None:
    return None if day is None or day == date.max else day + timedelta(days=1)
