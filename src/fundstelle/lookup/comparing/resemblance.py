"""The place of a text most like a quote, and what differs there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from fundstelle.lookup.comparing.alignment import align
from fundstelle.lookup.comparing.differences import Difference, put_gravest_first
from fundstelle.lookup.comparing.folding import fold_word
from fundstelle.lookup.comparing.thousands import divides, join_told
from fundstelle.lookup.comparing.windows import find_windows
from fundstelle.lookup.comparing.words import Place, Words, read_quoted, read_words

MOST_DIFFERENCES = 50
MOST_BYTES = 4_096  # of all their words together, as UTF-8

_MOST_OF_IT = 0.9  # of the quote's words
_FAR_MORE = 0.1
_LONGEST = 60  # characters of a word that is shown; what is longer is shortened
_WORDS = 24  # of one side of a difference that are shown, half of them from its end
_LEFT_OUT = "[...]"
_SEVERAL = 2


@dataclass(frozen=True, slots=True)
class Resemblance:
    """The place most like a quote: its share of the quote's words, and what differs.

    ``left_out`` counts the differences beyond those that are told.
    """

    start: int
    end: int
    share: float
    differences: tuple[Difference, ...]
    left_out: int = 0


def find_resemblance(text: str, parts: Sequence[str]) -> Resemblance | None:
    """The place whose words agree best with those of the quote, in order; ``None`` without any.

    Where much of a quote of one part is missing there, it may go on behind words that it leaves
    out without a word.
    """
    quoted = [words for part in parts if (words := read_quoted(part))]
    stored = read_words(text)
    wanted = [list(map(fold_word, words)) for words in quoted]
    if not wanted:
        return None
    near = _compare(text, stored, quoted, wanted, find_windows(stored, wanted))
    if near is None or near.share >= _MOST_OF_IT or len(wanted) > 1:
        return near
    wide = _compare(text, stored, quoted, wanted, find_windows(stored, wanted, wide=True))
    return wide if wide is not None and wide.share >= near.share + _FAR_MORE else near


def _compare(
    text: str,
    stored: Words,
    quoted: Sequence[Sequence[str]],
    wanted: Sequence[Sequence[str]],
    windows: Sequence[tuple[int, int]],
) -> Resemblance | None:
    keys = [key for low, high in windows for key in stored.get_words(low, high)]
    places = [place for window in windows for place in stored.locate(text, *window)]
    pairs = align([key for words in wanted for key in words], keys)
    borders = list(accumulate(map(len, quoted)))
    return _describe([word for words in quoted for word in words], borders, places, pairs)


def _describe(
    quoted: Sequence[str],
    borders: Sequence[int],
    stored: Sequence[Place],
    pairs: Sequence[tuple[int, int]],
) -> Resemblance | None:
    if not pairs:
        return None
    words = sum(word[0].isalnum() for word in quoted) or len(quoted)
    agreeing = sum(quoted[i][0].isalnum() for i, _ in pairs)
    found = list(_iter_differences(quoted, borders, stored, pairs))
    told_apart = [each for each, is_spelling in found if not is_spelling]
    differences = put_gravest_first(told_apart or [each for each, _ in found])
    told = _limit(differences)
    start, end = stored[pairs[0][1]][1], stored[pairs[-1][1]][2]
    left_out = len(differences) - len(told)
    return Resemblance(start, end, agreeing / words, tuple(told), left_out)


def _iter_differences(
    quoted: Sequence[str],
    borders: Sequence[int],
    stored: Sequence[Place],
    pairs: Sequence[tuple[int, int]],
) -> Iterator[tuple[Difference, bool]]:
    """What stands between two pairs of equal words; ``borders`` are the ends of parts.

    With it whether that is but the spelling of a number.
    """
    ends = set(borders[:-1])
    i, j = -1, pairs[0][1] - 1
    for next_i, next_j in [*pairs, (len(quoted), pairs[-1][1] + 1)]:
        left, right = quoted[i + 1 : next_i], stored[j + 1 : next_j]
        if not left and next_i in ends:
            right = []  # the quote says itself that it leaves something out here
        if left or right:
            around = quoted[i : next_i + 1] if i >= 0 else ()
            words = [word for word, _, _ in right]
            is_spelling = _is_spelling(left, words, around)
            yield Difference(_join(left), _join(words)), is_spelling
        i, j = next_i, next_j


def _is_spelling(left: Sequence[str], right: Sequence[str], around: Sequence[str]) -> bool:
    """Whether nothing differs but how a number is divided: ``20.000``, ``20 000``, ``20000``."""
    if len(around) > 1 and len(left) < _SEVERAL and len(right) < _SEVERAL:
        return all(divides(sign, around[0], around[-1]) for sign in (*left, *right))
    return join_told(" ".join(left)) == join_told(" ".join(right))


def _join(words: Sequence[str]) -> str:
    if len(words) > _WORDS:
        words = [*words[: _WORDS // 2], _LEFT_OUT, *words[-_WORDS // 2 :]]
    return " ".join(
        word if len(word) <= _LONGEST else word[:_LONGEST] + _LEFT_OUT for word in words
    )


def _limit(differences: Sequence[Difference]) -> list[Difference]:
    """The first ones, as many as may be told."""
    room = MOST_BYTES
    told: list[Difference] = []
    for each in differences[:MOST_DIFFERENCES]:
        room -= len(each.quoted.encode()) + len(each.stored.encode())
        if room < 0:
            break
        told.append(each)
    return told
