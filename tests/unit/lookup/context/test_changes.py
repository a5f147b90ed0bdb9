import time
from dataclasses import replace

import pytest

from fundstelle.lookup.context.changes import MOST_CHANGES, compare
from tests.unit.lookup.invented import TODAY, build_library

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
