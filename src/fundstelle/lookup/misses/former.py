"""A part that a text of today has no longer: older texts are asked before it is denied."""

from collections.abc import Sequence

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Fassung, Level, Norm, NormStatus, choose_read_day
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.dating.days import describe_days
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses import other_days
from fundstelle.lookup.misses.gaps import is_repealed
from fundstelle.lookup.parts.following import NoUnit
from fundstelle.lookup.parts.present import MARKED_KINDS, find_parts
from fundstelle.lookup.parts.units import format_steps, insert_path
from fundstelle.lookup.reading.rows import find_rows

_MOST = 4  # texts that are asked


def ask_older(
    library: Library, whole: ProvisionHit, path: Sequence[PathStep], miss: Miss, printed: str
) -> Miss:
    """A part that one of the last texts had is gone, and is not denied.

    Args:
        library: where the texts are.
        whole: the norm in the text that lacks the part.
        path: of the part.
        miss: the answer if none of them had it.
        printed: what is left of the part: its number, or nothing.
    """
    store, begun = library.store, whole.fassung.in_force_from
    if begun is None:
        return miss
    heads = store.list_fassungen(whole.norm.norm_id)
    ended = [one for one in heads if one.in_force_until and one.in_force_until <= begun]
    for head in reversed(ended[-_MOST:]):
        day = choose_read_day(head.stand, head.in_force_from)
        older = store.find_fassung(whole.norm.norm_id, day)
        if older is not None and _has_part(whole.norm, older, path):
            steps = format_steps(path)
            citation = insert_path(whole.norm.citation, steps, whole.statute.abbreviation)
            days = describe_days(store.manifest, whole.statute, heads)[heads.index(head)]
            return other_days.in_older_text(miss, whole.norm, citation, printed, (day, days))
    return miss


def is_number(path: Sequence[PathStep]) -> bool:
    """Whether it names a number alone, as a row of a schedule has it."""
    return len(path) == 1 and path[0].level == Level.NUMMER


def _has_part(norm: Norm, fassung: Fassung, path: Sequence[PathStep]) -> bool:
    """Whether a text shows that part, with words."""
    value = path[-1].value  # most that is missing was nowhere, which is seen at once
    if norm.kind in MARKED_KINDS and not any(part.value == value for part in fassung.segments):
        return False
    units = find_parts(norm, fassung, path)
    if fassung.status is not NormStatus.IN_FORCE or isinstance(units, NoUnit):
        return False
    if units.rest or units.split:
        is_row = norm.kind not in MARKED_KINDS and is_number(path)
        return is_row and bool(find_rows(fassung.text, path[0].value))
    return all(unit >= 0 and not is_repealed(fassung, unit) for unit in units.found)
