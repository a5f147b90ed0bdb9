from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

import pytest

from fundstelle.ingest.history.identity import History
from fundstelle.ingest.history.versions import State, resume
from fundstelle.ingest.history.versions import merge as merge_states
from fundstelle.ingest.records import ParsedStatute
from fundstelle.law.norms import DatePrecision, Headings, NormKind, NormStatus, Statute
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

FIRST, SECOND, THIRD = date(2024, 1, 1), date(2025, 1, 1), date(2026, 1, 1)
UNKNOWN, FIRST_SEEN = DatePrecision.UNKNOWN, DatePrecision.FIRST_SEEN


def make_state(day: date, texts: Mapping[str, str]) -> ParsedStatute:
    """A statute with a section for each number; numbers with ``h`` are headings."""
    norms = []
    for position, (number, text) in enumerate(texts.items()):
        norm = make_norm(number, position)
        if number.startswith("h"):
            norm = replace(norm, kind=NormKind.HEADING)
        norms.append((norm, make_fassung(norm.norm_id, text, day)))
    return ParsedStatute(replace(STATUTE, stand=day), tuple(norms))


def merge(
    states: Sequence[ParsedStatute], *, first_seen: bool, listed: bool
) -> tuple[Statute, list[History]]:
    """As of looks each of which showed the whole law."""
    looks = [State(state, state.statute.stand) for state in states]
    merged = merge_states(looks, first_seen=first_seen, listed=listed)
    assert merged is not None
    return merged


def summarise(*states: ParsedStatute, first_seen: bool = False) -> dict[str, list[object]]:
    _, histories = merge(states, first_seen=first_seen, listed=True)
    return {
        norm.number: [(f.text, f.in_force_from, f.in_force_until) for f in fassungen]
        for norm, fassungen in histories
    }


def test_an_unchanged_norm_keeps_one_fassung_confirmed_by_the_last_snapshot() -> None:
    states = [make_state(FIRST, {"1": "a"}), make_state(SECOND, {"1": "a"})]
    statute, [(_, (fassung,))] = merge(states, first_seen=False, listed=True)
    assert (fassung.in_force_from, fassung.in_force_until) == (None, None)
    assert fassung.date_precision is UNKNOWN
    assert (statute.stand, fassung.stand) == (SECOND, SECOND)


def test_a_text_begins_on_the_day_that_its_note_names_between_two_looks() -> None:
    day, later = date(2024, 1, 3), date(2024, 1, 8)
    old, new = (make_state(on, {"1": text}) for on, text in ((FIRST, "a"), (later, "b")))
    ((norm, fassung),) = new.norms
    note = "§ 1: IdF d. Art. 1 G v. 1.3.2023 I Nr. 1 mWv 3.1.2024"
    noted = replace(new, norms=((norm, replace(fassung, notes=(note,))),))
    _, [(_, (first, second))] = merge([old, noted], first_seen=False, listed=True)
    assert (first.in_force_until, first.stand) == (day, FIRST)
    assert (second.in_force_from, second.date_precision) == (day, DatePrecision.EXACT)
    added = replace(
        noted, norms=((replace(norm, norm_id="de/bgb/2"), noted.norms[0][1]), *old.norms)
    )
    _, histories = merge([old, added], first_seen=False, listed=True)
    assert histories[0][1][0].in_force_from == day


def test_a_changed_norm_has_a_fassung_for_each_text() -> None:
    states = [make_state(day, {"1": text}) for day, text in ((FIRST, "a"), (SECOND, "b"))]
    _, [(_, (old, new))] = merge(states, first_seen=False, listed=True)
    assert (old.in_force_until, old.date_precision, old.stand) == (SECOND, UNKNOWN, FIRST)
    assert (new.in_force_from, new.date_precision, new.in_force_until) == (SECOND, FIRST_SEEN, None)


def test_a_heading_that_changes_makes_a_fassung_and_stays_with_its_words() -> None:
    states = [make_state(day, {"1": "a"}) for day in (FIRST, SECOND)]
    ((norm, fassung),) = states[1].norms
    states[1] = replace(states[1], norms=((replace(norm, title="Neu"), fassung),))
    _, [(newest, (old, new))] = merge(states, first_seen=False, listed=True)
    assert old.headings == Headings(norm.title, norm.hierarchy)
    assert (old.in_force_until, new.in_force_from, new.headings) == (SECOND, SECOND, None)
    assert newest.title == "Neu"


def test_a_text_that_returns_is_a_fassung_of_its_own() -> None:
    days = ((FIRST, "a"), (SECOND, "b"), (THIRD, "a"))
    assert summarise(*(make_state(day, {"1": text}) for day, text in days)) == {
        "1": [("a", None, SECOND), ("b", SECOND, THIRD), ("a", THIRD, None)]
    }


def test_a_norm_that_is_gone_is_repealed_and_stays_in_its_place() -> None:
    states = [
        make_state(FIRST, {"1": "a", "2": "b", "3": "c"}),
        make_state(SECOND, {"1": "a", "3": "c"}),
    ]
    _, histories = merge(states, first_seen=False, listed=True)
    assert [(n.number, n.position, n.status) for n, _ in histories] == [
        ("1", 0, NormStatus.IN_FORCE),
        ("2", 1, NormStatus.REPEALED),
        ("3", 2, NormStatus.IN_FORCE),
    ]
    assert summarise(*states)["2"] == [("b", None, SECOND)]


def test_a_norm_that_comes_back_is_in_force_again() -> None:
    states = [
        make_state(FIRST, {"1": "a", "2": "b"}),
        make_state(SECOND, {"1": "a"}),
        make_state(THIRD, {"1": "a", "2": "b"}),
    ]
    _, histories = merge(states, first_seen=False, listed=True)
    assert histories[1][0].status is NormStatus.IN_FORCE
    assert summarise(*states)["2"] == [("b", None, SECOND), ("b", THIRD, None)]


def test_a_norm_gone_before_everything_else_stands_first() -> None:
    states = [make_state(FIRST, {"0": "z", "1": "a"}), make_state(SECOND, {"1": "a"})]
    assert list(summarise(*states)) == ["0", "1"]


@pytest.mark.parametrize(("first_seen", "since"), [(True, FIRST), (False, None)])
def test_only_a_law_known_to_be_new_begins_on_its_first_day(
    first_seen: bool, since: date | None
) -> None:
    state = make_state(FIRST, {"1": "a"})
    assert summarise(state, first_seen=first_seen) == {"1": [("a", since, None)]}


def test_a_new_section_in_an_old_law_begins_when_it_was_first_seen() -> None:
    states = [make_state(FIRST, {"1": "a"}), make_state(SECOND, {"1": "a", "1a": "new"})]
    assert summarise(*states)["1a"] == [("new", SECOND, None)]


def test_a_heading_that_is_gone_goes_unless_a_gone_norm_stands_below_it() -> None:
    before = make_state(FIRST, {"h1": "", "1": "a", "h2": "", "2": "b"})
    below = {"1": "h1", "2": "h2"}
    norms = tuple(
        (replace(n, parent_id=make_norm(below[n.number]).norm_id), f)
        if n.number in below
        else (n, f)
        for n, f in before.norms
    )
    after = make_state(SECOND, {"1": "a"})
    _, histories = merge([replace(before, norms=norms), after], first_seen=False, listed=True)
    assert [n.number for n, _ in histories] == ["1", "h2", "2"]


def test_a_change_from_future_to_in_force_is_a_new_fassung() -> None:
    before = make_state(FIRST, {"1": "a"})
    ((norm, fassung),) = before.norms
    before = replace(before, norms=((norm, replace(fassung, status=NormStatus.FUTURE)),))
    assert summarise(before, make_state(SECOND, {"1": "a"}))["1"] == [
        ("a", None, SECOND),
        ("a", SECOND, None),
    ]


def test_a_text_is_confirmed_by_looks_that_found_nothing_new() -> None:
    between = date(2024, 6, 1)
    states = [
        State(make_state(FIRST, {"1": "a", "2": "b"}), between),
        State(make_state(SECOND, {"1": "changed"}), THIRD),
    ]
    merged = merge_states(states, first_seen=False, listed=True)
    assert merged is not None
    statute, histories = merged
    assert statute.stand == THIRD
    assert {
        norm.number: [(f.text, f.stand, f.in_force_until) for f in fassungen]
        for norm, fassungen in histories
    } == {
        "1": [("a", between, SECOND), ("changed", THIRD, None)],
        "2": [("b", between, SECOND)],
    }


def test_going_on_look_by_look_gives_what_all_looks_at_once_give() -> None:
    texts: list[dict[str, str]] = [{"1": "a", "2": "b"}, {"1": "c"}, {"1": "c", "2": "b", "3": "d"}]
    days = (FIRST, SECOND, THIRD)
    states = [State(make_state(d, t), d) for d, t in zip(days, texts, strict=True)]
    at_once = merge_states(states, first_seen=False, listed=True)
    step = merge_states(states[:1], first_seen=False, listed=True)
    for state in states[1:]:
        assert step is not None
        step = resume(*step, [state], listed=True)
    assert step == at_once


def test_a_law_none_of_whose_versions_can_be_read_is_none() -> None:
    assert merge_states([], first_seen=False, listed=True) is None
