"""What changed between two texts of a provision, line by line."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from fundstelle.law.norms import Fassung
from fundstelle.lookup.comparing.alignment import align
from fundstelle.lookup.units import find_deepest, format_steps, get_steps

MOST_CHANGES = 200

_MATCHED = 400  # lines: difflib finds the places a reader would, but the work grows cubically
_ALIGNED = 20_000  # lines: beyond, all is one change; the longest annex has half of it

Opcode = tuple[str, int, int, int, int]  # as difflib's


@dataclass(frozen=True, slots=True)
class Change:
    """One place where two versions differ; ``before`` or ``after`` is empty for what is new."""

    kind: str  # added | removed | changed
    segment: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first ``MOST_CHANGES`` changes in the order of the text, and how many there are."""

    changes: tuple[Change, ...]
    total: int


def compare(older: Fassung | None, newer: Fassung | None) -> Comparison:
    """What changed between two texts (an Absatz or list item is a line)."""
    before, after = _Lines(older), _Lines(newer)
    spans = list(_iter_spans(before.lines, after.lines))
    changes = (_describe(before, gone, after, come) for gone, come in spans[:MOST_CHANGES])
    return Comparison(tuple(changes), len(spans))


def _iter_spans(
    before: Sequence[str], after: Sequence[str]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Lines that differ; as many on both sides are taken one by one."""
    for tag, i1, i2, j1, j2 in _list_opcodes(before, after):
        if tag == "replace" and i2 - i1 == j2 - j1:
            for i, j in zip(range(i1, i2), range(j1, j2), strict=True):
                yield (i, i + 1), (j, j + 1)
        elif tag != "equal":
            yield (i1, i2), (j1, j2)


def _list_opcodes(before: Sequence[str], after: Sequence[str]) -> Sequence[Opcode]:
    if max(len(before), len(after)) <= _MATCHED:
        return difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    least = min(len(before), len(after))
    head = next((at for at in range(least) if before[at] != after[at]), least)
    rest = least - head
    tail = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
    inside = before[head : len(before) - tail], after[head : len(after) - tail]
    opcodes = _align_lines(*inside) if max(map(len, inside)) > _MATCHED else _list_opcodes(*inside)
    return [(tag, i1 + head, i2 + head, j1 + head, j2 + head) for tag, i1, i2, j1, j2 in opcodes]


def _align_lines(before: Sequence[str], after: Sequence[str]) -> list[Opcode]:
    """The differences as opcodes, from the longest common subsequence."""
    pairs = align(before, after) if max(len(before), len(after)) <= _ALIGNED else []
    opcodes: list[Opcode] = []
    i = j = 0
    for next_i, next_j in [*pairs, (len(before), len(after))]:
        if next_i > i or next_j > j:
            tag = "replace" if next_i > i and next_j > j else "delete" if next_i > i else "insert"
            opcodes.append((tag, i, next_i, j, next_j))
        i, j = next_i + 1, next_j + 1
    return opcodes


class _Lines:
    """A text by lines, each with its place in the law."""

    def __init__(self, fassung: Fassung | None) -> None:
        self.lines = fassung.text.split("\n") if fassung is not None else []
        self._starts = [0, *accumulate(len(line) + 1 for line in self.lines)]
        self._segments = fassung.segments if fassung is not None else ()

    def join(self, span: tuple[int, int]) -> str:
        return "\n".join(self.lines[slice(*span)])

    def name(self, span: tuple[int, int]) -> str:
        start = self._starts[span[0]]
        unit = find_deepest(self._segments, start, start + len(self.join(span)))
        return format_steps(get_steps(self._segments, unit))


def _describe(older: _Lines, gone: tuple[int, int], newer: _Lines, come: tuple[int, int]) -> Change:
    before, after = older.join(gone), newer.join(come)
    kind = "changed" if before and after else "added" if after else "removed"
    return Change(kind, newer.name(come) if after else older.name(gone), before, after)
