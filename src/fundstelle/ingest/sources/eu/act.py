"""An EU act as read from one file, before editions and versions are put together."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from fundstelle.ingest.sources.eu.blocks import ActBlock
from fundstelle.law.identifiers import to_id
from fundstelle.law.norms import NormKind

_ARTICLE = re.compile(r"(?:Artikel|Article|Art\.)\s+(\d+[a-z]*|[IVXL]+)", re.IGNORECASE)
_ANNEX = re.compile(
    r"(?:ANHANG|ANNEX)(?:ES|E)?\s*([IVXLC]+[a-z]?|\d+[a-z]?|[A-Z])?\b", re.IGNORECASE
)
_SUBORDINATE = re.compile(r"(?:Appendix|Anlage|Annex|Anhang)\b", re.IGNORECASE)
_LONGEST_LABEL = 60
_RECITAL = re.compile(r"\(?(\d+[a-z]?)\)?")
# How the notes of a text begin that is a consolidated one, by its language.
NO_EFFECT = {
    "de": "Konsolidierte Fassung ohne Rechtswirkung; verbindlich ist das Amtsblatt.",
    "en": "Consolidated text without legal effect; only the Official Journal is authentic.",
}


@dataclass(slots=True)
class Unit:
    """A recital, article, annex or heading in document order.

    ``number`` is the part of the id after the act: "art_6", "recital_47", "annex_iii"; ``level``
    is that of a heading, 0 for what has text. ``cited`` are the words that stand for kind and
    number in a citation, where the unit has no number of its own. One that ``is_gone`` is deleted.
    """

    kind: NormKind
    number: str
    label: str
    title: str = ""
    level: int = 0
    blocks: list[ActBlock] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # on corrigenda that were applied
    cited: str = ""
    is_gone: bool = False


@dataclass(slots=True)
class ActText:
    """One edition of an act in one language.

    ``consolidated_on`` is the day from which a consolidated text holds, ``None`` for the act as it
    stands in the Official Journal.
    """

    celex: str
    language: str
    title: str
    issued_on: date | None
    publication: str | None
    consolidated_on: date | None
    units: list[Unit]
    name: str  # of the file
    excerpt: bool = False
    has_gaps: bool = False  # files that belong to it are missing or were not read
    seen_on: date | None = None  # the last look at the publisher that showed it, where known
    is_ended: bool = False  # by that look the act is no longer in force
    published_on: date | None = None  # the day of the Official Journal
    gone: list[Unit] = field(default_factory=list)  # what it names and has deleted
    repealed_by: str | None = None  # the CELEX number of what ended the act, or "" where not told


def name_article(label: str) -> str | None:
    """``Artikel 6a`` -> ``art_6a``; ``None`` if it is no article."""
    found = _ARTICLE.match(label)
    return f"art_{found[1].lower()}" if found else None


def name_annex(label: str) -> str | None:
    """``ANHANG III`` -> ``annex_iii``; a single annex is ``annex``."""
    found = _ANNEX.match(label)
    if found is None:
        return None
    return f"annex_{found[1].lower()}" if found[1] else "annex"


def settle_annexes(units: Iterable[Unit]) -> list[Unit]:
    """Tell annexes that bear no number, or that of another one, by their words.

    Nobody may cite a number that we gave: "ANNEX I, Appendix A" and "PROTOCOL (No 22), ANNEX" are
    ``supplement_annex-i-appendix-a`` and ``supplement_protocol-no-22-annex``. A unit that a reader
    found no number for has ``""``.
    """
    settled: list[Unit] = []
    numbers: set[str] = set()
    words: Counter[str] = Counter()
    above: Unit | None = None  # the annex or protocol that what is subordinate belongs to
    for unit in units:
        if unit.kind is NormKind.ANNEX:
            is_below = above is not None and above.number.startswith("protocol_")
            if (
                unit.number
                and not unit.cited  # settled before, by its words
                and unit.number not in numbers
                and not (is_below and unit.number == "annex")
            ):
                above = unit
            else:
                _name_by_words(unit, above, words)
                unit.number = f"supplement_{to_id(unit.cited)}"
        numbers.add(unit.number)
        settled.append(unit)
    return settled


def _name_by_words(unit: Unit, above: Unit | None, words: "Counter[str]") -> None:
    label = unit.label[:_LONGEST_LABEL]
    is_part = above is not None and _SUBORDINATE.match(label) is not None
    unit.cited = f"{above.label[:_LONGEST_LABEL]}, {label}" if above and is_part else label
    words[unit.cited] += 1
    if words[unit.cited] > 1:
        unit.cited = f"{unit.cited} ({words[unit.cited]})"


def name_recital(label: str) -> str | None:
    """``(47)`` -> ``recital_47``."""
    found = _RECITAL.match(label)
    return f"recital_{found[1]}" if found else None
