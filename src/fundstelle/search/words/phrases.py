"""English terms in an English text, and the German ones that a table has for them.

Of terms that overlap the longest counts ("notice period", not "notice"). A term is found as it is
written, in the singular, or by the stems of its words; articles may stand between them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_APOSTROPHES = str.maketrans("’‘`´", "''''")
_THE = "a an the my your his her its our their"
ARTICLES = frozenset(_THE.split())
_IRREGULAR = {
    "children": "child",
    "halves": "half",
    "knives": "knife",
    "men": "man",
    "thieves": "thief",
    "wives": "wife",
    "women": "woman",
    "buses": "bus",
    "businesses": "business",
    "gases": "gas",
}


@dataclass(frozen=True, slots=True)
class Match:
    """A term of a table in a text."""

    places: range  # of its words in the text
    words: tuple[str, ...]
    german: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """English terms by their words without articles, as written and by stems."""

    exact: dict[tuple[str, ...], tuple[str, ...]]
    folded: dict[tuple[str, ...], tuple[str, ...]]
    longest: dict[str, int]  # by stem of the first word the words of the longest such term

    @classmethod
    def build(cls, pairs: Iterable[tuple[str, tuple[str, ...]]]) -> Self:
        """Of English terms and the German ones for each; of equal ones the first counts."""
        exact: dict[tuple[str, ...], tuple[str, ...]] = {}
        folded: dict[tuple[str, ...], tuple[str, ...]] = {}
        for english, terms in pairs:
            key = tuple(word for word in split(english) if word not in ARTICLES)
            exact.setdefault(key, terms)
            folded.setdefault(tuple(_stem(word) for word in key), terms)
        longest: dict[str, int] = {}
        for key in folded:
            longest[key[0]] = max(len(key), longest.get(key[0], 0))
        return cls(exact, folded, longest)

    def find_all(self, words: list[str]) -> Iterator[Match]:
        """The terms among the words of a text, in its order."""
        kept = _Words(words)
        at, count = 0, len(kept.places)
        while at < count:
            for length in range(min(self.longest.get(kept.stems[at], 0), count - at), 0, -1):
                german = kept.find(self, at, at + length)
                if german:
                    places = range(kept.places[at], kept.places[at + length - 1] + 1)
                    yield Match(places, tuple(kept.written[at : at + length]), german)
                    at += length
                    break
            else:
                at += 1


class _Words:
    """The words of a text without articles, each folded once."""

    def __init__(self, words: Sequence[str]) -> None:
        self.places = [place for place, word in enumerate(words) if word not in ARTICLES]
        self.written = [words[place] for place in self.places]
        self.singular = [_singular(word) for word in self.written]
        self.stems = [_stem(word) for word in self.written]

    def find(self, table: Phrases, start: int, end: int) -> tuple[str, ...]:
        """The German terms of some words: as written, in the singular, or by their stems."""
        for key in (tuple(self.written[start:end]), tuple(self.singular[start:end])):
            if key in table.exact:
                return table.exact[key]
        return table.folded.get(tuple(self.stems[start:end]), ())


def split(text: str) -> list[str]:
    """The words in lower case; hyphens divide, a possessive loses its ending."""
    text = text.translate(_APOSTROPHES).lower()
    return [word.removesuffix("'s") for word in _WORD.findall(text)]


def _singular(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word.removesuffix("s")


def _stem(word: str) -> str:
    """Without plural, -ing and -ed, a doubled consonant before them, and a last e."""
    word = _singular(word)
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) > 2 and not base.endswith("e"):
            doubled = base[-1] == base[-2] and base[-1] not in "aeiousl"
            word = base[:-1] if doubled else base
            break
    return word.removesuffix("e") if len(word) > 3 else word
