"""An EU act as read from one file, before editions and versions are put together."""

import re
from dataclasses import dataclass, field
from datetime import date

from fundstelle.ingest.sources.eu.blocks import ActBlock
from fundstelle.law.norms import NormKind

_ARTICLE = re.compile(r"(?:Artikel|Article|Art\.)\s+(\d+[a-z]*|[IVXL]+)", re.IGNORECASE)
_ANNEX = re.compile(
    r"(?:ANHANG|ANNEX)(?:ES|E)?\s*([IVXLC]+[a-z]?|\d+[a-z]?|[A-Z])?\b", re.IGNORECASE
)
_RECITAL = re.compile(r"\(?(\d+[a-z]?)\)?")


@dataclass(slots=True)
class Unit:
    """A recital, article, annex or heading in document order.

    ``number`` is the part of the id after the act: "art_6", "recital_47", "annex_iii"; ``level``
    is that of a heading, 0 for what has text.
    """

    kind: NormKind
    number: str
    label: str
    title: str = ""
    level: int = 0
    blocks: list[ActBlock] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # on corrigenda that were applied


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
    seen_on: date | None = None  # the last look at the publisher that showed it, where known


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


def name_recital(label: str) -> str | None:
    """``(47)`` -> ``recital_47``."""
    found = _RECITAL.match(label)
    return f"recital_{found[1]}" if found else None
