"""A list item as it is quoted: behind the words that introduce its list, before those that end it.

„Wer Werkzeug leiht, muss es ölen“ are words of Nr. 2, though Nr. 1 and the labels stand between
them. Only the item's own introduction counts, and the words in their order: nothing of another
item.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from fundstelle.law.norms import Level, Segment
from fundstelle.lookup.comparing.wording import Match, Quote, Wording
from fundstelle.lookup.parts.units import LIST_ITEMS, find_holder

_JOINT = "\n"
_SKIPPED = " [...] "


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the stored text, half-open; its label begins at ``outer``."""

    outer: int
    start: int
    end: int


@dataclass(frozen=True)
class Framed:
    """An item of a list and the pieces around it; ``item`` is the place of its own."""

    stored: str
    unit: int
    pieces: tuple[_Piece, ...]
    item: int

    @cached_property
    def text(self) -> str:
        """The pieces as one text."""
        return _JOINT.join(self.stored[one.start : one.end] for one in self.pieces)

    @cached_property
    def wording(self) -> Wording:
        """That text as quotes are compared with it."""
        return Wording(self.text)

    def find(self, quote: Quote) -> Match | None:
        """Words of the item together with others of its frame; offsets in ``text``."""
        wording = self.wording
        match = wording.find(quote) if wording.may_hold(quote) else None
        if match is None or not self.reaches(match.start, match.end):
            return None
        touched = [number for number, _, _ in self._iter_touched(match.start, match.end)]
        if self.item not in {touched[0], touched[-1]}:  # may be what a "[...]" leaves out
            beside = (self.pieces[number] for number in touched if number != self.item)
            text = _JOINT.join(self.stored[one.start : one.end] for one in beside)
            if Wording(text).find(quote) is not None:
                return None
        return match

    def reaches(self, start: int, end: int) -> bool:
        """Whether a stretch of ``text`` has words of the item and of its frame."""
        touched = {number for number, _, _ in self._iter_touched(start, end)}
        return len(touched) > 1 and self.item in touched

    def locate(self, start: int, end: int) -> list[tuple[int, int]]:
        """A stretch of ``text`` as stretches of the stored text; a label alone divides none."""
        found: list[tuple[int, int]] = []
        for number, low, high in self._iter_touched(start, end):
            first = low
            if found and not self.stored[found[-1][1] : self.pieces[number].outer].strip():
                first = found.pop()[0]
            found.append((first, high))
        return found

    def _iter_touched(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """The numbers of the pieces that a stretch of ``text`` reaches, and which part of them."""
        at = 0
        for number, piece in enumerate(self.pieces):
            behind = at + piece.end - piece.start
            if start < behind and at < end:
                low, high = max(start, at) - at, min(end, behind) - at
                yield number, piece.start + low, piece.start + high
            at = behind + len(_JOINT)


def show_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Stretches of a text, with a mark where other parts of a list stand between."""
    return _SKIPPED.join(text[start:end] for start, end in spans)


class Lists:
    """The lists of one text."""

    def __init__(self, text: str, segments: Sequence[Segment]) -> None:
        self._text = text
        self._segments = segments
        below: dict[int, list[int]] = {}
        for number, part in enumerate(segments):
            if part.level in LIST_ITEMS:
                below.setdefault(part.parent, []).append(number)
        self._below: Mapping[int, Sequence[int]] = below
        self._around: dict[int, tuple[_Piece, _Piece | None] | None] = {}

    def list_items(self) -> list[int]:
        """All items, in the order of the text."""
        return sorted(number for numbers in self._below.values() for number in numbers)

    def frame(self, unit: int) -> list[Framed]:
        """An item in its frame, without the labels within it, with them, or without its own.

        None where nothing introduces or ends its list, or where that cannot be told.
        """
        if unit < 0 or self._segments[unit].level not in LIST_ITEMS:
            return []
        part = self._segments[unit]
        before: list[_Piece] = []
        after: list[_Piece] = []
        node, is_last = unit, True
        while node >= 0 and self._segments[node].level in LIST_ITEMS:
            node = self._segments[node].parent
            around = self._find_around(node)
            if around is None:
                return []
            introduction, ending = around
            before.insert(0, introduction)
            if ending is not None:
                is_last = is_last and self._segments[node].level == Level.SATZ
                after += [ending] if is_last else []
            node = find_holder(self._segments, node)
        own = _Piece(part.start, part.body, part.end)
        bare = [piece for piece in map(self._strip, (*before, own, *after)) if piece is not None]
        if len(bare) < 2 or own.start >= own.end:
            return []
        place = next(number for number, one in enumerate(bare) if one.start >= part.body)
        labelled = [_Piece(one.outer, one.outer, one.end) for one in bare]
        own_bare = [*labelled[:place], *bare[place:]]  # as lead_in and the words of the item
        kinds = dict.fromkeys(map(tuple, (bare, labelled, own_bare)))
        return [Framed(self._text, unit, kind, place) for kind in kinds]

    def _find_around(self, parent: int) -> tuple[_Piece, _Piece | None] | None:
        """As ``_read_around``; asked for once for each item of the list."""
        if parent not in self._around:
            self._around[parent] = self._read_around(parent)
        return self._around[parent]

    def _read_around(self, parent: int) -> tuple[_Piece, _Piece | None] | None:
        """The introduction of the list in a part, and what ends it; ``None`` = not to be told.

        Of two lists in one part each has words of its own before it.
        """
        items = [self._segments[number] for number in self._below[parent]]
        names = {(one.level, one.value) for one in items}
        if len({one.level for one in items}) > 1 or len(names) < len(items):
            return None
        if any(self._text[one.end : other.start].strip() for one, other in pairwise(items)):
            return None
        if parent < 0:
            return _Piece(0, 0, items[0].start), None
        whole = self._segments[parent]
        holder = self._segments[find_holder(self._segments, parent)]
        body = whole.body if holder.level in LIST_ITEMS else whole.start
        introduction = _Piece(whole.start, min(body, items[0].start), items[0].start)
        ending = self._strip(_Piece(items[-1].end, items[-1].end, whole.end))
        return introduction, ending

    def _strip(self, piece: _Piece) -> _Piece | None:
        """A piece without the blanks around it; nothing where there are no words."""
        words = self._text[piece.start : piece.end]
        if not words.strip():
            return None
        start = piece.start + len(words) - len(words.lstrip())
        end = piece.end - len(words) + len(words.rstrip())
        outer = piece.outer if piece.outer < piece.start else start
        return _Piece(outer, start, end)
