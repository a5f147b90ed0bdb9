"""Which source's text of a law stands where two have it (ADR 0028).

Federal law is held from the source that has its history by looks; another source of the same
jurisdiction gives the laws that this one lacks. What is left out for it is said, law by law to the
log and in number to whoever asks what is held.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from fundstelle.citations.text.folding import fold_abbreviation
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import SourceState
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.records import ParsedAct
from fundstelle.ingest.sources.registry import FEDERAL_LAW, list_sources_of

_GAP = f"laws that {FEDERAL_LAW.name} has, too, are given from there alone: "


@dataclass(slots=True)
class Precedence:
    """What a build holds of federal law, by the abbreviations that lawyers use."""

    held: frozenset[str]
    left_out: Counter[str] = field(default_factory=Counter)  # by source type

    @classmethod
    def over(cls, abbreviations: Iterable[str]) -> "Precedence":
        """The laws of these abbreviations come first."""
        return cls(frozenset(map(fold_abbreviation, abbreviations)))

    def select(self, acts: Iterable[ParsedAct], progress: Progress) -> Iterator[ParsedAct]:
        """The acts that no law which comes first goes by the name of."""
        for act in acts:
            statute = act.statute
            is_rival = (
                statute.jurisdiction == FEDERAL_LAW.jurisdiction
                and statute.source_type != FEDERAL_LAW.source_type
            )
            names = (
                statute.abbreviation,
                statute.abbreviation_official,
                *statute.abbreviations_juris,
            )
            if is_rival and any(fold_abbreviation(name) in self.held for name in names if name):
                self.left_out[statute.source_type] += 1
                progress.note(
                    f"{statute.abbreviation} ({statute.publisher_id}) is held from"
                    f" {FEDERAL_LAW.name}, whose text stays"
                )
            else:
                yield act

    def describe(self, states: Iterable[SourceState], store: WholeStore) -> list[SourceState]:
        """The states of the sources, with what was left out; ``store`` is what was built."""
        states = list(states)
        if not self.left_out:
            return states
        counts = count_documents(store)
        return [
            replace(
                state,
                items=counts[state.source_type],
                known_gaps=(
                    *(gap for gap in state.known_gaps if not gap.startswith(_GAP)),
                    f"{_GAP}{self.left_out[state.source_type]:,}",
                ),
            )
            if self.left_out[state.source_type]
            else state
            for state in states
        ]


def count_documents(store: WholeStore) -> Counter[str]:
    """How many documents a build holds of each source; a decision of several counts for each."""
    counts = Counter(statute.source_type for statute in store.statutes.values())
    for decision in store.decisions.iter_all():
        counts.update(list_sources_of(decision))
    return counts
