"""The library of a key that reaches no court decisions.

It holds none, so that no way through the tools leads to one, and what is withheld is asked for how
many there are alone. That the key is why there is no answer is said by the form of a reference: of
a decision that is held and of one that is not, the same.
"""

from dataclasses import replace

from fundstelle.corpus.decisions import NoDecisions
from fundstelle.law.citations import EuCitation, GazetteCitation, NormCitation, Target
from fundstelle.lookup.answers import WITHHELD, Miss, Resolution
from fundstelle.lookup.library import Library
from fundstelle.lookup.reading.decision_forms import may_be_decision
from fundstelle.search.index import SearchIndex, SearchRequest, SearchResult

KEY_REACHES_NONE = "This key reaches no court decisions; ask its owner."
"""Said wherever a decision might have stood."""


def withhold_decisions(library: Library) -> Library:
    """The same build without its decisions; it is closed with the library that is given."""
    held = library.decisions
    index = _LawsAlone(library.index, held.base) if held.count() else library.index
    return replace(library, decisions=NoDecisions(), index=index, withheld=held)


def is_withheld(library: Library, resolution: Resolution) -> bool:
    """Whether a reference that led to no law has the form of one to a decision, held or not."""
    if library.withheld is None:
        return False
    missed = [each for each in resolution.outcomes if isinstance(each, Miss)]
    if len(missed) < len(resolution.outcomes) or any(each.about for each in missed):
        return False
    if any(map(_is_of_law, resolution.targets)):
        return False
    return may_be_decision(resolution.written)


def _is_of_law(target: Target) -> bool:
    if isinstance(target, NormCitation):
        return target.law is not None
    return isinstance(target, EuCitation | GazetteCitation)


def miss_withheld(written: str) -> Miss:
    """A decision that may be held or not: this key is told of neither."""
    return Miss(
        written,
        WITHHELD,
        f"{KEY_REACHES_NONE} Whether the decision is held is not said.",
        "Consult the court's own collection, or ask with a key that is for decisions, too.",
    )


def tell_withheld(library: Library) -> list[str]:
    """The sentence for answers in which decisions might have stood; nothing for other keys."""
    return [] if library.withheld is None else [KEY_REACHES_NONE]


class _LawsAlone:
    """An index in which only laws are found.

    Told by their ordinals, not by their kind: acts of the Union are called decisions, too.
    """

    def __init__(self, index: SearchIndex, base: int) -> None:
        self._index = index
        self._base = base

    def search(self, request: SearchRequest) -> SearchResult:
        """As the index, among laws."""
        if not self._base:
            return SearchResult((), 0)
        return self._index.search(replace(request, below=self._base))

    def close(self) -> None:
        """Nothing: the index belongs to the library with decisions."""
