"""Words beside a citation that the norm or its law itself bears: its heading, title, dates."""

import re
from collections.abc import Iterator

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.citations.text.folding import fold_long
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


def is_own(piece: str, outcome: Hit | LawHit) -> bool:
    """Whether ``piece``, read nowhere, is what the norm, law or decision is called or dated by."""
    if _ANNEX.fullmatch(piece) is not None:
        return False  # another place, though a heading names it: "(Anlage 3 Bild 33)"
    held = set(_list_days(outcome))
    if _YEAR.fullmatch(piece) is not None:
        # behind a law it asks for the text of that year, which need not be the one of today
        is_decision = isinstance(outcome, DecisionHit)
        return is_decision and any(day is not None and day.startswith(piece) for day in held)
    days = [read_date(match[0]) for match in _DATE.finditer(piece)]
    words = _LEADING.sub(" ", _DATE.sub(" ", piece))
    if not set(days) <= held:
        return False
    asked = f" {fold_long(words)} "
    if isinstance(outcome, DecisionHit) and any(
        f" {fold_long(docket)} ".endswith(asked) for docket in outcome.decision.dockets
    ):
        return True  # the end of an Aktenzeichen: "7 E 1487/07(3)"
    return not asked.strip() or any(
        asked in f" {fold_long(name)} " for name in _list_names(outcome)
    )


def _list_names(outcome: Hit | LawHit) -> Iterator[str]:
    if isinstance(outcome, DecisionHit):
        yield outcome.decision.title or ""
        return
    statute = outcome.statute
    if isinstance(outcome, ProvisionHit):
        yield outcome.norm.title or ""
    yield statute.title
    yield statute.short_title or ""
    yield " ".join((statute.abbreviation, *statute.abbreviations_juris))


def _list_days(outcome: Hit | LawHit) -> Iterator[str | None]:
    """The days of the decision, or those that the law was issued, made anew or amended on."""
    if isinstance(outcome, DecisionHit):
        issued_on, notes = outcome.decision.issued_on, [outcome.decision.title or ""]
    else:
        statute = outcome.statute
        issued_on = statute.issued_on
        notes = [note.text for note in statute.stand_notes]
        notes += [statute.publication or "", statute.title]
    if issued_on is not None:
        yield issued_on.isoformat()
    for note in notes:
        for match in _DATE.finditer(note):
            yield read_date(match[0])
