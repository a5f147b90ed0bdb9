"""Words beside a citation that the norm or its law itself bears: its heading, title, dates."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.citations.text.folding import fold_long
from fundstelle.law.norms import Statute
from fundstelle.lookup.answers import DecisionHit, Hit, LawHit, ProvisionHit

_DATE = re.compile(DATE)
# Words that lead to a date: "in der Fassung der Bekanntmachung vom 8. Oktober 2009".
_LEADING = re.compile(
    r"(?:\b(?:idF|i\.\s?d\.\s?F\.|in der Fassung|der|des|Bekanntmachung|Gesetzes|Neufassung|vom"
    r"|v\.)\s*)+",
    re.IGNORECASE,
)
_ANNEX = re.compile(r"(?:Anlagen?|Anhang)(?: \S{1,5})?", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


def list_foreign(pieces: Sequence[str], outcomes: Iterable[Hit | LawHit]) -> list[str]:
    """The pieces, read nowhere, that none of these norms, laws and decisions is called or dated by.

    A citation of a few hundred characters may have dozens of pieces and lead to dozens of norms:
    what these are called is worked out once, and of a law once for all of its norms.
    """
    if not pieces:
        return []
    laws: dict[str, _Own] = {}
    own = [_read_own(outcome, laws) for outcome in outcomes]
    known = {piece: _is_own(_read_piece(piece), own) for piece in dict.fromkeys(pieces)}
    return [piece for piece in pieces if not known[piece]]


@dataclass(frozen=True, slots=True)
class _Own:
    """What a hit is called and dated by; words are folded, with a blank on either side."""

    days: frozenset[str | None]
    names: tuple[str, ...]
    dockets: tuple[str, ...] = ()  # of a decision
    is_decision: bool = False


@dataclass(frozen=True, slots=True)
class _Piece:
    """What words beside a citation ask for."""

    days: frozenset[str | None]
    words: str  # as in ``_Own``
    year: str | None


def _read_piece(piece: str) -> _Piece | None:
    """``None`` for another place, though a heading may name it: "(Anlage 3 Bild 33)"."""
    if _ANNEX.fullmatch(piece) is not None:
        return None
    days = frozenset(read_date(match[0]) for match in _DATE.finditer(piece))
    words = _LEADING.sub(" ", _DATE.sub(" ", piece))
    return _Piece(days, _fold(words), piece if _YEAR.fullmatch(piece) is not None else None)


def _is_own(piece: _Piece | None, own: Iterable[_Own]) -> bool:
    return piece is not None and any(_bears(one, piece) for one in own)


def _bears(one: _Own, piece: _Piece) -> bool:
    if piece.year is not None:
        # behind a law it asks for the text of that year, which need not be the one of today
        days = filter(None, one.days)
        return one.is_decision and any(day.startswith(piece.year) for day in days)
    if not piece.days <= one.days:
        return False
    if any(docket.endswith(piece.words) for docket in one.dockets):
        return True  # the end of an Aktenzeichen: "7 E 1487/07(3)"
    return not piece.words.strip() or any(piece.words in name for name in one.names)


def _read_own(outcome: Hit | LawHit, laws: dict[str, _Own]) -> _Own:
    if isinstance(outcome, DecisionHit):
        decision = outcome.decision
        title = decision.title or ""
        days = _list_days(decision.issued_on, [title])
        return _Own(days, (_fold(title),), tuple(map(_fold, decision.dockets)), is_decision=True)
    statute = outcome.statute
    law = laws.get(statute.statute_id)
    if law is None:
        law = laws[statute.statute_id] = _read_law(statute)
    if isinstance(outcome, ProvisionHit):
        return replace(law, names=(_fold(outcome.norm.title or ""), *law.names))
    return law


def _read_law(statute: Statute) -> _Own:
    """Dated by when it was issued, made anew or amended."""
    notes = [note.text for note in statute.stand_notes]
    days = _list_days(statute.issued_on, [*notes, statute.publication or "", statute.title])
    abbreviations = " ".join((statute.abbreviation, *statute.abbreviations_juris))
    return _Own(days, tuple(map(_fold, (statute.title, statute.short_title or "", abbreviations))))


def _list_days(issued_on: date | None, notes: Iterable[str]) -> frozenset[str | None]:
    found = [read_date(match[0]) for note in notes for match in _DATE.finditer(note)]
    return frozenset((*found, *([issued_on.isoformat()] if issued_on is not None else ())))


def _fold(words: str) -> str:
    return f" {fold_long(words)} "
