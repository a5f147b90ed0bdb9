"""The miss for a reference of which a part does not read."""

from collections.abc import Sequence
from dataclasses import replace

from fundstelle.lookup.answers import (
    DecisionHit,
    Hit,
    LawHit,
    Means,
    Miss,
    NextCall,
    Outcome,
    Place,
    ProvisionHit,
    Suggestion,
)
from fundstelle.lookup.misses.reasons import SUGGESTIONS

_LONGEST_PART = 80  # characters shown


def miss_unread(written: str, left: Sequence[str], outcomes: Sequence[Outcome]) -> list[Miss]:
    """Part of it does not read: what the rest means is suggested, and what it lacks is said.

    Where the rest leads to nothing anyway, why it does is the better answer.
    """
    found = [outcome for outcome in outcomes if not isinstance(outcome, Miss)]
    unread = tuple(
        part if len(part) <= _LONGEST_PART else part[:_LONGEST_PART] + "…"
        for part in left[:SUGGESTIONS]
    )
    if not found:
        return [replace(each, unparsed=unread) for each in outcomes if isinstance(each, Miss)]
    named = [_name(outcome) for outcome in found[:SUGGESTIONS]]
    parts = ", ".join(repr(part) for part in unread)
    miss = Miss(
        written if len(written) <= 500 else written[:80] + "…",
        "not_parseable",
        f"{parts} in it cannot be read as part of a citation, and what it changes is not guessed.",
        "Ask again without it if it is no part of the citation, or write it another way.",
        suggestions=tuple(
            Suggestion(place.citation, place.norm_id, "what the rest of it means")
            for place in dict.fromkeys(named)
        ),
        hint=NextCall(Means.READ, named[0].citation),
        unparsed=unread,
        on=None if isinstance(found[0], DecisionHit) else found[0].on,
    )
    return [miss]


def miss_anchor(written: str, anchor: str, annex: ProvisionHit) -> Miss:
    """An annex that is cited as one to a section which its heading does not name."""
    [miss] = miss_unread(written, [anchor], [annex])
    heading = " ".join((annex.norm.title or annex.text).split())
    heading = heading if len(heading) <= _LONGEST_PART else heading[:_LONGEST_PART] + "…"
    return replace(
        miss,
        reason=f"{annex.norm.citation} is no annex '{anchor}' by its heading: '{heading}'.",
        next_step="Ask again without the section, or with the one that the heading names.",
    )


def _name(outcome: Hit | LawHit) -> Place:
    if isinstance(outcome, Hit):
        return Place(outcome.citation, outcome.held_id)
    return Place(outcome.statute.abbreviation, outcome.statute.statute_id)
