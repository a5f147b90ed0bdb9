"""One corpus build, ready to answer: its store, its search index and the names of its laws."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.decisions import DecisionStore, NoDecisions
from fundstelle.corpus.manifest import SourceState
from fundstelle.corpus.store import CorpusStore
from fundstelle.law.sources import Source
from fundstelle.lookup.answers import Successor
from fundstelle.lookup.reading.published import PublishedLaws
from fundstelle.search.index import SearchIndex


def _is_sound() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Library:
    """Everything a question needs. Per build and immutable, so answers may rely on it."""

    store: CorpusStore
    index: SearchIndex
    names: LawNames
    decisions: DecisionStore = field(default_factory=NoDecisions)
    withheld: DecisionStore | None = None  # those that are left out (``lookup.withheld``)
    sources: tuple[Source, ...] = ()  # all that there are, held or not
    notices: tuple[str, ...] = ()  # what is not as it should be with this build, for every reader
    # whether this build is known to be damaged just now (``lookup.damage``)
    is_damaged: Callable[[], bool] = field(default=_is_sound, repr=False, compare=False)
    base_url: str = ""  # where the pages of its texts are (``lookup.addresses``); "" = nowhere

    # by statute: what is said of it as a whole, kept once it was read (``lookup.validity``,
    # ``lookup.commencement``, ``lookup.ends``, ``lookup.successors``)
    head_notes: dict[str, tuple[str, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    commencements: dict[str, date | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    ends: dict[str, tuple[date, str] | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    recorded: dict[str, date | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    heirs: dict[str, tuple[Successor, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _published: list[PublishedLaws] = field(default_factory=list, init=False, repr=False)
    _counted: list[frozenset[str]] = field(default_factory=list, init=False, repr=False)

    @property
    def source_types(self) -> tuple[str, ...]:
        """The values of the filter ``source_type``."""
        return tuple(one.value for source in self.sources for one in source.selections)

    def find_source(self, source_type: str) -> Source | None:
        """The source that a value of the filter, or the build's manifest, names."""
        return next((source for source in self.sources if source.is_called(source_type)), None)

    def list_states(self, jurisdiction: str) -> list[SourceState]:
        """What the build has of the sources of a jurisdiction."""
        return [
            state
            for state in self.store.manifest.sources
            if (source := self.find_source(state.source_type)) is not None
            and source.jurisdiction == jurisdiction
        ]

    @property
    def published(self) -> PublishedLaws:
        """Its laws by the pages of gazettes, read when they are first asked for."""
        if not self._published:
            self._published.append(PublishedLaws(self.store.statutes.values()))
        return self._published[0]

    @property
    def counted(self) -> frozenset[str]:
        """The names that several laws bear, each with a number behind it: ``LuftVGÄndG``."""
        if not self._counted:
            parted = (one.abbreviation.rpartition(" ") for one in self.store.statutes.values())
            self._counted.append(frozenset(name for name, _, last in parted if last.isdigit()))
        return self._counted[0]

    def close(self) -> None:
        """Release all files and connections; nobody may be asking any more."""
        self.index.close()
        self.store.close()
