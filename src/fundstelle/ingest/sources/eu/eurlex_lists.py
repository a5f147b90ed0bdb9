"""Lists of EUR-Lex' pages whose items stand one behind the other, whatever level they are.

Items that a page sets as tables stand in each other as they belong; of paragraphs nothing but their
labels tells.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby

from fundstelle.ingest.sources.eu.blocks import ActBlock
from fundstelle.ingest.sources.eu.labels import read_labels
from fundstelle.law.norms import Level

_LETTERS = re.compile(r"\(?[a-z]+\)?")


def nest(blocks: Iterable[ActBlock], tabled: Container[int]) -> Iterator[ActBlock]:
    """The blocks of a provision, Roman numbers below their letters, dashes below both.

    ``tabled`` are the identities of the items that are set as tables.
    """
    for is_list, run in groupby(blocks, lambda block: block.is_item):
        if is_list:
            yield from _nest_list(list(run), tabled)
        else:
            yield from run


def _nest_list(items: Sequence[ActBlock], tabled: Container[int]) -> Iterator[ActBlock]:
    ranks = read_labels([item.label for item in items], None)
    above: list[tuple[int, ActBlock]] = []  # the item before and those that it stands below
    was_tabled = False
    for item, (level, _) in zip(items, ranks, strict=True):
        is_tabled = id(item) in tabled
        depth = _measure(item, level)
        if is_tabled and was_tabled:
            depth = above.pop()[0]
        while above and above[-1][0] >= depth:
            above.pop()
        if above:
            above[-1][1].below.append(item)
        else:
            yield item
        above.append((depth, item))
        was_tabled = is_tabled


def _measure(item: ActBlock, level: Level) -> int:
    if level is Level.SPIEGELSTRICH:
        return 2
    is_roman = level is Level.NUMMER and _LETTERS.fullmatch(item.label) is not None
    return int(is_roman)
