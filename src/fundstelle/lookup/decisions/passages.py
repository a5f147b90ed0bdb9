"""Which Randnummern are written of a decision, also where a citation names several decisions."""

import re
from collections.abc import Iterator, Sequence

from fundstelle.citations.decisions.margins import MARGIN
from fundstelle.corpus.decisions import DecisionStore
from fundstelle.law.citations import DecisionCitation, ReporterCitation, Target
from fundstelle.law.decisions import Decision, docket_key

_FOLLOW = r"(?:\s?(f{1,2})(?![^\W_])\.?)?"
# "7f" is read in one way: a list of them would be in as many as powers of two.
_NUMBERS = rf"(\d++(?:[a-z](?![^\W_]))?+)(?:\s*(?:-|–|bis|to)\s*(\d++[a-z]?+))?{_FOLLOW}"
_NUMBER = re.compile(_NUMBERS, re.IGNORECASE)
# "Rn. 12", "RdNr 17", "Rz. 13 bis 15", "Tz. 19, 22 und 30"
_PASSAGES = re.compile(
    rf"\b{MARGIN}\s*{_NUMBERS}(?P<more>(?:\s*(?:,|;|und|u\.|sowie|and)\s*(?:{MARGIN}\s*)?{_NUMBERS}"
    r"(?![\w/]|\.\d))*)",
    re.IGNORECASE,
)
_PRINTED = re.compile(rf"\s*(?:,\s*)?(?:juris\s)?\b{MARGIN}\s*\d[^,;]{{0,40}}$", re.IGNORECASE)
_BEHIND_ID = re.compile(rf"(?P<id>\S+?),?\s(?:juris\s)?(?P<at>{MARGIN}\s*\d.*)", re.IGNORECASE)


def list_passages(written: str) -> list[tuple[str, str]]:
    """First and last Randnummer of all that are named, in their order; the last of one is empty.

    It is ``f`` or ``ff`` where those that follow are meant.
    """
    return [
        (number[1], number[2] or number[3] or "")
        for passages in _PASSAGES.finditer(written)
        for number in _NUMBER.finditer(written, *passages.span())
    ]


def cut_printed(written: str) -> str:
    """A citation as answers print it, without the Randnummern behind it."""
    found = _PRINTED.search(written)
    return written[: found.start()] if found else written


def split_id(written: str) -> str | None:
    """The id before Randnummern and nothing else: ``de/bgh/…/urteil Rn. 5``."""
    named = _BEHIND_ID.fullmatch(written)
    return named["id"] if named and _PASSAGES.fullmatch(named["at"]) else None


def cut_own(
    decisions: DecisionStore,
    written: str,
    decision: Decision,
    targets: Sequence[Target],
    target: Target | None = None,
) -> str:
    """What of a citation of several decisions is written of one: up to where the next begins.

    ``target`` is what led to it, of all ``targets``.
    """
    cited = [one for one in targets if isinstance(one, DecisionCitation | ReporterCitation)]
    others = [
        one for one in cited if one != target and not _leads_to(decisions, written, one, decision)
    ]
    if not others:
        return written
    own = [at for one in cited if one not in others for at in find_places(written, one)]
    start = min(own, default=0)
    ends = [at for one in others for at in find_places(written, one) if at > start]
    return written[start : min(ends, default=len(written))]


def _leads_to(
    decisions: DecisionStore,
    written: str,
    target: DecisionCitation | ReporterCitation,
    decision: Decision,
) -> bool:
    if isinstance(target, DecisionCitation):
        held = {docket_key(one) for one in decision.dockets}
        ecli = (decision.ecli or "").casefold()
        is_named = bool(ecli) and (target.ecli or "").casefold() == ecli
        return is_named or bool(target.docket and docket_key(target.docket) in held)
    page = decisions.find_page(target)
    if page is not None and page.decision_id is not None:
        return page.decision_id == decision.decision_id
    # what nobody knows the decision of is the same as before, unless it is set apart
    places = list(find_places(written, target))
    return not places or not written[: places[0]].rstrip().endswith(";")


def find_places(written: str, target: DecisionCitation | ReporterCitation) -> Iterator[int]:
    """Where its Aktenzeichen, its ECLI or its page stands."""
    if isinstance(target, ReporterCitation):
        page = rf"{re.escape(target.volume)}\D{{1,8}}{re.escape(target.page)}(?!\d)"
        yield from (found.start() for found in re.finditer(page, written))
        return
    if target.docket:
        docket = r"\s*".join(map(re.escape, target.docket.replace(" ", "")))
        yield from (found.start() for found in re.finditer(docket, written, re.IGNORECASE))
    if target.ecli:
        found = re.search(re.escape(target.ecli), written, re.IGNORECASE)
        yield from [found.start()] if found else []
