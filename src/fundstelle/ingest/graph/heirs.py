"""What took the place of a provision, by the words: it goes on the day another one comes.

A provision of which no text is held from some look on, and another one that the same look shows
first, are one if most of its words stand there: of its runs of four words at least ``_LEAST``.
Measured by reading all 76 of five years of federal law: none is wrong; between .45 and .6 six of
thirty would be (a part only, or the sentence on fines that many laws have).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby, islice

from fundstelle.corpus.ingestion import DatedText, HeirRow, WholeStore

_WORD = re.compile(r"\w+")
_RUN = 4  # words
_LEAST = 0.6  # of its runs
_MOST_BEARERS = 20  # of one run; what more provisions of a day have tells nothing
_MOST_RUNS = 4_000  # of one provision; the longest annexes have more
_BITS = 24  # more words than this counts has no day


def list_heirs(store: WholeStore) -> list[HeirRow]:
    """The heirs of all provisions of a build."""
    return list(find_heirs(store.iter_ended(), store.iter_begun()))


def find_heirs(ended: Iterable[DatedText], begun: Iterable[DatedText]) -> Iterator[HeirRow]:
    """For each text that went the one that took its place on that day, where there is one.

    ``begun`` comes in the order of its days, of which one is held at a time.
    """
    gone: dict[date, list[tuple[int, str]]] = defaultdict(list)
    for key, day, text in ended:
        gone[day].append((key, text))
    for day, texts in groupby(begun, key=lambda text: text[1]):
        if day in gone:
            yield from _match(gone[day], ((key, text) for key, _, text in texts))


def _match(ended: Iterable[tuple[int, str]], begun: Iterable[tuple[int, str]]) -> Iterator[HeirRow]:
    known: dict[str, int] = {}
    bearers: dict[int, list[int]] = defaultdict(list)
    for key, text in begun:
        for run in _list_runs(text, known):
            bearers[run].append(key)
    for key, text in ended:
        runs = _list_runs(text, known)
        counts: Counter[int] = Counter()
        for run in runs:
            named = bearers.get(run, ())
            if len(named) <= _MOST_BEARERS:
                counts.update(named)
        best = max(counts.items(), key=lambda pair: (pair[1], -pair[0]), default=(0, 0))
        if runs and best[1] >= _LEAST * len(runs):
            yield key, best[0], int(100 * best[1] / len(runs))


def _list_runs(text: str, known: dict[str, int]) -> set[int]:
    """The runs of words of a text, each as one number; ``known`` numbers the words."""
    words = islice(_WORD.finditer(text.lower()), _MOST_RUNS)
    numbers = [known.setdefault(word[0], len(known)) for word in words]
    runs = set()
    for at in range(len(numbers) - _RUN + 1):
        one, two, three, four = numbers[at : at + _RUN]
        runs.add(((one << _BITS | two) << _BITS | three) << _BITS | four)
    return runs
