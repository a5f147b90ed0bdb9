"""Decisions that are held under the Aktenzeichen that is cited, and are not of the day cited."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from fundstelle.law.citations import DecisionCitation, Target
from fundstelle.law.decisions import Decision
from fundstelle.lookup.decisions.texts import MOST_CANDIDATES, drop_guessed_court, find_meant
from fundstelle.lookup.library import Library


def list_of_other_days(
    library: Library, written: str, targets: Sequence[Target]
) -> Sequence[Decision]:
    """Those of the court and Aktenzeichen cited, newest first, where none is of the day cited.

    Nothing without a court, for several courts give one number; nor where numbers of several
    decisions are cited, so that it cannot be told whose day it is.
    """
    cited = [
        drop_guessed_court(written, each) for each in targets if isinstance(each, DecisionCitation)
    ]
    if not cited or not all(each.court and each.docket and each.issued_on for each in cited):
        return []
    if any(find_meant(library, written, each) for each in cited):
        return []
    undated = [replace(each, issued_on=None, ecli=None) for each in cited]
    found = [find_meant(library, written, each) for each in undated]
    return found[0][:MOST_CANDIDATES] if all(each == found[0] for each in found) else []


def is_slip(written: str | None, held: date | None) -> bool:
    """Whether two days of one month differ by a digit, or two by digits that changed places."""
    if written is None or held is None:
        return False
    cited, day = written.replace("-", ""), f"{held:%Y%m%d}"
    apart = [place for place, digit in enumerate(day) if digit != cited[place]]
    if len(apart) == 1:
        return cited[:6] == day[:6]
    return len(apart) > 1 and sorted(cited) == sorted(day) and cited[:4] == day[:4]
