"""``n. F.`` on a day in the past: the text that is given may be the one that it replaced."""

from collections.abc import Sequence
from dataclasses import replace

from fundstelle.law.citations import Target
from fundstelle.lookup.answers import Outcome, ProvisionHit


def warn_of_newer(target: Target, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes; those with a text that has ended say so where the new one is cited."""
    return [
        replace(each, warnings=(*each.warnings, said))
        if isinstance(each, ProvisionHit) and (said := say_newer(target, each))
        else each
        for each in outcomes
    ]


def say_newer(target: Target, hit: ProvisionHit) -> str:
    """That the text did not last, though the one behind a change is cited; else nothing."""
    until = hit.fassung.in_force_until
    if getattr(target, "version", None) != "nF" or until is None:
        return ""
    return (
        f"n.F. is a text as it is after a change; this one of {hit.norm.citation} held until"
        f" {until.isoformat()}, and may be the one before."
    )
