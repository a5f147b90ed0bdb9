"""What took the place of a provision or law, as the tools show it."""

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict

from fundstelle.lookup.answers import LawHit, Miss, Outcome, ProvisionHit, Successor
from fundstelle.lookup.library import Library
from fundstelle.lookup.successors import BASES, list_successors
from fundstelle.tools.answers.schema import Values

NAMED = "What took its place, where that is known."


class ShownSuccessor(TypedDict):
    """What took the place of something that is no more."""

    citation: Annotated[str, "Citation."]
    norm_id: Annotated[str, "Its id."]
    basis: Annotated[str, "Who says so.", Values(BASES)]
    share: NotRequired[Annotated[int, "Per cent of its words kept."]]


def _show(successors: Sequence[Successor]) -> list[ShownSuccessor]:
    """What took the place of something, with who says so."""
    shown: list[ShownSuccessor] = []
    for each in successors:
        shown.append({"citation": each.citation, "norm_id": each.norm_id, "basis": each.basis})
        if each.share is not None:
            shown[-1]["share"] = each.share
    return shown


def list_shown(library: Library, outcome: Outcome) -> list[ShownSuccessor]:
    """What took the place of what is repealed, or of a law held that is no longer listed."""
    if isinstance(outcome, Miss):
        return _show(outcome.successors)
    if isinstance(outcome, LawHit):
        return _show(list_successors(library, outcome.statute))
    if isinstance(outcome, ProvisionHit):
        return _show(list_successors(library, outcome.statute, outcome.norm))
    return []
