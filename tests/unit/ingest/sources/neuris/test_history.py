"""Several expressions of one law become the history of its norms."""

from collections.abc import Sequence
from datetime import date
from itertools import permutations

import pytest

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import ParsedAct
from fundstelle.ingest.sources.neuris.documents import iter_documents
from fundstelle.law.norms import DatePrecision, NormStatus
from tests.unit.ingest.sources.neuris.law_files import LawText, make_file

TODAY = date(2026, 1, 1)
FIRST, SECOND, THIRD = date(2019, 4, 1), date(2021, 7, 1), date(2023, 1, 1)
OLD = LawText(
    last=date(2021, 6, 30), sections={"1": "Eins.", "2": "Zwei.", "3": "Drei."}, begins=FIRST
)
NEW = LawText(
    point=date(2021, 5, 5),
    begins=SECOND,
    amended=True,
    sections={"1": "Eins.", "2": "Zwei, neu.", "2a": "Zwei a."},
)
NEWEST = LawText(
    point=date(2022, 12, 1), begins=THIRD, amended=True, sections={"1": "Eins.", "3": "Drei."}
)


def read(*laws: LawText) -> tuple[ParsedAct, list[Rejected]]:
    read = list(iter_documents(map(make_file, laws), TODAY))
    (act,) = [one for one in read if isinstance(one, ParsedAct)]
    return act, [one for one in read if isinstance(one, Rejected)]


def list_days(act: ParsedAct) -> dict[str, list[tuple[str, date | None, date | None]]]:
    return {
        norm.number: [(f.text, f.in_force_from, f.in_force_until) for f in fassungen]
        for norm, fassungen in act.norms
    }


@pytest.mark.parametrize("laws", list(permutations((OLD, NEW, NEWEST))))
def test_each_norm_has_its_texts_with_their_days_and_an_unchanged_one_once(
    laws: Sequence[LawText],
) -> None:
    act, rejected = read(*laws)
    assert rejected == []
    assert list_days(act) == {
        "1": [("Eins.", FIRST, None)],
        "2": [("Zwei.", FIRST, SECOND), ("Zwei, neu.", SECOND, THIRD)],
        "2a": [("Zwei a.", SECOND, THIRD)],
        "3": [("Drei.", FIRST, SECOND), ("Drei.", THIRD, None)],
    }
    assert {f.date_precision for _, fassungen in act.norms for f in fassungen} == {
        DatePrecision.EXACT
    }
    status = {norm.number: norm.status for norm, _ in act.norms}
    assert status == {
        "1": NormStatus.IN_FORCE,
        "2": NormStatus.REPEALED,
        "2a": NormStatus.REPEALED,
        "3": NormStatus.IN_FORCE,
    }
    assert (act.texts, act.statute.first_look) == (3, FIRST)


def test_the_last_day_is_the_last_one_in_force_and_what_lies_between_has_no_text() -> None:
    act, _ = read(
        LawText(begins=FIRST, last=date(2020, 12, 31), sections={"1": "Eins."}),
        LawText(point=SECOND, begins=SECOND, amended=True, sections={"1": "Eins."}),
    )
    assert list_days(act)["1"] == [("Eins.", FIRST, date(2021, 1, 1)), ("Eins.", SECOND, None)]


def test_of_what_the_oldest_text_went_on_with_no_beginning_is_said() -> None:
    act, _ = read(NEW, NEWEST)
    days = list_days(act)
    assert days["1"] == [("Eins.", None, None)]
    assert days["3"] == [("Drei.", THIRD, None)]
    assert act.norms[0][1][0].date_precision is DatePrecision.UNKNOWN
    assert act.statute.first_look == SECOND


@pytest.mark.parametrize(
    ("period", "precision"),
    [(SECOND, DatePrecision.EXACT), (date(2021, 9, 1), DatePrecision.FIRST_SEEN)],
)
def test_a_provision_that_contradicts_its_law_has_no_day_of_commencement(
    period: date, precision: DatePrecision
) -> None:
    act, _ = read(
        OLD,
        LawText(
            point=SECOND, begins=SECOND, amended=True, sections={"1": "Neu."}, periods={"1": period}
        ),
    )
    newest = act.norms[0][1][-1]
    assert (newest.in_force_from, newest.date_precision) == (SECOND, precision)


def test_a_text_of_a_day_to_come_is_left_out_and_told() -> None:
    coming = LawText(point=date(2025, 12, 1), begins=date(2027, 1, 1), amended=True)
    act, rejected = read(OLD, NEW, coming)
    assert list_days(act)["1"] == [("Eins.", FIRST, None)]
    assert act.statute.stand_notes[-1].text == (
        "Fassung ab 2027-01-01: hier noch nicht berücksichtigt"
    )
    assert [one.reason for one in rejected] == ["it is the text of 2027-01-01, a day still to come"]


def test_of_two_texts_of_one_day_the_later_one_counts_and_the_other_is_told() -> None:
    again = LawText(
        point=NEW.point, version=2, begins=SECOND, amended=True, sections={"1": "Berichtigt."}
    )
    act, rejected = read(OLD, NEW, again)
    assert list_days(act)["1"] == [("Eins.", FIRST, SECOND), ("Berichtigt.", SECOND, None)]
    assert [one.name for one in rejected] == [make_file(NEW).name]


def test_the_newest_file_of_an_expression_counts() -> None:
    mended = LawText(begins=FIRST, sections={"1": "Eins, berichtigt."}, made_on=date(2020, 1, 1))
    act, rejected = read(LawText(begins=FIRST, sections={"1": "Eins."}), mended)
    assert list_days(act) == {"1": [("Eins, berichtigt.", FIRST, None)]}
    assert (rejected, act.statute.stand) == ([], date(2020, 1, 1))


def test_a_former_heading_stays_with_the_words_below_it() -> None:
    heading = (
        "<akn:article><akn:num>§ 1</akn:num><akn:heading>{}</akn:heading><akn:paragraph>"
        "<akn:num/><akn:content><akn:p>Eins.</akn:p></akn:content></akn:paragraph></akn:article>"
    )
    act, _ = read(
        LawText(begins=FIRST, body=heading.format("Pflege")),
        LawText(point=SECOND, begins=SECOND, amended=True, body=heading.format("Gießen")),
    )
    ((norm, (former, newest)),) = act.norms
    assert (norm.title, newest.headings) == ("Gießen", None)
    assert former.headings is not None
    assert former.headings.title == "Pflege"


def test_laws_of_one_abbreviation_are_two() -> None:
    laws = [make_file(OLD), make_file(LawText(work="eli/bund/bgbl-1/1999/s5", begins=FIRST))]
    acts = [one for one in iter_documents(laws, TODAY) if isinstance(one, ParsedAct)]
    assert [act.statute.statute_id for act in acts] == ["de/moosg-1999-s5", "de/moosg-2019-s77"]


def test_a_text_that_ends_before_it_begins_takes_no_other_with_it() -> None:
    turned = LawText(point=date(2020, 1, 1), begins=date(2020, 2, 1), last=date(2019, 1, 1))
    act, rejected = read(OLD, turned)
    assert [one.name for one in rejected] == [make_file(turned).name]
    assert list_days(act)["1"] == [("Eins.", FIRST, date(2021, 7, 1))]
