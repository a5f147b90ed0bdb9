"""Decisions of the live build that go on as they are, told by their numbers there."""

import pytest

from fundstelle.ingest.build.uniting import HeldRecord, Wanted, join_same
from fundstelle.ingest.spools import Record

RECORD = Record(0, 0)


def make_same(number: int) -> Wanted:
    return Wanted(f"d{number}", (), (HeldRecord(number, is_whole=True),))


@pytest.mark.parametrize(
    "held",
    [
        Wanted("d", (RECORD,)),
        Wanted("d", (RECORD,), (HeldRecord(3, is_whole=True),)),
        Wanted("d", (), (HeldRecord(3),)),
        Wanted("d", (), (HeldRecord(3, is_whole=True), HeldRecord(4, is_whole=True))),
    ],
    ids=["new", "read anew", "lost a source", "two of one id"],
)
def test_what_may_be_another_decision_now_has_no_number_to_go_by(held: Wanted) -> None:
    assert held.same is None
    assert list(join_same([make_same(2), held, make_same(5)])) == [
        range(2, 3),
        held,
        range(5, 6),
    ]


def test_those_in_a_row_are_told_together() -> None:
    new = Wanted("e", (RECORD,))
    same = [make_same(number) for number in (0, 1, 2, 5, 6)]
    found = list(join_same([*same[:2], new, *same[2:]]))
    assert found == [range(2), new, range(2, 3), range(5, 7)]
    assert list(join_same([])) == []
