"""When laws came into force and ended, and what replaced them."""

from functools import cache
from typing import NamedTuple

from fundstelle.citations.text.tables import read_table, split_list


class Succession(NamedTuple):
    """The days (ISO) on which a law came into force and ended, and the laws that replaced it.

    ``until`` is the first day on which it no longer applied; ``None`` is not known or not ended.
    """

    since: str | None = None
    until: str | None = None
    successors: tuple[str, ...] = ()


_NOTHING = Succession()


def find_succession(abbreviation: str) -> Succession:
    """What is known of the law ``abbreviation``; nothing if the table does not name it."""
    return _read().get(abbreviation, _NOTHING)


@cache
def _read() -> dict[str, Succession]:
    return {
        name: Succession(since or None, until or None, split_list(successors))
        for name, since, until, successors, _source in read_table("succession")
    }
