"""A question as the index reads it."""

from fundstelle.search.words.german import GermanAnalyzer, find_words

MAX_TERMS = 64  # more fit into 1,000 characters only if they are no question


def read_query(text: str, analyzer: GermanAnalyzer) -> tuple[str, ...]:
    """The terms of a query, each once, in its order; none if it has stop words alone."""
    terms = dict.fromkeys(term for word in find_words(text) for term in analyzer.analyse_word(word))
    return tuple(terms)[:MAX_TERMS]
