"""When laws came into force and ended, and what replaced them or single provisions of them."""

from functools import cache
from typing import NamedTuple

from fundstelle.citations.text.tables import read_table, split_list
from fundstelle.law.identifiers import number_key


class Succession(NamedTuple):
    """The days (ISO) on which a law came into force and ended, and the laws that replaced it.

    ``until`` is the first day on which it no longer applied; ``None`` is not known or not ended.
    Where it was only ``renamed``, the numbers of its provisions stayed.
    """

    since: str | None = None
    until: str | None = None
    successors: tuple[str, ...] = ()
    renamed: bool = False


class NormSuccession(NamedTuple):
    """What took the place of a provision, of some, or of an earlier edition of a law.

    ``editions`` are years, "aF", or "gone": the provision of that number, where it is no more.
    ``first`` is empty for the law as a whole. ``words`` stand in the headings of ``successors``.
    """

    law: str
    editions: tuple[str, ...]
    first: str
    last: str
    successors: tuple[str, ...]
    words: tuple[str, ...]
    source: str


_NOTHING = Succession()


def find_succession(abbreviation: str) -> Succession:
    """What is known of the law ``abbreviation``; nothing if the table does not name it."""
    return _read().get(abbreviation, _NOTHING)


def list_norm_successors(law: str, number: str | None, edition: str) -> tuple[str, ...]:
    """Citations of what took the place of that provision; of no known one, of the edition."""
    rows = [row for row in _by_law().get(law, ()) if edition in row.editions]
    exact = [row for row in rows if row.first and number and _holds(row, number)]
    return next((row.successors for row in (exact or rows) if exact or not row.first), ())


@cache
def _by_law() -> dict[str, list[NormSuccession]]:
    found: dict[str, list[NormSuccession]] = {}
    for row in list_norm_successions():
        found.setdefault(row.law, []).append(row)
    return found


def _holds(row: NormSuccession, number: str) -> bool:
    return number_key(row.first) <= number_key(number) <= number_key(row.last or row.first)


@cache
def list_norm_successions() -> tuple[NormSuccession, ...]:
    """The table of single provisions and editions."""
    return tuple(
        NormSuccession(
            law, split_list(editions), first, last, split_list(to), tuple(words.split("|")), source
        )
        for law, editions, first, last, to, words, source in read_table("succession_norms")
    )


@cache
def _read() -> dict[str, Succession]:
    return {
        name: Succession(
            since or None, until or None, split_list(successors), source.endswith("(renamed)")
        )
        for name, since, until, successors, source in read_table("succession")
    }
