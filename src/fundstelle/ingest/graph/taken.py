"""Which norms refer to the same as in the build before, so that their references are taken over.

Those of a norm are the same where the program is the same and

- its words, and what is stored of it and of its law, are the same;
- no law that its reading asked for (``asked``) has come, gone, or got other names or provisions;
- no name stands in its words that means another law than before.

They are taken over by the numbers that norms have now.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import NamedTuple

from fundstelle.citations.laws.changed_names import ChangedNames, find_changed
from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.ingestion import Designation, Edge, WholeStore
from fundstelle.corpus.rows import encode_kind
from fundstelle.ingest.graph.asked import (
    READ_ANEW,
    KeptAsked,
    hash_names,
    hash_text,
    list_keys,
)
from fundstelle.ingest.graph.laws import FORMULA_WITHIN, fold_title
from fundstelle.law.norms import NormKind, Statute

_FIRST_DAY = date(1, 1, 1)
_FORMULA = encode_kind(NormKind.FORMULA)
_OF_UNION = "eu/"  # ids of its acts
_KIND = 1  # place in ``Designation.place``


@dataclass(frozen=True, slots=True)
class Moved:
    """Where the laws of one build stand in the next; all by the numbers of the first.

    Attributes:
        firsts: ordinal of the first norm of each law.
        counts: how many norms each law has.
        by: how many norms further the norms of each law stand.
        numbers: the number that each law has now; -1 where it, or what it consists of, is another.
    """

    firsts: "array[int]"
    counts: "array[int]"
    by: "array[int]"
    numbers: "array[int]"

    def iter_all(self) -> Iterator[tuple[int, int]]:
        """Every norm and law that is the same, by what an edge says of it there and now."""
        for law, number in enumerate(self.numbers):
            if number >= 0:
                yield -1 - law, -1 - number
                first, by = self.firsts[law], self.by[law]
                yield from ((norm, norm + by) for norm in range(first, first + self.counts[law]))

    def find(self, cited: int | None) -> int | None:
        """What an edge says of what it cites, by today's numbers.

        Raises:
            LookupError: the law that is cited is not the same.
        """
        if cited is None:
            return None
        law = -1 - cited if cited < 0 else bisect_right(self.firsts, cited) - 1
        number = self.numbers[law]
        if number < 0:
            raise LookupError(cited)
        return -1 - number if cited < 0 else cited + self.by[law]


@dataclass(frozen=True, slots=True)
class Taken:
    """What may be taken over of the references out of the norms from ``first`` on.

    Attributes:
        ordinals: of each norm its ordinal in the build before; -1 where it must be read anew.
        names: what must not stand in the words of a norm.
    """

    database: Path  # of the build before
    first: int
    ordinals: "array[int]"
    moved: Moved
    names: ChangedNames

    def cut(self, first: int, last: int) -> "Taken":
        """The same of the norms ``[first, last]``."""
        ordinals = self.ordinals[first - self.first : last + 1 - self.first]
        return replace(self, first=first, ordinals=ordinals)


class Compared(NamedTuple):
    """What two builds say of laws.

    Attributes:
        norms: which references may be taken over.
        changed: keys of all that is answered otherwise than before (``ingest.graph.asked``).
    """

    norms: Taken
    changed: frozenset[int]


def compare(database: Path, before: WholeStore, after: WholeStore, kept: KeptAsked) -> Compared:
    """Which norms of a build are read as in the one before, whose ``database`` that is.

    ``kept`` is what their readings asked then.
    """
    names = find_changed(*(LawNames.build(one.statutes.values()) for one in (before, after)))
    ordinals = array("i", [-1]) * after.count_norms()
    count = len(before.statutes)
    firsts, counts, by = (array("q", [0]) * count for _ in range(3))
    moved = Moved(firsts, counts, by, array("q", [-1]) * count)
    changed = hash_names(names.names) | {READ_ANEW}
    for statute_id in before.statutes.keys() | after.statutes.keys():
        one, other = _open(before, statute_id), _open(after, statute_id)
        if one is not None:
            moved.firsts[one.number] = one.first
            moved.counts[one.number] = len(one.norms)
        if one is None or other is None or not _is_same(one, other):
            for law in filter(None, (one, other)):
                changed |= list_keys(law.statute, fold_title)
            continue
        moved.by[one.number] = other.first - one.first
        moved.numbers[one.number] = other.number
        changed |= _list_changed_texts(one, other)
        if _reads_same(one, other, names):
            for at, (held, now) in enumerate(zip(one.norms, other.norms, strict=True)):
                if held.rest == now.rest:
                    ordinals[other.first + at] = one.first + at
    asking = kept.find_asking(changed)
    for ordinal, was in enumerate(ordinals):
        if was in asking:
            ordinals[ordinal] = -1
    return Compared(Taken(database, 0, ordinals, moved, names), frozenset(changed))


@dataclass(frozen=True, slots=True)
class _Law:
    """A law of one build."""

    store: WholeStore
    statute: Statute
    number: int
    first: int  # ordinal of its first norm
    norms: Sequence[Designation]

    def list_formulas(self) -> dict[int, bytes]:
        """Where formulas stand at its front, by their place; the hashes of their texts."""
        front = enumerate(self.norms[: FORMULA_WITHIN + 1])
        places = [at for at, norm in front if norm.place[_KIND] == _FORMULA]
        found = {at: self.store.list_hashes(self.first + at, self.first + at) for at in places}
        return {at: digest for at, held in found.items() for digest in held.values()}

    def list_parts(self) -> dict[int, bytes]:
        """Hashes of the texts and their parts, by their place in it."""
        held = self.store.list_parts(self.first, self.first + len(self.norms) - 1)
        return {ordinal - self.first: digest for ordinal, digest in held.items()}

    def list_words(self) -> Iterator[str]:
        """What it is called, and the formulas."""
        yield "\n".join(filter(None, (self.statute.title, self.statute.short_title)))
        yield self.statute.abbreviation
        for at in self.list_formulas():
            yield from self.store.list_texts(self.first + at, self.first + at).values()


def _open(store: WholeStore, statute_id: str) -> _Law | None:
    statute, span = store.statutes.get(statute_id), store.find_span(statute_id)
    if statute is None or span is None:
        return None
    return _Law(store, statute, span[0], span[1], store.list_designations(statute_id))


def _is_same(one: _Law, other: _Law) -> bool:
    """Whether a text that cites the law may not tell the one from the other."""
    if keep_names(one.statute) != keep_names(other.statute):
        return False
    if [norm.place for norm in one.norms] != [norm.place for norm in other.norms]:
        return False
    # how paragraphs of an act of the Union are cited, its words tell (``Resolver.resolve_units``)
    is_of_union = one.statute.statute_id.startswith(_OF_UNION)
    return not is_of_union or one.list_parts() == other.list_parts()


def _list_changed_texts(one: _Law, other: _Law) -> set[int]:
    """The keys of texts that are others than before, in a law with the same norms."""
    before, after = one.list_parts(), other.list_parts()
    return {
        hash_text(one.norms[at].norm_id)
        for at in before.keys() | after.keys()
        if before.get(at) != after.get(at)
    }


def _reads_same(one: _Law, other: _Law, names: ChangedNames) -> bool:
    """Whether its notes, title and formula, by which its own texts are read, say what they said."""
    if one.statute.stand_notes != other.statute.stand_notes:
        return False
    if one.list_formulas() != other.list_formulas():
        return False
    return not (names and names.find_in(list(other.list_words())))


def keep_names(statute: Statute) -> Statute:
    """A statute without what a look alone changes, and without what no citation is read by."""
    return replace(
        statute,
        stand=_FIRST_DAY,
        listed=True,
        first_look=None,
        last_change=None,
        stand_notes=(),
        norm_count=0,
        source_url="",
        fingerprint="",
        read_by="",
    )


def take_edges(before: WholeStore, after: WholeStore, taken: Taken) -> dict[int, list[Edge]]:
    """The references that are taken over, by the ordinal of each norm that may keep them."""
    kept = dict(_iter_kept(before, after, taken))
    if not kept:
        return {}
    edges: dict[int, list[Edge]] = {ordinal: [] for ordinal in kept}
    there = {was: ordinal for ordinal, was in kept.items()}
    for citing, cited, path, words, start, end in before.list_edges(min(there), max(there)):
        ordinal = there.get(citing)
        if ordinal is None or ordinal not in edges:
            continue
        try:
            edge = ordinal, taken.moved.find(cited), path, words, start, end
            edges[ordinal].append(edge)
        except LookupError:  # what was asked should have told that
            del edges[ordinal]
    return edges


def _iter_kept(before: WholeStore, after: WholeStore, taken: Taken) -> Iterator[tuple[int, int]]:
    """Ordinals of norms with the same words, in which no changed name stands, now and before."""
    count = len(taken.ordinals)
    last = taken.first + count - 1
    known = [was for was in taken.ordinals if was >= 0]
    if not known:
        return
    hashes = after.list_hashes(taken.first, last)
    held = before.list_hashes(min(known), max(known))
    texts = after.list_texts(taken.first, last) if taken.names else {}
    named = taken.names.find_in([texts.get(taken.first + at, "") for at in range(count)])
    for at, was in enumerate(taken.ordinals):
        ordinal = taken.first + at
        if was >= 0 and at not in named and hashes.get(ordinal) == held.get(was):
            yield ordinal, was
