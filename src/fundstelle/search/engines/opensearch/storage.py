"""Indexes of a cluster: how they are written, checked and opened.

An index is made beside those that are in use, without copies; it is merged, copied to the other
nodes and closed to writing when it is whole. Nothing is ever changed in one that a build names.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from fundstelle.errors import CorpusError
from fundstelle.search.engines.opensearch.cluster import Cluster
from fundstelle.search.engines.opensearch.frequencies import FrequencyCounter
from fundstelle.search.engines.opensearch.indexes import create, finish
from fundstelle.search.engines.opensearch.sending import Line, send
from fundstelle.search.engines.opensearch.session import Session
from fundstelle.search.engines.opensearch.texts import OpenSearchSentences, OpenSearchTexts
from fundstelle.search.engines.stages.texts import Described, NewPart, Numbers
from fundstelle.search.index import HeldPart

_PROBES = 20
_PROBED_TERMS = 6


class OpenSearchStorage:
    """Keeps indexes in a cluster, and in the folder what leads to them."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.session = Session(cluster)

    def write_texts(self, texts: Iterable[Described], folder: Path) -> OpenSearchTexts:
        """A new index of them in their order, checked, and its counts in the ``folder``.

        Raises:
            CorpusError: the cluster did not keep the texts as they were given.
            SearchUnavailable: it does not answer.
        """
        return self._write(enumerate(texts), folder)

    def write_parts(
        self,
        norms: Iterable[Described],
        decisions: Iterable[NewPart | HeldPart],
        folder: Path,
        same: Path | None = None,  # noqa: ARG002 it has none to give
    ) -> OpenSearchTexts:
        """As ``write_texts``: all of them go into one index, in the order of ordinals."""
        new = (one for one in decisions if isinstance(one, NewPart))  # there are no others
        texts = chain(norms, chain.from_iterable(one.texts for one in new))
        return self._write(((text.ordinal, text) for text in texts), folder)

    def _write(self, texts: Iterable[tuple[int, Described]], folder: Path) -> OpenSearchTexts:
        """An index of texts with their positions, which are all different."""
        counter, probes = FrequencyCounter(), _Probes()
        name = create(self._cluster, folder.name)
        send(self._cluster, name, _iter_described(texts, counter, probes))
        factor = finish(self._cluster, name, counter)
        counter.write(folder, name, self._cluster.address.shards, factor)
        opened = OpenSearchTexts(folder, self.session)
        probes.ask(opened)
        return opened

    def find_parts(self, folder: Path) -> Mapping[int, Numbers]:  # noqa: ARG002
        """None: all documents of an index are sent to the cluster."""
        return {}

    def open_texts(self, folder: Path) -> OpenSearchTexts:
        """The index that ``folder`` names; nothing is asked yet.

        Raises:
            CorpusError: it names none.
        """
        return OpenSearchTexts(folder, self.session)

    def write_sentences(self, sentences: Iterable[str], folder: Path) -> None:
        """A new index of their terms, numbered from 0."""
        numbered = enumerate(sentences)
        described = (Described(number, searchable=True, terms=one) for number, one in numbered)
        self.write_texts(described, folder)

    def open_sentences(self, folder: Path) -> OpenSearchSentences:
        """The index of sentences that ``folder`` names."""
        return OpenSearchSentences(folder, self.session)


class _Probes:
    """Some texts of an index, by their own words, each time as far apart as needed to be few."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, tuple[str, ...]]] = []
        self._step = 1
        self._seen = 0

    def add(self, text: Described) -> None:
        if text.terms:
            if self._seen % self._step == 0:
                terms = dict.fromkeys(text.terms.split())
                self._kept.append((text.ordinal, tuple(terms)[:_PROBED_TERMS]))
                if len(self._kept) == 2 * _PROBES:
                    self._kept, self._step = self._kept[::2], self._step * 2
            self._seen += 1

    def ask(self, texts: OpenSearchTexts) -> None:
        """Ask the new index for each.

        Raises:
            CorpusError: it does not find one, or not as many as hold a word of it.
        """
        for ordinal, terms in self._kept[:_PROBES]:
            query = texts.narrow(texts.build(terms, (), every=True), "ordinal", [ordinal])
            _, found = texts.search(query, 1)
            _, holding = texts.search(texts.build(terms[:1], ()), 0)
            if not found or holding != texts.count(terms[0]):
                raise CorpusError("the search cluster does not find what was written; build again")


def _iter_described(
    texts: Iterable[tuple[int, Described]], counter: FrequencyCounter, probes: _Probes
) -> Iterator[tuple[Line, Line]]:
    """Those that can be found, each by its position among all; all are counted."""
    for position, text in texts:
        counter.add(text.terms, text.values, searchable=text.searchable)
        if text.searchable:
            probes.add(text)
            yield _describe(text, position)


def _describe(text: Described, position: int) -> tuple[Line, Line]:
    """What is done and with what; the id lets a batch that is sent again change nothing."""
    document: Line = {
        "terms": text.terms,
        "ordinal": text.ordinal,
        "position": position,
        **dict(text.values),
        **dict(text.numbers),
    }
    if text.ancestors:
        document["ancestor"] = text.ancestors
    return {"index": {"_id": str(position)}}, document
