"""A miss as the tools show it: why there is no text, what is known about the place, what to do."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, NotRequired, TypedDict

from fundstelle.lookup.answers import (
    CODES,
    Evidence,
    Means,
    Miss,
    Place,
    Suggestion,
)
from fundstelle.tools.answers.envelope import hint
from fundstelle.tools.answers.schema import Values
from fundstelle.tools.inputs.parameters import LANGUAGE

_NAMES = {
    Means.SEARCH: "legal_search",
    Means.FIND_LAW: "legal_list_laws",
    Means.CONTENTS: "legal_get_toc",
    Means.READ: "legal_lookup",
    Means.CONTEXT: "legal_get_context",
    Means.CITING: "legal_find_citing_decisions",
    Means.HOLDINGS: "legal_get_stats",
    Means.DAY: "as_of",
}
_ARGUMENTS = {
    Means.SEARCH: "query",
    Means.FIND_LAW: "search",
    Means.CONTENTS: "law_abbreviation",
    Means.READ: "citation",
    Means.CONTEXT: "norm_id",
    Means.CITING: "cited_norm",
}
_OF_A_LANGUAGE = frozenset({Means.SEARCH, Means.READ, Means.CONTEXT})  # tools that are told one
_OF_A_DAY = _OF_A_LANGUAGE | {Means.CONTENTS}
_STATUSES = tuple(CODES)
_CODES = tuple(dict.fromkeys(CODES.values()))


class ShownPlace(TypedDict):
    """A norm, or a unit of one, by name."""

    citation: Annotated[str, "Citation."]
    norm_id: Annotated[str, "Its id."]


class ShownSuggestion(TypedDict):
    """What may have been meant."""

    citation: Annotated[str, "Citation."]
    norm_id: NotRequired[Annotated[str, "Its id, where it is held."]]
    why: Annotated[str, "Why it is suggested."]


class ShownEvidence(TypedDict, total=False):
    """What the corpus knows about the place where nothing was found."""

    first: Annotated[ShownPlace, "First section of the law."]
    last: Annotated[ShownPlace, "Last section of the law."]
    nearest_before: Annotated[ShownPlace, "Section before it."]
    nearest_after: Annotated[ShownPlace, "Section after it."]
    repealed_on: Annotated[date, "Where something says since when."]
    last_seen: Annotated[date, "Last look that showed its text."]
    cited_by_count: Annotated[int, "How many norms of the corpus refer to it."]
    archive_floor: Annotated[date, "Oldest day the corpus can speak for."]


class ShownMiss(TypedDict, total=False):
    """A citation without a text. Answers have all of these fields, or found one and have none.

    Only what was not read whole has ``unparsed``.
    """

    citation: Annotated[str, "The citation as asked for."]
    code: Annotated[str, "Kind of miss.", Values(_CODES)]
    status: Annotated[str, "What exactly is missing.", Values(_STATUSES)]
    reason: Annotated[str, "The miss in one sentence."]
    evidence: Annotated[
        ShownEvidence,
        "What the corpus knows about the place: first and last section of the law, sections before"
        " and after, each {citation, norm_id}.",
    ]
    suggestions: Annotated[list[ShownSuggestion], "At most 5 candidates, never the answer."]
    next_step: Annotated[str, "What to do next."]
    unparsed: Annotated[Sequence[str], "Parts of the citation, as written, that were not read."]


class ListedMiss(ShownMiss, total=False):
    """A miss among others, each of which may be of its own day."""

    as_of: Annotated[date, "Its day, if another than the answer's."]


class MissAnswer(ShownMiss, total=False):
    """What a tool that reads a reference adds to the envelope where it leads to nothing."""

    as_of: Annotated[date, "The day meant."]


def build_miss(miss: Miss, on: date) -> ListedMiss:
    """A miss among others, in an answer for the day ``on``."""
    shown: ListedMiss = {}
    add_miss(shown, miss)
    if miss.on is not None and miss.on != on:
        shown["as_of"] = miss.on
    return shown


def add_miss(answer: ShownMiss, miss: Miss) -> None:
    """The fields of a miss, into an answer."""
    answer["citation"] = miss.citation
    answer["code"] = miss.code
    answer["status"] = miss.status
    answer["reason"] = miss.reason
    answer["evidence"] = _build_evidence(miss.evidence)
    answer["suggestions"] = [_build_suggestion(each) for each in miss.suggestions]
    if miss.unparsed:
        answer["unparsed"] = miss.unparsed
    answer["next_step"] = "".join(_write(part) for part in miss.advice)


def _build_suggestion(suggestion: Suggestion) -> ShownSuggestion:
    citation, norm_id, why = suggestion.citation, suggestion.norm_id, suggestion.why
    if norm_id:
        return {"citation": citation, "norm_id": norm_id, "why": why}
    return {"citation": citation, "why": why}


def _build_evidence(evidence: Evidence) -> ShownEvidence:
    shown: ShownEvidence = {}
    if evidence.first is not None:
        shown["first"] = build_place(evidence.first)
    if evidence.last is not None:
        shown["last"] = build_place(evidence.last)
    if evidence.nearest_before is not None:
        shown["nearest_before"] = build_place(evidence.nearest_before)
    if evidence.nearest_after is not None:
        shown["nearest_after"] = build_place(evidence.nearest_after)
    if evidence.repealed_on is not None:
        shown["repealed_on"] = evidence.repealed_on
    if evidence.last_seen is not None:
        shown["last_seen"] = evidence.last_seen
    if evidence.cited_by_count is not None:
        shown["cited_by_count"] = evidence.cited_by_count
    if evidence.archive_floor is not None:
        shown["archive_floor"] = evidence.archive_floor
    return shown


def build_place(place: Place) -> ShownPlace:
    """A norm by name."""
    return {"citation": place.citation, "norm_id": place.norm_id}


def _write(part: str) -> str:
    """A part of an advice, with the names that tools and their arguments have here."""
    return _NAMES[part] if isinstance(part, Means) else part


def build_hint(
    miss: Miss, asked: date | None, language: str = LANGUAGE.default
) -> Mapping[str, Any] | None:
    """The next call of a miss as the envelope has it, for the day and in the language of its own.

    ``asked`` is the day that was asked for; the citation's own goes before it, and before both one
    that the call leads to.
    """
    call = miss.hint
    if call is None:
        return None
    arguments: dict[str, Any] = {_ARGUMENTS[call.means]: call.of}
    if call.means in _OF_A_DAY:
        arguments["as_of"] = call.on or miss.on or asked
    if call.means in _OF_A_LANGUAGE and language != LANGUAGE.default:
        arguments["language"] = language
    return hint(_NAMES[call.means], **arguments)
