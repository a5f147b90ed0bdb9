"""The words of a question, marked where they stand in what was found."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import Stemmer

from fundstelle.search.words.german import STOP_WORDS

_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 20  # of a question, the first
_SHORTEST = 4  # characters of a stem that is looked for inside longer words
_OF_COMPOUND = 6  # characters of a word that begins a longer one of the question
_PLAIN = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})  # as stems are spelt
_stem = Stemmer.Stemmer("german").stemWord


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of a text; ``is_found``: the question has them."""

    text: str
    is_found: bool


def mark_words(text: str, question: str) -> list[Piece]:
    """A text in pieces, the words of the question apart from the others.

    Words are compared by their stems, which may begin longer words (``Kündigung`` in
    ``Kündigungsschutz``) and must be whole where they are short; a long word that begins one of the
    question is marked too.
    """
    stems = frozenset(_list_stems(question))
    return list(_join(_cut(text, stems))) if stems else [Piece(text, is_found=False)]


def _list_stems(question: str) -> Iterator[str]:
    for word in _WORD.findall(question)[:_MOST_WORDS]:
        lower = word.lower()
        if lower not in STOP_WORDS and (len(lower) > 1 or lower.isdigit()):
            yield _stem(lower)


def _cut(text: str, stems: frozenset[str]) -> Iterator[Piece]:
    at = 0
    for word in _WORD.finditer(text):
        if word.start() > at:
            yield Piece(text[at : word.start()], is_found=False)
        yield Piece(word[0], is_found=_is_meant(word[0], stems))
        at = word.end()
    if at < len(text):
        yield Piece(text[at:], is_found=False)


def _is_meant(word: str, stems: frozenset[str]) -> bool:
    lower = word.lower()
    plain = lower.translate(_PLAIN)
    if plain in stems or _stem(lower) in stems:
        return True
    if len(plain) >= _OF_COMPOUND and any(stem.startswith(plain) for stem in stems):
        return True
    return any(len(stem) >= _SHORTEST and plain.startswith(stem) for stem in stems)


def _join(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Neighbours of the same kind in one."""
    text, is_found = "", False
    for piece in pieces:
        if text and piece.is_found is not is_found:
            yield Piece(text, is_found)
            text = ""
        text, is_found = text + piece.text, piece.is_found
    if text:
        yield Piece(text, is_found)
