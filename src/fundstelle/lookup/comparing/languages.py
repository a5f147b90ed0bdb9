"""In which language words are quoted: of a text that is held in two, the one to compare."""

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W\d_]+")
_READ = 400  # characters of a quote that tell its language
_ENGLISH = frozenset(
    (
        *("the", "of", "and", "to", "shall", "any", "which", "such", "that", "with", "for", "by"),
        *("be", "is", "are", "or", "not", "this", "where", "other", "from", "its", "may", "has"),
    )
)
_GERMAN = frozenset(
    (
        *("der", "die", "das", "des", "dem", "den", "und", "oder", "ein", "eine", "einer", "ist"),
        *("sind", "nicht", "zu", "von", "mit", "für", "auf", "sich", "im", "wird", "werden"),
    )
)
_FEWEST = 2  # words of a language that tell it


def choose_language(asked: str, quotes: Sequence[str]) -> str:
    """The language that every quote is in, else what was asked for: German, if nothing was said.

    In the other one no word of them would be found.
    """
    told = {_tell(quote) for quote in quotes if quote}
    return (told.pop() if len(told) == 1 else None) or asked


def _tell(quote: str) -> str | None:
    words = [word.casefold() for word in _WORD.findall(quote[:_READ])]
    english = sum(word in _ENGLISH for word in words)
    german = sum(word in _GERMAN for word in words)
    if max(english, german) < _FEWEST or english == german:
        return None
    return "en" if english > german else "de"
