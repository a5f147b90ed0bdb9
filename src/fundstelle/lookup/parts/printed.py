"""Parts of norms as answers print them: "Schlussformel Satz 1 BGB", "Anlage I Kap V Satz 2 …"."""

from collections.abc import Sequence
from dataclasses import replace

from fundstelle.citations.norms.path import PathReader
from fundstelle.citations.text.clean import clean
from fundstelle.law.citations import NormCitation, PathStep
from fundstelle.law.norms import Norm, Segment
from fundstelle.lookup.answers import DecisionHit, Miss, Outcome, Place, ProvisionHit, Resolution
from fundstelle.lookup.labels import is_cited_so
from fundstelle.lookup.misses import reasons as misses
from fundstelle.lookup.parts.units import format_steps, get_steps
from fundstelle.lookup.reading.numbers import KINDS
from fundstelle.lookup.reading.printed import find_printed_parts, fold_blanks
from fundstelle.lookup.texts import LookupRequest, read_units


def prefer_printed_unit(question: LookupRequest, resolution: Resolution) -> Resolution:
    """The part of a norm that is cited just so, where the grammar reads something else or nothing.

    The grammar knows §§ and Artikel, and annexes by their number; of what goes by another label
    ("Anlage I Kap V", "Schlussformel") and of parts with odd values only the text itself tells.
    """
    if is_cited_so(resolution) or not _may_be_printed(resolution):
        return resolution
    for norms, path in find_printed_parts(question.library, question.written):
        read = [_read(question, norm, path) for norm in norms]
        outcome = _join([each for each in read if each is not None])
        if isinstance(outcome, Miss) and _is_numbered(resolution):
            return resolution  # the grammar has read the same, and knows of what
        if outcome is not None:
            return Resolution(question.written, (), (outcome,), 1, question.on)
    return resolution


def _may_be_printed(resolution: Resolution) -> bool:
    """Whether nothing was found, or by a label that the grammar knows only in part."""
    hits = resolution.hits
    if not hits:
        return True
    if any(isinstance(hit, DecisionHit) or hit.statute.jurisdiction != "de" for hit in hits):
        return False
    units = (one.unit for one in resolution.targets if isinstance(one, NormCitation))
    return any(unit not in KINDS for unit in units)


def _is_numbered(resolution: Resolution) -> bool:
    """Whether the grammar has read nothing but §§ and Artikel."""
    targets = resolution.targets
    return bool(targets) and all(
        isinstance(one, NormCitation) and one.unit in KINDS for one in targets
    )


def _read(question: LookupRequest, norm: Norm, path: str) -> Outcome | None:
    """The part that ``path`` names, as it is printed or by the usual grammar."""
    library = question.library
    statute = library.store.statutes[norm.statute_id]
    fassung = library.store.find_fassung(norm.norm_id, question.on)
    segments = fassung.segments if fassung is not None else ()
    steps = _find_printed(segments, path)
    if steps is None:
        steps = _read_path(path)
    if not steps:
        return None
    first, *others = read_units(question, statute, norm, steps)
    if others or (isinstance(first, ProvisionHit) and first.rest):
        return None
    return misses.add_age(first, library, statute)


def _find_printed(segments: Sequence[Segment], path: str) -> tuple[PathStep, ...] | None:
    """The steps that are printed as ``path``, in the same letters before any other."""
    wanted = fold_blanks(path)
    ends = (at for at, each in enumerate(segments) if wanted.endswith(each.value.casefold()))
    found = None
    for steps in (get_steps(segments, unit) for unit in ends):
        printed = format_steps(steps)
        if printed == path:
            return steps
        if found is None and fold_blanks(printed) == wanted:
            found = steps
    return found


def _read_path(path: str) -> tuple[PathStep, ...]:
    """The steps of a path that is read to its end."""
    text = clean(path).text
    reader = PathReader(text, 0, [], annex=True)
    return tuple(reader.steps) if reader.read() == len(text) else ()


def _join(outcomes: Sequence[Outcome]) -> Outcome | None:
    """The first that has a text, with those of the same designation beside it."""
    held = [each for each in outcomes if isinstance(each, ProvisionHit)]
    told = [each for each in outcomes if isinstance(each, Miss)]
    if not held:
        return told[0] if told else None
    first, *others = held
    if not others:
        return first
    places = tuple(Place(each.citation, each.held_id) for each in others)
    several = f"{first.statute.abbreviation} has several provisions of this designation."
    return replace(
        first,
        alternatives=(*first.alternatives, *places),
        warnings=(*first.warnings, several),
    )
