"""What is known of corrigenda stays when an act goes on: in turn as at once, and fetched again."""

from collections.abc import Sequence
from datetime import date

import pytest

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import ParsedAct, SourceFile
from fundstelle.ingest.sources.eu.eurlex import iter_acts
from fundstelle.ingest.sources.eu.succession import go_on
from fundstelle.law.corrigenda import is_announced
from tests.integration.updates.test_eu_updates import write_text
from tests.unit.ingest.test_eu_corrigenda import correct

ARTICLES = {"1": "Es gilt Absatz 1b hier.", "2": "Zwei.", "3": "Drei."}
PUBLISHED = SourceFile("eurlex/32020R0007/oj/de.xml", "", write_text("de", ARTICLES))
RIGHT = correct("Artikel 1", "Absatz 1b", "Absatz 1c")
ELSEWHERE = correct("Artikel 9", "Absatz 1b", "Absatz 1c")  # of which there is none
FIRST, SECOND = date(2021, 5, 1), date(2022, 5, 1)


def write_corrigendum(number: int, day: date, corrections: Sequence[str]) -> SourceFile:
    data = (
        '<CORR><BIB.INSTANCE><DOCUMENT.REF FILE="x"><COLL>L</COLL><NO.OJ>3</NO.OJ>'
        f"<YEAR>{day.year}</YEAR><PAGE.FIRST>8</PAGE.FIRST></DOCUMENT.REF>"
        f'<DATE ISO="{day:%Y%m%d}">{day:%Y%m%d}</DATE><LG.DOC>DE</LG.DOC></BIB.INSTANCE>'
        f"<CONTENTS.CORR>{''.join(corrections)}</CONTENTS.CORR></CORR>"
    )
    return SourceFile(f"eurlex/32020R0007R0{number}/corr.xml", "", data.encode())


def consolidate(day: date) -> SourceFile:
    text = write_text("de", {**ARTICLES, "2": f"Zwei, seit {day.year}."}, day)
    return SourceFile(f"eurlex/32020R0007/{day.isoformat()}/de.xml", "", text)


def read(*files: SourceFile, later: bool = False) -> ParsedAct:
    (act,) = iter_acts(files, frozenset({("32020R0007", "de")} if later else ()))
    assert isinstance(act, ParsedAct)
    return act


def list_told(act: ParsedAct) -> list[str]:
    notes = (note.text for note in act.statute.stand_notes)
    return [note.split()[1] for note in notes if is_announced(note)]


@pytest.mark.parametrize("corrections", [(RIGHT,), (ELSEWHERE,), (RIGHT, ELSEWHERE), ()])
@pytest.mark.parametrize("day", [date(2020, 7, 1), date(2021, 7, 1), date(2022, 7, 1)])
def test_a_corrigendum_later_than_a_text_is_told_in_turn_as_at_once(
    corrections: Sequence[str], day: date
) -> None:
    others = write_corrigendum(2, date(2021, 6, 1), (RIGHT,))
    begun = (PUBLISHED, write_corrigendum(1, day, corrections), others)
    in_turn, files = read(*begun), list(begun)
    for next_day in (FIRST, SECOND):
        files.append(consolidate(next_day))
        in_turn = go_on(in_turn, read(files[-1], later=True))
        once = read(*files)
        assert in_turn.statute == once.statute
        assert in_turn.norms == once.norms
        told = [("32020R0007R(01)", day), ("32020R0007R(02)", date(2021, 6, 1))]
        open_ones = sorted((day, name) for name, day in told if day > next_day)
        assert list_told(in_turn) == [name for _, name in open_ones]


def test_an_act_that_is_fetched_without_its_corrigenda_keeps_them() -> None:
    first = write_corrigendum(1, date(2020, 7, 1), (RIGHT,))
    second = write_corrigendum(2, date(2021, 7, 1), (ELSEWHERE,))
    held = read(PUBLISHED, first, second)
    assert go_on(held, read(PUBLISHED)) == held
    assert go_on(held, read(PUBLISHED, first)) == held
    assert go_on(read(PUBLISHED), held) == held
    anew = read(PUBLISHED, first, second)
    assert go_on(held, anew) is anew


def test_of_a_corrigendum_that_comes_alone_the_others_are_told() -> None:
    held = read(PUBLISHED, write_corrigendum(1, date(2020, 7, 1), (RIGHT,)))
    act = go_on(held, read(PUBLISHED, write_corrigendum(2, date(2020, 8, 1), (ELSEWHERE,))))
    assert list_told(act) == ["32020R0007R(01)", "32020R0007R(02)"]


def test_a_text_that_is_held_tells_of_a_corrigendum_that_is_new() -> None:
    held = read(PUBLISHED, consolidate(FIRST))
    new = write_corrigendum(1, date(2021, 7, 1), (RIGHT,))
    assert list_told(go_on(held, read(PUBLISHED, new, consolidate(FIRST)))) == ["32020R0007R(01)"]


def test_a_corrigendum_without_its_act_is_not_passed_over() -> None:
    (alone,) = iter_acts([write_corrigendum(1, date(2020, 7, 1), (RIGHT,))])
    assert isinstance(alone, Rejected)
    assert alone.name == "32020R0007R(01)"
    assert "32020R0007, which is not among the files" in alone.reason
