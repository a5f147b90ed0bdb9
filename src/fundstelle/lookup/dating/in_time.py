"""Which text of a law is meant where the citation says so: by a year, or by a consolidation."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from fundstelle.law.citations import EuCitation, NormCitation
from fundstelle.law.norms import Norm, Statute, choose_read_day
from fundstelle.lookup.answers import DecisionHit, LawHit, Miss, Outcome, ProvisionHit
from fundstelle.lookup.dating.days import find_floor
from fundstelle.lookup.misses.editions import (
    consolidated_not_held,
    corrigendum_not_held,
    edition_not_held,
)
from fundstelle.lookup.reading.years import (
    Meaning,
    choose_day,
    is_before,
    list_consolidated,
    read_meaning,
    read_year,
)
from fundstelle.lookup.texts import LookupRequest

_OLDER = "aF"
_DENIED = frozenset({"norm_does_not_exist", "subunit_does_not_exist", "repealed"})
_EU_UNITS = {
    "art": "art",
    "erwg": "recital",
    "anhang": "annex",
    "protokoll": "protocol",
    "präambel": "preamble",
}


def ask_for_version(
    question: LookupRequest, statute: Statute, target: NormCitation | EuCitation
) -> LookupRequest:
    """The question for what is cited as "a.F." or by a year, wherever in the law it stands.

    Any other as it is, and that with a year of the law's name. A past day that is asked for goes
    before any year of the law.
    """
    if target.version == _OLDER:
        return replace(question, older=True)
    year = read_year(target.version)
    meaning = Meaning.NAME if year is None else read_meaning(statute, year)
    if year is None or meaning is Meaning.NAME:
        return question
    if question.on < statute.stand and not is_before(statute, year):
        beaten = meaning is Meaning.TIME and year != question.on.year
        return replace(question, doubt=_say_beaten(question.on, year)) if beaten else question
    if meaning is Meaning.TIME:
        return replace(question, year=year)
    is_covered = date(year, 12, 31) >= find_floor(question.library, statute)
    doubt = "" if is_covered else _say_edition(target.law or statute.abbreviation, year)
    return replace(question, edition=year, doubt=doubt)


def _say_beaten(on: date, year: int) -> str:
    day = on.isoformat()
    return f"The day asked for, {day}, was followed and not the year cited, {year}."


def _say_edition(name: str, year: int) -> str:
    return (
        f"{name} {year} is the edition of that year; it was read as amended since, and whether its"
        f" text of {year} was the same is not known here."
    )


def add_doubt(question: LookupRequest, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes with what is not sure of the day that they were read on.

    What the text of that day lacks is not denied, since that of another may be meant.
    """
    return [_add_doubt(question, each) if question.doubt else each for each in outcomes]


def _add_doubt(question: LookupRequest, outcome: Outcome) -> Outcome:
    doubt = question.doubt
    if isinstance(outcome, ProvisionHit):
        return replace(outcome, doubt=doubt, warnings=(doubt, *outcome.warnings))
    if isinstance(outcome, LawHit):
        return replace(outcome, warnings=(doubt, *outcome.warnings))
    if isinstance(outcome, DecisionHit) or outcome.status not in _DENIED:
        return outcome
    reason = f"As of {question.on.isoformat()}: {outcome.reason} {doubt}"
    return replace(outcome, status="ambiguous", reason=reason)


def choose_text(
    question: LookupRequest, statute: Statute, name: str, norm: Norm | None, year: int
) -> date | Miss:
    """The day on which to read a law whose text of a year is meant."""
    if is_before(statute, year):
        return edition_not_held(question.written, statute, f"{name} {year}", norm)
    return choose_day(year, question.on)


def choose_edition(
    question: LookupRequest, statute: Statute, target: EuCitation
) -> date | Miss | None:
    """The day of the text that a version names; ``None`` without one."""
    corrigendum = re.search(rf"{re.escape(target.celex)}R\((\d\d)\)", question.written)
    if corrigendum is not None:
        return corrigendum_not_held(question.written, statute, corrigendum[1])
    version = target.version or ""
    kind, _, said = version.partition(":")
    if kind == "consolidated":
        held = list_consolidated(statute)
        day = next((day for day in held if day.isoformat() == said), None)
        if day is None:
            return consolidated_not_held(question.written, statute, said, held)
        # that of the first one is the day of the Official Journal, on which it is not yet in force
        return choose_read_day(day, statute.in_force_from)
    if question.year is None:
        return None
    norm = question.library.store.find_norm(write_eu_id(statute, target)) if target.number else None
    return choose_text(question, statute, statute.abbreviation, norm, question.year)


def write_eu_id(statute: Statute, target: EuCitation) -> str:
    """The id that a unit of an EU act has: ``eu/32016R0679/art_6``."""
    unit = _EU_UNITS.get((target.unit or "art").lower(), "art")
    number = f"_{target.number.lower()}" if target.number else ""  # an only annex bears none
    return f"{statute.statute_id}/{unit}{number}"
