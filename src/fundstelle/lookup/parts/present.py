"""The parts of a norm that a path names, marked or only printed: what is denied has neither."""

from collections.abc import Sequence

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Fassung, Norm, NormKind
from fundstelle.lookup.parts.following import NoUnit, Units, find_units
from fundstelle.lookup.parts.unmarked import find_around

MARKED_KINDS = (NormKind.SECTION, NormKind.ARTICLE)


def find_parts(norm: Norm, fassung: Fassung, path: Sequence[PathStep]) -> Units | NoUnit:
    """The parts of one text of ``norm``; ``NoUnit`` where there is no such part."""
    units = find_units(fassung.segments, path, complete=norm.kind in MARKED_KINDS)
    if isinstance(units, NoUnit):
        return find_around(fassung.text, fassung.segments, path, units) or units
    return units
