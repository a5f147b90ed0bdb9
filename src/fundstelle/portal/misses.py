"""What a page says where there is no text: the miss, as assistants are told it, in page's words."""

import re
from dataclasses import dataclass
from datetime import date

from fundstelle.citations.find import find as find_citations
from fundstelle.citations.format import format_citation
from fundstelle.lookup.addresses import decision_path, norm_path
from fundstelle.lookup.answers import CODES, Miss, Place, Resolution
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve

_LONGEST = 500  # characters of a reference that is read
_UNREAD = "INVALID_CITATION"
_SIGNLESS = re.compile(
    r"\d{1,5} ?[a-z]? [^\W\d]{2,20}|[^\W\d]{2,20} \d{1,5} ?[a-z]?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Way:
    """A place that is there: its name, where it leads if its text is held, and why it is named."""

    name: str
    path: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class ShownMiss:
    """A miss with its evidence; ``key`` is the text of its status, ``reason`` is English.

    ``portal.reasons`` tells it in another language.
    """

    citation: str
    status: str
    reason: str
    first: Way | None
    last: Way | None
    before: Way | None
    after: Way | None
    repealed_on: date | None
    last_seen: date | None
    suggestions: tuple[Way, ...]

    @property
    def key(self) -> str:
        """The name of the sentence that says it."""
        return f"miss.{self.status}"


def find_miss(library: Library, written: str, on: date) -> ShownMiss | None:
    """Why a reference leads to no text; ``None`` if it does, or is not read as a reference."""
    if not 0 < len(written) <= _LONGEST:
        return None
    found = resolve(library, written, on)
    outcome = found.outcomes[0]
    if not isinstance(outcome, Miss) or CODES[outcome.status] == _UNREAD:
        return None
    evidence = outcome.evidence
    beside = {place.norm_id for place in (evidence.nearest_before, evidence.nearest_after) if place}
    return ShownMiss(
        citation=_name(found, outcome),
        status=outcome.status,
        reason=outcome.reason,
        first=_lead_to(library, evidence.first),
        last=_lead_to(library, evidence.last),
        before=_lead_to(library, evidence.nearest_before),
        after=_lead_to(library, evidence.nearest_after),
        repealed_on=evidence.repealed_on,
        last_seen=evidence.last_seen,
        suggestions=tuple(
            Way(one.citation, _find_path(library, one.norm_id), one.why)
            for one in outcome.suggestions
            if one.norm_id is None or one.norm_id not in beside
        ),
    )


def _name(found: Resolution, miss: Miss) -> str:
    """What was asked for, as written; in its full form where something was missing of it."""
    is_short = found.normalised and len(found.targets) == 1
    return format_citation(found.targets[0]) if is_short else miss.citation


def is_bare(library: Library, query: str) -> bool:
    """Whether a question is a citation and nothing else, if without its sign: ``823a bgb``."""
    bare = query.strip(" .,;:?!")
    if _SIGNLESS.fullmatch(bare):
        return True
    found = find_citations(bare, library.names) if len(bare) <= _LONGEST else []
    return any((one.start, one.end) == (0, len(bare)) for one in found)


def _lead_to(library: Library, place: Place | None) -> Way | None:
    return None if place is None else Way(place.citation, _find_path(library, place.norm_id))


def _find_path(library: Library, held_id: str | None) -> str:
    """The page of a law, norm or decision."""
    if not held_id:
        return ""
    store = library.store
    if held_id in store.statutes or store.find_norm(held_id) is not None:
        return norm_path(held_id)
    return decision_path(held_id)
