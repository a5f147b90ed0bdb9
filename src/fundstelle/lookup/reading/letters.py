"""A letter that is also the sign for what follows: ``§§ 675f BGB``, ``§§ 145f BGB``."""

from dataclasses import replace
from typing import TypeVar

from fundstelle.law.citations import EuCitation, NormCitation

Provision = TypeVar("Provision", bound=NormCitation | EuCitation)


def read_as_letter(target: Provision) -> Provision | None:
    """The section with that letter, ``None`` where "f" can only mean the following one.

    Which of both is meant the law's contents tell: the letter, if there is such a section.
    """
    if not target.lettered or target.follow != "f":
        return None
    return replace(target, number=f"{target.number}f", follow=None, lettered=False)
