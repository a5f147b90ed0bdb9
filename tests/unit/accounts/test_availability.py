"""What the answers of a database tell of it, in the order in which they were asked for."""

from itertools import count

import pytest

from fundstelle.accounts.database.availability import Availability
from fundstelle.accounts.database.failures import Failure

AWAY = Failure("OperationalError", "no such file", away=True)
READ_ONLY = Failure("OperationalError", "read-only")


@pytest.fixture
def availability() -> Availability:
    seconds = count(100)
    return Availability("sqlite:///a", clock=lambda: 0.0, ticks=lambda: float(next(seconds)))


@pytest.mark.parametrize("failure", [AWAY, READ_ONLY])
def test_an_answer_to_an_earlier_question_takes_no_failure_back(
    availability: Availability, failure: Failure
) -> None:
    availability.note_failure(failure, writing=True, took_s=0.0)
    failed = availability.state
    assert not (failed.reachable and failed.writable)
    availability.note_answer(written=True, took_s=30.0)
    assert availability.state == failed


def test_an_answer_to_a_later_question_takes_a_failure_back(availability: Availability) -> None:
    availability.note_failure(AWAY, writing=True, took_s=0.0)
    availability.note_answer(written=True, took_s=0.5)
    assert availability.state.reachable
    assert availability.state.writable


def test_reading_does_not_show_that_writing_works_again(availability: Availability) -> None:
    availability.note_failure(READ_ONLY, writing=True, took_s=0.0)
    availability.note_answer(written=False, took_s=0.5)
    assert not availability.state.writable
    availability.note_answer(written=True, took_s=0.5)
    assert availability.state.writable
