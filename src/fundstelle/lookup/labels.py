"""References that are no citation to the grammar, but what a norm is cited by here."""

import re
from collections.abc import Sequence
from dataclasses import replace

from fundstelle.law.citations import NormCitation
from fundstelle.law.norms import Norm, NormKind
from fundstelle.lookup.answers import (
    DecisionHit,
    LawHit,
    Miss,
    Outcome,
    Place,
    ProvisionHit,
    Resolution,
)
from fundstelle.lookup.dating.bearers import is_undecided
from fundstelle.lookup.misses import reasons as misses
from fundstelle.lookup.misses.unprinted import lacks_number
from fundstelle.lookup.reading.laws import list_held
from fundstelle.lookup.reading.numbers import KINDS
from fundstelle.lookup.reading.printed import LISTED, find_printed, fold_blanks
from fundstelle.lookup.successors import add_successors
from fundstelle.lookup.texts import LookupRequest, read_norm

_JOINED = re.compile(r"\d[a-z]?(?:\.| (?:bis|und|u\.) )", re.IGNORECASE)  # "Art 1 u. 2", "7f."


def is_cited_so(resolution: Resolution) -> bool:
    """Whether the one answer is about what is cited just as it was written."""
    (first, *others) = resolution.outcomes
    about = first.about if isinstance(first, Miss) else first
    if others or about is None or isinstance(about, LawHit):
        return False
    written = resolution.written
    places = first.alternatives if isinstance(first, ProvisionHit) else ()
    if about.citation != written and any(place.citation == written for place in places):
        return False  # of "Buchst. A" and "Buchst. a" the other
    return fold_blanks(about.citation) == fold_blanks(written)


def prefer_printed(question: LookupRequest, resolution: Resolution) -> Resolution:
    """What is cited just so, where the grammar reads something else or nothing.

    A heading gives way to a provision. The grammar alone knows in which language an act of the
    Union is wanted, which of two laws of one name is meant, and what else has that name.
    """
    hits = resolution.hits
    first_hit = hits[0] if hits else None
    if isinstance(first_hit, DecisionHit) or (
        first_hit is not None and first_hit.statute.jurisdiction != "de"
    ):
        return resolution
    norms = _list_labelled(question, resolution)
    provisions = [norm for norm in norms if norm.kind is not NormKind.HEADING]
    if not norms or (hits and not provisions):
        return resolution
    norms = provisions or norms
    if _is_of_namesake(question, resolution, norms[0]) or _is_answered(resolution, norms):
        return resolution
    outcome = _read_labelled(question, norms)
    if isinstance(outcome, Miss) and outcome.status in _list_statuses(resolution):
        return resolution  # the grammar knows which other laws have the name
    if len(resolution.targets) == 1 and isinstance(resolution.targets[0], NormCitation):
        statute = question.library.store.statutes[norms[0].statute_id]
        outcome = add_successors(outcome, question.library, statute, resolution.targets[0])
    return Resolution(question.written, (), (outcome,), 1, question.on)


def _list_statuses(resolution: Resolution) -> list[str]:
    """The status of the one answer, where that is a miss."""
    (first, *others) = resolution.outcomes
    return [first.status] if isinstance(first, Miss) and not others else []


def _list_labelled(question: LookupRequest, resolution: Resolution) -> list[Norm]:
    """The norms cited just so; where only a number is missing, the one heading that bears it."""
    library, written = question.library, question.written
    if not resolution.hits and _may_be_a_label(resolution):
        return find_printed(library, written, listed=LISTED)
    (first, *others) = resolution.outcomes
    if others or not isinstance(first, Miss) or not lacks_number(first):
        return find_printed(library, written)
    norms = find_printed(library, written, listed=(NormKind.HEADING,))
    is_heading = any(norm.kind is NormKind.HEADING for norm in norms)
    return [] if is_heading and len(norms) > 1 else norms


def _is_of_namesake(question: LookupRequest, resolution: Resolution, norm: Norm) -> bool:
    """Whether the grammar knows the law as another one: ``GbV``, which is not the GBV.

    Of laws that had one name after each other it has read the one of the day.
    """
    library, statute = question.library, question.library.store.statutes[norm.statute_id]
    own = statute.abbreviation
    named = [one.law for one in resolution.targets if isinstance(one, NormCitation) and one.law]
    held = list_held(library, library.names.find(own), question.on) if own in named else []
    if held and (statute not in held or is_undecided(library, held, question.on)):
        return True
    if " ".join(question.written.split()) == norm.citation:
        return False
    known = [name for name in named if question.library.names.find(name)]
    return bool(known) and own not in known


def _is_answered(resolution: Resolution, norms: Sequence[Norm]) -> bool:
    """Whether the grammar's one answer is about these norms, and knows more of the place."""
    (first, *others) = resolution.outcomes
    if others:
        return False
    if isinstance(first, Miss):
        return first.about is not None and first.about.norm_id == norms[0].norm_id
    if not isinstance(first, ProvisionHit) or not first.is_whole:
        return False
    return first.norm.norm_id in {norm.norm_id for norm in norms}


def _read_labelled(question: LookupRequest, norms: Sequence[Norm]) -> Outcome:
    """The first of these that has a text, the others beside it."""
    statute = question.library.store.statutes[norms[0].statute_id]
    tried = [(norm, read_norm(question, statute, norm)) for norm in norms]
    held = [one for one in tried if isinstance(one[1], ProvisionHit)]
    (first, outcome), *others = held or tried
    if isinstance(outcome, ProvisionHit) and others:
        places = tuple(Place(other.citation, other.norm_id) for other, _ in others)
        several = f"{statute.abbreviation} has several parts of the designation {first.label}."
        warnings = (*outcome.warnings, several)
        outcome = replace(outcome, alternatives=places, warnings=warnings)
    return misses.add_age(outcome, question.library, statute)


def _may_be_a_label(resolution: Resolution) -> bool:
    """Whether what was not found may be more than a number, or nothing that the grammar reads.

    Of provisions by number the law's own order says what there is.
    """
    first, targets = resolution.outcomes[0], resolution.targets
    status = first.status if isinstance(first, Miss) else ""
    if status == "subunit_does_not_exist":
        return False
    is_open = status in {"not_parseable", "not_in_corpus", "ambiguous"}
    return (
        not targets
        or (is_open and isinstance(first, Miss) and not lacks_number(first))
        or _JOINED.search(resolution.written) is not None
        or any(getattr(target, "unit", None) not in KINDS for target in targets)
    )
