"""Questions as queries of an index: their telling terms, inside the filters of a request.

A question about an earlier day is asked twice: of the newest texts that were there on that day
already, and of the former ones, which lie in an index of their own. Former terms are weighed as
the newest texts have them, so that the scores of both can be compared.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fundstelle.law.decisions import DecisionType
from fundstelle.search.engines.stages.former import open_former
from fundstelle.search.engines.stages.texts import Clause, Facets, Query, Ranked, Storage
from fundstelle.search.index import SearchRequest
from fundstelle.search.query import MAX_TERMS, read_query
from fundstelle.search.words.compounds import CompoundSplitter, read_splitter
from fundstelle.search.words.everyday import NOTHING_MEANT, Everyday, Meant
from fundstelle.search.words.german import GermanAnalyzer
from fundstelle.search.words.spelling import mend

_OWN_WORDS = "words.txt"  # of a build of before the words came with the package
_COMMON = 5  # a term in more than a fifth of the norms tells nothing beside a rarer one ...
_ALWAYS_RARE = 1_000  # ... unless it is in this few
_DEMANDED = 16  # terms that all must stand in a norm; more exclude hardly anything
_FREQUENCIES = 100_000
_DAYS = 1_000  # whose texts were counted; without as_of it is one
_MENDED = 32  # texts: a page far behind asks for the same ones twice
_DECISION_TYPES = tuple(kind.value for kind in DecisionType)  # each decision has one, no norm has
_ESTABLISHED = 3  # texts that hold a word which is read for one that stands nowhere
_EVERYDAY = 1_000  # texts that an everyday word counts as, which may stand in none


@dataclass(frozen=True, slots=True)
class Asked:
    """A query of the newest texts, and of former ones if it is about an earlier day."""

    newest: Query
    former: Query | None = None


@dataclass(frozen=True, slots=True)
class Filters:
    """Where a request may look, read once for all its texts.

    ``former`` is ``None`` where it is about no earlier day. ``has_decisions`` is False where it is
    plain that no decision can be inside. ``within`` are the filters alone, for the newest texts;
    ``None`` if there are none. ``day_alone`` is the day where they are nothing else.
    """

    clauses: Sequence[Clause] = ()
    former: Sequence[Clause] | None = None
    prefer: Sequence[str] = ()  # laws
    without: frozenset[str] = frozenset()  # stages
    has_decisions: bool = True
    within: Asked | None = None
    day_alone: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as it is asked: its terms, inside the filters, and the laws it names.

    ``meant`` is what its everyday words mean; it is asked with the words of the law for them too.
    """

    text: str
    terms: tuple[str, ...]
    query: Asked
    filters: Filters
    words: tuple[str, ...] = ()  # terms of the law that are looked for beside its own
    meant: Meant = NOTHING_MEANT


class Queries:
    """Asks one opened index. Not shared between threads.

    Raises:
        CorpusError: there is no index in the folder.
    """

    def __init__(self, folder: Path, storage: Storage) -> None:
        self._newest = storage.open_texts(folder)
        self._former = open_former(folder, storage)
        self._splitter = _open_splitter(folder)
        self._analyzer = GermanAnalyzer(self._splitter)
        self._everyday = Everyday.open(folder)
        self._common = max(_ALWAYS_RARE, self._newest.searchable // _COMMON)
        self._frequencies: dict[str, int] = {}
        self._mended: dict[str, tuple[str, dict[str, str]]] = {}
        self._held_on: dict[int, int] = {}

    def search(self, asked: Asked, limit: int, offset: int = 0) -> tuple[Ranked, int]:
        """The best hits and the number of all."""
        if asked.former is None or self._former is None:
            return self._newest.search(asked.newest, limit, offset)
        end = offset + limit
        newest, total = self._newest.search(asked.newest, end)
        former, more = self._former.texts.search(asked.former, end)
        merged = sorted([*newest, *former], key=_get_score, reverse=True)  # stable
        return merged[offset:end], total + more

    @property
    def foresees(self) -> bool:
        """Whether it is worth to say beforehand what will be asked."""
        return self._newest.foresees

    def foresee(self, asked: Asked, limit: int) -> None:
        """What will be searched later in this search: asked along with the next question."""
        if asked.former is None or self._former is None:
            self._newest.foresee(asked.newest, limit)
            return
        self._newest.foresee(asked.newest, limit)
        self._former.texts.foresee(asked.former, limit)

    def foresee_values(self, asked: Asked) -> None:
        """What ``count_values`` will be asked."""
        self._newest.foresee_values(asked.newest)
        if asked.former is not None and self._former is not None:
            self._former.texts.foresee_values(asked.former)

    def analyse(self, text: str) -> list[str]:
        """All terms of a text, telling or not, as often as they stand there."""
        return self._analyzer.analyse(text)

    def read(self, text: str, filters: "Filters | None" = None) -> tuple[str, ...]:
        """The telling terms of a text.

        Telling are terms that at most a fifth of the norms hold, or all if there is no such.
        """
        in_former = filters is not None and filters.former is not None
        counted = [
            (term, count)
            for term in read_query(text, self._analyzer)
            if (count := self.count(term) or (self._count_former(term) if in_former else 0))
        ]
        telling = tuple(term for term, count in counted if count <= self._common)
        return telling or tuple(term for term, _ in counted)

    def mend(self, text: str) -> tuple[str, dict[str, str]]:
        """A text without slips in words that stand nowhere, and what was read for which."""
        mended = self._mended.get(text)
        if mended is None:
            if len(self._mended) >= _MENDED:
                self._mended.clear()
            mended = self._mended[text] = mend(text, self._is_known, self._establish)
        return mended

    def demand(self, text: str) -> tuple[str, ...]:
        """The terms of a text if each stands somewhere; of many the rarest."""
        counted = {term: self.count(term) for term in read_query(text, self._analyzer)}
        if not all(counted.values()):
            return ()
        return tuple(sorted(counted, key=counted.__getitem__)[:_DEMANDED])

    def count(self, term: str) -> int:
        """In how many norms and decisions a term stands."""
        count = self._frequencies.get(term)
        if count is None:
            if len(self._frequencies) >= _FREQUENCIES:
                self._frequencies.clear()
            count = self._frequencies[term] = self._newest.count(term)
        return count

    def ask(self, text: str, terms: tuple[str, ...], filters: Filters) -> Reading:
        """A reading of one text of a request."""
        meant = self._everyday.find(text, self._newest.weigh)
        words = self.read(" ".join(meant.words)) if meant.words else ()
        every = tuple(dict.fromkeys((*terms, *words)))[:MAX_TERMS]
        query = self.build(every, filters)
        return Reading(text, terms or every, query, filters, every[len(terms) :], meant)

    def join(self, readings: Sequence[Reading], filters: Filters) -> Reading:
        """What any of some readings of one request finds.

        With every term of each: were some left out, what they alone find would not be counted. A
        request has five texts, in two languages, so that there are at most 640.
        """
        terms = tuple(dict.fromkeys(term for one in readings for term in (*one.terms, *one.words)))
        return Reading(readings[0].text, terms, self.build(terms, filters), filters)

    def build(self, terms: Sequence[str], filters: Filters, *, every: bool = False) -> Asked:
        """Any of the terms, or every one, inside the filters."""
        newest, former = self._newest, self._former
        clauses = [*filters.clauses, *newest.raise_laws(filters.prefer)]
        today = newest.build(terms, clauses, every=every)
        if former is None or filters.former is None:
            return Asked(today)
        weights = {term: newest.weigh(term) / former.texts.weigh(term) for term in terms}
        clauses = [*filters.former, *former.texts.raise_laws(filters.prefer)]
        return Asked(today, former.texts.build(terms, clauses, every=every, weights=weights))

    def narrow(self, reading: Reading, field: str, values: Sequence[str] | Sequence[int]) -> Asked:
        """A reading inside one more filter, with the same scores."""
        asked = reading.query
        newest = self._newest.narrow(asked.newest, field, values)
        if asked.former is None or self._former is None:
            return Asked(newest)
        return Asked(newest, self._former.texts.narrow(asked.former, field, values))

    def narrow_to_decisions(self, reading: Reading) -> Asked:
        """A reading among court decisions, with the same scores.

        The kind of a document does not tell them: acts of the Union are called decisions, too.
        """
        return self.narrow(reading, "decision_type", _DECISION_TYPES)

    def find_among(self, reading: Reading, ordinals: Sequence[int]) -> Ranked:
        """Those of some norms that a reading finds, with their scores."""
        return self.search(self.narrow(reading, "ordinal", ordinals), len(ordinals))[0]

    def admit(self, within: Asked, ordinals: Sequence[int]) -> set[int]:
        """Those of some norms whose newest texts the filters admit."""
        query = self._newest.narrow(within.newest, "ordinal", ordinals)
        return {ordinal for _, ordinal in self._newest.search(query, len(ordinals))[0]}

    def count_on_day(self, filters: Filters) -> int:
        """How many newest texts were there on the day that is the only filter; 0 if it is not."""
        day = filters.day_alone
        if day is None or filters.within is None:
            return 0
        if day not in self._held_on:
            if len(self._held_on) >= _DAYS:
                self._held_on.clear()
            self._held_on[day] = self.search(filters.within, 1)[1]
        return self._held_on[day]

    def read_filters(self, request: SearchRequest) -> Filters:
        """What excludes anything; nothing of it adds to the score."""
        clauses = tuple(self._newest.iter_clauses(request))
        is_limited = bool(clauses)
        if request.below is not None:  # former texts, and what is near by meaning, are norms anyway
            clauses = (*clauses, self._newest.limit("ordinal", 0, request.below - 1))
        former = day_alone = None
        if self._former is not None and self._former.differs_on(request.as_of):
            assert request.as_of is not None
            former = tuple(self._former.iter_clauses(request))
            clauses = (*clauses, self._newest.limit("since", 0, request.as_of))
            day_alone = None if is_limited or request.below is not None else request.as_of
            is_limited = True
        in_laws = request.ancestors is not None or "statute_id" in request.filters
        return Filters(
            clauses,
            former,
            request.prefer,
            request.without,
            has_decisions=not in_laws and request.below is None,
            within=Asked(self._newest.combine(clauses)) if is_limited else None,
            day_alone=day_alone,
        )

    def count_values(self, asked: Asked) -> Facets:
        """How many of the texts found have which value, by facet."""
        counted = self._newest.count_values(asked.newest)
        if asked.former is None or self._former is None:
            return counted
        former = self._former.texts.count_values(asked.former)
        sums = {name: Counter(counted[name]) + Counter(former[name]) for name in counted}
        return {name: dict(counts.most_common()) for name, counts in sums.items()}

    def close(self) -> None:
        """Release files; once is enough, twice does no harm."""
        self._newest.close()
        if self._former is not None:
            self._former.texts.close()

    def _is_known(self, word: str) -> bool:
        terms = self._analyzer.analyse_word(word)
        return (
            any(map(self.count, terms))
            or any(map(self._count_former, terms))
            or (self._everyday.knows(word))
        )

    def _establish(self, word: str) -> int:
        """How well a word is known; most of those asked for stand nowhere, so none is kept.

        By its stem, and as it is written: of two with one stem a real word is taken.
        """
        stem = self._analyzer.stem(word)
        count = max(self._newest.count(stem), _EVERYDAY * self._everyday.holds(stem))
        return count + self._splitter.count(word) if count >= _ESTABLISHED else 0

    def _count_former(self, term: str) -> int:
        return 0 if self._former is None else self._former.texts.count(term)


def _open_splitter(folder: Path) -> CompoundSplitter:
    own = folder / _OWN_WORDS
    if own.exists():
        return CompoundSplitter.parse(own.read_text(encoding="utf-8"))
    return read_splitter()


def _get_score(hit: tuple[float, int]) -> float:
    return hit[0]
