from datetime import date
from typing import Any

import pytest

from fundstelle.ingest.history.commencing import Commencement, Promulgation
from fundstelle.ingest.sources.dip.vorgang import is_promulgated, read_promulgations

DAY = date(2024, 8, 1)
NUMBERED = {
    "jahrgang": "2024",
    "heftnummer": "234",
    "seite": "1",
    "ausfertigungsdatum": "2024-07-19",
    "verkuendungsdatum": "2024-07-24",
    "einleitungstext": "Verkündung",
    "fundstelle": "BGBl I 2024, Nr. 234",
    "verkuendungsblatt_kuerzel": "BGBl I",
}
PAGED = {
    **NUMBERED,
    "jahrgang": "2022",
    "heftnummer": "28",
    "seite": "1237",
    "ausfertigungsdatum": "2022-07-20",
    "fundstelle": "BGBl I 2022, 1237",
}
BEGINS = [{"datum": "2024-08-01"}]


def read(*entries: dict[str, Any], **more: Any) -> dict[tuple[date, str], Promulgation]:
    document = {"id": "1", "verkuendung": list(entries), "inkrafttreten": BEGINS, **more}
    return dict(read_promulgations([document]))


SAID = Promulgation((Commencement(DAY),))


def test_an_act_is_told_by_its_day_and_its_place_in_the_gazette() -> None:
    assert read(NUMBERED) == {(date(2024, 7, 19), "I Nr. 234"): SAID}
    assert read(PAGED) == {(date(2022, 7, 20), "I 1237"): SAID}
    correction = {**NUMBERED, "heftnummer": "300", "fundstelle": "", "einleitungstext":
                  "Berichtigung"}  # fmt: skip
    assert read(NUMBERED, correction) == {(date(2024, 7, 19), "I Nr. 234"): SAID}


@pytest.mark.parametrize(
    "entry",
    [
        {**NUMBERED, "fundstelle": "BGBl I 2024, Nr. 235"},
        {**NUMBERED, "fundstelle": "BGBl II 2024, Nr. 234"},
        {**NUMBERED, "fundstelle": "BGBl I 2023, Nr. 234"},
        {**NUMBERED, "heftnummer": "", "fundstelle": "BAnz AT 24.07.2024 V1"},
        {**NUMBERED, "verkuendungsblatt_kuerzel": "", "fundstelle": "234"},
        {**NUMBERED, "ausfertigungsdatum": "2024-07-32"},
        {**NUMBERED, "ausfertigungsdatum": None},
        {**NUMBERED, "jahrgang": "unbekannt"},
        {**PAGED, "seite": "12 f.", "fundstelle": ""},
    ],
)
def test_fields_that_contradict_or_cannot_be_read_say_nothing(entry: dict[str, Any]) -> None:
    assert read(entry) == {}


@pytest.mark.parametrize(
    "days",
    [None, [], ["2024-08-01"], [{"datum": "bald"}], [*BEGINS, {"erlaeuterung": "Artikel 2"}]],
)
def test_a_day_that_cannot_be_read_leaves_none(days: Any) -> None:
    assert read(NUMBERED, inkrafttreten=days) == {}


def test_two_acts_of_one_vorgang_or_two_words_on_one_act_say_nothing() -> None:
    assert read(NUMBERED, PAGED) == {}
    one = {"id": "1", "verkuendung": [NUMBERED], "inkrafttreten": BEGINS}
    other = {**one, "id": "2", "inkrafttreten": [{"datum": "2024-09-01"}]}
    assert read_promulgations([one, other]) == {}
    assert read_promulgations([one, other, one]) == {}
    assert len(read_promulgations([one, {**one, "id": "2"}])) == 1


def test_remarks_are_kept_and_a_word_elsewhere_limits_them() -> None:
    days = [{"datum": "2025-01-01", "erlaeuterung": " Artikel  2 "}, *BEGINS]
    said = (Commencement(DAY), Commencement(date(2025, 1, 1), "Artikel 2"))
    [found] = read(NUMBERED, inkrafttreten=days).values()
    assert found == Promulgation(said)
    note = "Tag des Inkrafttretens bestimmter Teile wird bekanntgemacht"
    [found] = read(NUMBERED, mitteilung=note).values()
    assert found.limited


def test_a_vorgang_without_a_promulgation_is_none_of_ours() -> None:
    assert not is_promulgated({"id": "1", "verkuendung": []})
    assert not is_promulgated({"id": "1"})
    assert is_promulgated({"id": "1", "verkuendung": [NUMBERED]})
