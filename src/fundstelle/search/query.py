"""A question as the index reads it: terms, each with how much it counts."""

from collections.abc import Collection
from dataclasses import dataclass

from fundstelle.search.german import GermanAnalyzer, find_words

_MAX_TERMS = 64  # a query of 1,000 characters holds more only if it is no question


@dataclass(frozen=True, slots=True)
class Query:
    """What a query asks for.

    ``terms`` without repetition, in the order of the words. ``statutes`` are ids of laws that the
    query names and whose norms it therefore prefers; whoever knows the names of laws fills it.
    """

    terms: tuple[str, ...]
    statutes: tuple[str, ...] = ()


def read_query(text: str, analyzer: GermanAnalyzer, statutes: Collection[str] = ()) -> Query:
    """Read a query; one of stop words alone has no terms."""
    terms = dict.fromkeys(term for word in find_words(text) for term in analyzer.analyse_word(word))
    return Query(tuple(terms)[:_MAX_TERMS], tuple(statutes))
