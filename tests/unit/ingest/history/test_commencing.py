from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from fundstelle.errors import CorpusError
from fundstelle.ingest.history.commencing import (
    Commencement,
    Promulgation,
    Records,
    commence,
    dump_records,
    find_day,
    read_records,
    read_remark,
)
from fundstelle.law.norms import DatePrecision, Enactment
from tests.unit.corpus.values import make_fassung, make_norm

ISSUED, PLACE = date(2024, 7, 19), "I Nr. 234"
WITHOUT, DAY, SEEN = date(2024, 7, 31), date(2024, 8, 1), date(2024, 8, 7)
LATER = date(2025, 1, 1)


def record(*days: tuple[date, str], limited: bool = False) -> Records:
    said = Promulgation(tuple(Commencement(*one) for one in days), limited)
    return {(ISSUED, PLACE): said}


def find(records: Records, part: str = "Art. 4") -> date | None:
    return find_day(records, [f"{part} G v. 19.7.2024 {PLACE}".strip()])


def test_one_day_without_a_remark_holds_for_all_of_the_act() -> None:
    assert find(record((DAY, ""))) == DAY
    assert find(record((DAY, "")), "") == DAY
    assert find_day(record((DAY, "")), ["Art. 4 G v. 19.7.2024 I Nr. 235"]) is None
    assert find_day(record((DAY, "")), ["Art. 4 G v. 20.7.2024 I Nr. 234"]) is None


@pytest.mark.parametrize(
    ("days", "part", "found"),
    [
        ([(DAY, ""), (LATER, "Artikel 4")], "Art. 4", LATER),
        ([(DAY, ""), (LATER, "Artikel 3 bis 5 und 9")], "Art. 4", LATER),
        ([(DAY, "Artikel 1, 4 und 6"), (LATER, "Artikel 2")], "Art. 4 Abs. 2", DAY),
        ([(DAY, ""), (LATER, "Artikel 4 Absatz 2")], "Art. 4 Abs. 2", LATER),
        # not named at all, or only in part
        ([(DAY, ""), (LATER, "Artikel 3")], "Art. 4", None),
        ([(DAY, ""), (LATER, "Artikel 4 Nr. 3 und 4")], "Art. 4", None),
        ([(DAY, "Artikel 4"), (LATER, "Artikel 4 Nummer 3")], "Art. 4", None),
        ([(DAY, ""), (LATER, "Artikel 4 Absatz 2")], "Art. 4", None),
        ([(DAY, "Artikel 4"), (LATER, "Artikel 4")], "Art. 4", None),
        ([(DAY, ""), (LATER, "Artikel 4")], "", None),
        # two days for one thing, or words that may be an exception
        ([(DAY, ""), (LATER, "")], "Art. 4", None),
        ([(DAY, "Artikel 4"), (LATER, "im Übrigen")], "Art. 4", None),
        ([(DAY, "mit Ausnahme von Artikel 4")], "Art. 4", None),
        ([(DAY, "Artikel 4 vorbehaltlich der Genehmigung")], "Art. 4", None),
        ([], "Art. 4", None),
    ],
)
def test_several_days_hold_for_the_article_that_is_named_alone(
    days: list[tuple[date, str]], part: str, found: date | None
) -> None:
    assert find(record(*days), part) == found


def test_what_the_record_says_elsewhere_of_other_days_counts_as_a_remark() -> None:
    assert find(record((DAY, ""), limited=True)) is None
    assert find(record((DAY, "Artikel 4"), limited=True)) == DAY


def test_of_several_acts_all_must_have_the_same_day() -> None:
    other = (date(2024, 7, 20), "I Nr. 240")
    acts = [f"Art. 4 G v. 19.7.2024 {PLACE}", "Art. 1 G v. 20.7.2024 I Nr. 240"]
    one = Promulgation((Commencement(DAY),))
    assert find_day({**record((DAY, "")), other: one}, acts) == DAY
    assert find_day({**record((LATER, "")), other: one}, acts) is None
    assert find_day(record((DAY, "")), acts) is None
    assert find_day(record((DAY, "")), []) is None


@pytest.mark.parametrize(
    ("remark", "articles"),
    [
        ("Artikel 1 Nr. 14, Artikel 3 Nr. 4, Artikel 4 Nr. 4", [("1", 0), ("3", 0), ("4", 0)]),
        ("Artikel 2a", [("2a", 1)]),
        ("Art. 1 bis 3 und Art. 5.", [("1", 1), ("2", 1), ("3", 1), ("5", 1)]),
        ("Artikel 1 Nummer 2 Buchstabe a und b, Artikel 7", [("1", 0), ("7", 1)]),
        ("die Artikel 1 und 2", None),
        ("Artikel 1 und die Anlage", None),
        ("Artikel 1a bis 1c", None),
        ("Artikel 1" + " und Artikel 1" * 1_000, None),
    ],
)
def test_a_remark_is_read_whole_or_not_at_all(
    remark: str, articles: list[tuple[str, int]] | None
) -> None:
    read = read_remark(remark)
    found = None if read is None else [(one, int(is_whole)) for one, _, is_whole in read]
    assert found == articles


OLD, NEW = make_fassung("de/bgb/1", "a", WITHOUT), make_fassung("de/bgb/1", "b", SEEN)


def date_texts(
    records: Records | None,
    *,
    without: date = WITHOUT,
    noted: date | None = None,
    said: date | None = None,
) -> list[tuple[date | None, date | None, DatePrecision]]:
    enactment = Enactment((f"Art. 4 G v. 19.7.2024 {PLACE}",), without, SEEN, said)
    begins = noted or SEEN
    precision = DatePrecision.EXACT if noted else DatePrecision.FIRST_SEEN
    new = replace(NEW, in_force_from=begins, date_precision=precision, enactment=enactment)
    old = replace(OLD, in_force_until=begins)
    dated = commence([(make_norm("1", 0), (old, new))], records)
    for again in (records, None):  # it may be done at every build
        assert commence(dated, again) == dated
    [(_, texts)] = dated
    return [(one.in_force_from, one.in_force_until, one.date_precision) for one in texts]


def test_a_day_between_the_looks_is_the_first_one_of_the_text_and_the_end_of_the_one_before() -> (
    None
):
    unknown = OLD.date_precision
    dated = [(None, DAY, unknown), (DAY, None, DatePrecision.PARLIAMENT)]
    undated = [(None, SEEN, unknown), (SEEN, None, DatePrecision.FIRST_SEEN)]
    assert date_texts(record((DAY, ""))) == dated
    assert date_texts(None, said=DAY) == dated  # as it was known when the record was at hand
    for day in (WITHOUT, SEEN + timedelta(days=1), LATER):
        assert date_texts(record((day, ""))) == undated
    far = SEEN - timedelta(days=71)
    assert date_texts(record((DAY, "")), without=far) == undated
    assert date_texts({}, said=DAY) == undated  # the record no longer says it


def test_the_publishers_note_goes_before_the_record() -> None:
    noted = DAY + timedelta(days=2)
    dated = date_texts(record((DAY, "")), noted=noted)
    assert dated == [
        (None, noted, OLD.date_precision),
        (noted, None, DatePrecision.EXACT),
    ]


def test_records_are_written_and_read(tmp_path: Path) -> None:
    records = record((DAY, ""), (LATER, "Artikel 4"), limited=True)
    (path := tmp_path / "acts.json").write_bytes(dump_records(records))
    assert read_records(path) == records
    (other := tmp_path / "other.json").write_bytes(b"[[1]]")
    with pytest.raises(CorpusError, match=r"other\.json"):
        read_records(other)
