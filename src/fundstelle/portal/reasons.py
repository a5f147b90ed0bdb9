"""What assistants are told in English of a miss, or beside a text, in the language of a page.

The lookup has one wording. ``texts/reasons.tsv`` and ``texts/warnings.tsv`` have each of its
sentences in both languages with what is put in; the English one is recognised by its fixed words.
One that is not stays English.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import islice

from babel.dates import format_date

from fundstelle.portal.frame.texts import load_texts

_ENGLISH = "en"
_LONGEST = 2_000  # characters of a sentence that is looked at
_DEEPEST = 3  # sentences within one another
_MOST_ENDS = 12  # of sentences, that are tried
_PLACE = re.compile(r"\{(\w+)\}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SAID = "said"  # the place of what stands in the table itself ...
_DOUBTS, _BETWEEN = "doubts", "; "  # ... and of several such, as a list
_WARNINGS, _PARTS = ("warning.",), ("doubt.",)
_SENTENCES = ("reason.", "why.", *_WARNINGS)


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence and the language that it is in."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A sentence of the table: its fixed words, one more than places, and the names of these."""

    key: str
    words: tuple[str, ...]
    places: tuple[str, ...]

    def read(self, sentence: str) -> Mapping[str, str] | None:
        """What is put in; ``None`` if it is another sentence. Each place ends where it can."""
        if not self.places:
            return {} if sentence == self.words[0] else None
        first, *middle, last = self.words
        end = len(sentence) - len(last)
        if not sentence.startswith(first) or not sentence.endswith(last) or end <= len(first):
            return None
        values, start = [], len(first)
        for words in middle:
            at = sentence.find(words, start + 1, end)
            if at < 0:
                return None
            values.append(sentence[start:at])
            start = at + len(words)
        values.append(sentence[start:end])
        return dict(zip(self.places, values, strict=True)) if all(values) else None


def tell(sentence: str, language: str) -> Told:
    """A reason, or why something is suggested, in a language; in English if it is not known."""
    found = None if language == _ENGLISH else _translate(sentence, language, _DEEPEST)
    return Told(sentence, _ENGLISH) if found is None else Told(found, language)


def recognise(warning: str) -> str:
    """The key of a warning in its table; "" where it is none of it."""
    found = (one.key for one in _load_patterns(_WARNINGS) if one.read(warning) is not None)
    return next(found, "")


def write_days(sentence: str, write: Callable[[date], str]) -> str:
    """A sentence with its days as readers write them."""

    def write_day(found: re.Match[str]) -> str:
        try:
            return write(date.fromisoformat(found[0]))
        except ValueError:
            return found[0]

    return _DAY.sub(write_day, sentence)


def _translate(sentence: str, language: str, depth: int) -> str | None:
    if len(sentence) > _LONGEST or not depth:
        return None
    if (both := _translate_both(sentence, language, depth)) is not None:
        return both
    for pattern in _load_patterns(_SENTENCES):
        values = pattern.read(sentence)
        if values is None:
            continue
        shown = {name: _show_days(value, language) for name, value in values.items()}
        if _SAID in values:
            within = _translate_part(values[_SAID], language, depth - 1)
            if within is None:
                continue
            shown[_SAID] = within
        if _DOUBTS in values:
            doubts = _translate_doubts(values[_DOUBTS], language)
            if doubts is None:
                continue
            shown[_DOUBTS] = doubts
        return load_texts()[language][pattern.key].format_map(shown)
    alone = _translate_doubts(sentence.removesuffix("."), language)
    return None if alone is None else f"{alone[0].upper()}{alone[1:]}."


def _translate_doubts(doubts: str, language: str) -> str | None:
    told = [_translate_doubt(one, language) for one in doubts.split(_BETWEEN)]
    return None if None in told else _BETWEEN.join(filter(None, told))


def _translate_doubt(doubt: str, language: str) -> str | None:
    for pattern in _load_patterns(_PARTS):
        values = pattern.read(doubt)
        if values is not None:
            shown = {name: _show_days(value, language) for name, value in values.items()}
            return load_texts()[language][pattern.key].format_map(shown)
    return None


def _translate_part(part: str, language: str, depth: int) -> str | None:
    """What stands within a sentence, with or without the full stop that it has alone."""
    whole = _translate(part, language, depth)
    if whole is None and (whole := _translate(f"{part}.", language, depth)) is not None:
        whole = whole.removesuffix(".")
    return whole


def _translate_both(sentences: str, language: str, depth: int) -> str | None:
    """Two sentences of the table, one behind the other."""
    ends = islice(re.finditer(r"\. (?=\S)", sentences), _MOST_ENDS)
    for end in ends:
        first = _translate(sentences[: end.start() + 1], language, depth - 1)
        second = first and _translate(sentences[end.end() :], language, depth - 1)
        if first and second:
            return f"{first} {second}"
    return None


def _show_days(value: str, language: str) -> str:
    return write_days(value, lambda day: format_date(day, "medium", language))


@cache
def _load_patterns(kinds: tuple[str, ...]) -> tuple[_Pattern, ...]:
    """In the order in which they are tried, so that none is taken for a part of another.

    Those that hold others come first, then those with the most fixed words.
    """

    def rank(one: _Pattern) -> tuple[bool, int]:
        return _SAID not in one.places, -sum(map(len, one.words))

    return tuple(sorted(_iter_patterns(kinds), key=rank))


def _iter_patterns(kinds: tuple[str, ...]) -> Iterator[_Pattern]:
    for key, english in load_texts()[_ENGLISH].items():
        if key.startswith(kinds):
            parts = _PLACE.split(english)
            yield _Pattern(key, tuple(parts[::2]), tuple(parts[1::2]))
