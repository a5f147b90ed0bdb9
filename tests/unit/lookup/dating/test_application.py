"""An act of the Union is in force from the day of its entry on, and not from its signature."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from fundstelle.corpus.rows import decode_statute, encode_header
from fundstelle.law.application import Application
from fundstelle.law.norms import DatePrecision, NormStatus, Statute
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.dating.application import warn_of_application
from fundstelle.lookup.dating.days import find_days
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import InventedStore, build_library

ISSUED, JOURNAL, ENTRY = date(2016, 4, 27), date(2016, 5, 4), date(2016, 5, 24)
ON, LATER = date(2018, 5, 25), date(2019, 5, 25)
APPLIES = Application("art_99", None, ON, ON, is_divided=False)


def build(precision: DatePrecision) -> Library:
    """MusterG as if it were an act of the Union; § 4 has one text."""
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    act = replace(
        store.statutes["de/musterg"],
        jurisdiction="eu",
        source_type="eurlex",
        issued_on=ISSUED,
        first_look=ISSUED,
        published_on=JOURNAL,
        in_force_from=ENTRY,
        date_precision=precision,
        applications=(APPLIES,),
    )
    store.statutes = {**store.statutes, act.statute_id: act}
    (held,) = store.fassungen["de/musterg/4"]
    dated = replace(held, in_force_from=ENTRY, date_precision=precision, stand=ISSUED)
    store.fassungen["de/musterg/4"] = (dated,)
    return library


@pytest.mark.parametrize(
    ("precision", "basis", "words"),
    [
        (DatePrecision.TEXT, "text", "by its own words"),
        (DatePrecision.TREATY, "treaty", "Article 297 TFEU"),
    ],
)
def test_before_its_entry_into_force_an_act_is_not_in_force(
    precision: DatePrecision, basis: str, words: str
) -> None:
    library = build(precision)
    for on in (date(2015, 1, 1), ISSUED, JOURNAL, ENTRY - timedelta(days=1)):
        miss = resolve(library, "§ 4 MusterG", on).outcomes[0]
        assert isinstance(miss, Miss)
        assert miss.status == "not_yet_in_force"
        assert ENTRY.isoformat() in miss.reason
        assert words in miss.reason
        assert JOURNAL.isoformat() in miss.reason
    hit = resolve(library, "§ 4 MusterG", ENTRY).hits[0]
    assert isinstance(hit, ProvisionHit)
    days = find_days(library, hit.statute, hit.fassung)
    assert (days.valid_from, days.precision, days.basis) == (ENTRY, "exact", basis)


def test_where_only_the_last_possible_day_is_known_nothing_is_said_of_those_before() -> None:
    library = build(DatePrecision.PROVEN)
    miss = resolve(library, "§ 4 MusterG", ENTRY - timedelta(days=1)).outcomes[0]
    assert isinstance(miss, Miss)
    assert miss.status == "not_seen_yet"
    assert "at the latest" in miss.reason
    hit = resolve(library, "§ 4 MusterG", ENTRY).hits[0]
    assert isinstance(hit, ProvisionHit)
    days = find_days(library, hit.statute, hit.fassung)
    assert (days.valid_from, days.precision, days.basis) == (None, "between", "text")
    assert days.bounds == (JOURNAL, ENTRY)


def test_that_it_applies_later_is_said_until_it_does() -> None:
    library = build(DatePrecision.TEXT)
    (early,) = resolve(library, "§ 4 MusterG", ENTRY).hits
    (late,) = resolve(library, "§ 4 MusterG", ON).hits
    assert isinstance(early, ProvisionHit)
    assert isinstance(late, ProvisionHit)
    said = "MusterG applies from 2018-05-25 on (Art. 99 MusterG)."
    assert said in early.warnings
    assert said not in late.warnings


def build_act(*said: Application) -> Statute:
    act = build(DatePrecision.TEXT).store.statutes["de/musterg"]
    return replace(act, applications=said)


def test_parts_that_apply_later_are_named_and_the_words_are_those_of_the_day() -> None:
    divided = replace(APPLIES, latest=LATER, is_divided=True)
    moved = replace(divided, since=date(2018, 1, 1), general=LATER)
    act = build_act(divided, moved)

    assert warn_of_application(act, ENTRY) == (
        "MusterG applies from 2018-05-25 on, some of it from other days (Art. 99 MusterG).",
    )
    assert "from 2019-05-25" in warn_of_application(act, date(2018, 1, 1))[0]
    (parts,) = warn_of_application(build_act(divided), ON)
    assert parts.startswith("Some of MusterG applies from later days only, the last 2019-05-25")
    assert warn_of_application(act, LATER) == ()


def test_what_is_known_of_an_act_comes_back_from_a_build() -> None:
    act = build_act(APPLIES, replace(APPLIES, since=ON, general=None))
    assert decode_statute(encode_header(act)) == act


def test_a_text_that_never_was_in_force_is_none_of_its_year() -> None:
    library = build(DatePrecision.TEXT)
    store = library.store
    assert isinstance(store, InventedStore)
    (held,) = store.fassungen["de/musterg/4"]
    never = replace(
        held,
        in_force_from=None,
        in_force_until=ENTRY,
        date_precision=DatePrecision.UNKNOWN,
        status=NormStatus.FUTURE,
        text_sha256="0" * 64,
    )
    store.fassungen["de/musterg/4"] = (never, held)
    miss = resolve(library, "§ 4 MusterG", JOURNAL).outcomes[0]
    assert isinstance(miss, Miss)
    assert miss.status == "not_yet_in_force"
    hit = resolve(library, "§ 4 MusterG 2016", LATER).hits[0]
    assert isinstance(hit, ProvisionHit)
    assert hit.fassung == held
