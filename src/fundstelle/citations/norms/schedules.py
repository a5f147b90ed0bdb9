"""Schedules of fees and their numbers: ``Nr. 3100 VV RVG``, ``Nrn. 1003, 1000 VV RVG``."""

import re
from functools import cache

from fundstelle.citations.drafts import Draft, Group, LawReference
from fundstelle.citations.norms.path import PathReader
from fundstelle.citations.text.folding import fold_abbreviation
from fundstelle.citations.text.tables import read_table
from fundstelle.law.citations import PathStep

SCHEDULE = re.compile(
    r"(?P<name>VV[ -]RVG|RVG[ -]VV|KV[ -](?:GKG|FamGKG|GNotKG|GvKostG)|(?:GKG|FamGKG|GNotKG)[ -]KV)"
    r"(?![^\W_])"
)
_WORD = r"(?:Anm(?:erkung(?:en)?|\.)?\s+(?:zu\s+)?)?(?:Nrn?|Nummern?)\.?\s*"
_NUMBER = re.compile(rf"\s*(?P<word>{_WORD})?(?P<number>\d{{3,5}})(?![\w/]|\.\d)")
_FIRST = re.compile(rf"(?<![^\W_])(?:{_WORD}\d{{3,5}}|(?<![.,/§-])\d{{4}})(?![\w/])")
_JOINT = re.compile(r"\s*(?:,\s*(?:und|oder|sowie)?|;|/|und|oder|sowie|bzw\.|i\.\s?V\.\s?m\.)\s*")
_LINK = re.compile(r"\s*(?:de[rs]\s+)?")
_BEHIND = re.compile(r"\s*,?\s*")
# What stands in front of the numbers of a part is no number, and is not cut from the text.
_PRELIMINARY = re.compile(
    r"(?<!\w)Vorbem(?:erkung|\.)?\s[\d.]+(?:\s(?:Abs|Satz|S|Nr)\w*\.?\s?\d+)*\s*(?:de[rs]\s+)?$"
)
_REACH = 160  # characters of a list in front
_LONGEST_PRELIMINARY = 60
_MOST = 50


def read_schedule(
    text: str, match: re.Match[str], floor: int, *, whole: bool = False
) -> Group | None:
    """A schedule with the numbers before or behind its name, none of them before ``floor``.

    ``None``: what is cited is a part of it that bears no number; if the ``whole`` text is one
    citation, that part is what was not read of it.
    """
    law, annex = _map_schedules()[fold_abbreviation(match["name"])]
    start, end = match.span()
    low = max(floor, start - _LONGEST_PRELIMINARY)
    if not whole and _PRELIMINARY.search(text, low, start):
        return None
    drafts = _read_before(text, floor, start)
    if drafts:
        start = drafts[0].start
    behind = _read_behind(text, end, headed=bool(drafts))
    drafts += behind
    if behind:
        end = behind[-1].end
    if not drafts:
        drafts = [Draft("Anlage", None, start, end)]
    for draft in drafts:
        draft.number = annex or None
    return Group(drafts, LawReference(law, end, unit="§"), start, end)


def begins_schedule(text: str, pos: int) -> bool:
    """Whether the numbers behind ``pos`` are of a schedule: ``§ 13 RVG, Nr. 7002, 7008 VV RVG``."""
    opening = _BEHIND.match(text, pos)
    drafts = _read_numbers(text, opening.end(), len(text)) if opening else []
    return bool(drafts) and _is_named(text, drafts[-1].end)


def _is_named(text: str, pos: int) -> bool:
    link = _LINK.match(text, pos)
    return link is not None and SCHEDULE.match(text, link.end()) is not None


def _read_before(text: str, floor: int, name: int) -> list[Draft]:
    """The list that ends right before the name."""
    low = max(floor, name - _REACH)
    for first in _FIRST.finditer(text, low, name):
        drafts = _read_numbers(text, first.start(), name)
        if _LINK.fullmatch(text, drafts[-1].end, name):
            return drafts
    joint = _JOINT.match(text, floor, name) if floor else None  # "Nr. 3104 VV RVG, 3100 VV RVG"
    drafts = _read_numbers(text, joint.end(), name) if joint else []
    return drafts if drafts and _LINK.fullmatch(text, drafts[-1].end, name) else []


def _read_behind(text: str, name_end: int, *, headed: bool) -> list[Draft]:
    """The list behind the name, unless it belongs to another name that follows.

    ``headed``: numbers stand before the name, so that behind it only "Nr." begins one.
    """
    opening = (_JOINT if headed else _BEHIND).match(text, name_end)
    first = _NUMBER.match(text, opening.end()) if opening else None
    if first is None or (headed and not first["word"]):
        return []
    drafts = _read_numbers(text, first.start(), len(text))
    return [] if _is_named(text, drafts[-1].end) else drafts


def _read_numbers(text: str, pos: int, end: int) -> list[Draft]:
    """``Nr. 3100, 3104``, ``Nr. 1211 Nr. 2 und Nr. 1212``, ``Nr. 3100 bis 3104``."""
    drafts: list[Draft] = []
    match = _NUMBER.match(text, pos, end)
    while match is not None and len(drafts) < _MOST:
        draft = Draft("Anlage", None, match.start(), match.end())
        draft.path.append(PathStep("nr", match["number"]))
        reader = PathReader(text, match.end(), draft.path, annex=True)
        reader.read_range("nr")
        draft.end = reader.read()
        drafts.append(draft)
        joint = _JOINT.match(text, draft.end, end)
        match = _NUMBER.match(text, joint.end(), end) if joint else None
    return drafts


@cache
def _map_schedules() -> dict[str, tuple[str, str]]:
    return {fold_abbreviation(row[0]): (row[1], row[2]) for row in read_table("schedules")}
