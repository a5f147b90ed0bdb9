"""From the path of a citation to the parts of a norm's stored text, as deep as they are marked."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from operator import itemgetter

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Level, Segment
from fundstelle.lookup.parts.named import COUNTED, Named
from fundstelle.lookup.parts.units import LIST_ITEMS, get_steps

_List = Callable[["_Tree", int, str], Iterable[int]]  # of a level below a part

_DOCTRINAL = frozenset({Level.ALTERNATIVE, Level.VARIANTE, Level.FALL})
_SILENT = frozenset({Level.SATZ, Level.UNTERABSATZ, Level.HALBSATZ})  # citations leave them out
_SEVERAL = 2
_LONGEST = 6  # digits of a number of sentences
_KEPT_TREES = 8  # of the texts asked for last: the misses of one list are mostly of one text
_KEPT_PLACES = 256  # lists of parts that one of them keeps; then started over
# Parts that the stored text does not mark: their absence proves nothing.
_UNMARKED = frozenset(
    {
        Level.HALBSATZ,
        Level.TEIL,
        Level.ABSCHNITT,
        Level.KAPITEL,
        Level.SPALTE,
        Level.KATEGORIE,
        Level.SECTION,
    }
)


@dataclass(frozen=True, slots=True)
class Units:
    """Indices of the deepest segments that the path names (-1 = the whole norm).

    ``others`` answer to the same path as ``found[0]``; ``rest`` could not be followed because the
    text does not mark such parts; ``deeper`` are several, farther below, that bear its name.
    ``split`` is a step that was read as number and letter.
    """

    found: tuple[int, ...]
    others: tuple[int, ...] = ()
    rest: tuple[PathStep, ...] = ()
    split: PathStep | None = None
    deeper: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NoUnit:
    """``step`` does not exist below the segment ``parent`` (-1 = the norm).

    ``existing`` are the parts of that level which do; ``elsewhere`` the parts of that name that
    stand in another place below ``parent``; ``joined`` is the Nr. 4a where of a Nr. 4 that has no
    letters a Buchst. a is cited.
    """

    step: PathStep
    parent: int
    existing: tuple[int, ...]
    elsewhere: tuple[int, ...]
    joined: int | None = None


def find_units(
    segments: Sequence[Segment], path: Sequence[PathStep], *, complete: bool
) -> Units | NoUnit:
    """Follow a path as deep as the text is marked.

    A path may leave out Satz and Unterabsatz, and any level where only one part can be meant.
    ``complete`` is False where lists and tables may be unmarked (annexes): there a part that
    cannot be found is not denied.
    """
    return _follow(_get_tree(segments), -1, path, complete=complete)


def list_top(segments: Sequence[Segment], level: Level) -> tuple[int, ...]:
    """The parts of a text of that level that stand in no other but Sätze and Unterabsätze."""
    return _get_tree(segments).list_silent(level)


def _get_tree(segments: Sequence[Segment]) -> "_Tree":
    return _keep(_Held(segments)) if isinstance(segments, tuple) else _Tree(segments)


def _follow(
    tree: "_Tree", node: int, path: Sequence[PathStep], *, complete: bool
) -> Units | NoUnit:
    """As ``find_units``, from the part ``node`` downwards."""
    others: tuple[int, ...] = ()
    halved: PathStep | None = None
    for depth, step in enumerate(path):
        if step.level in _DOCTRINAL:
            return Units((node,), others, tuple(path[depth:]), halved)
        matches = tree.find_below((node, *others), step.level, step.value)
        if not matches:
            if tree.is_one_sentence(node, step):
                continue
            split = tree.find_split(node, step)
            if split is not None:
                node, others, halved = split, (), step
                continue
            if not complete or tree.may_be_unmarked(node, step):
                deeper = tree.list_deeper(node, step)
                return Units((node,), others, tuple(path[depth:]), halved, deeper)
            return tree.describe_gap(node, step)
        if step.to is not None:
            return _follow_range(tree, node, matches[0], path[depth:], complete=complete)
        node, others = matches[0], tuple(matches[1:])
    return Units((node,), others, (), halved)


def _follow_range(
    tree: "_Tree", node: int, first: int, path: Sequence[PathStep], *, complete: bool
) -> Units | NoUnit:
    """The parts of the range that ``path`` begins with; what follows is of the last of them."""
    step = path[0]
    span = tree.find_range(node, first, step)
    if span is None:
        return tree.describe_gap(node, PathStep(step.level, step.to or ""))
    last = _follow(tree, span[-1], path[1:], complete=complete)
    if isinstance(last, NoUnit):
        return last
    return replace(last, found=(*span[:-1], *last.found))


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """Segments of a stored text, which are the same as long as they are that very tuple."""

    segments: Sequence[Segment]

    def __hash__(self) -> int:
        return id(self.segments)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and self.segments is other.segments


@lru_cache(maxsize=_KEPT_TREES)
def _keep(held: _Held) -> "_Tree":
    return _Tree(held.segments)


class _Tree:
    """The segments of one text by parent, and the lists of them that were asked for."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._segments = segments
        self._children: dict[int, list[int]] = {}
        for index, segment in enumerate(segments):
            self._children.setdefault(segment.parent, []).append(index)
        self._lists: dict[tuple[_List, int, str], Named] = {}

    def find_below(self, nodes: Sequence[int], level: str, value: str) -> list[int]:
        """The parts of that name below any of ``nodes``, those in the nearest kind of place first.

        Of "Buchst. A" and "Buchst. a" the one that is written so.
        """
        if len(nodes) == 1:
            return self.find(nodes[0], level, value)
        ranked = [(self._find(node, level, value)) for node in nodes]
        return [found for _, each in sorted(ranked, key=itemgetter(0)) for found in each]

    def find(self, node: int, level: str, value: str) -> list[int]:
        """The parts of that name below ``node``, in the nearest kind of place that has any."""
        return self._find(node, level, value)[1]

    def _find(self, node: int, level: str, value: str) -> tuple[int, list[int]]:
        """As ``find``, with the kind of place: 0 is the nearest."""
        direct = self._name(_Tree._direct, node, level).pick(value)
        if direct:
            return 0, direct
        silent = self._name(_Tree._iter_silent, node, level).pick(value)
        if not silent and level == Level.BUCHSTABE:
            silent = self._list_lettered(node, value)
        counted = self._count_through(node, value) if level == Level.SATZ else None
        if counted is not None:
            silent = [counted, *(one for one in silent if one != counted)]
        if silent:
            return 1, silent
        behind = self._name(_Tree._list_behind, node, level).pick(value)
        if behind:
            return 2, behind
        if len(self._name(_Tree._direct, node, Level.ABSATZ).units) > 1:
            return 3, []  # a citation without its Absatz is not completed
        if level == Level.SATZ:
            return 3, []  # a sentence of an item is not cited without its number
        place = _Tree._iter_unlisted if level in _SILENT else _Tree._iter_level
        anywhere = self._name(place, node, level).pick(value)
        return 3, anywhere if len(anywhere) == 1 else []

    def _list_lettered(self, node: int, value: str) -> list[int]:
        """The Roman numbers below ``node`` that a citation takes for letters: "Art. 29(2)(i)"."""
        numbers = self._iter_silent(node, Level.NUMMER)
        return [one for one in numbers if self._segments[one].value == value]

    def list_silent(self, level: str) -> tuple[int, ...]:
        """The parts of that level that a citation names first."""
        return self._name(_Tree._iter_silent, -1, level).units

    def list_through(self, node: int) -> list[int]:
        """The sentences of a part with several Unterabsätze, counted through all of them.

        So lawyers count where they name no Unterabsatz: "Art. 6 Abs. 1 Satz 2 DSGVO" is the
        sentence of the second. Empty where there is but one, or none.
        """
        below = self._direct(node, Level.UNTERABSATZ)
        if len(below) < _SEVERAL:
            return []
        return [one for each in below for one in self._direct(each, Level.SATZ) or [each]]

    def _count_through(self, node: int, value: str) -> int | None:
        through = self.list_through(node)
        if value in COUNTED:
            return next(iter(through[COUNTED[value]]), None)
        number = int(value) if value.isdecimal() and len(value) < _LONGEST else 0
        return through[number - 1] if 0 < number <= len(through) else None

    def find_split(self, node: int, step: PathStep) -> int | None:
        """``Nr. 2b`` where there is no such number, but a Nr. 2 with a Buchst. b; or the reverse.

        ``Abs. 3`` of a text whose paragraphs bear no numbers: the third. ``Buchst. ba``, inserted
        behind b, which is marked as a part of it.
        """
        if step.level == Level.BUCHSTABE and len(step.value) > 1:
            inserted = self._name(_Tree._iter_level, node, Level.DOPPELBUCHSTABE).pick(step.value)
            return inserted[0] if len(inserted) == 1 else None
        if step.level == Level.BUCHSTABE:
            return self._find_joined(node, step) if step.bare else None
        if step.level == Level.ABSATZ and node < 0 and not self._direct(node, Level.ABSATZ):
            counted = self._name(_Tree._direct, node, Level.UNTERABSATZ).pick(step.value)
            return counted[0] if counted and not step.to else None
        number, letter = step.value[:-1], step.value[-1:]
        if step.level != Level.NUMMER or step.to or not number.isdigit() or not letter.isalpha():
            return None
        letters = [
            found
            for parent in self.find(node, Level.NUMMER, number)[:1]
            for found in self.find(parent, Level.BUCHSTABE, letter)
        ]
        return letters[0] if len(letters) == 1 else None

    def _find_joined(self, node: int, step: PathStep) -> int | None:
        """``Nr. 1 a`` where Nr. 1 has no Buchst. a, but a Nr. 1a stands beside it."""
        if node < 0 or step.level != Level.BUCHSTABE:
            return None
        part = self._segments[node]
        if part.level != Level.NUMMER or step.to or self._direct(node, Level.BUCHSTABE):
            return None
        beside = self._name(_Tree._direct, part.parent, Level.NUMMER)
        return next(iter(beside.pick(part.value + step.value)), None)

    def may_be_unmarked(self, node: int, step: PathStep) -> bool:
        """Whether the text marks no such parts at all, so that their absence proves nothing.

        The halves of an item say nothing of those of the sentence that its list belongs to.
        """
        if self._is_bare(node) and step.level == Level.SATZ and step.value in {"1", "last"}:
            return True  # its words begin with a sentence, wherever they stand
        if step.level not in _UNMARKED:
            return False
        place = _Tree._iter_silent if step.level == Level.HALBSATZ else _Tree._iter_level
        return not self._name(place, node, step.level).units

    def _is_bare(self, node: int) -> bool:
        """Whether nothing but its number is printed of a part: ``(2)`` of words not reprinted."""
        return node >= 0 and self._segments[node].body >= self._segments[node].end

    def is_one_sentence(self, node: int, step: PathStep) -> bool:
        """``Satz 1`` of a part that is not divided into sentences is the part itself.

        But not of a sentence, nor of what holds items alone, or items with sentences of their own.
        """
        if step.level != Level.SATZ or step.value not in {"1", "last"} or step.to:
            return False
        if self._is_bare(node):
            return False
        if node >= 0 and self._segments[node].level in {Level.SATZ, Level.HALBSATZ}:
            return False
        divided = (Level.SATZ, Level.ABSATZ)
        if any(self._name(_Tree._iter_level, node, level).units for level in divided):
            return False
        children = self._children.get(node, ())
        body = self._segments[node].body if node >= 0 else 0
        return not any(
            self._segments[c].level in LIST_ITEMS and self._segments[c].start <= body
            for c in children[:1]
        )

    def find_range(self, node: int, first: int, step: PathStep) -> tuple[int, ...] | None:
        """The parts from ``first`` to the end of the range, among those beside it.

        ``None`` if there is no such end.
        """
        segment = self._segments[first]
        through = self.list_through(node) if step.level == Level.SATZ else []
        if first in through and (step.to or "").isdecimal():
            end = self._count_through(node, step.to or "")
            return None if end is None else tuple(c for c in through if first <= c <= end) or None
        beside = [c for c in self._direct(segment.parent, segment.level) if c >= first]
        if step.follows:
            return tuple(beside[:2] if step.to == "f" else beside)
        ends = Named(self._segments, beside).pick(step.to or "")
        return tuple(beside[: beside.index(ends[0]) + 1]) if ends else None

    def describe_gap(self, node: int, step: PathStep) -> NoUnit:
        places: tuple[_List, ...] = (_Tree._direct, _Tree._iter_silent, _Tree._list_behind)
        lists = (self._name(place, node, step.level).units for place in places)
        existing = next(filter(None, lists), ())
        joined = self._find_joined(node, step)
        return NoUnit(step, node, existing, self.list_deeper(node, step), joined)

    def list_deeper(self, node: int, step: PathStep) -> tuple[int, ...]:
        """The parts of that name anywhere below ``node``, the nearest first."""
        deeper = self._name(_Tree._iter_level, node, step.level).pick(step.value)
        deeper.sort(key=lambda unit: len(get_steps(self._segments, unit)))
        return tuple(deeper)

    def _name(self, place: "_List", node: int, level: str) -> Named:
        key = place, node, level
        found = self._lists.get(key)
        if found is None:
            if len(self._lists) >= _KEPT_PLACES:
                self._lists.clear()
            found = self._lists[key] = Named(self._segments, place(self, node, level))
        return found

    def _iter_level(self, node: int, level: str) -> Iterator[int]:
        """Every part of that level below ``node``, at any depth."""
        for child in self._children.get(node, ()):
            if self._segments[child].level == level:
                yield child
            yield from self._iter_level(child, level)

    def _iter_unlisted(self, node: int, level: str) -> Iterator[int]:
        """As ``_iter_level``, without what stands in a list item: that is cited with its number."""
        for child in self._children.get(node, ()):
            if self._segments[child].level == level:
                yield child
            if self._segments[child].level not in LIST_ITEMS:
                yield from self._iter_unlisted(child, level)

    def _direct(self, node: int, level: str) -> list[int]:
        return [c for c in self._children.get(node, ()) if self._segments[c].level == level]

    def _iter_silent(self, node: int, level: str) -> Iterator[int]:
        for child in self._children.get(node, ()):
            segment = self._segments[child]
            if segment.level == level:
                yield child
            elif segment.level in _SILENT:
                yield from self._iter_silent(child, level)

    def _list_behind(self, node: int, level: str) -> list[int]:
        """The list that a sentence leads to, where it stands behind it: as acts of the EU have it.

        "Art. 6 Abs. 1 Satz 1 Buchst. f DSGVO": the sentence ends with its colon, the list is
        beside it.
        """
        if node < 0 or self._segments[node].level != Level.SATZ or level not in LIST_ITEMS:
            return []
        beside = self._children[self._segments[node].parent]
        later = beside[beside.index(node) + 1 :]
        items = takewhile(lambda one: self._segments[one].level != Level.SATZ, later)
        return [one for one in items if self._segments[one].level == level]
