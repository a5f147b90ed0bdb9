"""From the texts of one act in one language to a statute with its norms and their versions."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, reduce
from importlib import resources

from fundstelle.citations.text.tables import read_table
from fundstelle.ingest.records import ParsedAct
from fundstelle.ingest.sources.eu.act import NO_EFFECT, ActText, Unit
from fundstelle.ingest.sources.eu.blocks import render
from fundstelle.ingest.sources.eu.commencement import commence, settle
from fundstelle.ingest.sources.eu.corrigenda import Corrigendum
from fundstelle.ingest.sources.eu.reread import hash_reader
from fundstelle.ingest.sources.eu.succession import History, count_norms, extend
from fundstelle.ingest.sources.registry import EU_LAW
from fundstelle.law.corrigenda import format_announced
from fundstelle.law.identifiers import number_key
from fundstelle.law.norms import (
    ENDED,
    EXCERPTS,
    GAPS,
    SEEN,
    DatePrecision,
    Fassung,
    Norm,
    NormKind,
    NormStatus,
    StandNote,
    Statute,
)

_KINDS = {"R": "regulation", "L": "directive", "D": "decision"}
_FORMS = {"R": "VO", "L": "RL", "D": "Beschluss"}
_WORDS = {
    "de": {NormKind.RECITAL: "Erwägungsgrund", NormKind.ANNEX: "Anhang"},
    "en": {NormKind.RECITAL: "Recital", NormKind.ANNEX: "Annex"},
}
_ADDRESS = "https://eur-lex.europa.eu/legal-content/{}/TXT/?uri=CELEX:{}"
_TREATY_OF_PARIS = date(1952, 7, 23)
_NEW_ORDER = 2015  # from then on year before number
_TREATY = re.compile(r"(?<!\d)1\d{4}[EMP](?![A-Z0-9])")
_BRACKET = re.compile(
    r"\(([^()]*(?:verordnung|richtlinie|gesetz|Regulation|Directive|Act)[^()]*)\)"
)


@dataclass(frozen=True, slots=True)
class _Names:
    """How an act is called."""

    abbreviation: str
    others: tuple[str, ...]
    short_title: str | None


def build_edition(
    texts: Sequence[ActText], corrigenda: Sequence[Corrigendum], *, second: bool
) -> ParsedAct:
    """The act in one language; ``second`` if another language has the plain id.

    Built text by text, so that one more text that comes later gives what all give at once.
    """
    ordered = sorted(texts, key=lambda t: (t.consolidated_on or date.min, t.excerpt))
    stand = _find_day(ordered[-1])
    each = (_build(text, corrigenda, stand, second=second) for text in ordered)
    return commence(reduce(extend, each))


def _build(
    text: ActText, corrigenda: Sequence[Corrigendum], stand: date, *, second: bool
) -> ParsedAct:
    """The act as one text has it; ``stand`` counts for a text without a day."""
    celex, language = text.celex, text.language
    called = language if second else "de"  # as German lawyers cite it, whatever the text's language
    names = _find_names(celex, called, text.title)
    statute_id = f"eu/{celex}" + (f":{language}" if second else "")
    norms = list(_build_norms(text, statute_id, (names.abbreviation, called), stand))
    statute = Statute(
        statute_id=statute_id,
        slug=celex,
        publisher_id=celex + (f":{language}" if second else ""),
        abbreviation=names.abbreviation,
        abbreviations_juris=names.others,
        abbreviation_official=None,
        title=text.title,
        short_title=names.short_title,
        issued_on=text.issued_on,
        publication=text.publication,
        stand_notes=(*_note_end(text), *_list_notes(text, corrigenda)),
        document_kind=_KINDS.get(celex[5], "statute") if celex[0] == "3" else "statute",
        listed=True,
        source_url=_ADDRESS.format(language.upper(), _find_page(text)),
        stand=_find_day(text),
        norm_count=count_norms(norms),
        source_type=EU_LAW.source_type,
        jurisdiction=EU_LAW.jurisdiction,
        language=language,
        complete=not (text.excerpt or text.has_gaps),
        first_look=text.consolidated_on or text.issued_on,
        read_by=hash_reader(),
    )
    return ParsedAct(settle(statute, text), tuple(norms))


def _find_day(text: ActText) -> date:
    return text.consolidated_on or text.issued_on or _TREATY_OF_PARIS


def _find_page(text: ActText) -> str:
    """The number of the page it was read from: of a treaty the consolidation of its own year."""
    treaty = _TREATY.search(text.name) if text.celex[0] == "1" else None
    return f"{treaty[0]}/TXT" if treaty else text.celex


def _note_end(text: ActText) -> Iterable[StandNote]:
    if text.is_ended and text.seen_on is not None:
        yield StandNote("Aufh", f"{ENDED}{text.seen_on.isoformat()}")


def _list_notes(text: ActText, corrigenda: Sequence[Corrigendum]) -> Iterable[StandNote]:
    newest = text.consolidated_on
    if newest is not None:
        yield StandNote("Stand", f"{newest.isoformat()}: {NO_EFFECT[text.language]}")
    known = newest or text.issued_on
    dated = f" vom {known.isoformat()}" if known else ""
    if text.repealed_by is not None and newest is not None and not text.units:
        by = f" durch {text.repealed_by}" if text.repealed_by else ""
        yield StandNote("Aufh", f"Aufgehoben zum {newest.day}.{newest.month}.{newest.year}{by}.")
    if text.excerpt:  # of which nothing is missing
        yield StandNote("Hinweis", f"{EXCERPTS}{dated} sind vorhanden.")
    elif newest is not None and text.seen_on is not None:
        day = f"{newest.isoformat()}, gesehen am {text.seen_on.isoformat()}"
        yield StandNote("Stand", f"{SEEN}{day}")
    if text.has_gaps and not text.excerpt:
        yield StandNote("Sonst", f"{GAPS}{dated} konnten gelesen werden.")
    for corrigendum in corrigenda:
        issued = corrigendum.issued_on
        if newest is not None and (issued is None or issued <= newest):
            continue  # a consolidated text has it
        name = corrigendum.number, corrigendum.publication, issued
        if newest is not None or not corrigendum.corrections:
            yield StandNote("Sonst", format_announced(*name))
        elif corrigendum.open_places:
            yield StandNote("Sonst", format_announced(*name, corrigendum.name_open_places()))


def _build_norms(
    text: ActText, statute_id: str, law: tuple[str, str], stand: date
) -> Iterable[History]:
    place: list[tuple[str, str]] = []  # number and heading of the divisions above
    for position, (number, unit) in enumerate(_number(_list_units(text))):
        norm_id = f"{statute_id}/{number}"
        if unit.kind is NormKind.HEADING:
            del place[max(0, unit.level - 1) :]
        elif unit.kind in {NormKind.ANNEX, NormKind.RECITAL}:
            place = []
        norm = Norm(
            norm_id=norm_id,
            statute_id=statute_id,
            position=position,
            kind=unit.kind,
            number=number,
            number_end=None,
            label=unit.label,
            title=unit.title or None,
            citation=_cite(unit, *law),
            level=len(place) + 1,
            parent_id=f"{statute_id}/{place[-1][0]}" if place else None,
            hierarchy=tuple(heading for _, heading in place),
            status=NormStatus.REPEALED if unit.is_gone else NormStatus.IN_FORCE,
            publisher_id=number,
        )
        yield norm, (_build_fassung(text, unit, norm_id, stand),)
        if unit.kind is NormKind.HEADING:
            place.append((number, f"{unit.label} {unit.title}".strip()))


def _list_units(text: ActText) -> list[Unit]:
    """The units, and behind the number before it what the text names and has deleted."""
    units = list(text.units)
    for unit in text.gone:
        if unit.cited or any(one.number == unit.number for one in units):
            continue  # it bears no number, or another one bears it now
        before = [
            place
            for place, one in enumerate(units)
            if one.kind is unit.kind and _order(one) < _order(unit)
        ]
        units.insert(before[-1] + 1 if before else _find_first(units, unit.kind), unit)
    return units


def _order(unit: Unit) -> tuple[tuple[int, str], ...]:
    return number_key(unit.number.partition("_")[2])


def _find_first(units: Sequence[Unit], kind: NormKind) -> int:
    return next((place for place, one in enumerate(units) if one.kind is kind), len(units))


def _number(units: Sequence[Unit]) -> list[tuple[str, Unit]]:
    """Each unit with its number; one that comes again gets a suffix."""
    seen: dict[str, int] = {}
    numbered = []
    for unit in units:
        count = seen[unit.number] = seen.get(unit.number, 0) + 1
        numbered.append((unit.number if count == 1 else f"{unit.number}-{count}", unit))
    return numbered


def _build_fassung(text: ActText, unit: Unit, norm_id: str, stand: date) -> Fassung:
    rendered = render(() if unit.is_gone else unit.blocks)
    begins = text.consolidated_on
    return Fassung(
        norm_id=norm_id,
        text=rendered.text,
        text_sha256=hashlib.sha256(rendered.text.encode()).hexdigest(),
        segments=rendered.segments,
        tables=rendered.tables,
        footnotes=tuple(unit.footnotes),
        notes=(*((NO_EFFECT[text.language],) if begins else ()), *unit.notes),
        in_force_from=begins,
        in_force_until=None,
        date_precision=DatePrecision.FIRST_SEEN if begins else DatePrecision.UNKNOWN,
        stand=begins or text.issued_on or stand,
        status=NormStatus.REPEALED if unit.is_gone else NormStatus.IN_FORCE,
    )


def _cite(unit: Unit, law: str, language: str) -> str:
    if unit.cited:
        return f"{unit.cited} {law}"
    value = unit.number.partition("_")[2]
    if unit.kind is NormKind.ARTICLE:
        return f"Art. {value} {law}"
    if unit.kind is NormKind.HEADING:
        return f"{unit.label} {law}"
    word = _WORDS.get(language, _WORDS["en"])[unit.kind]
    if unit.kind is NormKind.ANNEX:
        if not unit.number.startswith("annex"):
            return f"{unit.label[:60]} {law}"
        value = value.upper()
    return " ".join(filter(None, (word, value, law)))


def _find_names(celex: str, language: str, title: str) -> _Names:
    bracketed = _BRACKET.search(title)
    short_title = bracketed[1].strip() if bracketed else None
    row = _map_acts().get(celex)
    others = tuple(row[1:]) if row else ()
    if language == "en":
        english = _map_english().get(celex)
        if english:
            return _Names(english, (*(row[:1] if row else ()), *others), short_title)
    if row:
        return _Names(row[0], others, short_title)
    return _Names(_name_by_number(celex, language), (), short_title)


def _name_by_number(celex: str, language: str) -> str:
    """``VO (EU) 2019/452``; ``RL 93/13/EWG`` where the order was year, number."""
    year, sign, number = int(celex[1:5]), celex[5], celex[6:].lstrip("0")
    form = (
        _FORMS.get(sign, "Rechtsakt")
        if language == "de"
        else {"R": "Regulation", "L": "Directive"}.get(sign, "Decision")
    )
    if year >= _NEW_ORDER:
        return f"{form} (EU) {year}/{number}"
    if sign == "R":
        return f"{form} {'Nr.' if language == 'de' else 'No'} {number}/{year}"
    return f"{form} {year if year > 1999 else year - 1900}/{number}"


@cache
def _map_acts() -> dict[str, list[str]]:
    return {
        row[1]: [row[0], *filter(None, (*row[2].split("|"), *row[3].split("|")))]
        for row in read_table("eu_acts")
    }


@cache
def _map_english() -> dict[str, str]:
    table = resources.files("fundstelle.ingest").joinpath("data/eu_english_names.tsv")
    rows = table.read_text(encoding="utf-8").splitlines()[1:]
    return dict(row.split("\t") for row in rows)
