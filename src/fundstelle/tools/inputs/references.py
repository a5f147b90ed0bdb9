"""Written references as the discovery tools need them: laws, what a query cites, or the miss."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import Any

from fundstelle.citations.find import find as find_citations
from fundstelle.citations.laws.name import LawName
from fundstelle.citations.laws.names import LawNames
from fundstelle.law.citations import EuCitation, FoundCitation, NormCitation, Target
from fundstelle.law.decisions import Decision
from fundstelle.law.identifiers import fold
from fundstelle.law.norms import Norm, Statute
from fundstelle.lookup.acts import find_edition
from fundstelle.lookup.answers import (
    DecisionHit,
    Hit,
    LawHit,
    Miss,
    Outcome,
    ProvisionHit,
    Suggestion,
)
from fundstelle.lookup.dating.days import find_floor
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses import laws as law_misses
from fundstelle.lookup.misses import other_days
from fundstelle.lookup.misses import reasons as misses
from fundstelle.lookup.reading.laws import (
    find_statute,
    list_books,
    list_german_namesakes,
)
from fundstelle.lookup.reading.pages import read_page
from fundstelle.lookup.reading.written import read
from fundstelle.lookup.resolve import resolve, resolve_target
from fundstelle.tools.answers.envelope import norm_link, result
from fundstelle.tools.answers.misses import MissAnswer, add_miss, build_hint
from fundstelle.tools.inputs.named_versions import ask_version
from fundstelle.tools.spec import ToolResult

_MOST_CITED = 20  # citations of a query that are put first
_LONGEST_CITATION = 200
_LONGEST_NAME = 100
_LONG_NAME = 9  # characters of a name that is no ordinary word or abbreviation
_UNION = "EU-"  # "EU-Arbeitszeitrichtlinie"
_HOMONYMS = frozenset({"WEG"})  # written so, of a law and of what it is about
_ENDINGS = "GBOV"  # of abbreviations of laws; others ("MAR", "REACH") are words in lower case
_ORDINARY = frozenset({"alg", "fang", "hag", "kug", "mog", "nav", "sag"})
_REPEALED = "repealed"
_PART_MISSING = frozenset({"subunit_does_not_exist", "not_seen_yet"})
_GONE = frozenset({"repealed", "known_missing", "not_in_corpus"})
_SMALL = re.compile(r"(?<![\w/.-])[a-zäöü]{2,9}(?![\w/-])")
_WORD = re.compile(r"(?<![\w-])[^\W\d_]")
_ID = re.compile(r"(?<![\w/])(?:legal://norm/)?(?:de|eu)/[^\s/]+/[^\s]+")
_TELLING = re.compile(r"\d|\w/")  # what an id or a citation without a sign has at least
_YEAR = r"(?!(?:19|20)\d\d\b)"
_NUMBER_BEFORE = re.compile(
    rf"(?<![\w§.,/-])(?<!§ ){_YEAR}\d{{1,4}}[a-z]?"
    r"(?:\s+(?:[IVX]{1,4}|(?:Abs\.?|Absatz|S\.|Satz|Nr\.?)\s?\d{1,2}))*\s+$"
)
_NUMBER_BEHIND = re.compile(
    rf"\s+{_YEAR}\d{{1,4}}[a-z]?(?![\w.,:/%€-]\w|\s*(?:[%€]|-|EUR|Euro|Prozent|Tag|Woche|Monat|Jahr|"
    r"Stunde|Person|Kind|Arbeitnehmer|Mitarbeiter|Beschäftigte)|\.?\s*Auflage|\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Missing:
    """A reference that leads to nothing, and the day it was read for."""

    miss: Miss
    on: date

    @property
    def names(self) -> list[str]:
        """What may have been meant."""
        return [suggestion.citation for suggestion in self.miss.suggestions]

    def render(self, library: Library, arguments: Mapping[str, Any]) -> ToolResult:
        """The miss as an ordinary answer to a call with these arguments."""
        miss = self.miss
        links = [
            norm_link(suggestion.norm_id, suggestion.citation)
            for suggestion in miss.suggestions
            if suggestion.norm_id
        ]
        own: MissAnswer = {"as_of": self.on}
        add_miss(own, miss)
        return result(
            False,
            0,
            0,
            0,
            library.store.manifest.release,
            hint=build_hint(miss, arguments.get("as_of")),
            blocks=links,
            before=arguments["corpus_release"],
            own=own,
        )


def find_law(
    library: Library, written: str, source_type: str | None, on: date
) -> Statute | Missing:
    """The law that a reference names or lies in."""
    page = read_page(written.strip(), library.base_url)
    if page is not None and page.on is None:
        written = page.held_id
    # an id is that of one law on every day, a name that of the law that had it then
    found = library.store.statutes.get(written) or _find_law(library, written, on)
    if isinstance(found, Miss) or source_type not in {None, found.source_type}:
        found = _find_namesake(library, written, source_type, found)
    if isinstance(found, Miss):
        return Missing(found, on)
    if source_type not in {None, found.source_type}:
        reason = f"{found.abbreviation} is held under source_type {found.source_type}"
        step = f"Ask again without source_type or with {found.source_type}."
        return Missing(Miss(written, "not_in_corpus", f"{reason}, not {source_type}.", step), on)
    floor = find_floor(library, found)
    if on < floor:
        return Missing(other_days.law_before_archive(written, found, on, floor), on)
    return found


def _find_namesake(
    library: Library, written: str, source_type: str | None, found: Statute | Miss
) -> Statute | Miss:
    """``GGV``, of an act of the Union and a law of the Federation.

    The law of the source that is asked for; beside an act that is not held it is suggested.
    """
    reading = read(written, library)
    target = None if isinstance(reading, Miss) else reading.targets[0]
    german = (
        list_german_namesakes(library, target, written) if isinstance(target, EuCitation) else []
    )
    for statute in german:
        if statute.source_type == source_type:
            return statute
    if not isinstance(found, Miss):
        return found
    named = tuple(
        Suggestion(each.abbreviation, each.statute_id, f"another law of that name: {each.title}")
        for each in german
    )
    return replace(found, suggestions=(*named, *found.suggestions)[: misses.SUGGESTIONS])


def _find_law(library: Library, written: str, on: date, language: str = "de") -> Statute | Miss:
    reading = read(written, library)
    if isinstance(reading, Miss):
        return reading
    if reading.unparsed:
        whole = resolve(library, written, on).outcomes[0]
        if isinstance(whole, Miss):
            return whole
    target = reading.targets[0]
    if isinstance(target, NormCitation):
        told = ask_version(library, written, on)
        return told if isinstance(told, Miss) else find_statute(library, written, target, on)
    if isinstance(target, EuCitation):
        statute = find_edition(library, target.celex, language)
        return statute or misses.eu_not_held(written, target, library)
    outcome = resolve(library, written, on).outcomes[0]
    if isinstance(outcome, DecisionHit):
        return law_misses.decision_no_law(written, outcome.decision)
    return outcome if isinstance(outcome, Miss) else outcome.statute


def find_laws(library: Library, written: str, on: date, language: str) -> list[Statute] | Missing:
    """The laws that a filter means; ``SGB`` means all its books."""
    if fold(written) == "sgb":
        return list_books(library)
    found = _find_law(library, written, on, language)
    return Missing(found, on) if isinstance(found, Miss) else [found]


@dataclass(frozen=True, slots=True)
class Cited:
    """What a query refers to.

    The norms and decisions that it cites and that are ``held``, ``laws`` (statute ids) that it
    names without a norm, and ``warnings``: a sentence for each that is not there.
    """

    held: tuple[Norm | Decision, ...] = ()
    laws: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Mention:
    """A law named in a query, and where."""

    start: int
    end: int
    target: Target


def find_cited_norms(
    library: Library, query: str, on: date, law: str | None = None, language: str = "de"
) -> Cited:
    """The norms and decisions that a query cites and the laws that it names, in their order.

    A bare section is one of ``law``. Of a norm that is not there its law is named at least.
    """
    whole = _read_whole(library, query, on, language) if law is None else None
    if whole is not None:
        return whole
    found = find_citations(_restore_case(query, library.names), library.names, law)
    citing = [each for each in found if not all(map(_is_law, each.targets))]
    named = [
        _Mention(each.start, each.end, target)
        for each in found
        if each not in citing
        for target in each.targets
    ]
    named += _find_spelt_out(query, library.names, found)
    named.sort(key=lambda mention: mention.start)
    outcomes: list[Outcome] = []
    laws: list[str] = []
    for each in citing[:_MOST_CITED]:
        cited = _resolve_cited(library, _write_out(each), on, language)
        outcomes += cited
        if not any(isinstance(outcome, Hit) for outcome in cited):
            laws += [law for target in each.targets for law in _list_laws(library, target, on)]
    unsigned = list(islice(_list_unsigned(query, named), _MOST_CITED))
    if not citing and not unsigned and len(query) <= _LONGEST_CITATION and _TELLING.search(query):
        unsigned = [query]
    for text in unsigned:  # a guess: where it leads nowhere nothing is said
        cited = _resolve_cited(library, text, on, language)
        if any(isinstance(outcome, Hit) for outcome in cited):
            outcomes += cited
        laws += [each.statute.statute_id for each in cited if isinstance(each, LawHit)]
    held = _list_held(library, outcomes)
    reasons = [outcome.reason for outcome in outcomes if isinstance(outcome, Miss)]
    for mention in named[:_MOST_CITED]:
        written = query[mention.start : mention.end]
        laws += _list_laws(library, mention.target, on)
        reasons += _tell_missing(library, mention.target, written, on)
    return Cited(held, tuple(dict.fromkeys(laws)), tuple(dict.fromkeys(reasons)))


def _read_whole(library: Library, query: str, on: date, language: str) -> Cited | None:
    """A query that is a citation and nothing else: what it comes to, if that is held."""
    if len(query) > _LONGEST_CITATION or not _TELLING.search(query):
        return None
    reading = read(query, library)
    if isinstance(reading, Miss) or all(map(_is_law, reading.targets)):
        return None
    outcomes = _resolve_cited(library, query, on, language)
    held = _list_held(library, outcomes)
    reasons = [outcome.reason for outcome in outcomes if isinstance(outcome, Miss)]
    return Cited(held, (), tuple(dict.fromkeys(reasons))) if held else None


def _list_held(library: Library, outcomes: Sequence[Outcome]) -> tuple[Norm | Decision, ...]:
    """What was found, also norms that have no text any more: a row says so."""
    held: dict[str, Norm | Decision] = {}
    for outcome in outcomes:
        if isinstance(outcome, DecisionHit):
            held[outcome.held_id] = outcome.decision
        elif isinstance(outcome, ProvisionHit):
            held[outcome.held_id] = outcome.norm
        elif isinstance(outcome, Miss) and outcome.status == _REPEALED and outcome.about:
            gone = library.store.find_norm(outcome.about.norm_id)
            if gone is not None:
                held[gone.norm_id] = gone
    return tuple(held.values())


def _is_law(target: Target) -> bool:
    """Whether a target is a law as a whole."""
    return isinstance(target, NormCitation | EuCitation) and not (target.number or target.unit)


def _restore_case(query: str, names: LawNames) -> str:
    """``kündigung bgb``: abbreviations of well-known laws as they are written, of the same length.

    Words that are no more than abbreviations in lower case: all others keep their case.
    """

    def restore(match: re.Match[str]) -> str:
        written = match[0]
        if written in _ORDINARY:
            return written
        known = [law for law in names.find(written) if law.by_hand]
        name = known[0].abbreviation if known and names.match(written, 0) else written
        is_same = name.casefold() == written and len(name) == len(written)
        return name if is_same and name[-1] in _ENDINGS else written

    return _SMALL.sub(restore, query)


def _find_spelt_out(
    query: str, names: LawNames, found: Sequence[FoundCitation]
) -> Iterator[_Mention]:
    """Full names that the grammar passes over: in lower case, in English; and ``WEG``."""
    free = 0
    for word in _WORD.finditer(query):
        start = word.start()
        if start < free or any(each.start <= start < each.end for each in found):
            continue
        named = start + len(_UNION) if query.startswith(_UNION, start) else start
        match = names.match(query, start) or names.match(query, named)
        if match is None:
            continue
        end, laws = match
        known = [law for law in laws if law.by_hand]
        written = query[start:end]
        is_name = len(written) >= _LONG_NAME or (written in _HOMONYMS and not query.isupper())
        if known and (is_name or _is_short_name(written, known[0])):
            law = known[0]
            target = EuCitation(law.celex, law.abbreviation) if law.celex else None
            yield _Mention(start, end, target or NormCitation(law.abbreviation))
            free = end


def _is_short_name(written: str, law: LawName) -> bool:
    """Whether a short name of an act of the Union is no word: ``NIS 2``, ``Data Act``, ``PSD2``."""
    is_two = any(sign.isdigit() or sign == " " for sign in written)
    return is_two and bool(law.celex) and written in (law.abbreviation, *law.aliases)


def _resolve_cited(library: Library, written: str, on: date, language: str) -> list[Outcome]:
    """What a citation comes to; behind a part that is not there stands the norm that lacks it."""
    resolution = resolve(library, written, on, language)
    outcomes = list(resolution.outcomes)
    if any(isinstance(each, Miss) and each.status in _PART_MISSING for each in outcomes):
        for target in resolution.targets:
            if isinstance(target, NormCitation | EuCitation) and target.path:
                whole = replace(target, path=())
                outcomes += resolve_target(library, whole, written, on, language)
    return outcomes


def _list_unsigned(query: str, named: Sequence[_Mention]) -> Iterator[str]:
    """``280 I BGB``, ``BGB 823`` and ids inside a query, as citations."""
    yield from (match[0].rstrip(".,;:!?") for match in _ID.finditer(query))
    for mention in named:
        before = _NUMBER_BEFORE.search(query, 0, mention.start)
        behind = _NUMBER_BEHIND.match(query, mention.end)
        if before:
            yield f"§ {query[before.start() : mention.end]}"
        elif behind:
            yield query[mention.start : behind.end()]


def _list_laws(library: Library, target: Target, on: date) -> list[str]:
    """The ids of the law that a target names or lies in, in all its languages; if it is held."""
    held = library.store.statutes
    if isinstance(target, EuCitation):
        return [key for key in (f"eu/{target.celex}", f"eu/{target.celex}:en") if key in held]
    if not isinstance(target, NormCitation) or target.law is None:
        return []
    if fold(target.law) == "sgb":
        return [statute.statute_id for statute in list_books(library)]
    if not library.names.find(target.law):  # a miss would look for names that are near, slowly
        return []
    found = find_statute(library, target.law, target, on)
    return [] if isinstance(found, Miss) else [found.statute_id]


def _tell_missing(library: Library, target: Target, written: str, on: date) -> list[str]:
    """Why a law that is named is not there; a name that nobody knows may be none."""
    name = target.law if isinstance(target, NormCitation) else None
    is_known = name and (library.names.find(name) or library.store.missing.find([name]))
    if not is_known or _list_laws(library, target, on):
        return []
    found = _find_law(library, written, on)
    return [found.reason] if isinstance(found, Miss) and found.status in _GONE else []


def _write_out(found: FoundCitation) -> str:
    """The citation as written, with its law where that came from the context."""
    law = getattr(found.targets[0], "law", None) if found.inferred else None
    return f"{found.text} {law}" if law else found.text


def find_named_law(library: Library, query: str) -> str | None:
    """The law that a query names and nothing else."""
    if len(query) > _LONGEST_NAME:
        return None
    held = (library.store.statutes.get(law.statute_id or "") for law in library.names.find(query))
    return next((statute.abbreviation for statute in held if statute is not None), None)
