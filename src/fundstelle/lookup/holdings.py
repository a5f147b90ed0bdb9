"""How much the corpus holds under each value of the filters: what it lacks is not offered."""

from collections import Counter
from collections.abc import Mapping

from fundstelle.lookup.library import Library

Holdings = Mapping[str, Counter[str]]
"""Documents by filter and value."""


def count_holdings(library: Library) -> Holdings:
    """Laws and decisions under each value of a filter."""
    statutes = library.store.statutes.values()
    decisions = library.decisions.count_by_source()
    courts = library.decisions.count_by_court()
    of_decisions = library.decisions.count_by_jurisdiction()
    return {
        "source_type": Counter(one.source_type for one in statutes) + Counter(decisions),
        "jurisdiction": Counter(one.jurisdiction for one in statutes) + Counter(of_decisions),
        "document_kind": Counter(one.document_kind for one in statutes)
        + Counter({"decision": sum(decisions.values())}),
        "court": Counter({court: sum(years.values()) for court, years in courts.items()}),
        "decision_type": Counter(library.decisions.count_by_type()),
        "language": Counter(one.language for one in statutes),
    }
