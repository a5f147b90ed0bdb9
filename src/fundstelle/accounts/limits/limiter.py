"""A limit, and what all have in common who count against one."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Limit:
    """How many attempts are free, and what comes after them.

    Without a ``delay_s``: at most ``free`` in ``period_s``, then nothing until that has passed.
    With it: the next attempt waits ``delay_s``, the one after it twice as long, up to ``most_s``;
    after ``period_s`` without an attempt all is forgotten. With ``only_counts`` nobody waits. Only
    the throttle of ``accounts.guessing`` knows these two.
    """

    name: str
    free: int
    period_s: int
    delay_s: int = 0
    most_s: int = 0
    only_counts: bool = False


@dataclass(frozen=True, slots=True)
class Blocked:
    """An attempt that has to wait. ``is_first`` = nobody was told so since the wait began.

    Who does not remember whom it told says so each time.
    """

    wait_s: float
    is_first: bool = True


class Limiter(Protocol):
    """Counts attempts against limits, each for a subject: a person, a network, a device."""

    def take(self, *attempts: tuple[Limit, str]) -> Blocked | None:
        """Count an attempt for each limit and subject; ``None`` if it may be made."""
