"""References from norm to norm: found in the stored texts, resolved against the build's ids."""

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from fundstelle.citations.find import find
from fundstelle.citations.format import format_citation
from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.ingestion import Edge, WholeStore
from fundstelle.ingest.graph.asked import Asked
from fundstelle.ingest.graph.contents import split_lines
from fundstelle.ingest.graph.laws import Laws
from fundstelle.ingest.graph.meaning import Meant, Reader
from fundstelle.ingest.graph.resolving import CitedUnit, Resolver
from fundstelle.ingest.sources.files.patience import TooSlow, limited
from fundstelle.law.citations import EuCitation, FoundCitation, NormCitation, PathStep
from fundstelle.law.norms import Level, Norm, NormKind

MOST_EDGES = 20_000  # of one norm; the most that any has are 1,900
_GERMAN = "de"
_ANNEX = "Anlage"
_COUNTED = re.compile(r"(?:Anlage|Anhang)s?\s(?:Nr\.|Nummer)\s")
MOST_CHARS = 1_000  # of a reference as it is written; the longest that any decision has has 465


class Reference(NamedTuple):
    """A target of a citation that was found, and the units that it means."""

    found: FoundCitation
    words: str  # for what is not held: the member of a list, the words on its law
    target: NormCitation | EuCitation
    cited: tuple[CitedUnit, ...]


class ReferenceFinder:
    """Finds and resolves what the norms of one build refer to."""

    def __init__(self, store: WholeStore, names: LawNames, resolver: Resolver) -> None:
        self.store = store
        self._names = names
        self._resolver = resolver
        self._laws = Laws(store, names, resolver)
        self.asked = resolver.asked

    def read(self, norm: Norm, text: str) -> Iterator[Reference]:
        """Everything that ``text``, a fassung of ``norm``, refers to, in its order."""
        statute = self.store.statutes[norm.statute_id]
        unnamed = statute.language == _GERMAN
        law = statute.abbreviation
        citations = find(text, self._names, law, unnamed=unnamed, decisions=False)
        if norm.kind is NormKind.CONTENTS:
            citations = list(split_lines(citations, law))
        for meant in Reader(self._laws, statute, norm, text).read(citations):
            for target in meant.found.targets:
                if not isinstance(target, NormCitation | EuCitation):
                    continue
                told = target
                if isinstance(target, NormCitation) and meant.changed:
                    told = self._tell(target, meant.law)
                cited = tuple(self._resolve(told, meant))
                is_held = all(one.ordinal is not None for one in cited)
                if _is_the_annex(target, meant) and not self._is_called(cited, meant):
                    continue  # "die in der Anlage enthaltenen Stoffe" of a law without an annex
                words = meant.found.text if is_held else _write(meant, target, text)
                yield Reference(meant.found, words, target, cited)

    def _resolve(self, target: NormCitation | EuCitation, meant: Meant) -> list[CitedUnit]:
        """Its units; "Anhang Nummer 6" is a part of the annex where that bears no number."""
        cited = self._resolver.resolve_units(target)
        if cited[0].ordinal is not None or isinstance(target, EuCitation) or not target.number:
            return cited
        if target.unit != _ANNEX or _COUNTED.search(meant.found.text) is None:
            return cited
        step = PathStep(Level.NUMMER, target.number, target.number_end)
        part = replace(target, number=None, number_end=None, path=(step, *target.path))
        inside = self._resolver.resolve_units(part)
        return inside if inside[0].ordinal is not None else cited

    def _is_called(self, cited: tuple[CitedUnit, ...], meant: Meant) -> bool:
        """Whether the annex is held and is an Anhang if it is called one: accounts have others."""
        called = "nhang" in meant.found.text
        return all(
            one.ordinal is not None and (one.ordinal in self._resolver.appendices) == called
            for one in cited
        )

    def _tell(self, target: NormCitation, law: str | None) -> NormCitation:
        """The target in the law that is meant, if that counts by such a sign."""
        statute = self._laws.find(law) if law and target.number else None
        fits = statute is None or self._laws.fits(statute, target)
        meant = law if fits else None
        return target if target.law == meant else replace(target, law=meant)


def _is_the_annex(target: NormCitation | EuCitation, meant: Meant) -> bool:
    """Whether it is an annex without a number that nothing but its place binds to a law."""
    is_bare = target.unit == _ANNEX and not target.number and meant.found.inferred
    return is_bare and " diese" not in meant.found.text


def _write(meant: Meant, target: NormCitation | EuCitation, text: str) -> str:
    """What is listed of a target that leads nowhere."""
    found = meant.found
    behind = text[found.end : max(found.end, meant.end)]
    return (found.text if len(found.targets) == 1 else format_citation(target)) + behind


class Edges(NamedTuple):
    """The references out of some norms that follow each other.

    Attributes:
        edges: at most ``MOST_EDGES`` of each norm.
        endless: ids of the norms that took too long: of those there are none.
        asked: of each norm, what its reading asked of laws (``asked``); ``None`` = as before.
    """

    edges: list[Edge]
    endless: list[str]
    asked: list["array[int] | None"]


def build_finder(store: WholeStore) -> ReferenceFinder:
    """The finder of a build."""
    names = LawNames.build(store.statutes.values())
    return ReferenceFinder(store, names, Resolver(store, Asked()))


def find_edges(
    finder: ReferenceFinder,
    first: int,
    last: int,
    taken: Mapping[int, Sequence[Edge]] = MappingProxyType({}),
) -> Edges:
    """All edges out of the norms with ordinals ``[first, last]``; of some they are ``taken``."""
    found = Edges([], [], [])
    for ordinal in range(first, last + 1):
        held = taken.get(ordinal)
        if held is not None:
            found.edges.extend(held)
            found.asked.append(None)
            continue
        for _, norm, fassung in finder.store.iter_words(ordinal, ordinal):
            _read_edges(finder, ordinal, norm, fassung.text, found)
        found.asked.append(finder.asked.take())
    return found


def _read_edges(finder: ReferenceFinder, ordinal: int, norm: Norm, text: str, found: Edges) -> None:
    edges = _iter_edges(ordinal, finder.read(norm, text))
    try:
        with limited():
            found.edges.extend(list(islice(edges, MOST_EDGES)))
    except TooSlow:
        found.endless.append(norm.norm_id)
        finder.asked.ask_anew()


def _iter_edges(ordinal: int, references: Iterable[Reference]) -> Iterator[Edge]:
    for reference in references:
        found = reference.found
        for one in reference.cited:
            words = found.text if one.ordinal is not None else reference.words
            yield ordinal, one.ordinal, one.path, words[:MOST_CHARS], found.start, found.end
