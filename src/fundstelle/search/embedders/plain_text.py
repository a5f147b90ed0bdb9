"""Texts as any model can take them."""

MOST_QUESTION_CHARS = 2_000
"""More than the search lets through; a bound for whoever else asks."""
MOST_PASSAGE_CHARS = 8_000
"""About 2,000 tokens; what stands behind them says little more of what a norm is about."""


def to_plain(text: str, most_chars: int) -> str:
    """The beginning of *text*, without what cannot be sent or ends a text in C.

    Zero characters become spaces and lone surrogates question marks.
    """
    return text[:most_chars].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
