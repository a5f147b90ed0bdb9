"""Numbers in a list that no word calls Absatz or section: ``Art. 6 Abs. 1, 13, 14 DSGVO``.

The grammar repeats the last level, for ``Art. 5 Abs. 1, 2`` are two Absätze, and behind "§§" takes
what is above the number of the section for the next one. The law's contents tell whether that can
be; where both can, both are told.
"""

import re
from dataclasses import replace
from typing import TypeVar

from fundstelle.law.citations import FOLLOWING, EuCitation, NormCitation, PathStep
from fundstelle.law.norms import Level

Provision = TypeVar("Provision", bound=NormCitation | EuCitation)

_DIGITS = re.compile(r"\d{1,9}")  # of a longer number its beginning
_SIGNS = frozenset({"§", "Art"})
_FEW = 4  # a number so few behind the last part counts a part that is not there
_MORE = 9  # that of another Artikel is above the one before, and seldom below


def list_others(target: Provision) -> list[Provision]:
    """What the words of one member of a list can mean as well, without a guess.

    "§§" announces several, and one "Art." stands before several, whose numbers rise; a single
    "§" announces one section, and behind "Art." a number behind a Nummer counts Nummern.
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


def list_beside(target: Provision) -> list[Provision]:
    """The Artikel that a bare number behind one "Art." may be though the part of it is there."""
    if target.unit != "Art" or not _may_be_bare(target):
        return []
    bare = (at for at, step in enumerate(target.path) if _is_bare(step))
    return [_read_as_provision(target, at) for at in bare if _rises(target, at)]


def list_guesses(target: Provision, *, is_far: bool = False) -> list[Provision]:
    """The provisions that a bare number may be though its words do not say so.

    Lists rise: after ``§ 823 Abs. 1`` or ``Art. 15 Abs. 1`` a 3 is no other provision, but it may
    be after ``Article 15(1)``, where paragraphs stand in brackets. After ``§ 5 Abs. 1 Nr. 1`` it is
    none. ``is_far``: it is behind "Art.", and there are by far not so many parts, so that a number
    below that of the Artikel may be one, too.
    """
    if not _may_be_bare(target):
        return []
    is_single = target.unit != "Art" or _is_nested(target)
    guesses = []
    for at, step in enumerate(target.path):
        is_loose = is_far or step.bracketed or _rises(target, at)
        if _is_bare(step) and is_loose and (step.level == Level.ABSATZ or not is_single):
            guesses.append(_read_as_provision(target, at))
    return guesses


def name_before(target: Provision, *, is_few: bool = False) -> Provision | None:
    """Behind "Art." the part so far before a bare number that no list goes on from it.

    Where it is there, the number may be meant for a part that is not; surely so where few parts
    lie between them, which ``is_few`` asks for of a number that falls, too.
    """
    at = _find_bare(target)
    if at is None or target.unit != "Art" or _is_nested(target):
        return None
    if target.path[at].several and not _rises(target, at):
        return None  # "i.V.m. 12", or far above the part before: no list of parts goes there
    value = _DIGITS.match(target.path[at].value)
    before = int(value[0]) - (_FEW if is_few or _rises(target, at) else _MORE) if value else 0
    if before <= 0:
        return None
    step = replace(target.path[at], value=str(before), to=None)
    return replace(target, path=(*target.path[:at], step))


def _rises(target: NormCitation | EuCitation, at: int) -> bool:
    """Whether the bare number at ``at`` is above that of the provision it stands behind."""
    number = target.path[0].value if _is_nested(target) else target.number
    return is_above(target.path[at].value, number or "")


def is_above(number: str, other: str) -> bool:
    """Whether a number comes behind another one in a law: 13 behind 6, 2a behind 2."""
    one, before = _DIGITS.match(number), _DIGITS.match(other)
    if one is None or before is None:
        return False
    letters = number[one.end() :], other[before.end() :]
    return (int(one[0]), letters[0]) > (int(before[0]), letters[1])


def _find_bare(target: NormCitation | EuCitation) -> int | None:
    return next((at for at, step in enumerate(target.path) if _is_bare(step)), None)


def _is_nested(target: NormCitation | EuCitation) -> bool:
    """Whether it is of a § below an Artikel."""
    return bool(target.path) and target.path[0].level == Level.SECTION


def _may_be_bare(target: NormCitation | EuCitation) -> bool:
    return target.unit in _SIGNS and not (target.number_end or target.follow)


def _read_as_provision(target: Provision, at: int) -> Provision:
    step = target.path[at]
    if at and _is_nested(target):  # the next § below the same Artikel
        section = PathStep(Level.SECTION, step.value, step.to)
        return replace(target, path=(section, *target.path[at + 1 :]))
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
