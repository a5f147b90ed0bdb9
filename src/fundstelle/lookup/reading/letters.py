"""A letter that is also the sign for what follows: ``§§ 675f BGB``, ``Buchst. b ff``.

And one behind a blank, which may be of the number before it: ``§ 34 III a BauGB``.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from fundstelle.law.citations import EuCitation, NormCitation, PathStep
from fundstelle.law.norms import Level

Provision = TypeVar("Provision", bound=NormCitation | EuCitation)


def read_as_letter(target: Provision) -> Provision | None:
    """The section with that letter, ``None`` where "f" can only mean the following one.

    Which of both is meant the law's contents tell: the letter, if there is such a section.
    """
    if not target.lettered or target.follow != "f":
        return None
    return replace(target, number=f"{target.number}f", follow=None, lettered=False)


def read_as_double(target: Provision) -> Provision | None:
    """``Buchst. b ff`` with "ff" as the double letter that there may be below b."""
    at = _find_lettered(target)
    if at is None or not target.path[at].follows:
        return None
    letter = replace(target.path[at], to=None, lettered=False)
    double = PathStep(Level.DOPPELBUCHSTABE, "ff")
    return replace(target, path=(*target.path[:at], letter, double, *target.path[at + 1 :]))


def is_behind_absatz(target: NormCitation | EuCitation) -> bool:
    """``§ 34 III a``: a letter that may be of the Absatz as well as below it."""
    at = _find_lettered(target)
    if not at or target.path[at].to or target.path[at].level != Level.BUCHSTABE:
        return False
    return target.path[at - 1].level == Level.ABSATZ


def list_spelt(target: Provision) -> Iterator[Provision]:
    """What a letter behind a blank means where no part bears it: ``III a``, ``Abs. 1 a``.

    An "f" at the end is last what follows: ``Abs 2 f``.
    """
    at = _find_lettered(target)
    if at is None or target.path[at].to:
        return
    step, behind = target.path[at], target.path[at + 1 :]
    if is_behind_absatz(target):
        above = target.path[at - 1]
        joined = replace(above, value=above.value + step.value)
        yield replace(target, path=(*target.path[: at - 1], joined, *behind))
    number, letter = replace(step, value=step.value[:-1], lettered=False), step.value[-1]
    if step.level == Level.ABSATZ:
        below = PathStep(Level.BUCHSTABE, letter, lettered=True)
        yield replace(target, path=(*target.path[:at], number, below, *behind))
    if letter != "f" or behind:
        return
    if step.level == Level.ABSATZ:
        yield replace(target, path=(*target.path[:at], replace(number, to="f")))
    elif at:
        first = replace(target.path[at - 1], to="f")
        yield replace(target, path=(*target.path[: at - 1], first))


def read_as_below(target: Provision) -> Provision | None:
    """``Buchst. f, Satz 2`` as the second sentence of f, and not as one of the Absatz."""
    at = next((at for at, step in enumerate(target.path) if step.behind), None)
    if at is None:
        return None
    step = target.path[at]
    return replace(target, path=(*step.behind, replace(step, behind=()), *target.path[at + 1 :]))


def _find_lettered(target: NormCitation | EuCitation) -> int | None:
    return next((at for at, step in enumerate(target.path) if step.lettered), None)
