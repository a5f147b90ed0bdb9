"""The passage of a norm that matters to a question, in at most 300 characters."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from fundstelle.search.words.german import STOP_WORDS, find_words

_CUT = "…"
_READ = 100_000  # characters of a text that are looked at; annexes run to hundreds of thousands
_TELLING = 6  # characters of a stem that are found without the first
_PLACES = 40  # places of one word that are looked at
_COMPOUND = 8  # characters from which a word without a place may have parts ...
_PART = 5  # ... of at least so many
_WHOLE = 3  # what a whole word counts beside a part
_APART = 60  # places of one word closer than this are one
_WORDS = 10  # words of a question, the first
_LONGEST = 60  # characters of a word; what is longer is none
_SPELLINGS = 8  # of one word that are looked for
_LEAST = 200  # characters that any look costs, however short the text
_UMLAUTS = str.maketrans({"ä": "a", "ö": "o", "ü": "u"})
_SPELT = (
    (re.compile("ae"), "ä"),
    (re.compile("oe"), "ö"),
    (re.compile("(?<![aeq])ue"), "ü"),  # not in "neue", "Dauer", "Quelle"
    (re.compile("ss"), "ß"),
)
_stem = Stemmer.Stemmer("german", 4_096).stemWord


@dataclass(slots=True)
class Room:
    """How many characters may still be looked through for the snippets of one page.

    A page of ordinary hits needs a tenth of it. Where it is spent, a text shows its beginning.
    """

    left: int = 100_000_000

    @property
    def is_spent(self) -> bool:
        """Whether later texts were not looked through."""
        return self.left <= 0


def snippet(text: str, words: str, limit: int = 300, room: Room | None = None) -> str:
    """The part of *text* where most of the *words* stand close together, on one line.

    It begins and ends with a sentence or line where one is near; ``…`` marks what is cut off and
    counts towards *limit*. Words are matched by their stems, inside compounds too; of a long word
    that does not stand there its longest parts are. Without any match it is the beginning.
    """
    if len(text) <= limit:
        return text.replace("\n", " ")
    needles = _find_needles(words)
    first, last = _find_cluster(text, needles, limit * 2 // 3, room or Room())
    start = _find_start(text, first, max(0, last - limit * 5 // 6))
    opening = _CUT + " " if start else ""
    width = limit - len(opening)
    if len(text) - start <= width:
        return opening + text[start:].replace("\n", " ")
    end = _find_end(text, last, start, start + width - 2)
    return f"{opening}{text[start:end].replace(chr(10), ' ').rstrip()} {_CUT}"


def find_best_span(
    text: str, words: str, spans: Sequence[tuple[int, int]], room: Room | None = None
) -> tuple[int, int] | None:
    """Which of the *spans* of *text* holds most of the *words*, and how many others come near.

    *spans* are in order and do not overlap; near are those with at least half as many words.
    ``None`` if no span holds any.
    """
    room = room or Room()
    starts = [start for start, _ in spans]
    held: dict[int, set[int]] = {}
    for number, spellings in enumerate(_find_needles(words)):
        for needle in spellings:
            if room.is_spent:
                break
            room.left -= len(text) + _LEAST
            place = text.find(needle)
            while place >= 0:
                span = bisect_right(starts, place) - 1
                following = text.find(needle, place + 1)
                if span >= 0 and place < spans[span][1]:
                    held.setdefault(span, set()).add(number)
                    following = text.find(needle, spans[span][1])
                place = following
    if not held:
        return None
    best = max(held, key=lambda span: (len(held[span]), -span))
    near = sum(2 * len(found) >= len(held[best]) for found in held.values())
    return best, near - 1


def share_words(text: str, words: str) -> float:
    """How many of the telling *words* stand in *text*, by their stems and in compounds: 0 to 1."""
    needles = _find_needles(words)
    held = sum(any(spelling in text for spelling in spellings) for spellings in needles)
    return held / len(needles) if needles else 0.0


def count_telling(words: str) -> int:
    """How many telling words there are, each once, up to as many as are looked for."""
    return len(_find_needles(words))


@lru_cache(maxsize=256)
def _find_needles(words: str) -> tuple[tuple[str, ...], ...]:
    """For each word of a question the beginnings of words to look for, as a text writes them."""
    needles: list[tuple[str, ...]] = []
    for word in dict.fromkeys(find_words(words)):
        if word in STOP_WORDS or not 2 <= len(word) <= _LONGEST:
            continue
        if len(needles) == _WORDS:
            break
        stem = word[: len(_stem(word))]
        spellings = {stem}
        for digraph, letter in _SPELT:
            spellings |= {digraph.sub(letter, spelling) for spelling in spellings}
        spellings |= {spelling.translate(_UMLAUTS) for spelling in spellings}
        if len(stem) >= _TELLING:  # whatever the case of its first letter
            spellings = {spelling[1:] for spelling in spellings}
        else:
            spellings |= {spelling[0].upper() + spelling[1:] for spelling in spellings}
        own = stem[1:] if len(stem) >= _TELLING else stem
        ordered = sorted(spellings, key=lambda one: (one != own, one))
        needles.append(tuple(ordered[:_SPELLINGS]))
    return tuple(needles)


def _find_cluster(
    text: str, needles: tuple[tuple[str, ...], ...], width: int, room: Room
) -> tuple[int, int]:
    """Where the stretch of *width* begins and ends that holds most of the words; the first such."""
    found = [_find_word(text, spellings, room) for spellings in needles]
    places = sorted((place, word) for word, (_, held) in enumerate(found) for place in held)
    weights = [weight for weight, _ in found]
    best_gain, best = 0, (0, 0)
    left = gain = 0
    held = [0] * len(needles)
    for place, word in places:
        while place - places[left][0] > width:
            gone = places[left][1]
            held[gone] -= 1
            if not held[gone]:
                gain -= weights[gone]
            left += 1
        held[word] += 1
        if held[word] == 1:
            gain += weights[word]
            if gain > best_gain:
                best_gain, best = gain, (places[left][0], place)
    return best


def _find_word(text: str, spellings: tuple[str, ...], room: Room) -> tuple[int, list[int]]:
    """What a word counts, and its places, or those of its parts."""
    places = [place for needle in spellings for place in _list_places(text, needle, room)]
    if places:
        return _WHOLE, places
    long = [spelling for spelling in spellings if len(spelling) >= _COMPOUND]
    return 1, [place for spelling in long for place in _find_parts(text, spelling, room)]


def _list_places(text: str, needle: str, room: Room) -> list[int]:
    places: list[int] = []
    if room.left <= 0:
        return places
    place = text.find(needle, 0, _READ)
    while place >= 0 and len(places) < _PLACES:
        places.append(place)
        place = text.find(needle, place + _APART, _READ)
    room.left -= (place if place >= 0 else min(len(text), _READ)) + _LEAST
    return places


def _find_parts(text: str, spelling: str, room: Room) -> list[int]:
    """Where the longest beginning and end of a word stand: ``Klage`` of ``Klageschrift``.

    An end is a word's beginning there: ``Frist``, but not the one of all words in ``-ungen``.
    """
    beginning = _find_beginning(text, spelling, room)
    if not _list_places(text, spelling[1 - _PART :], room):  # what all ends end with
        return beginning
    ends = (
        _list_places(text, f" {word}", room)
        for size in range(len(spelling) - 1, _PART - 1, -1)
        for word in (spelling[-size:].capitalize(), spelling[-size:])
    )
    return [*beginning, *next(filter(None, ends), ())]


def _find_beginning(text: str, spelling: str, room: Room) -> list[int]:
    """Where the longest beginning stands; if one does, all shorter ones do."""
    low, high = _PART - 1, len(spelling) - 1  # the longest that is known to stand, and may stand
    places: list[int] = []
    while low < high:
        size = (low + high + 1) // 2
        found = _list_places(text, spelling[:size], room)
        if found:
            low, places = size, found
        else:
            high = size - 1
    return places


def _find_start(text: str, first: int, low: int) -> int:
    """The beginning of the sentence or line that holds *first*, not before *low*."""
    border = max(text.rfind("\n", low, first) + 1, _find_sentence_end(text, low, first))
    if border > 0:
        return border
    return text.rfind(" ", 0, low) + 1 if low else 0


def _find_end(text: str, last: int, start: int, end: int) -> int:
    """The end of the last sentence, line or at least word that fits before *end*."""
    low = max(last, start + (end - start) // 2)
    border = max(text.rfind("\n", low, end), _find_sentence_end(text, low, end))
    if border > 0:
        return border
    border = text.rfind(" ", low, end)
    return border if border > 0 else end


def _find_sentence_end(text: str, low: int, high: int) -> int:
    """Behind the blank of the last full stop that ends a sentence, not "Abs. 2"; 0 if none."""
    for _ in range(4):
        high = text.rfind(". ", low, high)
        if high < 0:
            return 0
        word = text[max(high - 3, 0) : high]
        if word.islower() and word.isalpha() and not text[high + 2 : high + 3].islower():
            return high + 2
    return 0
