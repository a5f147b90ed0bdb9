"""What a law does not have, and the one that had its name before: it is not denied.

``§ 8a BSIG`` was in the BSIG of 2009. Who cites it today means that law, or has not seen that it
was replaced.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta

from fundstelle.law.norms import Statute
from fundstelle.lookup.answers import (
    Means,
    Miss,
    NextCall,
    Outcome,
    Place,
    ProvisionHit,
    Suggestion,
)
from fundstelle.lookup.dating.bearers import find_end
from fundstelle.lookup.misses.laws import FORMER
from fundstelle.lookup.misses.reasons import DENIED, SUGGESTIONS
from fundstelle.lookup.texts import LookupRequest

Ask = Callable[[Statute, LookupRequest], Sequence[Outcome]]


def ask_former(
    question: LookupRequest,
    outcomes: Sequence[Outcome],
    statute: Statute,
    others: Sequence[Statute],
    ask: Ask,
) -> list[Outcome]:
    """The outcomes of a citation, with what is denied of ``statute`` and was in an earlier law.

    ``others`` are laws of the same name; ``ask`` looks the citation up in one of them.
    """
    denied = [place for place, each in enumerate(outcomes) if _is_denied(each)]
    told = list(outcomes)
    for former in _list_former(statute, others, question.on) if denied else ():
        day = _find_last_day(former, question.on)
        held = ask(former, replace(question, on=day))
        if not held or not all(map(_was_there, held)):
            continue
        for place in denied:
            miss, there = outcomes[place], held[-1 if place else 0]
            assert isinstance(miss, Miss)
            told[place] = (
                _tell(miss, statute, there, day) if isinstance(there, ProvisionHit) else there
            )
        break
    return told


def _is_denied(outcome: Outcome) -> bool:
    return isinstance(outcome, Miss) and outcome.status in DENIED


def _was_there(outcome: Outcome) -> bool:
    """Whether it is a text, or was repealed before its law."""
    if isinstance(outcome, Miss):
        return outcome.status == "repealed"
    return isinstance(outcome, ProvisionHit) and not outcome.rest


def _list_former(statute: Statute, others: Sequence[Statute], on: date) -> list[Statute]:
    """Those that were made before it and are no more, the last first."""
    begun = statute.issued_on or date.max
    former = [
        each
        for each in others
        if each.issued_on is not None and each.issued_on < begun and _is_gone(each, on)
    ]
    return sorted(former, key=lambda each: each.issued_on or begun, reverse=True)


def _is_gone(statute: Statute, on: date) -> bool:
    ends = find_end(statute)
    return ends <= on if ends is not None else not statute.listed and statute.stand < on


def _find_last_day(statute: Statute, on: date) -> date:
    """The last day for which its text is known."""
    ends = find_end(statute)
    last = min(on, statute.stand)
    return last if ends is None else min(last, ends - timedelta(days=1))


def _tell(miss: Miss, statute: Statute, hit: ProvisionHit, day: date) -> Miss:
    ends = find_end(hit.statute)
    if ends is not None:
        gone = f"is repealed since {ends.isoformat()} with its law, which had the name before"
    else:  # nobody says when it ended, or that it did
        seen = hit.statute.stand.isoformat()
        gone = f"stood in the law that had the name before, which was last seen on {seen}"
    named = Suggestion(hit.citation, hit.norm.norm_id, FORMER)
    others = [each for each in miss.suggestions if each.norm_id != named.norm_id]
    return replace(
        miss,
        status="repealed",
        reason=f"{hit.citation} {gone}; {statute.abbreviation} does not have what is cited.",
        next_step=f"Cite {hit.citation} for its text, or the provision of the law of today.",
        evidence=replace(
            miss.evidence,
            repealed_on=ends,
            last_seen=hit.fassung.stand if ends is None else None,
        ),
        suggestions=(named, *others)[:SUGGESTIONS],
        hint=NextCall(Means.READ, hit.norm.norm_id, day),
        about=Place(hit.citation, hit.norm.norm_id),
    )
