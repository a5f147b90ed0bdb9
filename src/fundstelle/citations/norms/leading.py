"""A law in front of a list that has another one behind it: ``GG Art. 3 Abs. 1 und § 7 AGG``.

The law in front binds what follows it, the law behind what stands before it, and neither what the
other has. Where they part the sign tells (a law of Artikel has no §), else the loosest joint of the
list: ``BGB § 280, § 249; § 287 ZPO``. What may be of either is given to none.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import pairwise

from fundstelle.citations.drafts import Draft, Group, LawReference
from fundstelle.citations.laws.between import OWN_SIGN
from fundstelle.citations.laws.suffix import LawReader
from fundstelle.citations.norms.context import find_leading_law, find_unknown_before
from fundstelle.citations.norms.items import ANNEX, HEAD
from fundstelle.citations.norms.recitals import RECITAL
from fundstelle.law.norms import Level

_SIGNS = ("§", "Art")
_TIGHT = re.compile(r"i\.?\s*V\.?\s*m|Verb(?:indung|\.)|conjunction", re.IGNORECASE)
_ABBREVIATION = re.compile(r"[A-ZÄÖÜ]\w*[A-ZÄÖÜ]")
_NUMBERED = re.compile(
    r"\s*(?:#{1,6}\s|[*_]{0,3}(?:[IVX]{1,5}|[A-Z]|\d{1,2}(?:\.\d{1,2})*)[.)]\s)(?=.*\w)"
)
_LONGEST_HEADING = 60  # a line of text is longer
_ARTICLE = re.compile(r"(?<!\w)(?:d(?:e[mnrs]|as|ie)|zu[mr]|[iv]o?m|am|the)\s+$")
_LONGEST_ARTICLE = 6
_ROW = re.compile(r"\s*(?:§|Art(?:ikel|\.)\s?\d)")
_CELL = re.compile(r"\s*\|")
_NEXT_LAW = re.compile(r"\s*(,|(?<=\s)-(?=\s))\s*[*_„“\"»«'(\[]{0,4}[A-ZÄÖÜ\d]")


class _Of(Enum):
    """Whose a provision is."""

    FRONT = auto()
    BEHIND = auto()
    UNKNOWN = auto()


def is_next_law(text: str, pos: int) -> str | None:
    """The comma or dash at ``pos`` behind which a list goes on with its next law."""
    match = _NEXT_LAW.match(text, pos)
    return match[1] if match is not None else None


def lead(text: str, groups: list[Group], floor: int, laws: LawReader) -> list[Group]:
    """The groups of a list, what is of a law right before it apart."""
    first, *rest = groups
    if first.law is None or not _may_be_led(text, first):
        return groups
    dashed = text[max(0, first.start - 3) : first.start].rstrip().endswith("-")
    if dashed and not rest and is_next_law(text, first.drafts[-1].end) == "-":
        # the next keyword: "- Art. 7 - Charta der Grundrechte"
        return [Group(first.drafts, None, first.start, first.drafts[-1].end)]
    before = find_leading_law(text, floor, first.start, laws)
    if before is not None:
        return [*part(text, first, *before), *rest]
    span = find_unknown_before(text, floor, first.start)
    if span is None:
        return groups
    unknown = LawReference(None, span[1])
    parted = part(text, first, unknown, span[0])
    for each in parted:
        if each.law is unknown:
            each.law, each.apart, each.start = None, True, each.drafts[0].start
    return [*parted, *rest]


def _may_be_led(text: str, group: Group) -> bool:
    """Whether a law in front could be that of any: not of one provision right before its law."""
    law, first, last = group.law, group.drafts[0], group.drafts[-1]
    assert law is not None
    if first is not last or not _fits(first, law) or "\n" in text[last.end : law.end]:
        return True
    return bool(OWN_SIGN.match(text, law.end) or is_next_law(text, last.end))


def is_below_other(text: str, group: Group, law: LawReference) -> bool:
    """Whether it begins a line below the law that is of something else.

    With a sign that the law has none of, as a row of a table of contents, or as an Artikel whose
    heading is below it.
    """
    first, end = group.drafts[0], group.drafts[-1].end
    if "\n" not in text[law.end : first.start]:
        return False
    if not _fits(first, law) or _CELL.match(text, end) is not None:
        return True
    line = text[text.rfind("\n", 0, law.end) + 1 : law.end]
    is_heading = text.startswith("Artikel", first.start) and text.startswith("\n", end)
    return _ROW.match(line) is not None or (is_heading and " " in line.strip())


def is_led(group: Group) -> bool:
    """Whether the law of the group stands in front of it."""
    return group.law is not None and group.law.end <= group.drafts[0].start


def part(text: str, group: Group, front: LawReference, start: int) -> list[Group]:
    """``group``, which a law is bound to from behind, with what is of ``front`` apart.

    ``front`` begins at ``start``; ``[group]`` if it leads nothing of it.
    """
    behind = group.law
    assert behind is not None
    is_same = (front.name, front.version) == (behind.name, behind.version)
    if is_same and not OWN_SIGN.match(text, behind.end):
        return [group]
    owners = _settle(text, group.drafts, front, start, behind)
    if all(each is _Of.BEHIND for each in owners):
        return [group]
    return list(_cut(group, owners, front, start))


def _cut(group: Group, owners: Sequence[_Of], front: LawReference, start: int) -> Iterator[Group]:
    for owner in _Of.FRONT, _Of.UNKNOWN, _Of.BEHIND:
        drafts = [each for each, of in zip(group.drafts, owners, strict=True) if of is owner]
        if not drafts:
            continue
        first, end = drafts[0].start, drafts[-1].end
        if owner is _Of.FRONT:
            yield Group(drafts, front, start, end)
        elif owner is _Of.UNKNOWN:
            yield Group(drafts, None, first, end, apart=True)
        else:
            yield Group(drafts, group.law, first, group.end)


def _settle(
    text: str, drafts: Sequence[Draft], front: LawReference, start: int, behind: LawReference
) -> list[_Of]:
    """Whose each provision is; in the order front, unknown, behind."""
    gap, end, last = text[front.end : drafts[0].start], drafts[-1].end, len(drafts) - 1
    only_front = [_fits(each, front) and not _fits(each, behind) for each in drafts]
    only_behind = [
        _fits(each, behind) and not _fits(each, front) and not _may_be_nested(drafts[:place], each)
        for place, each in enumerate(drafts)
    ]
    all_front = [_Of.FRONT] * len(drafts)
    if True not in only_behind:
        if is_next_law(text, end) or OWN_SIGN.match(text, behind.end):
            return all_front  # "AktG § 93, GmbHG", "VwGO § 80 StVG § 3": each law leads
        if "\n" in gap and "\n" in text[end : behind.end]:
            return all_front  # each law stands above its provisions
    if _is_heading(text, start, gap) or (
        "," in gap and _ABBREVIATION.search(text, start, front.end) is None
    ):
        owners = [_Of.BEHIND] * len(drafts)  # "nach der Grundbuchordnung, § 34 und § 35 HGB"
    else:
        owners = _settle_by_joints(text, drafts, named=_leads_for_sure(text, start, gap))
    led = max((place for place, only in enumerate(only_front) if only), default=-1)
    bound = only_behind.index(True) if True in only_behind else len(drafts)
    if bound < led:
        return [_Of.UNKNOWN] * len(drafts)
    owners[: led + 1] = all_front[: led + 1]
    owners[bound:] = [_Of.BEHIND] * (len(drafts) - bound)
    if led == last:
        owners[last] = _Of.UNKNOWN  # a slip, right before a law that has no such sign
    return owners


def _is_heading(text: str, start: int, gap: str) -> bool:
    """Whether the law in front ends a heading of other words: ``II. Verhältnis zum UWG``."""
    if "\n" not in gap:
        return False
    line = text[max(0, start - _LONGEST_HEADING) : start].rpartition("\n")[2]
    return len(line) < _LONGEST_HEADING and _NUMBERED.match(line) is not None


def _leads_for_sure(text: str, start: int, gap: str) -> bool:
    """Not in the next line, as one of a list of laws, or in a sentence: ``anders im UWG: § 3``."""
    if any(sign in gap for sign in (",", "\n", "- ")):
        return False
    return ":" not in gap or _ARTICLE.search(text, max(0, start - _LONGEST_ARTICLE), start) is None


def _settle_by_joints(text: str, drafts: Sequence[Draft], *, named: bool) -> list[_Of]:
    """By the loosest joint: what is left of the first of that kind, and right of the last."""
    ranks = [_rank(text, one, other) for one, other in pairwise(drafts)]
    loosest = max(filter(None, ranks), default=None)
    if loosest is None:
        return [_Of.BEHIND] * len(drafts)  # one provision, and its law right behind it
    if not named and not any(loosest):
        return [_Of.BEHIND] * len(drafts)  # "BGB, §§ 373, 377 HGB"
    first = ranks.index(loosest) + 1
    # what a comma and an "i. V. m." join may be of either: "BGB § 1, § 3 i.V.m. § 2 HGB"
    ends = {loosest, (0, True)} if loosest == (1, True) else {loosest}
    last = max(place for place, rank in enumerate(ranks) if rank in ends) + 1
    # of bare numbers below one sign none says that another law begins: "BGB §§ 133, 157 ZPO"
    left = _Of.FRONT if named and any(loosest) else _Of.UNKNOWN
    return [
        left if place < first else _Of.UNKNOWN if place < last else _Of.BEHIND
        for place in range(len(drafts))
    ]


def _rank(text: str, one: Draft, other: Draft) -> tuple[int, bool] | None:
    """How loosely two are joined; ``None``: as parts of one provision."""
    joint = text[one.end : other.start]
    headed = any(sign.match(text, other.start) for sign in (HEAD, ANNEX, RECITAL))
    if not headed and (one.unit, one.number) == (other.unit, other.number):
        return None
    strength = 2 if ";" in joint else 0 if _TIGHT.search(joint) or not headed else 1
    return strength, headed


def _fits(draft: Draft, law: LawReference) -> bool:
    """Whether the law counts by such a sign, as far as is known."""
    if draft.unit == "Erwg":
        return law.celex is not None
    return draft.unit not in _SIGNS or law.unit in {None, draft.unit}


def _may_be_nested(before: Sequence[Draft], draft: Draft) -> bool:
    """Whether a § may be below the Artikel before it: ``EGBGB Art. 229 § 5 und § 6``."""
    path = next((each.path for each in reversed(before) if each.unit == "Art"), [])
    return draft.unit == "§" and path[:1] != [] and path[0].level == Level.SECTION
