"""Laws in force that share a name: what one does not have is not denied while another has it.

``EBV`` is the official abbreviation of two ordinances, one of which alone has a § 5.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from fundstelle.citations.format import format_citation
from fundstelle.law.citations import NormCitation
from fundstelle.law.norms import Statute
from fundstelle.lookup.answers import (
    Evidence,
    Means,
    Miss,
    NextCall,
    Outcome,
    Place,
    ProvisionHit,
    Suggestion,
)
from fundstelle.lookup.dating.bearers import choose_bearers
from fundstelle.lookup.misses.laws import NAMESAKE
from fundstelle.lookup.misses.reasons import DENIED, SUGGESTIONS
from fundstelle.lookup.reading.numbers import find_numbered
from fundstelle.lookup.texts import LookupRequest

Ask = Callable[[Statute], Sequence[Outcome]]


def ask_namesakes(
    question: LookupRequest,
    target: NormCitation,
    outcomes: Sequence[Outcome],
    statutes: Sequence[Statute],
    ask: Ask,
) -> list[Outcome]:
    """The outcomes of a citation of the first of ``statutes``, which share its name.

    What it is said not to have is ambiguous if others have all that is cited, and repealed if one
    had it; what it has is told with them. ``ask`` looks the citation up in one of them.
    """
    statute, *others = statutes
    if _is_called(statute, target.law or ""):  # of GBV and GbV the one that is written
        others = [other for other in others if _is_called(other, target.law or "")]
    if target.unit is None or not any(other.listed for other in others):
        return [*outcomes]
    bearers = choose_bearers(question.library, statutes, question.on)
    asked = [(other, ask(other)) for other in others if other.listed and other in bearers]
    held = [(other, found) for other, found in asked if _has_all(found)]
    if not held:
        gone = [
            found
            for other, found in asked
            if found and all(map(_is_repealed, found)) and _had(question, other, target)
        ]
        near = [(other, found) for other, found in asked if found and all(map(_is_there, found))]
        return [
            gone[0][-1 if place else 0]
            if gone and _lacks(each)
            else _name_nearest(each, target, statute, near)
            for place, each in enumerate(outcomes)
        ]
    called = [each for each, _ in held if _is_called(each, target.law or "")]
    told: list[Outcome] = []
    for place, each in enumerate(outcomes):
        if isinstance(each, Miss) and _is_denied(each):
            told.append(_doubt(each, target, statute, held))
        elif isinstance(each, ProvisionHit) and not place and called:
            told.append(_warn(each, target.law or "", called))
        else:
            told.append(each)
    return told


def _is_called(statute: Statute, name: str) -> bool:
    """Whether it bears the name as it is written: a GBV is no GbV."""
    official = statute.abbreviation_official
    return name in {statute.abbreviation, official, *statute.abbreviations_juris}


def _is_denied(outcome: Outcome) -> bool:
    return isinstance(outcome, Miss) and outcome.status in DENIED


def _lacks(outcome: Outcome) -> bool:
    """Whether the law has no such provision; of a part, what went elsewhere says nothing."""
    return isinstance(outcome, Miss) and outcome.status == "norm_does_not_exist"


def _is_there(outcome: Outcome) -> bool:
    """Whether the law has the provision, be it without the part that is cited."""
    return isinstance(outcome, ProvisionHit) or (
        isinstance(outcome, Miss) and outcome.status == "subunit_does_not_exist"
    )


def _is_repealed(outcome: Outcome) -> bool:
    return isinstance(outcome, Miss) and outcome.status == "repealed"


def _had(question: LookupRequest, statute: Statute, target: NormCitation) -> bool:
    """Whether it names the provision as gone, and not only a range that the number lies in."""
    norm = find_numbered(
        question.library.store, statute.statute_id, target.number or "", target.unit
    )
    return norm is not None and norm.number_end is None


def _has_all(outcomes: Sequence[Outcome]) -> bool:
    return bool(outcomes) and all(
        isinstance(each, ProvisionHit) and not each.rest for each in outcomes
    )


def _name_nearest(
    outcome: Outcome,
    target: NormCitation,
    statute: Statute,
    near: Sequence[tuple[Statute, Sequence[Outcome]]],
) -> Outcome:
    """What is said of a provision that only others have, not with all that is cited of it."""
    if not near or not isinstance(outcome, Miss) or not _lacks(outcome):
        return outcome
    hits = [each for each in near if all(isinstance(one, ProvisionHit) for one in each[1])]
    if hits:  # with parts that are not marked
        return _doubt(outcome, replace(target, path=()), statute, hits)
    return next((one for one in near[0][1] if isinstance(one, Miss)), outcome)


def _doubt(
    miss: Miss,
    target: NormCitation,
    statute: Statute,
    held: Sequence[tuple[Statute, Sequence[Outcome]]],
) -> Miss:
    cited = format_citation(replace(target, law=None, version=None))
    names = ", ".join(_name(each) for each in (statute, *(other for other, _ in held)))
    having = " and ".join(other.abbreviation for other, _ in held)
    first, *more = (_suggest(target, *each) for each in held)
    return replace(
        miss,
        status="ambiguous",
        reason=f"{target.law} can mean several laws: {names}. {cited} is in {having}, not in"
        f" {statute.abbreviation}.",
        next_step=f"Cite {first.citation} if that law is meant.",
        evidence=Evidence(),
        suggestions=(first, *more)[:SUGGESTIONS],
        hint=NextCall(Means.READ, first.norm_id or ""),
        about=None if more else Place(first.citation, first.norm_id or ""),
    )


def _suggest(target: NormCitation, statute: Statute, found: Sequence[Outcome]) -> Suggestion:
    """What is cited as that law has it; of a range the first."""
    hit = found[0]
    assert isinstance(hit, ProvisionHit)
    whole = replace(target, law=statute.abbreviation, version=None)
    citation = hit.citation if len(found) == 1 else format_citation(whole)
    return Suggestion(citation, hit.norm.norm_id, NAMESAKE)


def _warn(hit: ProvisionHit, name: str, others: Sequence[Statute]) -> ProvisionHit:
    names = ", ".join(map(_name, others))
    said = f"{name} can also mean {names}, which has what is cited, too."
    return replace(hit, warnings=(said, *hit.warnings))


def _name(statute: Statute) -> str:
    title = statute.short_title or statute.title
    return f"{statute.abbreviation} ({title})"
