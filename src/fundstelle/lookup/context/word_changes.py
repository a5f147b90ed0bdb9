"""What differs between two versions of an Absatz, word by word."""

import re
from collections import Counter
from dataclasses import dataclass

from fundstelle.lookup.comparing.alignment import align

MOST_WORD_CHANGES = 60  # beyond, an Absatz is another one and not a changed one

# A number is one word with its point or comma: 3,65.
_WORD = re.compile(r"\w++(?:(?:[-/]|(?<=\d)[.,](?=\d))\w++)*+|[^\w\s]")
_LONGEST = 3_000  # words of a side that are compared
_IN_COMMON = 0.3  # share of the words of the longer side below which it is another text
_SIGN = re.compile(r"[^\w\s]")


@dataclass(frozen=True, slots=True)
class WordChange:
    """Words of the older text against words of the newer one; one side may be empty.

    ``before_at`` and ``after_at`` are where they stand in the texts.
    """

    before: str
    after: str
    before_at: int = 0
    after_at: int = 0

    @property
    def kind(self) -> str:
        """What happened."""
        if not self.before:
            return "added"
        return "replaced" if self.after else "removed"


def count_words(text: str) -> Counter[str]:
    """The words of a text, without signs."""
    return Counter(word for word in _WORD.findall(text) if not _SIGN.fullmatch(word))


def compare_words(before: str, after: str) -> tuple[WordChange, ...]:
    """The words that differ, in the order of the text, each as written and whole.

    None where the texts have little in common, or differ in more places than help to read them.
    """
    older, newer = list(_WORD.finditer(before)), list(_WORD.finditer(after))
    one, other = [word[0] for word in older], [word[0] for word in newer]
    if max(len(one), len(other)) > _LONGEST:
        return ()
    pairs = align(one, other)
    shared = sum(not _SIGN.fullmatch(one[at]) for at, _ in pairs)
    most = max(sum(not _SIGN.fullmatch(word) for word in side) for side in (one, other))
    if shared < _IN_COMMON * most:
        return ()
    changes = []
    i = j = 0
    for next_i, next_j in [*pairs, (len(older), len(newer))]:
        if next_i > i or next_j > j:
            gone = before[older[i].start() : older[next_i - 1].end()] if next_i > i else ""
            come = after[newer[j].start() : newer[next_j - 1].end()] if next_j > j else ""
            gone_at = older[i].start() if gone else 0
            changes.append(WordChange(gone, come, gone_at, newer[j].start() if come else 0))
        i, j = next_i + 1, next_j + 1
    return tuple(changes) if len(changes) <= MOST_WORD_CHANGES else ()
