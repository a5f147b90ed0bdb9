"""What kind of decision a citation says it means: "Urteil", "Beschl.", "Schlussanträge"."""

import re
from collections.abc import Sequence

from fundstelle.law.courts import EU_COURTS
from fundstelle.law.decisions import Decision, DecisionType

_KINDS = {
    "urteil": DecisionType.URTEIL,
    "urt": DecisionType.URTEIL,
    "beschluss": DecisionType.BESCHLUSS,
    "beschl": DecisionType.BESCHLUSS,
    "gerichtsbescheid": DecisionType.GERICHTSBESCHEID,
    "schlussantr": DecisionType.SCHLUSSANTRAEGE,
    "generalanw": DecisionType.SCHLUSSANTRAEGE,
    "opinion": DecisionType.SCHLUSSANTRAEGE,
    "gutachten": DecisionType.GUTACHTEN,
}
_KIND = re.compile(
    r"(?<!\w)(?:\w*(urteil|beschluss)|(urt|beschl)\.|(gerichtsbescheid|gutachten)"
    r"|(generalanw)(?:alt|ält)(?:s|es|in|innen)?"
    r"|(schlussantr)(?:ag|äg)(?:en|es|e|s)?|(opinion) of (?:the )?(?:advocate[ -]general|ag)"
    r"|(opinion) of (?:the )?court)(?!\w)"
)
COMPARED = frozenset(_KINDS.values())


def read_kinds(written: str, court: str) -> set[DecisionType]:
    """Every kind that is written; an opinion of a court is a kind only at those of the EU."""
    found = {_name(match) for match in _KIND.finditer(written.casefold())}
    return found if court in EU_COURTS else found - {DecisionType.GUTACHTEN}


def _name(match: re.Match[str]) -> DecisionType:
    word = next(filter(None, match.groups()))
    return DecisionType.GUTACHTEN if match[0].endswith("court") else _KINDS[word]


def keep_kind(written: str, found: Sequence[Decision]) -> Sequence[Decision]:
    """Of the decisions under one number those of the kind that is written, if that is one kind.

    A case before the EuGH has Schlussanträge beside its judgment: what is held of the one kind is
    not what is cited as the other. Of other kinds all stay where none is of the kind written.
    """
    courts = {one.court for one in found}
    kinds = read_kinds(written, courts.pop()) if len(courts) == 1 else set()
    if len(kinds) != 1:
        return found
    kept = [one for one in found if one.decision_type in kinds]
    is_opinion = kinds == {DecisionType.SCHLUSSANTRAEGE}
    known = all(one.decision_type in COMPARED for one in found)
    return kept if kept or (is_opinion and known) else found
