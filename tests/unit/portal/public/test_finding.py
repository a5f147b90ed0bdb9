"""From what is written to the page that is meant, unless that page would say less."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.portal.public import finding
from fundstelle.portal.public.finding import find_meant
from tests.unit.lookup.decisions.test_texts import HeldDecisions
from tests.unit.lookup.invented import TODAY, build_library

LIBRARY = replace(build_library(), decisions=HeldDecisions())
DECISION = "/d/ECLI:DE:BGH:2022:150322UVIZR1.21.0"
OLD = "§ 8 MusterG in der bis zum 28.4.2026 geltenden Fassung"


@pytest.fixture(autouse=True)
def is_that_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "today", lambda: TODAY)


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("§ 8 MusterG", "/n/de/musterg/8"),
        ("MusterG 8", "/n/de/musterg/8"),
        ("§ 2 Abs. 1 MusterG", "/n/de/musterg/2#abs-1"),
        ("MusterG", "/n/de/musterg"),
        ("§ 1 AltMG", "/n/de/altmg/1"),  # of which the page says that it is no longer listed
        ("BGH VI ZR 1/21", DECISION),
        ("BGH, Urteil vom 15.3.2022 - VI ZR 1/21", DECISION),
        (OLD, "/n/de/musterg/8?as_of=2026-04-28"),
    ],
)
def test_what_means_one_text_leads_to_its_page(written: str, path: str) -> None:
    meant = find_meant(LIBRARY, written, None)

    assert (meant.path, list(meant.notes)) == (path, [])


@pytest.mark.parametrize(
    ("written", "note"),
    [
        ("OLG Köln, VI ZR 1/21", "not of the OLG Köln"),
        ("BGH, Beschluss vom 15.3.2022 - VI ZR 1/21", "not a Beschluss"),
        ("§ 2 Abs. 1 Alt. 9 MusterG", "Alt. 9 is not marked"),
        ("Art. 4 MusterG", "MusterG has §"),
    ],
)
def test_where_the_page_would_not_say_what_differs_it_is_said_instead(
    written: str, note: str
) -> None:
    meant = find_meant(LIBRARY, written, None)

    assert meant.path is None
    assert any(note in one for one in meant.notes)


def test_the_day_that_is_cited_goes_before_the_one_that_is_chosen() -> None:
    chosen = date(2025, 6, 1)

    assert find_meant(LIBRARY, "§ 8 MusterG", chosen).path == "/n/de/musterg/8?as_of=2025-06-01"
    assert find_meant(LIBRARY, OLD, chosen).path == "/n/de/musterg/8?as_of=2026-04-28"
    assert find_meant(LIBRARY, "§ 8 MusterG", TODAY).path == "/n/de/musterg/8?as_of=2026-05-01"
    assert find_meant(LIBRARY, OLD.replace("28.4", "1.5"), chosen).path == (
        "/n/de/musterg/8?as_of=2026-05-01"
    )
    assert find_meant(LIBRARY, "§§ 1, 4 MusterG", None).path is None
