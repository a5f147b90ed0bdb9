"""A law that was never changed is in force since the day that its own words name."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest

from fundstelle.law.norms import DatePrecision, NormKind, NormStatus, StandNote
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.dating.commencement import find_commencement
from fundstelle.lookup.dating.days import find_days
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from tests.unit.lookup.invented import FLOOR, STAND, InventedStore, build_library

DAY = date(2026, 1, 1)
OWN = "Dieses Gesetz tritt am 1. Januar 2026 in Kraft."


def build(words: str, notes: Sequence[StandNote] = ()) -> Library:
    """GrundMG, whose last provision says that; the looks that showed it first were later."""
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    (first,) = (norm for norm in store.norms if norm.norm_id == "de/grundmg/1")
    last = replace(first, norm_id="de/grundmg/2", number="2", citation="Art. 2 GrundMG")
    held = store.fassungen[first.norm_id][0]
    later = replace(held, in_force_from=STAND)
    store.norms.append(last)
    store.fassungen[first.norm_id] = (later,)
    store.fassungen[last.norm_id] = (replace(later, norm_id=last.norm_id, text=words),)
    law = replace(store.statutes["de/grundmg"], stand_notes=tuple(notes))
    store.statutes = {**store.statutes, law.statute_id: law}
    return library


@pytest.mark.parametrize(
    "words",
    [
        OWN,
        f"(1) {OWN}\n(2) Gleichzeitig tritt das Altgesetz außer Kraft.",
        "Dieses Gesetz tritt mit Wirkung vom 1. Januar 2026 in Kraft.",
    ],
)
def test_the_words_of_the_law_date_all_its_provisions(words: str) -> None:
    library = build(words)
    hit = resolve(library, "Art. 1 GrundMG", STAND).hits[0]

    assert isinstance(hit, ProvisionHit)
    days = find_days(library, hit.statute, hit.fassung)
    assert (days.valid_from, days.basis) == (DAY, "text")


@pytest.mark.parametrize(
    ("words", "notes"),
    [
        (f"{OWN} Art. 1 tritt am Tag nach der Verkündung in Kraft.", ()),
        ("Dieses Gesetz tritt am Tag nach der Verkündung in Kraft.", ()),
        ("Dieses Gesetz tritt am 31. Februar 2026 in Kraft.", ()),
        ("Art. 1 tritt am 1. Januar 2026 in Kraft.", ()),
        (OWN, (StandNote("Stand", "Zuletzt geändert durch Art. 9 G v. 1.2.2026 I 3"),)),
    ],
)
def test_words_that_do_not_date_the_whole_law_date_nothing(
    words: str, notes: Sequence[StandNote]
) -> None:
    library = build(words, notes)

    assert find_commencement(library, library.store.statutes["de/grundmg"]) is None


def test_before_that_day_it_is_not_yet_in_force_and_from_then_on_it_is_answered() -> None:
    library = build(OWN)
    before = resolve(library, "Art. 1 GrundMG", date(2025, 12, 31)).outcomes[0]
    between = resolve(library, "Art. 1 GrundMG", DAY).outcomes[0]

    assert FLOOR < DAY < STAND
    assert isinstance(before, Miss)
    assert before.status == "not_yet_in_force"
    assert isinstance(between, ProvisionHit)


def test_a_text_that_ended_is_not_answered_for_the_days_after_it() -> None:
    library = build(OWN)
    store = library.store
    assert isinstance(store, InventedStore)
    (held,) = store.fassungen["de/grundmg/1"]
    end = date(2026, 6, 1)
    store.fassungen["de/grundmg/1"] = (replace(held, in_force_until=end),)

    (last,) = resolve(library, "Art. 1 GrundMG", end - timedelta(days=1)).outcomes
    (after,) = resolve(library, "Art. 1 GrundMG", end).outcomes

    assert isinstance(last, ProvisionHit)
    assert isinstance(after, Miss)
    assert after.status == "repealed"


NOTE = (
    "(+++ Art. 1 Abs. 1: Tritt gem. Art. 9 G v. 1.2.2025 I 3 zukünftig mWv 1.1.2026 in Kraft +++)"
)


def _build_noted(notes: Sequence[str], head: Sequence[str] = ()) -> Library:
    """GrundMG, printed before it commences, with these notes on its text and at its head."""
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    (first,) = (norm for norm in store.norms if norm.norm_id == "de/grundmg/1")
    (held,) = store.fassungen[first.norm_id]
    front = replace(first, norm_id="de/grundmg/vorspann", number="vorspann", kind=NormKind.OTHER)
    store.norms.append(front)
    store.fassungen[first.norm_id] = (replace(held, notes=tuple(notes)),)
    store.fassungen[front.norm_id] = (replace(held, norm_id=front.norm_id, notes=tuple(head)),)
    return library


@pytest.mark.parametrize(
    ("notes", "head", "said"),
    [
        ((NOTE,), (), "2025-12-31 that was still to come"),
        (("(+++ Art. 1: Inkraft gem. Art. 9 G v. 1.2.2025 I 3 mWv 1.1.2026 +++)",), (), "to come"),
        ((), ("(+++ Textnachweis ab: 1.1.2026 +++)",), "records the text of GrundMG from 2026-01"),
    ],
)
def test_what_the_publisher_notes_of_a_commencement_to_come_is_told(
    notes: Sequence[str], head: Sequence[str], said: str
) -> None:
    library = _build_noted(notes, head)

    for written in ("Art. 1 GrundMG", "Art. 1 Abs. 1 GrundMG"):
        before = resolve(library, written, DAY - timedelta(days=1))
        after = resolve(library, written, DAY)
        (hit,), (later,) = before.hits, after.hits
        assert any(said in each for each in hit.warnings)
        assert judge(library, before).verdict == "unclear"
        assert not any("2026-01-01" in each or "to come" in each for each in later.warnings)
        assert judge(library, after).verdict == "ok"


@pytest.mark.parametrize(
    "note",
    [
        "(+++ Art. 1: IdF d. Art. 9 G v. 1.2.2025 I 3 mWv 1.1.2026 +++)",  # of the newest look
        "(+++ Art. 1: Tritt gem. Art. 9 G v. 1.2.2025 I 3 in Kraft; Art. 2 mWv 1.1.2026 +++)",
        "(+++ Art. 1: Tritt gem. Art. 9 G v. 1.2.2025 I 3 mWv 31.2.2026 in Kraft +++)",
    ],
)
def test_other_notes_say_nothing_of_a_commencement(note: str) -> None:
    (hit,) = resolve(_build_noted((note,)), "Art. 1 GrundMG", DAY - timedelta(days=1)).hits

    assert hit.warnings == ()


def test_a_range_that_was_to_come_is_left_on_the_day_on_which_by_its_note_it_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = _build_noted(())
    store = library.store
    assert isinstance(store, InventedStore)
    (first,) = (norm for norm in store.norms if norm.norm_id == "de/grundmg/1")
    (held,) = store.fassungen[first.norm_id]
    span = replace(
        first, norm_id="de/grundmg/1-2", number="1-2", label="Art 1 u. 2", kind=NormKind.OTHER
    )
    store.norms.append(span)
    ahead = replace(held, norm_id=span.norm_id, status=NormStatus.FUTURE, notes=(NOTE,))
    store.fassungen[span.norm_id] = (ahead,)
    shown = replace(held, in_force_from=STAND, date_precision=DatePrecision.FIRST_SEEN)
    store.fassungen[first.norm_id] = (shown,)
    monkeypatch.setattr(store, "find_range", lambda _: span)

    (before,) = resolve(library, "Art. 1 GrundMG", DAY - timedelta(days=1)).outcomes
    (then,) = resolve(library, "Art. 1 GrundMG", DAY).outcomes

    assert isinstance(before, Miss)
    assert before.status == "not_yet_in_force"
    assert isinstance(then, Miss)
    assert then.status == "not_seen_yet"
