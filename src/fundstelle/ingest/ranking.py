"""From the decisions of a build to its learned ranking.

Every sentence that cites norms is read without its citations. The sentences go beside the search
index, which learns from them what a norm is asked for with.
"""

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from fundstelle.corpus.decisions import CitedKind, Citing
from fundstelle.corpus.sqlite import SqliteCorpusStore, SqliteDecisions
from fundstelle.errors import SourceError
from fundstelle.search.german import find_words
from fundstelle.search.index import CitingSentence, SearchEngine
from fundstelle.search.training import list_runs

_RUN = 8  # words that a guarded text and a sentence must not share
_FEWEST_WORDS = 6
_LONGEST = 1_500  # characters
_SAME = 12  # first words that make two sentences one
_PER_NORM = 30  # sentences; more say the same again

_Runs = frozenset[tuple[str, ...]]


def learn_ranking(
    engine: SearchEngine, database: Path, index: Path, guard: Sequence[Path] = ()
) -> str:
    """Let the finished index learn from the stored decisions; says in one line what came of it."""
    store = SqliteCorpusStore(database, immutable=False)
    try:
        sentences = select(iter_sentences(store, read_guard(guard)))
    finally:
        store.close()
    return engine.learn(sentences, index)


def read_guard(files: Iterable[Path]) -> _Runs:
    """The runs of words of all queries in some files, a JSON object with ``query`` a line.

    Raises:
        SourceError: a file cannot be read or is none of that form.
    """
    runs: set[tuple[str, ...]] = set()
    for file in files:
        try:
            with (gzip.open if file.suffix == ".gz" else open)(file, "rt", encoding="utf-8") as f:
                for line in filter(str.strip, f):
                    runs |= list_runs(json.loads(line)["query"], _RUN)
        except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
            raise SourceError(
                f"{file} is no guard: it needs one JSON object with a query on each line ({error})"
            ) from error
    return frozenset(runs)


def iter_sentences(store: SqliteCorpusStore, guard: _Runs) -> Iterator[CitingSentence]:
    """The sentences that cite norms, without those that share a run of words with the guard."""
    decisions = SqliteDecisions(store)
    for number, decision, text in decisions.iter_texts(0, decisions.count()):
        by_sentence: dict[tuple[int, int], list[Citing]] = defaultdict(list)
        for citing in decisions.list_citations(decision.decision_id):
            by_sentence[citing.sentence].append(citing)
        for (start, end), citings in by_sentence.items():
            cited = _list_cited(store, citings)
            if not cited:
                continue
            cut = cut_citations(text.text, start, end, citings)
            if len(cut) > _LONGEST or len(find_words(cut)) < _FEWEST_WORDS:
                continue
            if guard.isdisjoint(list_runs(text.text[start:end], _RUN) | list_runs(cut, _RUN)):
                yield CitingSentence(number, cut, cited)


def cut_citations(text: str, start: int, end: int, citings: Iterable[Citing]) -> str:
    """A sentence of a text without its citations, blanks made one."""
    parts, at = [], start
    for first, last in sorted({(citing.start, citing.end) for citing in citings}):
        if first >= at:
            parts.append(text[at:first])
            at = last
    parts.append(text[at:end])
    return " ".join(" ".join(parts).split())


def select(sentences: Iterable[CitingSentence]) -> list[CitingSentence]:
    """Each sentence once, and no more that cite only what many cite."""
    seen: set[tuple[str, ...]] = set()
    held: Counter[int] = Counter()
    chosen = []
    for sentence in sentences:
        beginning = tuple(find_words(sentence.text)[:_SAME])
        if beginning in seen or min(held[one] for one in sentence.cited) >= _PER_NORM:
            continue
        seen.add(beginning)
        held.update(sentence.cited)
        chosen.append(sentence)
    return chosen


def _list_cited(store: SqliteCorpusStore, citings: Iterable[Citing]) -> tuple[int, ...]:
    """The ordinals of the norms cited; laws as a whole are none."""
    ids = {c.cited_id for c in citings if c.kind is CitedKind.NORM and c.cited_id}
    found = {store.find_ordinal(one) for one in ids if one.count("/") > 1}
    return tuple(sorted(ordinal for ordinal in found if ordinal is not None))
