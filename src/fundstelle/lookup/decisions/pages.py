"""Pages of collections and journals: the decision printed there, as decisions cite it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from fundstelle.citations.decisions.courts import find_last_court
from fundstelle.citations.format import format_citation
from fundstelle.citations.parse import parse
from fundstelle.corpus.decisions import Citing, NamedPage
from fundstelle.law.citations import DecisionCitation, ReporterCitation, Target
from fundstelle.law.courts import COURT_OF_COLLECTION
from fundstelle.law.decisions import Decision
from fundstelle.lookup.answers import (
    DecisionHit,
    Hit,
    Means,
    Miss,
    NextCall,
    Outcome,
    Suggestion,
)
from fundstelle.lookup.decisions.passages import find_places
from fundstelle.lookup.decisions.texts import drop_guessed_court, find_meant, open_at
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses import reasons as misses

_CHECK = "Compare court and docket with the court's own collection."
# Between a decision and a page: another one begins. "Rn. 12 und 13" is of the same.
_PARTS = re.compile(
    r";|(?<!\w)(?:und|sowie|and|vgl|siehe|aber|anders|ebenso|dann|zuvor|nachgehend|vorgehend)(?!\w)"
    r"(?!\s(?:Rn\.?\s)?\d+(?!\w))",
    re.IGNORECASE,
)


def resolve_page(
    library: Library, written: str, target: ReporterCitation, targets: Sequence[Target] = ()
) -> tuple[Sequence[DecisionHit | Miss], Sequence[str]]:
    """The decision printed there and, in words, how that is known; else what is known of it."""
    page = library.decisions.find_page(target)
    name = format_citation(target)
    if page is None:
        missed = misses.document_not_held(name if len(targets) > 1 else written)
        beside = is_parallel(library, written, target, targets)
        return [replace(missed, parallel=beside)], ()
    held = library.decisions.find(page.decision_id) if page.decision_id else None
    court = held.court if held else _read(page.named).court
    is_other = target.court is not None and court not in {None, target.court}
    if held is not None and not is_other:
        known = "its publisher says so" if page.named is None else _cite(library, page.named)
        note = f"{name} was read as {held.citation}: {known}"
        return open_at(library, written, held, targets, target), (note,)
    doubt = f", which is not a decision of {target.court}" if is_other else ""
    return [_miss(library, name, page, held, doubt)], ()


def is_parallel(
    library: Library, written: str, page: ReporterCitation, targets: Sequence[Target]
) -> bool:
    """Whether a page is written beside a decision that is held, as another place of the same."""
    cited = [one for one in targets if isinstance(one, DecisionCitation | ReporterCitation)]
    placed = sorted(
        ((min(find_places(written, one), default=-1), one) for one in cited), key=lambda one: one[0]
    )
    own = next(number for number, (_, one) in enumerate(placed) if one == page)
    for beside in (placed[own::-1], placed[own:]):
        decision = _find_beside(written, page, beside)
        if decision is not None:
            held = find_meant(library, written, drop_guessed_court(written, decision))
            return len(held) == 1 and name_court(page) in {None, held[0].court}
    return False


def _find_beside(
    written: str,
    page: ReporterCitation,
    placed: Sequence[tuple[int, DecisionCitation | ReporterCitation]],
) -> DecisionCitation | None:
    """The decision that is reached from a page, the first placed, over other pages of it."""
    (at, _), *others = placed
    for place, one in others:
        low, high = sorted((at, place))
        if place < 0 or _PARTS.search(written, low, high):
            return None
        if isinstance(one, DecisionCitation):
            named = find_last_court(written, low, high)
            return one if named is None or named.name == one.court else None
        if len({name_court(one), name_court(page)} - {None}) > 1:
            return None
    return None


def name_court(page: ReporterCitation) -> str | None:
    """The court that is named with a page, or whose decisions alone its collection has."""
    return page.court or COURT_OF_COLLECTION.get(page.reporter)


def drop_same(outcomes: Sequence[Outcome], found: Sequence[Outcome]) -> list[Outcome]:
    """``found`` without the texts that are among ``outcomes``: parallel citations name one."""
    known = {(one.held_id, one.start, one.end) for one in outcomes if isinstance(one, Hit)}
    return [
        one
        for one in found
        if not isinstance(one, Hit) or (one.held_id, one.start, one.end) not in known
    ]


def _miss(library: Library, name: str, page: NamedPage, held: Decision | None, doubt: str) -> Miss:
    """The page is that of a decision that is not held, or not of the court that was named."""
    named = page.named
    suggestions = []
    if held is not None:
        cited, known = held.citation, "its publisher says so"
        suggestions.append(Suggestion(cited, held.decision_id, "printed on that page"))
    if named is not None:
        cited, known = _format(named), _cite(library, named)
        if held is None:
            suggestions.append(Suggestion(cited, None, "printed on that page, not held here"))
        suggestions.append(Suggestion(_locate(library, named), named.citing_id, "cites the page"))
    return Miss(
        name,
        "not_in_corpus",
        f"{name} is not in this corpus, but cited as {cited}{doubt}: {known}.",
        _CHECK,
        suggestions=tuple(suggestions),
        hint=NextCall(Means.READ, named.citing_id) if named else None,
    )


def _cite(library: Library, named: Citing) -> str:
    return f"so cited in {_locate(library, named)}"


def _locate(library: Library, named: Citing) -> str:
    citing = library.decisions.find(named.citing_id)
    assert citing is not None, "a build holds every decision that cites"
    return f"{citing.citation}{f', Rn. {named.passage}' if named.passage else ''}"


def _format(named: Citing) -> str:
    target = _read(named)
    return format_citation(target) if target.docket else named.cited_text


def _read(named: Citing | None) -> DecisionCitation:
    """The decision that stands beside a page; its words were chosen to tell it alone."""
    first = next(iter(parse(named.cited_text).targets), None) if named else None
    return first if isinstance(first, DecisionCitation) else DecisionCitation()
