"""All that a filter by what is cited names, and what of it no filter can mind."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from fundstelle.lookup.answers import WITHHELD, Hit, LawHit, Miss, ProvisionHit, Resolution
from fundstelle.lookup.library import Library
from fundstelle.lookup.provisions import MOST_TARGETS
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.withheld import KEY_REACHES_NONE
from fundstelle.tools.inputs.arguments import wrong_filter

_FIELD = "cited_norm"


@dataclass(frozen=True, slots=True)
class Cited:
    """The ids of norms, laws and decisions that are named, each once; none if all are withheld."""

    ids: Sequence[str]
    warnings: Sequence[str]


def find_cited(library: Library, written: str, on: date) -> Cited:
    """What ``written`` names, at most as much as one answer gives.

    Raises:
        InvalidFilter: nothing that it names is known.
    """
    resolution = resolve(library, written, on)
    ids: dict[str, None] = {}
    warnings = [f"{_FIELD}: {note}." for note in resolution.normalised]
    for outcome in resolution.outcomes:
        if isinstance(outcome, Hit):
            ids[outcome.held_id] = None
        elif isinstance(outcome, LawHit):
            ids[outcome.statute.statute_id] = None
        elif outcome.about is not None:  # it has no text for the day, and is cited all the same
            ids[outcome.about.norm_id] = None
        elif not outcome.within:
            is_withheld = outcome.status == WITHHELD
            warnings.append(KEY_REACHES_NONE if is_withheld else f"{_FIELD}: {outcome.reason}")
    if not ids and all(each.status != WITHHELD for each in resolution.misses):
        first = resolution.misses[0]
        names = [suggestion.citation for suggestion in first.suggestions]
        raise wrong_filter(_FIELD, written, names, "§ 280 BGB")
    warnings += _say_left_out(resolution, len(ids))
    warnings += _say_parts(resolution)
    return Cited(list(ids)[:MOST_TARGETS], list(dict.fromkeys(warnings)))


def _say_left_out(resolution: Resolution, known: int) -> Iterator[str]:
    """What is named beyond the bound."""
    shown = sum(not (isinstance(each, Miss) and each.about is None) for each in resolution.outcomes)
    if known > MOST_TARGETS or resolution.total > len(resolution.outcomes) or resolution.unshown:
        yield (
            f"{_FIELD}: more is named than one call takes; only the first"
            f" {min(shown, MOST_TARGETS)} were used. Ask for the rest separately."
        )


def _say_parts(resolution: Resolution) -> Iterator[str]:
    """The parts of norms and decisions that are cited: the filter knows them as a whole only."""
    parts = dict.fromkeys(
        hit.citation
        for hit in resolution.hits
        if not hit.is_whole or (isinstance(hit, ProvisionHit) and hit.rest)
    )
    if parts:
        yield (
            f"{_FIELD}: the part was not taken into account ({', '.join(parts)}); shown is what"
            " cites any of it. legal_find_citing_decisions with precision exact minds the part."
        )
