"""Which text of a law is meant where the citation says so: by a year, or by a consolidation."""

import re
from dataclasses import replace
from datetime import date

from fundstelle.law.citations import EuCitation, NormCitation
from fundstelle.law.norms import Norm, Statute, choose_read_day
from fundstelle.lookup.answers import Miss
from fundstelle.lookup.misses.editions import (
    consolidated_not_held,
    corrigendum_not_held,
    edition_not_held,
)
from fundstelle.lookup.reading.years import (
    bears,
    choose_day,
    is_before,
    list_consolidated,
    read_year,
)
from fundstelle.lookup.texts import LookupRequest

_OLDER = "aF"
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

    Any other as it is, and that for the edition of a year which the law held is.
    """
    if target.version == _OLDER:
        return replace(question, older=True)
    year = read_year(target.version)
    if year is None or bears(statute, year):
        return question
    return replace(question, year=year)


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
