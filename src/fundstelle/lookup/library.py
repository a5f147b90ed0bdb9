"""One corpus build, ready to answer: its store, its search index and the names of its laws."""

from dataclasses import dataclass, field

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.decisions import DecisionStore, NoDecisions
from fundstelle.corpus.store import CorpusStore
from fundstelle.lookup.reading.published import PublishedLaws
from fundstelle.search.index import SearchIndex


@dataclass(frozen=True, slots=True)
class Library:
    """Everything a question needs. Per build and immutable, so answers may rely on it."""

    store: CorpusStore
    index: SearchIndex
    names: LawNames
    decisions: DecisionStore = field(default_factory=NoDecisions)
    notices: tuple[str, ...] = ()  # what is not as it should be with this build, for every reader

    _published: list[PublishedLaws] = field(default_factory=list, init=False, repr=False)

    @property
    def published(self) -> PublishedLaws:
        """Its laws by the pages of gazettes, read when they are first asked for."""
        if not self._published:
            self._published.append(PublishedLaws(self.store.statutes.values()))
        return self._published[0]

    def close(self) -> None:
        """Release all files and connections; nobody may be asking any more."""
        self.index.close()
        self.store.close()
