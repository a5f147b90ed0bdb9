"""An act of which parts could not be read: its newest text says whether anything is missing."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import reduce
from itertools import product

import pytest

from fundstelle.ingest.records import ParsedAct
from fundstelle.ingest.sources.eu.act import ActText, Unit
from fundstelle.ingest.sources.eu.blocks import ActBlock
from fundstelle.ingest.sources.eu.editions import build_edition
from fundstelle.ingest.sources.eu.succession import go_on
from fundstelle.law.norms import EXCERPTS, NormKind, NormStatus
from fundstelle.lookup.dating.lacking import Lack, TextLack, find_lack, read_lack

DAYS = (None, date(2020, 1, 1), date(2021, 1, 1))
WHOLE, GAPS, EXCERPT = "whole", "gaps", "excerpt"
ORDERS = [order for count in (1, 2, 3) for order in product((WHOLE, GAPS, EXCERPT), repeat=count)]


def write_text(kind: str, day: date | None, *, numbers: Sequence[int] = (1, 2)) -> ActText:
    units = [
        Unit(NormKind.ARTICLE, f"art_{number}", f"Artikel {number}", blocks=[ActBlock("Frei.")])
        for number in numbers
    ]
    text = ActText("32019R0005", "de", "Hammer", date(2019, 1, 2), None, day, units, "x.xml")
    text.excerpt, text.has_gaps = kind == EXCERPT, kind == GAPS
    return text


def build(*texts: ActText) -> ParsedAct:
    return build_edition(texts, [], second=False)


def get_status(act: ParsedAct, number: str) -> NormStatus:
    return next(norm.status for norm, _ in act.norms if norm.number == number)


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_the_newest_text_that_is_no_excerpt_says_whether_an_act_is_complete(
    order: Sequence[str],
) -> None:
    texts = [write_text(kind, day) for kind, day in zip(order, DAYS, strict=False)]
    statute = build(*texts).statute
    deciding = [kind for kind in order if kind != EXCERPT][-1:]
    assert statute.complete == (deciding == [WHOLE])
    assert statute.has_gaps == (deciding == [GAPS])
    assert reduce(go_on, map(build, texts)).statute == statute


def note_as_before(act: ParsedAct) -> ParsedAct:
    """The act with its excerpts noted as versions before did."""
    notes = (
        replace(note, text="Nur Auszüge dieses Rechtsakts sind vorhanden.")
        if note.text.startswith(EXCERPTS)
        else note
        for note in act.statute.stand_notes
    )
    return replace(act, statute=replace(act.statute, stand_notes=tuple(notes)))


@pytest.mark.parametrize("days", [DAYS, DAYS[1:]], ids=["published", "consolidated"])
@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_a_later_text_does_not_change_what_the_text_of_an_older_day_lacks(
    order: Sequence[str], days: Sequence[date | None]
) -> None:
    texts = [write_text(kind, day) for kind, day in zip(order, days, strict=False)]
    newest = build(*texts).statute
    noted_before = reduce(go_on, (note_as_before(build(text)) for text in texts)).statute
    for count, text in enumerate(texts, start=1):
        on = text.consolidated_on or date(2019, 6, 1)
        then, now = find_lack(build(*texts[:count]).statute, on), find_lack(newest, on)
        assert (then and then.kind) == (now and now.kind)
        assert now is None or now.is_newest == (count == len(texts))
        assert find_lack(noted_before, on) == now


def test_a_text_of_the_day_of_an_excerpt_speaks_of_what_that_leaves_out() -> None:
    whole, excerpt = (write_text(kind, DAYS[1]) for kind in (WHOLE, EXCERPT))
    later = write_text(WHOLE, DAYS[2])
    assert find_lack(build(whole, excerpt, later).statute, date(2020, 6, 1)) is None
    assert find_lack(build(excerpt, later).statute, date(2020, 6, 1)) == TextLack(
        Lack.EXCERPT, is_newest=False
    )


@pytest.mark.parametrize("as_before", [True, False])
@pytest.mark.parametrize("is_other", [True, False])
@pytest.mark.parametrize("kind", [GAPS, EXCERPT])
@pytest.mark.parametrize("days", [DAYS[:2], DAYS[1:2]], ids=["published", "consolidated"])
def test_a_text_held_in_part_is_whole_once_it_was_read_as_a_whole(
    days: Sequence[date | None], kind: str, *, is_other: bool, as_before: bool
) -> None:
    *earlier, day = days
    first = [write_text(WHOLE, one) for one in earlier]
    held = build(*first, write_text(kind, day, numbers=[1]))
    if is_other:
        held = replace(held, statute=replace(held.statute, read_by="another program"))
    if as_before:
        held = note_as_before(held)
    whole = build(write_text(WHOLE, day))
    anew = go_on(held, whole)
    assert go_on(anew, whole) == anew
    assert anew.statute.complete
    assert not any(read_lack(note) for note in anew.statute.stand_notes)
    assert {norm.number for norm, _ in anew.norms} == {"art_1", "art_2"}
    later = go_on(anew, build(write_text(WHOLE, DAYS[2])))
    assert find_lack(later.statute, date(2020, 6, 1)) is None
    if not is_other:
        at_once = build(*first, write_text(WHOLE, day))
        assert (anew.statute, anew.norms) == (at_once.statute, at_once.norms)


def test_what_an_older_text_lacks_stays_when_the_newest_was_read_as_a_whole() -> None:
    held = build(write_text(EXCERPT, None), write_text(EXCERPT, DAYS[1]))
    anew = go_on(note_as_before(held), build(write_text(WHOLE, DAYS[1])))
    assert find_lack(anew.statute, date(2020, 6, 1)) is None
    assert find_lack(anew.statute, date(2019, 6, 1)) == TextLack(Lack.EXCERPT, is_newest=False)


def test_recitals_are_those_of_the_act_as_published_on_any_day() -> None:
    for kind, lacks in ((GAPS, Lack.GAPS), (EXCERPT, Lack.EXCERPT), (WHOLE, None)):
        act = build(write_text(kind, None), write_text(WHOLE, DAYS[1])).statute
        found = find_lack(act, date(2022, 1, 1), NormKind.RECITAL)
        assert (found and found.kind) == lacks
        assert find_lack(act, date(2022, 1, 1)) is None


def test_what_a_text_with_gaps_lacks_stays_until_a_whole_text_lacks_it() -> None:
    whole, gaps = write_text(WHOLE, None), write_text(GAPS, DAYS[1], numbers=[1])
    held = build(whole, gaps)
    assert get_status(held, "art_2") is NormStatus.IN_FORCE
    assert not held.statute.complete
    later = go_on(held, build(write_text(WHOLE, DAYS[2], numbers=[1])))
    assert get_status(later, "art_2") is NormStatus.REPEALED
    assert later.statute.complete
