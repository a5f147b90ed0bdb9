"""A look at the publisher is no commencement: the two kinds of days are never mixed."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from fundstelle.corpus.manifest import SnapshotState
from fundstelle.law.norms import SEEN, DatePrecision, StandNote
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.dating.days import describe_days, find_days
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import FLOOR, STAND, InventedStore, build_library

LOOKS = (FLOOR, date(2025, 12, 1))


def test_a_text_that_a_later_look_showed_first_has_no_first_day_in_force() -> None:
    library = build_library()
    hit = resolve(library, "§ 8 MusterG", STAND).hits[0]

    assert isinstance(hit, ProvisionHit)
    days = find_days(library, hit.statute, hit.fassung)
    assert (days.first_seen, days.not_seen_before, days.valid_from) == (STAND, FLOOR, None)


def test_a_text_that_a_later_look_no_longer_showed_has_no_last_day_in_force() -> None:
    library = build_library()
    hit = resolve(library, "§ 8 MusterG", FLOOR).hits[0]

    assert isinstance(hit, ProvisionHit)
    days = find_days(library, hit.statute, hit.fassung)
    assert (days.last_seen, days.gone_on, days.valid_to) == (FLOOR, STAND, None)


def test_between_two_looks_the_older_text_is_given_and_both_days_are_named() -> None:
    hit = resolve(build_library(), "§ 8 MusterG", date(2025, 12, 1)).hits[0]

    assert FLOOR.isoformat() in hit.warnings[0]
    assert STAND.isoformat() in hit.warnings[0]


def test_before_the_look_that_showed_it_first_a_provision_was_not_seen() -> None:
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    (_, newest) = store.fassungen["de/musterg/8"]
    store.fassungen["de/musterg/8"] = (newest,)
    asked = date(2025, 12, 1)
    unseen = resolve(library, "§ 8 MusterG", asked).outcomes[0]
    store.fassungen["de/musterg/8"] = (replace(newest, date_precision=DatePrecision.EXACT),)
    later = resolve(library, "§ 8 MusterG", asked).outcomes[0]

    assert isinstance(unseen, Miss)
    assert isinstance(later, Miss)
    assert (unseen.status, later.status) == ("not_seen_yet", "not_yet_in_force")
    assert unseen.code == "NORM_NOT_FOUND"
    assert STAND.isoformat() in unseen.reason


def test_a_look_at_another_source_is_none_at_this_law() -> None:
    library = build_library()
    hit = resolve(library, "§ 8 MusterG", STAND).hits[0]
    assert isinstance(hit, ProvisionHit)
    heads = library.store.list_fassungen(hit.norm.norm_id)[-1:]
    manifest = library.store.manifest
    (gii, *_) = manifest.sources
    first, between = (SnapshotState("look", day, "", 1, "f") for day in LOOKS)
    own = replace(gii, source_type=hit.statute.source_type, snapshots=(first,))
    other = replace(gii, source_type="eurlex", snapshots=(between,))

    (days,) = describe_days(replace(manifest, sources=(other, own)), hit.statute, heads)
    assert days.not_seen_before == FLOOR


@pytest.mark.parametrize(("lists", "last_without"), [("none", FLOOR), ("f" * 64, LOOKS[1])])
def test_a_look_at_some_laws_only_is_none_at_the_others(lists: str, last_without: date) -> None:
    library = build_library()
    hit = resolve(library, "§ 8 MusterG", STAND).hits[0]
    assert isinstance(hit, ProvisionHit)
    heads = library.store.list_fassungen(hit.norm.norm_id)[-1:]
    manifest = library.store.manifest
    (gii, *_) = manifest.sources
    looks = (
        SnapshotState("whole", LOOKS[0], "", 1, "f" * 64),
        SnapshotState("some", LOOKS[1], "", 1, lists),
    )
    own = replace(gii, snapshots=looks)

    (days,) = describe_days(replace(manifest, sources=(own,)), hit.statute, heads)
    assert days.not_seen_before == last_without


def test_the_day_of_an_eu_text_is_no_look() -> None:
    library = build_library()
    hit = resolve(library, "§ 4 MusterG", STAND).hits[0]
    assert isinstance(hit, ProvisionHit)
    act = replace(hit.statute, jurisdiction="eu", source_type="eurlex")
    days = find_days(library, act, hit.fassung)
    seen = replace(act, stand_notes=(StandNote("Stand", f"{SEEN}{STAND}, gesehen am 2026-08-15"),))
    confirmed = find_days(library, seen, hit.fassung)

    assert (days.stand, days.first_seen, days.last_seen, days.valid_from) == (
        STAND,
        None,
        None,
        None,
    )
    assert (confirmed.stand, confirmed.last_seen) == (date(2026, 8, 15), date(2026, 8, 15))


def test_of_two_texts_that_an_eu_act_dates_the_later_came_between_them() -> None:
    library = build_library()
    hit = resolve(library, "§ 8 MusterG", STAND).hits[0]
    assert isinstance(hit, ProvisionHit)
    act = replace(hit.statute, jurisdiction="eu", source_type="eurlex")
    older, newer = library.store.list_fassungen(hit.norm.norm_id)
    first, last = describe_days(library.store.manifest, act, [older, newer])

    assert (last.precision, last.basis, last.valid_from) == ("between", "publisher", None)
    assert last.bounds == (older.stand + timedelta(days=1), newer.in_force_from)
    assert (first.precision, first.bounds) == ("unknown", None)


def test_looks_at_federal_law_bound_no_first_day_in_force() -> None:
    library = build_library()
    hit = resolve(library, "§ 8 MusterG", STAND).hits[0]
    assert isinstance(hit, ProvisionHit)
    heads = library.store.list_fassungen(hit.norm.norm_id)

    days = describe_days(library.store.manifest, hit.statute, heads)
    assert {each.precision for each in days} == {"unknown"}


def test_of_an_eu_text_that_was_gone_in_between_no_day_is_bounded() -> None:
    library = build_library()
    hit = resolve(library, "§ 8 MusterG", STAND).hits[0]
    assert isinstance(hit, ProvisionHit)
    act = replace(hit.statute, jurisdiction="eu", source_type="eurlex")
    older, newer = library.store.list_fassungen(hit.norm.norm_id)
    ended = replace(older, in_force_until=older.stand)

    (_, last) = describe_days(library.store.manifest, act, [ended, newer])
    assert last.bounds is None
