"""A verdict as the tools show it: one word on a citation, and no text."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, TypedDict

from fundstelle.lookup.comparing.quotes import STATUSES
from fundstelle.lookup.verdicts.judge import VERDICTS, Verdict
from fundstelle.tools.answers.budgets import shorten
from fundstelle.tools.answers.schema import Values

LONGEST_WHY = 160
LONGEST_CITATION = 120
_ITEM = 250  # characters of an item's JSON that its reason keeps to
_LEAST_WHY = 60
_FRAME = 24  # of the names and signs around the values, for each field


class ShownVerdict(TypedDict, total=False):
    """What ``verdict`` says of a citation, which stands beside it."""

    verdict: Annotated[str, "On the citation alone; quote is on the words.", Values(VERDICTS)]
    norm_id: Annotated[str, "What it cites."]
    as_of: Annotated[date, "Its day, if another than the answer's."]
    correct: Annotated[str, "The citation that would be right, where that is known."]
    quote: Annotated[str, "What came of the words quoted from it.", Values(STATUSES)]
    why: Annotated[str, "Why, in at most 160 characters."]
    judged: Annotated[int, "Of what it names only so many were judged; ask again for the rest."]
    start: Annotated[int, "Where it begins in the draft."]
    end: Annotated[int, "Where it ends there, exclusive."]


def build_verdict(verdict: Verdict, on: date) -> ShownVerdict:
    """The JSON of a verdict, but for the citation and its place, in an answer for that day."""
    shown: ShownVerdict = {"verdict": verdict.verdict}
    if verdict.norm_id:
        shown["norm_id"] = verdict.norm_id
    if verdict.on is not None and verdict.on != on:
        shown["as_of"] = verdict.on
    if verdict.correct:
        shown["correct"] = verdict.correct
    if verdict.check is not None:
        shown["quote"] = verdict.check.status
    if verdict.unread:
        shown["judged"] = verdict.units
    if verdict.why:
        taken = min(len(verdict.citation), LONGEST_CITATION) + sum(
            len(str(each)) + _FRAME // 2 for each in shown.values()
        )
        room = min(LONGEST_WHY, max(_LEAST_WHY, _ITEM - 2 * _FRAME - taken))
        shown["why"] = shorten(" ".join(verdict.why.split()), room)
    return shown


def count_verdicts(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """How many there are of each kind, and of quotes that stand or fail."""
    given = list(verdicts)
    counts = {kind: sum(each.verdict == kind for each in given) for kind in VERDICTS}
    statuses = [each.check.status for each in given if each.check is not None]
    counts["quotes_verbatim"] = statuses.count("verbatim")
    counts["quotes_failed"] = sum(one not in {"verbatim", "normalised"} for one in statuses)
    return counts
