"""What a text itself calls a law that shares its abbreviation: ``Bahnleiterverordnung (LeitV)``."""

import re
from collections.abc import Sequence
from dataclasses import replace

from fundstelle.citations.laws.names import LawNames
from fundstelle.law.citations import FoundCitation, NormCitation, Target

_NAMED = re.compile(
    r"\s*[(\[]\s*(?:[-–]\s*)?(?:(?:im\sFolgenden|nachfolgend|künftig|kurz|hereinafter):?\s*)?"
    r"[„\"“]?(?P<name>[A-ZÄÖÜ][\w-]{1,20})[“”\"]?\s*[)\]]"
)


def give_own_names(
    text: str, found: Sequence[FoundCitation], names: LawNames
) -> list[FoundCitation]:
    """Citations of a text, those by a name that it has given to one law as citations of that."""
    called: dict[str, str] = {}
    told = []
    for each in found:
        _read_definition(text, each, names, called)
        targets = tuple(_give(one, called) for one in each.targets) if called else each.targets
        told.append(each if targets == each.targets else replace(each, targets=targets))
    return told


def _read_definition(
    text: str, found: FoundCitation, names: LawNames, called: dict[str, str]
) -> None:
    """Add the name that stands behind a law in brackets, or before them: ``LeitV (Bahn…)``."""
    last = found.targets[-1]
    if not isinstance(last, NormCitation) or last.law is None or found.inferred:
        return
    bracket = _NAMED.match(text, found.end)
    if bracket is not None and bracket["name"] == last.law:
        called.pop(last.law, None)
    for written in (bracket["name"] if bracket else "", found.text.rsplit(maxsplit=1)[-1]):
        namesakes = names.find(written) if written not in {"", last.law} else ()
        if len(namesakes) > 1 and any(one.abbreviation == last.law for one in namesakes):
            called[written] = last.law


def _give(target: Target, called: dict[str, str]) -> Target:
    if not isinstance(target, NormCitation) or target.law not in called:
        return target
    return replace(target, law=called[target.law])
