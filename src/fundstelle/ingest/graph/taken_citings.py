"""Which decisions cite the same as in the build before, so that their citations are taken over.

Those of a decision are the same where the program is the same and

- its words, their parts and Randnummern, its court, day and dockets are the same;
- no law and no decision that its reading asked for (``asked``) has come, gone, or got other names,
  provisions, courts, days or dockets;
- no name stands in its words that means another law than before.

They are taken over by the numbers that norms and decisions have now. Whose page a page is shows
only when all decisions are read: what each says of it is kept beside them (``places``).
"""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from fundstelle.citations.laws.changed_names import ChangedNames
from fundstelle.corpus.ingestion import MarkedDecision, Renumbered, WholeDecisions, WholeStore
from fundstelle.ingest.graph.asked import KeptAsked, list_decision_keys
from fundstelle.ingest.graph.taken import Compared, Moved

_BY_ID = attrgetter("decision_id")


@dataclass(frozen=True, slots=True)
class TakenCitings:
    """What may be taken over of what decisions cite.

    Attributes:
        numbers: of each decision its number in the build before; -1 where it must be read anew.
        decisions: of each decision of the build before its number now; -1 where it is gone.
        moved: where the laws of the build before stand now.
    """

    numbers: "array[int]"
    decisions: "array[int]"
    moved: Moved

    def leave(self, numbers: Iterable[int]) -> None:
        """Take nothing over of these."""
        for number in numbers:
            self.numbers[number] = -1

    def list_kept(self) -> list[tuple[int, int]]:
        """Those that are taken over: their numbers before and now."""
        return [(was, number) for number, was in enumerate(self.numbers) if was >= 0]

    def describe(self) -> Renumbered:
        """What a writer must know to take them over."""
        held = [(was, number) for was, number in enumerate(self.decisions) if number >= 0]
        return Renumbered(self.list_kept(), held, list(self.moved.iter_all()))


def compare_citings(
    before: WholeStore, after: WholeStore, laws: Compared, kept: KeptAsked
) -> TakenCitings:
    """Which decisions are read as in the build before, as far as names of laws do not tell.

    ``kept`` is what their readings asked then.
    """
    numbers = array("i", [-1]) * after.decisions.count()
    decisions = array("i", [-1]) * before.decisions.count()
    changed = set(laws.changed)
    for held, found in _iter_pairs(before.decisions, after.decisions):
        if held is not None and found is not None:
            decisions[held.number] = found.number
            if held.marked.named == found.marked.named:
                if held.marked.read == found.marked.read:
                    numbers[found.number] = held.number
                continue
        for one in filter(None, (held, found)):
            changed |= list_decision_keys(one.marked.names, one.marked.dockets)
    taken = TakenCitings(numbers, decisions, laws.norms.moved)
    asking = kept.find_asking(changed) | _find_lost(before, taken)
    taken.leave(number for number, was in enumerate(numbers) if was in asking)
    return taken


class _Numbered(NamedTuple):
    marked: MarkedDecision
    number: int
    is_held: bool  # by the build before

    @property
    def decision_id(self) -> str:
        return self.marked.decision_id


def _iter_pairs(
    before: WholeDecisions, after: WholeDecisions
) -> Iterator[tuple[_Numbered | None, _Numbered | None]]:
    """The decisions of both builds by their ids, which both have them in the order of."""
    both = merge(_number(before, is_held=True), _number(after, is_held=False), key=_BY_ID)
    for _, named in groupby(both, key=_BY_ID):
        of = {one.is_held: one for one in named}
        yield of.get(True), of.get(False)


def _number(decisions: WholeDecisions, *, is_held: bool) -> Iterator[_Numbered]:
    for number, marked in enumerate(decisions.iter_marked()):
        yield _Numbered(marked, number, is_held)


def _find_lost(before: WholeStore, taken: TakenCitings) -> set[int]:
    """Who cites what is not the same; what was asked should have told that."""
    same = {was for was, _ in taken.moved.iter_all()}
    gone = {was for was, number in enumerate(taken.decisions) if number < 0}
    return before.decisions.find_citing_others(same, gone)


def find_named(store: WholeStore, names: ChangedNames, numbers: range) -> Iterator[int]:
    """Decisions in whose words one of the names may stand."""
    texts = store.decisions.list_words(numbers.start, numbers.stop - 1)
    named = names.find_in(list(texts.values()))
    held = list(texts)
    return (held[at] for at in named)
