"""Numbers in a list that no word calls Absatz or Artikel: ``Art. 6 Abs. 1, 13, 14 DSGVO``.

The grammar repeats the last level, for ``Art. 5 Abs. 1, 2`` are two Absätze. Where there is no
such part, a provision of that number may be meant.
"""

import re
from dataclasses import replace

from fundstelle.law.citations import EuCitation, NormCitation, PathStep
from fundstelle.law.norms import Level

FOLLOWING = frozenset({"f", "ff"})
_DIGITS = re.compile(r"\d+")
_SIGNS = frozenset({"§", "Art"})


def is_plain(target: NormCitation | EuCitation) -> bool:
    """Whether the number can only be another provision, if there is no such Absatz.

    One "Art." stands before several; a single "§" announces one section, and a number behind a
    Nummer counts Nummern.
    """
    return target.unit == "Art" and _find_bare(target) == Level.ABSATZ


def read_as_provision(target: NormCitation | EuCitation) -> NormCitation | EuCitation | None:
    """The provision that a bare number of ``target`` may be, ``None`` if it can be none.

    Lists rise: behind ``§ 823 Abs. 1`` a 3 is no section. Behind ``§ 5 Abs. 1 Nr. 1`` it is none
    either.
    """
    path = target.path
    at = next((i for i, step in enumerate(path) if _is_bare(step)), None)
    current = _DIGITS.match(target.number or "")
    if at is None or current is None or target.number_end or target.follow:
        return None
    if target.unit not in _SIGNS:
        return None
    step = path[at]
    if target.unit != "Art" and step.level != Level.ABSATZ:
        return None
    value = _DIGITS.match(step.value)
    if value is None or int(value[0]) <= int(current[0]):
        return None
    is_follow = step.to in FOLLOWING
    return replace(
        target,
        number=step.value,
        number_end=None if is_follow else step.to,
        follow=step.to if is_follow else None,
        path=path[at + 1 :],
    )


def _find_bare(target: NormCitation | EuCitation) -> str | None:
    return next((step.level for step in target.path if _is_bare(step)), None)


def _is_bare(step: PathStep) -> bool:
    return step.bare and step.value[0].isdigit()
