from collections.abc import Callable, Sequence
from datetime import date
from threading import Thread

import pytest

from fundstelle.corpus.sqlite import excerpts
from fundstelle.corpus.sqlite.excerpts import KeptExcerpts
from fundstelle.corpus.store import Excerpt
from tests.unit.corpus.values import make_norm

TODAY = date(2026, 1, 1)
NORM = make_norm("1")


class Build:
    """Ordinals below a thousand; notes what is read."""

    def __init__(self) -> None:
        self.read_ordinals: list[int] = []

    def read(self, ordinals: Sequence[int], on: date) -> dict[int, Excerpt]:
        self.read_ordinals += ordinals
        return {n: Excerpt(NORM, f"{n} {on}", on) for n in ordinals if n < 1_000}


def test_what_was_read_is_not_read_again() -> None:
    build = Build()
    kept = KeptExcerpts(build.read)
    for _ in range(2):
        assert [one.text[:1] for one in kept.get([2, 1], TODAY)] == ["2", "1"]
    assert build.read_ordinals == [2, 1]
    assert kept.get([1], date(2025, 1, 1))[0].stand == date(2025, 1, 1)


def test_unknown_ordinals_are_left_out() -> None:
    kept = KeptExcerpts(Build().read)
    assert [one.text[:1] for one in kept.get([3, 1_001, 4], TODAY)] == ["3", "4"]


def test_long_ones_are_not_kept_and_of_the_others_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excerpts, "_MOST", 3)
    monkeypatch.setattr(excerpts, "_MOST_CHARS", len("1 2026-01-01"))
    build = Build()
    kept = KeptExcerpts(build.read)
    for ordinal in (1, 22, 1, 22, 2, 3, 4, 1):
        kept.get([ordinal], TODAY)
    assert build.read_ordinals == [1, 22, 22, 2, 3, 4, 1]


class Watched(int):
    """An ordinal that tells ``watch`` each time it is looked up."""

    watch: Callable[[], None]

    def __hash__(self) -> int:
        self.watch()
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)


def test_threads_that_start_over_take_nothing_from_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(excerpts, "_MOST", 2)
    kept = KeptExcerpts(Build().read)
    kept.get([1], TODAY)
    other = Thread(target=kept.get, args=([2, 3, 4], TODAY))
    looked_up: list[int] = []

    def start_over() -> None:
        looked_up.append(1)
        if len(looked_up) == 2:  # it is known that it is kept; now it is taken
            other.start()
            other.join(0.1)  # it may have to wait until the first has found what it looks for

    ordinal = Watched(1)
    ordinal.watch = start_over
    (one,) = kept.get([ordinal], TODAY)
    assert one.text.startswith("1 ")
    other.join()
