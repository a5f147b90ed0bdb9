"""Numbers in a list that no word calls Absatz or section: ``Art. 6 Abs. 1, 13, 14 DSGVO``.

The grammar repeats the last level, for ``Art. 5 Abs. 1, 2`` are two Absätze, and behind "§§" takes
what is above the number of the section for the next one. The law's contents tell whether that can
be; where both can, both are told.
"""

import re
from dataclasses import replace
from typing import TypeVar

from fundstelle.law.citations import EuCitation, NormCitation, PathStep
from fundstelle.law.norms import Level

Provision = TypeVar("Provision", bound=NormCitation | EuCitation)

FOLLOWING = frozenset({"f", "ff"})
_DIGITS = re.compile(r"\d{1,9}")  # of a longer number its beginning
_SIGNS = frozenset({"§", "Art"})


def list_others(target: Provision) -> list[Provision]:
    """What the words of one member of a list can mean as well, without a guess.

    "§§" announces several, and one "Art." stands before several; a single "§" announces one
    section, and behind "Art." a number behind a Nummer counts Nummern.
    """
    part = _read_as_part(target)
    if part is not None:
        return [part]
    if not target.path or not _may_be_bare(target):
        return []
    return [
        _read_as_provision(target, at)
        for at, step in enumerate(target.path)
        if _is_bare(step) and step.several and step.value != target.number
    ]


def read_as_guess(target: Provision) -> Provision | None:
    """The provision that a bare number may be though its words do not say so.

    Behind a single "§" lists rise: after ``§ 823 Abs. 1`` a 3 is no section. After ``§ 5 Abs. 1
    Nr. 1`` it is none either.
    """
    at = next((at for at, step in enumerate(target.path) if _is_bare(step)), None)
    current = _DIGITS.match(target.number or "")
    if at is None or current is None or not _may_be_bare(target):
        return None
    step = target.path[at]
    value = _DIGITS.match(step.value)
    if target.unit != "Art" and step.level != Level.ABSATZ:
        return None
    if value is None or int(value[0]) <= int(current[0]):
        return None
    return _read_as_provision(target, at)


def _may_be_bare(target: NormCitation | EuCitation) -> bool:
    return target.unit in _SIGNS and not (target.number_end or target.follow)


def _read_as_provision(target: Provision, at: int) -> Provision:
    step = target.path[at]
    is_follow = step.to in FOLLOWING
    return replace(
        target,
        number=step.value,
        number_end=None if is_follow else step.to,
        follow=step.to if is_follow else None,
        path=target.path[at + 1 :],
    )


def _read_as_part(target: Provision) -> Provision | None:
    """The part of the section before that a bare number behind "§§" may be as well."""
    if target.repeats is None:
        return None
    number, (*above, last) = target.repeats
    part = replace(last, value=target.number or "", to=target.number_end or target.follow)
    return replace(
        target,
        number=number,
        number_end=None,
        follow=None,
        path=(*above, part, *target.path),
        repeats=None,
    )


def _is_bare(step: PathStep) -> bool:
    return step.bare and step.value[0].isdigit()
