"""From the decisions of a build to its learned ranking.

Every sentence that cites norms is read without its citations. The sentences go beside the search
index, which learns from them what a norm is asked for with. Sentences of labelled collections,
which belong to no decision held, are read alike (``ingest.ranking.labelled``).
"""

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from fundstelle.corpus.ingestion import CitedNorm, WholeStore
from fundstelle.errors import SourceError
from fundstelle.ingest.ranking.labelled import iter_cited
from fundstelle.search.index import CitingSentence, SearchEngine
from fundstelle.search.ranking.training import list_runs
from fundstelle.search.words.german import find_words

_RUN = 8  # words that a guarded text and a sentence must not share
_OF_CITATIONS = frozenset(  # "§ 3 Abs. 1 Satz 2 i. V. m. ..."
    {"abs", "alt", "art", "bzw", "des", "der", "f", "ff", "halbs", "i", "ivm", "m", "nr", "rn", "s"}
    | {"satz", "v"}
)
_FEWEST_WORDS = 6
_LONGEST = 1_500  # characters
_SAME = 12  # first words that make two sentences one
_PER_NORM = 30  # sentences; more say the same again

Runs = frozenset[tuple[str, ...]]
"""Runs of words of a guard."""
Wanting = Callable[[Iterable[int]], bool]
"""Whether a sentence that cites these norms is of use."""
Told = Callable[[int], None]

_get_citing = attrgetter("citing")


def learn_ranking(
    engine: SearchEngine,
    index: Path,
    sentences: Iterable[CitingSentence],
    same: Path | None = None,
) -> str:
    """Let the finished index learn from sentences; says in one line what came of it.

    ``same`` is an index that has learnt from the same ones.
    """
    learnt = list(sentences)
    told = engine.learn(learnt, index, same)
    added = Counter(sentence.collection for sentence in learnt if sentence.collection)
    return "; ".join([told, *(f"{count:,} of them from {name}" for name, count in added.items())])


def read_guard(files: Iterable[Path]) -> Runs:
    """The runs of words of all queries in some files, a JSON object with ``query`` a line.

    Raises:
        SourceError: a file cannot be read or is none of that form.
    """
    runs: set[tuple[str, ...]] = set()
    for file in files:
        try:
            with (gzip.open if file.suffix == ".gz" else open)(file, "rt", encoding="utf-8") as f:
                for line in filter(str.strip, f):
                    runs |= list_guarded(json.loads(line)["query"])
        except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
            raise SourceError(
                f"{file} is no guard: it needs one JSON object with a query on each line ({error})"
            ) from error
    return frozenset(runs)


def list_guarded(text: str) -> Runs:
    """The runs of words that a guarded text and a sentence must not share.

    Words are taken whatever stands between them, since a guard may be spaced otherwise; then once
    more without numbers and what else citations are made of, since it may be cut otherwise.
    """
    words = (word for word in find_words(text) if word[0].isalpha() and word not in _OF_CITATIONS)
    return list_runs(text, _RUN) | list_runs(" ".join(words), _RUN)


def iter_sentences(
    store: WholeStore, guard: Runs, wants: Wanting | None = None, done: Told = lambda _: None
) -> Iterator[CitingSentence]:
    """The sentences of decisions that cite norms, without those that share words with the guard.

    What ``wants`` says no to is not even read, and most of them are: words take most of the time.
    ``done`` is told how many decisions were gone through.
    """
    decisions, told = store.decisions, 0
    total = decisions.count()
    for number, found in groupby(decisions.iter_cited_norms(0, total), key=_get_citing):
        by_sentence: dict[tuple[int, int], list[CitedNorm]] = defaultdict(list)
        for citing in found:
            by_sentence[citing.sentence].append(citing)
        text = ""
        for (start, end), citings in by_sentence.items():
            norms = {citing.ordinal for citing in citings if citing.ordinal is not None}
            if not norms or (wants is not None and not wants(norms)):
                continue
            text = text or decisions.list_words(number, number)[number]
            spans = [(citing.start - start, citing.end - start) for citing in citings]
            cut = _cut(text[start:end], spans, guard)
            if cut is not None:
                yield CitingSentence(number, cut, tuple(sorted(norms)))
        done(number + 1 - told)
        told = number + 1
    done(total - told)


def iter_labelled(store: WholeStore, database: Path, guard: Runs) -> Iterator[CitingSentence]:
    """The same of the labelled sentences beside it; their sources follow those of decisions."""
    first = store.decisions.count()
    for found in iter_cited(database, store):
        sentence = found.sentence
        cut = _cut(sentence.text, found.spans, guard)
        if cut is not None:
            yield CitingSentence(first + sentence.source, cut, found.cited, sentence.collection)


def _cut(text: str, spans: Iterable[tuple[int, int]], guard: Runs) -> str | None:
    """A sentence without its citations; ``None`` if it says too little, too much or is guarded."""
    cut = cut_citations(text, spans)
    if len(cut) > _LONGEST or len(find_words(cut)) < _FEWEST_WORDS:
        return None
    if not guard:
        return cut
    return cut if guard.isdisjoint(list_guarded(text) | list_guarded(cut)) else None


def cut_citations(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """A sentence without its citations, blanks made one."""
    parts, at = [], 0
    for first, last in sorted(set(spans)):
        if first >= at:
            parts.append(text[at:first])
            at = last
    parts.append(text[at:])
    return " ".join(" ".join(parts).split())


class Selection:
    """Takes each sentence once, and no more that cite only what many cite."""

    def __init__(self) -> None:
        self.chosen: list[CitingSentence] = []
        self._seen: set[tuple[str, ...]] = set()
        self._held: Counter[int] = Counter()

    def wants(self, cited: Iterable[int]) -> bool:
        """Whether one that cites these norms may be taken."""
        return min(self._held[one] for one in cited) < _PER_NORM

    def offer(self, sentence: CitingSentence) -> None:
        """Take it, or not."""
        if not self.wants(sentence.cited):
            return
        beginning = tuple(find_words(sentence.text)[:_SAME])
        if beginning in self._seen:
            return
        self._seen.add(beginning)
        self._held.update(sentence.cited)
        self.chosen.append(sentence)


def select(sentences: Iterable[CitingSentence]) -> list[CitingSentence]:
    """Each sentence once, and no more that cite only what many cite."""
    selection = Selection()
    for sentence in sentences:
        selection.offer(sentence)
    return selection.chosen
