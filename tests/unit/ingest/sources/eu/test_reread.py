"""What another program read otherwise is no amendment, and where it may be one, that is said."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import pytest

from fundstelle.ingest.records import ParsedAct
from fundstelle.ingest.sources.eu import editions
from fundstelle.ingest.sources.eu.act import ActText, Unit
from fundstelle.ingest.sources.eu.blocks import ActBlock
from fundstelle.ingest.sources.eu.succession import go_on
from fundstelle.law.norms import READ_ANEW, NormKind
from fundstelle.lookup.dating.readings import warn_of_readings

FIRST, SECOND, THIRD = date(2020, 1, 1), date(2021, 1, 1), date(2022, 1, 1)
# What each text says; in the third Article 1 is amended, 4 is new, 5 is gone.
TEXTS: Mapping[date | None, Mapping[int, str]] = {
    None: {1: "Eins.", 2: "Zwei.", 3: "Drei.", 5: "Fünf."},
    FIRST: {1: "Eins.", 2: "Zwei, neu.", 3: "Drei.", 5: "Fünf."},
    SECOND: {1: "Eins.", 2: "Zwei, neu.", 3: "Drei, neu.", 5: "Fünf."},
    THIRD: {1: "Eins, neu.", 2: "Zwei, neu.", 3: "Drei, neu.", 4: "Vier.", 5: "Fünf."},
}
LAST = {number: words for number, words in TEXTS[THIRD].items() if number != 5}


class Program:
    """One that reads what another one does not, or reads it under another number."""

    def __init__(self, patch: pytest.MonkeyPatch, name: str, ending: str = "") -> None:
        self._patch, self._name, self._ending = patch, name, ending

    def read(self, *days: date | None, lost: int | None = None, odd: bool = False) -> ParsedAct:
        """The act in these texts; ``lost`` is an article overlooked, ``odd``: there is one more."""
        self._patch.setattr(editions, "hash_reader", lambda: self._name)
        texts = []
        for day in days:
            said = LAST if day == THIRD else TEXTS[day]
            units = [
                Unit(
                    *(
                        NormKind.ARTICLE,
                        f"art_{number}",
                        f"Artikel {number}",
                        f"Titel{self._ending}",
                    ),
                    blocks=[ActBlock(words + self._ending)],
                )
                for number, words in said.items()
                if number != lost
            ]
            if odd:
                units.append(Unit(NormKind.HEADING, "div_odd", "TEIL", blocks=[ActBlock("Was?")]))
            issued = date(2019, 1, 2)
            texts.append(ActText("32019R0005", "de", "Hammer", issued, None, day, units, "x.xml"))
        return editions.build_edition(texts, [], second=False)


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> Program:
    return Program(monkeypatch, "older", " (alt)")


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Program:
    return Program(monkeypatch, "newer")


def list_begun(act: ParsedAct, day: date) -> set[str]:
    """What changed on a day, or ended, by what is held."""
    found = set()
    for norm, fassungen in act.norms:
        begins = {one.in_force_from for one in fassungen[1:]}
        if norm.number == "art_4":
            begins = {one.in_force_from for one in fassungen}
        if day in begins or day in {one.in_force_until for one in fassungen}:
            found.add(norm.number)
    return found


def list_days_noted(act: ParsedAct) -> list[str]:
    texts = [note.text for note in act.statute.stand_notes]
    return [text.removeprefix(READ_ANEW)[:10] for text in texts if text.startswith(READ_ANEW)]


CHANGED = {"art_1", "art_4", "art_5"}


@pytest.mark.parametrize("lost", [None, 2])
@pytest.mark.parametrize("odd", [True, False])
@pytest.mark.parametrize(
    "held", [(None, FIRST, SECOND), (FIRST, SECOND), (None, SECOND), (SECOND,)]
)
def test_a_text_read_again_takes_no_part_in_what_the_next_one_changes(
    held: tuple[date | None, ...], lost: int | None, older: Program, newer: Program, *, odd: bool
) -> None:
    before = older.read(*held, lost=lost, odd=odd)
    anew = go_on(before, newer.read(SECOND))
    for day in held[1:]:
        if day is not None:
            unknown = {"art_2"} if lost else set()
            assert list_begun(anew, day) - unknown == list_begun(before, day) - unknown
    later = go_on(anew, newer.read(THIRD))
    assert list_begun(later, THIRD) == CHANGED
    assert list_days_noted(later) == ([] if len(held) == 1 else [SECOND.isoformat()])
    assert later == go_on(anew, newer.read(SECOND, THIRD))
    assert go_on(anew, newer.read(SECOND)) == anew


@pytest.mark.parametrize("held", [(None, FIRST), (FIRST,), (None,)])
@pytest.mark.parametrize("lost", [None, 1, 2])
@pytest.mark.parametrize("ending", ["", " (alt)"])
def test_what_the_text_read_again_alone_was_said_to_amend_was_not_amended(
    held: tuple[date | None, ...], lost: int | None, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    older, newer = (Program(monkeypatch, name) for name in ("older", "newer"))
    odd = Program(monkeypatch, "older", ending).read(SECOND, lost=lost, odd=True)
    anew = go_on(go_on(older.read(*held), odd), newer.read(SECOND))
    assert anew.norms == newer.read(*held, SECOND).norms
    assert go_on(anew, newer.read(THIRD)).norms == newer.read(*held, SECOND, THIRD).norms


def test_where_it_was_not_read_again_that_is_said(older: Program, newer: Program) -> None:
    later = go_on(older.read(None, SECOND), newer.read(THIRD))
    assert list_begun(later, THIRD) > CHANGED
    assert list_days_noted(later) == [THIRD.isoformat()]
    assert warn_of_readings(later.statute, SECOND, THIRD)
    assert not warn_of_readings(later.statute, FIRST, SECOND)
    assert not warn_of_readings(later.statute, THIRD, date(2023, 1, 1))


def test_the_act_as_published_is_read_anew_as_a_whole(older: Program, newer: Program) -> None:
    anew = go_on(older.read(None), newer.read(None))
    assert anew == newer.read(None)
    assert list_days_noted(go_on(anew, newer.read(THIRD))) == []


def test_a_text_that_is_held_in_full_is_not_replaced_by_part_of_it(
    older: Program, newer: Program
) -> None:
    before, part = older.read(None, SECOND), newer.read(SECOND, lost=3)
    part = replace(part, statute=replace(part.statute, complete=False))
    assert go_on(before, part) == before


def test_texts_of_one_program_are_noted_as_nothing(newer: Program) -> None:
    in_turn = go_on(newer.read(None, FIRST), newer.read(SECOND))
    assert in_turn.norms == newer.read(None, FIRST, SECOND).norms
    assert list_days_noted(in_turn) == []


def read_list(day: date | None, *, is_nested: bool) -> ParsedAct:
    """An act in one text, whose two letters stand below each other or side by side."""
    second = ActBlock("Zangen.", "l)", is_item=True)
    first = ActBlock("Hämmer;", "k)", is_item=True, below=[second] if is_nested else [])
    blocks = [ActBlock("Erlaubt sind:"), first, *([] if is_nested else [second])]
    unit = Unit(NormKind.ARTICLE, "art_1", "Artikel 1", blocks=blocks)
    issued = date(2019, 1, 2)
    text = ActText("32019R0005", "de", "Hammer", issued, None, day, [unit], "x.xml")
    return editions.build_edition([text], [], second=False)


@pytest.mark.parametrize("days", [(None, FIRST), (FIRST, FIRST), (FIRST, SECOND)])
def test_words_that_stay_are_divided_as_they_were_read_last(
    days: tuple[date | None, date | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editions, "hash_reader", lambda: "older")
    before = read_list(days[0], is_nested=True)
    monkeypatch.setattr(editions, "hash_reader", lambda: "newer")
    newest = read_list(days[1], is_nested=False)
    ((_, fassungen),) = go_on(before, newest).norms
    (fassung,) = fassungen
    assert fassung.in_force_from == before.norms[0][1][0].in_force_from
    assert fassung.segments == newest.norms[0][1][0].segments
    letters = {one.value: one.parent for one in fassung.segments if one.level == "buchst"}
    assert letters["k"] == letters["l"]


def test_footnotes_are_those_of_the_newest_text_though_its_words_stayed() -> None:
    def read(day: date, note: str) -> ParsedAct:
        units = [Unit(NormKind.ARTICLE, "art_1", "Artikel 1", blocks=[ActBlock("Eins.")])]
        units[0].footnotes.append(note)
        texts = [ActText("32019R0005", "de", "Hammer", FIRST, None, day, units, "x.xml")]
        return editions.build_edition(texts, [], second=False)

    anew = go_on(read(FIRST, "Norm von 2004."), read(SECOND, "Norm von 2012."))
    [(_, (fassung,))] = anew.norms
    assert (fassung.footnotes, fassung.stand) == (("Norm von 2012.",), SECOND)
