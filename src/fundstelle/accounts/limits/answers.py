"""What a shared store answers, held against what was asked: anything else is a store that fails.

Something between us and it may answer in its place, or what it says may be a step behind. A number
that was not counted would stop everybody, or nobody.
"""

import re

_COUNT = re.compile(rb"[0-9]{1,19}")
_MOST = 2**63  # a number of Redis is less


class UnreadableAnswer(Exception):
    """An answer that is none to what was asked."""


class NoNumber(Exception):
    """What is held in the place of a counter is none."""


def read_count(answer: object, *allowed: int) -> int:
    """What a counter stands at, or one of the numbers that alone can be answered.

    Raises:
        UnreadableAnswer: it is neither.
    """
    if type(answer) is not int or not 0 <= answer < _MOST or (allowed and answer not in allowed):
        raise UnreadableAnswer
    return answer


def read_taken(answer: object, counters: int) -> tuple[bool, list[int]]:
    """Whether there was room in so many counters, and what each stands at.

    Raises:
        UnreadableAnswer: it does not say that.
    """
    match answer:
        case [fits, [*used]] if len(used) == counters:
            return read_count(fits, 0, 1) == 1, [read_count(one) for one in used]
    raise UnreadableAnswer


def read_held(answer: object) -> int:
    """What is held of a counter; 0 if there is none.

    Raises:
        UnreadableAnswer: nothing could be held like that.
        NoNumber: something else is held there.
    """
    if answer is None:
        return 0
    if not isinstance(answer, bytes):
        raise UnreadableAnswer
    if not _COUNT.fullmatch(answer):
        raise NoNumber
    return int(answer)


def read_life(answer: object) -> int:
    """How long a counter lasts, in seconds: 0 where there is none, or it does not expire.

    Raises:
        UnreadableAnswer: it says nothing of the kind.
    """
    return 0 if answer in (-2, -1) else read_count(answer)
