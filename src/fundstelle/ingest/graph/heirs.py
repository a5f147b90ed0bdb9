"""What took the place of a provision, by the words: it goes on the day another one comes.

A provision of which no text is held from some look on, and another one that the same look shows
first, are one if most of its words stand there: of its runs of four words at least ``_LEAST``.
Measured by reading all 83 of five years of federal law: none is wrong; between .45 and .6 six of
thirty would be (a part only, or the sentence on fines that many laws have).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date

from fundstelle.corpus.ingestion import DatedText, HeirRow, WholeStore

_WORD = re.compile(r"\w+")
_RUN = 4  # words
_LEAST = 0.6  # of its runs
_MOST_BEARERS = 20  # of one run; what more provisions of a day have tells nothing
_MOST_RUNS = 4_000  # of one provision; the longest annexes have more


def list_heirs(store: WholeStore) -> list[HeirRow]:
    """The heirs of all provisions of a build."""
    return list(find_heirs(store.iter_ended(), store.iter_begun()))


def find_heirs(ended: Iterable[DatedText], begun: Iterable[DatedText]) -> Iterator[HeirRow]:
    """For each text that went the one that took its place on that day, where there is one."""
    bearers: dict[date, dict[tuple[str, ...], list[int]]] = defaultdict(lambda: defaultdict(list))
    for key, day, text in begun:
        for run in _list_runs(text):
            bearers[day][run].append(key)
    for key, day, text in ended:
        if day not in bearers:
            continue
        runs = _list_runs(text)
        counts: Counter[int] = Counter()
        for run in runs:
            named = bearers[day].get(run, ())
            if len(named) <= _MOST_BEARERS:
                counts.update(named)
        best = max(counts.items(), key=lambda pair: (pair[1], -pair[0]), default=(0, 0))
        if runs and best[1] >= _LEAST * len(runs):
            yield key, best[0], int(100 * best[1] / len(runs))


def _list_runs(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    starts = range(min(len(words) - _RUN + 1, _MOST_RUNS))
    return {tuple(words[at : at + _RUN]) for at in starts}
