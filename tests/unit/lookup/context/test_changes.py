import time
from dataclasses import replace

import pytest

from fundstelle.law.norms import Fassung
from fundstelle.lookup.context.changes import MOST_CHANGES, compare
from tests.unit.lookup.invented import TODAY, build_library
from tests.unit.lookup.marked import read_marked

FASSUNG = build_library().store.find_fassung("de/musterg/4", TODAY)
assert FASSUNG is not None
BARE = replace(FASSUNG, segments=())


def build_lines(count: int) -> list[str]:
    return [f"{number}." if number % 3 else "–" for number in range(count)]


@pytest.mark.parametrize("count", [30, 3_000])
def test_lines_that_are_new_gone_or_changed_are_told_apart(count: int) -> None:
    lines = build_lines(count)
    altered = [*lines[:10], "neu", *lines[10:20], "anders", *lines[21:25], *lines[26:]]
    found = compare(replace(BARE, text="\n".join(lines)), replace(BARE, text="\n".join(altered)))

    assert [(each.kind, each.before, each.after) for each in found.changes] == [
        ("added", "", "neu"),
        ("changed", "20.", "anders"),
        ("removed", "25.", ""),
    ]
    assert found.total == 3


def test_a_long_text_changed_everywhere_takes_little_and_its_changes_are_counted() -> None:
    lines = build_lines(11_000)
    altered = [line + "x" if at % 7 == 0 else line for at, line in enumerate(lines)]
    begin = time.thread_time()
    found = compare(replace(BARE, text="\n".join(lines)), replace(BARE, text="\n".join(altered)))

    assert time.thread_time() - begin < 2.0  # of CPU; it took 6 seconds with difflib alone
    assert len(found.changes) == MOST_CHANGES
    assert found.total == 1_572


@pytest.mark.parametrize(("older", "newer"), [(None, BARE), (BARE, None)])
def test_a_version_that_was_not_there_is_added_or_removed(older: object, newer: object) -> None:
    kinds = {change.kind for change in compare(older, newer).changes}  # type: ignore[arg-type]  # a table of both
    assert kinds == {"added" if older is None else "removed"}


def build(marked: str) -> Fassung:
    text, segments = read_marked(marked)
    return replace(BARE, text=text, segments=segments)


ABSATZ = "{abs 1|(1) Wer leiht, muss\n{nr 1|1. reinigen und}\n{nr 2|2. ölen.}}"


def test_an_absatz_is_complete_on_both_sides() -> None:
    before = build(ABSATZ + "\n{abs 2|(2) Näheres bestimmt die Ordnung.}")
    after = build(ABSATZ.replace("ölen", "fetten") + "\n{abs 2|(2) Näheres bestimmt die Ordnung.}")

    (change,) = compare(before, after).changes

    assert change.segment == "Abs. 1"
    assert change.before == "(1) Wer leiht, muss\n1. reinigen und\n2. ölen."
    assert change.after == "(1) Wer leiht, muss\n1. reinigen und\n2. fetten."
    assert [(each.before, each.after) for each in change.words] == [("ölen", "fetten")]


def test_an_absatz_that_moved_on_stands_beside_itself() -> None:
    before = build(ABSATZ + "\n{abs 2|(2) Näheres über die Leihe bestimmt die Werkzeugordnung.}")
    after = build(
        ABSATZ
        + "\n{abs 2|(2) Der Verleiher darf ein Pfand verlangen.}"
        + "\n{abs 3|(3) Näheres über die Leihe bestimmt die Werkzeugordnung.}"
    )

    found = compare(before, after).changes

    assert [(each.kind, each.segment) for each in found] == [
        ("added", "Abs. 2"),
        ("changed", "Abs. 3"),
    ]
    assert [(each.before, each.after) for each in found[1].words] == [("2", "3")]


def test_an_absatz_of_other_words_at_the_same_place_is_a_change_without_words() -> None:
    before = build("{abs 1|(1) Leim klebt kalt und warm.}")
    after = build("{abs 1|(1) Nägel sind zu zählen, bevor man schlägt, und zwar einzeln.}")

    (change,) = compare(before, after).changes

    assert (change.kind, change.segment, change.words) == ("changed", "Abs. 1", ())


def test_of_a_very_long_absatz_the_items_that_differ_are_shown() -> None:
    items = [f"{{nr {at}|{at}. {'Werkzeug und Gerät ' * 20}{at};}}" for at in range(1, 30)]
    marked = "{abs 1|(1) Werkzeug sind\n" + "\n".join(items) + "}"

    (change,) = compare(build(marked), build(marked.replace("Gerät 7;", "Apparat 7;"))).changes

    assert change.segment == "Abs. 1 Nr. 7"
    assert change.before.startswith("7. Werkzeug")
    assert change.before.endswith("Gerät 7;")
