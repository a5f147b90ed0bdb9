"""A law's own numbering: which § or Artikel stands before, after, first and last.

A law may count §§ and Artikel side by side: each kind has its own order. §§ that start anew below
each Artikel belong to the order of the Artikel: Art. 229 § 5 stands between Art. 229 and Art. 230.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fundstelle.corpus.rows import Row, sort_key
from fundstelle.law.norms import NormKind

# How the numbers begin that the other kind of the same law has too: art-5 beside § 5.
_PREFIXES = {"art-": NormKind.ARTICLE, "par-": NormKind.SECTION}
_PREFIX_KEYS = tuple(sort_key(prefix) for prefix in _PREFIXES)


@dataclass(frozen=True, slots=True)
class Numbering:
    """Sort keys with ordinals in the order of the numbers; ``main`` is what most are.

    ``nested`` are the ordinals of the §§ below Artikel by their own numbers.
    """

    orders: dict[NormKind | None, list[tuple[str, int]]]
    main: NormKind | None
    nested: dict[str, list[int]]

    def find_around(self, number: str, kind: NormKind | None) -> tuple[int | None, int | None]:
        """The ordinals before and after the place of ``number``."""
        entries = self._choose(number, kind)
        key = _strip(sort_key(number))
        low = bisect_left(entries, (key, -1)) - 1
        high = bisect_right(entries, (key, 1 << 62))
        return (
            entries[low][1] if low >= 0 else None,
            entries[high][1] if high < len(entries) else None,
        )

    def find_ends(self, kind: NormKind | None) -> tuple[int | None, int | None]:
        """The ordinals of the first and the last."""
        entries = self._choose("", kind)
        return (entries[0][1], entries[-1][1]) if entries else (None, None)

    def _choose(self, number: str, kind: NormKind | None) -> Sequence[tuple[str, int]]:
        wanted = (_read_kind(number), kind, self.main)
        return next((self.orders[order] for order in wanted if order in self.orders), ())


def build_numbering(rows: Sequence[Row]) -> Numbering:
    """From kind, number, sort key and ordinal of every §/Artikel of a law."""
    orders: dict[NormKind | None, list[tuple[str, int]]] = {}
    nested: dict[str, list[int]] = {}
    plain: Counter[NormKind] = Counter()
    for kind, number, key, ordinal in rows:
        order = _read_kind(number) or kind
        orders.setdefault(order, []).append((_strip(key), ordinal))
        if below := number.partition("/")[2]:
            nested.setdefault(below, []).append(ordinal)
        plain[order] += not number.startswith(tuple(_PREFIXES))
    for entries in orders.values():
        entries.sort()
    for ordinals in nested.values():
        ordinals.sort()
    main = max(plain, key=lambda order: plain[order], default=None)
    return Numbering(orders, main, nested)


def _read_kind(number: str) -> NormKind | None:
    """What the number itself says of its kind."""
    if "/" in number:
        return NormKind.ARTICLE
    return _PREFIXES.get(number[:4])


def _strip(key: str) -> str:
    for prefix in _PREFIX_KEYS:
        key = key.removeprefix(prefix)
    return key
