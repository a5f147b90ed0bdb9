"""Parts of a text by what they are called: looked up, since one list may name hundreds of them."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeVar

from fundstelle.law.identifiers import number_key
from fundstelle.law.norms import Level, Segment

K = TypeVar("K")

COUNTED = {"last": slice(-1, None), "penultimate": slice(-2, -1)}


class Named:
    """Parts of one kind of place in the order of the text, found by what they are called."""

    def __init__(self, segments: Sequence[Segment], units: Iterable[int]) -> None:
        self._segments = segments
        self.units = tuple(units)

    def pick(self, value: str) -> list[int]:
        """Those of that name: first those that are written so, else those that stand for it."""
        if value in COUNTED:
            return list(self.units[COUNTED[value]])
        exact = self._by_value.get(value.casefold(), ())
        if exact:
            return sorted(exact, key=lambda unit: self._segments[unit].value != value)
        return self._list_standing_for(value) if self.units else []

    def _list_standing_for(self, value: str) -> list[int]:
        """Those that count in Roman what is cited in Arabic, or are a range of gone parts."""
        same = self._by_number.get(number_key(value), ())
        ranges = (unit for unit in self._ranges if _is_between(value, self._segments[unit].value))
        return sorted({*same, *ranges})

    @cached_property
    def _by_value(self) -> dict[str, list[int]]:
        # earlier versions kept the stop of "-1."
        values = ((self._segments[unit].value.casefold().rstrip("."), unit) for unit in self.units)
        return _group(values)

    @cached_property
    def _by_number(self) -> dict[tuple[tuple[int, str], ...], list[int]]:
        parts = ((self._segments[unit], unit) for unit in self.units)
        return _group((number_key(p.value), unit) for p, unit in parts if p.level == Level.NUMMER)

    @cached_property
    def _ranges(self) -> list[int]:
        return [unit for unit in self.units if "-" in self._segments[unit].value[1:]]


def _group(pairs: Iterable[tuple[K, int]]) -> dict[K, list[int]]:
    groups: dict[K, list[int]] = {}
    for key, unit in pairs:
        groups.setdefault(key, []).append(unit)
    return groups


def _is_between(value: str, held: str) -> bool:
    """Whether ``held`` stands for several that are gone: ``(3) bis (5) (weggefallen)``."""
    first, dash, last = held.partition("-")
    return bool(dash) and number_key(first) <= number_key(value) <= number_key(last)
