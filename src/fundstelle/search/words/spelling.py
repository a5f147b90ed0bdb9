"""One slip of the finger: a word that stands nowhere, read as one that does.

Only a word of six letters and more is tried, only where neither it nor a part of it stands
anywhere, and only one slip is undone: a letter too many, too few, another, or two in the wrong
order. The first letter is taken as meant.
"""

import re
from collections.abc import Callable, Iterator

from fundstelle.search.words.german import STOP_WORDS, find_words

_SHORTEST, _LONGEST = 6, 30  # letters; a word of n has some 60 n neighbours
_MOST_TRIED = 3  # words of a text
_LETTERS = "abcdefghijklmnopqrstuvwxyzäöüß"


def mend(
    text: str, is_known: Callable[[str], bool], count: Callable[[str], int]
) -> tuple[str, dict[str, str]]:
    """A text without slips, and what was read for which word (both in lower case).

    Args:
        text: a question.
        is_known: whether a word, or a part of it, stands anywhere.
        count: how well a word is known that may have been meant; 0 if it is not to be taken.
    """
    tried, read = 0, dict[str, str]()
    for word in dict.fromkeys(find_words(text)):
        if not (_SHORTEST <= len(word) <= _LONGEST and word.isalpha()) or word in STOP_WORDS:
            continue
        if is_known(word):
            continue
        if tried == _MOST_TRIED:
            break
        tried += 1
        # Of two that are known as well: the longer has lost a letter, and an umlaut is no slip.
        best = min(iter_neighbours(word), key=lambda other: (-count(other), -len(other), other))
        if count(best):
            read[word] = best
    for word, meant in read.items():
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", meant, text, flags=re.IGNORECASE)
    return text, read


def iter_neighbours(word: str) -> Iterator[str]:
    """The words that are one slip away, some of them more than once; never the word itself."""
    for at in range(1, len(word)):
        before, letter, behind = word[:at], word[at], word[at + 1 :]
        yield before + behind
        if behind and behind[0] != letter:
            yield before + behind[0] + letter + behind[1:]
        yield from (before + other + behind for other in _LETTERS if other != letter)
    for at in range(1, len(word) + 1):
        yield from (word[:at] + other + word[at:] for other in _LETTERS)
