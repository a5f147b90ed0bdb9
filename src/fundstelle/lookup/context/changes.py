"""What changed between two texts of a provision: Absatz by Absatz, and word by word inside them."""

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from fundstelle.law.norms import Fassung, Level, Segment
from fundstelle.lookup.comparing.alignment import align
from fundstelle.lookup.context.word_changes import WordChange, compare_words, count_words
from fundstelle.lookup.parts.units import find_deepest, format_steps, get_steps

MOST_CHANGES = 200

_MATCHED = 400  # blocks: difflib finds the places a reader would, but the work grows cubically
_ALIGNED = 20_000  # blocks: beyond, all is one change; the longest annex has half of it
_LONG = 4_000  # characters of an Absatz from which its lines are compared, each complete
_PAIRED = 2_500  # pairs of Absätze between two that are the same whose words are compared
_ALIKE = 0.5  # share of words from which two Absätze are versions of one
_SAME_PLACE = 0.2  # what the same designation counts where their words are not alike

Opcode = tuple[str, int, int, int, int]  # as difflib's
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Change:
    """One Absatz that differs, complete on both sides; one is empty for what is new or gone.

    Where a law has no Absätze, and inside very long ones, it is a line: an item of a list, a row.
    ``words`` are what differs inside it; none where the two sides have little in common.
    """

    kind: str  # added | removed | changed
    segment: str
    before: str
    after: str
    words: tuple[WordChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first ``MOST_CHANGES`` changes in the order of the text, and how many there are."""

    changes: tuple[Change, ...]
    total: int


def compare(older: Fassung | None, newer: Fassung | None) -> Comparison:
    """What changed between two texts."""
    before, after = _Blocks.read(older), _Blocks.read(newer)
    spans = [pair for pair in _iter_changes(before, after) if _has_words(pair)]
    return Comparison(tuple(_describe(*each) for each in spans[:MOST_CHANGES]), len(spans))


@dataclass(frozen=True, slots=True)
class _Blocks:
    """Parts of a text, one after the other, each with its place in the law."""

    texts: Sequence[str]
    starts: Sequence[int]
    segments: Sequence[Segment]

    @classmethod
    def read(cls, fassung: Fassung | None) -> "_Blocks":
        """The Absätze of a text, and the lines that stand outside of them."""
        if fassung is None or not fassung.text:
            return cls((), (), ())
        lines = _cut_lines(fassung.text)
        starts = [0, *accumulate(len(line) + 1 for line in lines)][:-1]
        inside = [(s.start, s.end) for s in fassung.segments if _is_absatz(s)]
        blocks: list[tuple[int, str]] = []
        end, at = 0, 0
        for start, line in zip(starts, lines, strict=True):
            while at < len(inside) and inside[at][1] <= start:
                at += 1
            if blocks and start < end:  # the line goes on with its Absatz
                blocks[-1] = blocks[-1][0], fassung.text[blocks[-1][0] : start + len(line)]
                continue
            end = inside[at][1] if at < len(inside) and inside[at][0] <= start else 0
            blocks.append((start, line))
        return cls([text for _, text in blocks], [at for at, _ in blocks], fassung.segments)

    def pick(self, span: Span) -> "_Blocks":
        """Some of them."""
        return _Blocks(self.texts[slice(*span)], self.starts[slice(*span)], self.segments)

    def cut(self) -> "_Blocks":
        """The lines of all of them."""
        texts: list[str] = []
        starts: list[int] = []
        for start, text in zip(self.starts, self.texts, strict=True):
            lines = _cut_lines(text)
            texts += lines
            starts += [start + at for at in [0, *accumulate(len(line) + 1 for line in lines)][:-1]]
        return _Blocks(texts, starts, self.segments)

    @property
    def characters(self) -> int:
        """Of all of them."""
        return sum(map(len, self.texts))

    def name(self) -> str:
        """The part of the law that holds all of them."""
        unit = find_deepest(self.segments, self.starts[0], self.starts[-1] + len(self.texts[-1]))
        return format_steps(get_steps(self.segments, unit))


Pair = tuple[_Blocks, _Blocks]


def _has_words(pair: Pair) -> bool:
    """Whether there is more than empty lines on one of the sides."""
    return any(text.strip() for side in pair for text in side.texts)


def _cut_lines(text: str) -> list[str]:
    return text.split("\n")


def _is_absatz(segment: Segment) -> bool:
    return segment.level == Level.ABSATZ and segment.parent < 0


def _iter_changes(before: _Blocks, after: _Blocks) -> Iterator[Pair]:
    """Blocks that differ, those of one Absatz beside each other; a side may hold none."""
    for tag, i1, i2, j1, j2 in _list_opcodes(before.texts, after.texts):
        if tag != "equal":
            yield from _iter_paired(before.pick((i1, i2)), after.pick((j1, j2)))


def _iter_paired(gone: _Blocks, come: _Blocks) -> Iterator[Pair]:
    """What differs between two blocks that are the same on either side."""
    i = j = 0
    for next_i, next_j in [*_find_pairs(gone, come), (len(gone.texts), len(come.texts))]:
        yield from ((gone.pick((at, at + 1)), come.pick((0, 0))) for at in range(i, next_i))
        yield from ((gone.pick((0, 0)), come.pick((at, at + 1))) for at in range(j, next_j))
        if next_i < len(gone.texts):
            one, other = gone.pick((next_i, next_i + 1)), come.pick((next_j, next_j + 1))
            if max(one.characters, other.characters) > _LONG and "\n" in one.texts[0]:
                yield from _iter_changes(one.cut(), other.cut())
            else:
                yield one, other
        i, j = next_i + 1, next_j + 1


def _find_pairs(gone: _Blocks, come: _Blocks) -> list[Span]:
    """Which of the blocks are versions of one, in the order of the text: as alike as can be."""
    if not gone.texts or not come.texts:
        return []
    if len(gone.texts) * len(come.texts) > _PAIRED:
        same = len(gone.texts) == len(come.texts)
        return [(at, at) for at in range(len(gone.texts))] if same else []
    one, other = _read_likeness(gone), _read_likeness(come)
    best = [[0.0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in reversed(range(len(one))):
        for j in reversed(range(len(other))):
            paired = best[i + 1][j + 1] + _rate(one[i], other[j])
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(one) and j < len(other):
        rating = _rate(one[i], other[j])
        if rating and best[i][j] == best[i + 1][j + 1] + rating:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


Likeness = tuple[Counter[str], int, str]  # words, how many, designation


def _read_likeness(blocks: _Blocks) -> list[Likeness]:
    read = []
    for at in range(len(blocks.texts)):
        words = count_words(blocks.texts[at])
        read.append((words, sum(words.values()), blocks.pick((at, at + 1)).name()))
    return read


def _rate(one: Likeness, other: Likeness) -> float:
    """How much speaks for two blocks being versions of one."""
    most = max(one[1], other[1])
    shared = sum((one[0] & other[0]).values()) / most if most else 0.0
    if shared < _ALIKE:
        shared = 0.0
    return shared + (_SAME_PLACE if one[2] == other[2] else 0.0)


def _describe(older: _Blocks, newer: _Blocks) -> Change:
    before, after = "\n".join(older.texts), "\n".join(newer.texts)
    if not newer.texts:
        return Change("removed", older.name(), before, "")
    if not older.texts:
        return Change("added", newer.name(), "", after)
    return Change("changed", newer.name(), before, after, compare_words(before, after))


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
