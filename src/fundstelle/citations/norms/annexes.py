"""Annexes and schedules of fees: ``Anlage 2 zum UStG``, ``Nr. 3100 VV RVG``."""

import re
from functools import cache

from fundstelle.citations.drafts import Draft, Group, LawReference
from fundstelle.citations.norms.path import PathReader
from fundstelle.citations.text.folding import fold_abbreviation
from fundstelle.citations.text.tables import read_table
from fundstelle.law.citations import PathStep

SCHEDULE = re.compile(
    r"(?:(?:Anm(?:erkung|\.)?\s+zu\s+)?Nrn?\.?\s*(?P<before>\d{3,5}))?\s*(?:der\s+|des\s+)?"
    r"(?P<name>VV[ -]RVG|RVG[ -]VV|KV[ -](?:GKG|FamGKG|GNotKG|GvKostG)|(?:GKG|FamGKG|GNotKG)[ -]KV)"
    r"(?![^\W_])(?:\s*,?\s*(?:Nrn?\.?\s*)?(?P<after>\d{3,5})(?![\w/]))?"
)


def read_schedule(text: str, match: re.Match[str]) -> Group:
    """A schedule with the number that stands before or behind its name."""
    law, annex = _map_schedules()[fold_abbreviation(match["name"])]
    number = match["before"] or match["after"]
    draft = Draft("Anlage", annex or None, match.start(), match.end())
    end = match.end()
    if number:
        draft.path.append(PathStep("nr", number))
        if match["after"]:
            end = draft.end = PathReader(text, end, draft.path, annex=True).read()
    return Group([draft], LawReference(law, end, unit="§"), match.start(), end)


@cache
def _map_schedules() -> dict[str, tuple[str, str]]:
    return {fold_abbreviation(row[0]): (row[1], row[2]) for row in read_table("schedules")}
