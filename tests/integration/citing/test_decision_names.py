"""Every decision that is held is found by its id, its ECLI and the words that courts cite it by."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.law.decisions import Decision
from fundstelle.lookup.answers import DecisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.settings import Settings
from tests.integration.portal_of_law.test_page_anchors import TODAY

pytestmark = pytest.mark.corpus

_MONTHS = (
    *("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli"),
    *("August", "September", "Oktober", "November", "Dezember"),
)
FORMS = (
    "{court}, {kind} vom {written} – {docket}",
    "{court}, {kind} v. {day} - {docket}",
    "{court} {short} - {docket}",
    "{kind} des {court} vom {written}, Az.: {docket}",
)
# Their Aktenzeichen has the form of none.
UNREADABLE = ("3194.Z3-3_01-22-49", "6 A 1098113")


@pytest.fixture(scope="module")
def library_of_all(every_source: Path) -> Iterator[Library]:
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(every_source)}))
    yield library
    library.close()


def _list_held(library: Library) -> list[Decision]:
    held = library.decisions
    return held.get_by_ordinal(range(held.count()))


def _leads_to(library: Library, written: str, decision: Decision) -> bool:
    outcomes = resolve(library, written, TODAY).outcomes
    held = [one.decision for one in outcomes if isinstance(one, DecisionHit)]
    return [one.decision_id for one in held] == [decision.decision_id]


def test_every_id_and_every_ecli_leads_to_its_decision(library_of_all: Library) -> None:
    held = _list_held(library_of_all)
    wrong = [
        name
        for one in held
        for name in (one.decision_id, one.ecli)
        if name and not _leads_to(library_of_all, name, one)
    ]

    assert len(held) > 800
    assert wrong == []


@pytest.mark.parametrize("form", FORMS)
def test_court_day_and_docket_lead_to_the_decision(library_of_all: Library, form: str) -> None:
    tried, wrong = 0, []
    for one in _list_held(library_of_all):
        day = one.issued_on
        if day is None or not one.dockets or one.dockets[0] in UNREADABLE:
            continue
        written = form.format(
            court=one.court,
            kind=one.decision_type.capitalize(),
            written=f"{day.day}. {_MONTHS[day.month - 1]} {day.year}",
            day=f"{day:%d.%m.%Y}",
            short=f"{day.day}.{day.month}.{day:%y}",
            docket=one.dockets[0],
        )
        tried += 1
        if not _leads_to(library_of_all, written, one):
            wrong.append(written)

    assert tried > 600
    assert wrong == []
