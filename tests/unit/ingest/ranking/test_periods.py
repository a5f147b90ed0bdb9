"""Which part of the index a decision goes into."""

import random
from array import array

import pytest

from fundstelle.ingest.ranking import periods
from fundstelle.ingest.ranking.periods import divide

FEW, OF_A_YEAR = 10, 6


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small numbers, so that few decisions show it."""
    monkeypatch.setattr(periods, "_FEW", FEW)
    monkeypatch.setattr(periods, "_FEW_OF_A_YEAR", OF_A_YEAR)


def list_days(*years: int, each: int = 12) -> list[int]:
    """Days of some years, month by month."""
    return [year * 10_000 + (at % 12 + 1) * 100 + 15 for year in years for at in range(each)]


def test_few_decisions_are_one_part_and_none_are_none() -> None:
    assert divide([20200101] * (FEW - 1)) == {0: array("I", range(FEW - 1))}
    assert not divide([])


def test_the_last_years_come_in_quarters_those_before_one_by_one_then_by_the_ten() -> None:
    days = list_days(1999, 2003, 2005, 2006, 2023, 2024, 2025)
    assert list(divide(days)) == [
        *(19909, 20009, 20060, 20230),
        *(20241, 20242, 20243, 20244),
        *(20251, 20252, 20253, 20254),
    ]
    parts = divide(days)
    assert [days[number] for number in parts[20252]] == [20250415, 20250515, 20250615]
    assert {days[number] // 10_000 for number in parts[20009]} == {2003, 2005}


def test_a_year_of_few_is_not_divided() -> None:
    days = [*list_days(2022, 2023, 2024), *list_days(2025, each=OF_A_YEAR - 1)]
    assert [one for one in divide(days) if one > 20240] == [20241, 20242, 20243, 20244, 20250]


def test_unknown_days_have_a_part_and_slips_move_no_other() -> None:
    """What one court dates a decade ahead leaves all other parts as they were."""
    days = list_days(*range(2015, 2026))
    before = divide(days)
    after = divide([*days, 20621231, 0])
    assert {one: after[one] for one in before} == before
    assert sorted(after.keys() - before.keys()) == [1, 20620]


def test_new_decisions_change_the_parts_of_their_time_alone() -> None:
    draw = random.Random(7)
    for _ in range(200):
        held = list_days(*range(draw.randint(1990, 2015), 2026), each=24)
        draw.shuffle(held)
        new = [20250001 + draw.randint(10, 12) * 100 for _ in range(draw.randint(1, 30))]
        before, parts = divide(held), divide([*held, *new])
        numbers = [number for part in parts.values() for number in part]
        assert sorted(numbers) == [*range(len(held) + len(new))]
        assert all(list(part) == sorted(part) for part in (list(parts), *parts.values()))
        assert {one for one in parts if parts[one] != before.get(one)} == {20254}
