"""The section that an annex is cited with, "Anlage 1 zu § 3 GKG", against its own heading."""

import re
from collections.abc import Sequence
from dataclasses import replace

from fundstelle.citations.find import find
from fundstelle.citations.laws.names import LawNames
from fundstelle.law.citations import NormCitation, PathStep, Target
from fundstelle.law.identifiers import number_key
from fundstelle.law.norms import Level
from fundstelle.lookup.answers import ProvisionHit

_SIGN = r"(?:§|Art(?:ikels?|\.)?\s)"
_CITED = re.compile(
    rf"\b(?:Anlage|Anhang|Anl\.|Anh\.)[^§()]{{0,80}}?\(?\s?\bzu\s(?:den\s)?(?={_SIGN})|\bAn[hl]\.\s?(?=§)"
)
_HEADING = re.compile(
    rf"\(zu\s(?:den\s)?(?P<bracketed>{_SIGN}[^)]*)"
    rf"|(?:^|\s)[zZ]u\s(?:den\s)?(?P<open>{_SIGN}.*)",
    re.DOTALL,
)
_LONGEST = 400  # characters of a heading
_LEADING = re.compile(r"\d+")
_REACH = 20  # sections that "ff." may stand for
_BEGINNING = 120  # of the text, where a heading without a title may stand


def find_anchor(written: str, targets: Sequence[Target], names: LawNames) -> Sequence[NormCitation]:
    """The sections of its law that the one annex is cited with; none where they were read."""
    place = _CITED.search(written)
    if place is None or len(targets) != 1:
        return []
    [target] = targets
    if not isinstance(target, NormCitation) or target.unit != "Anlage" or target.law is None:
        return []
    words = written[place.end() :]
    if "(" in place[0] and "(" not in words.partition(")")[0]:
        words = words.replace(")", "", 1)  # "(zu § 4) BauMG": the law stands behind the bracket
    named = _read(words, names, target.law)
    return [_drop_own(each, target) for each in named if each.law == target.law]


def _drop_own(anchor: NormCitation, target: NormCitation) -> NormCitation:
    """``Anlage 1 zu § 3 Abs. 2 GKG Nr. 1210``: what stands behind the law is of the annex."""
    own = len(target.path)
    if not own or anchor.path[-own:] != target.path:
        return anchor
    return replace(anchor, path=anchor.path[:-own])


def is_named(anchor: NormCitation, hit: ProvisionHit, names: LawNames) -> bool | None:
    """Whether the heading of an annex names that section; ``None`` where it names none at all."""
    for heading in ((hit.norm.title or "")[:_LONGEST], hit.text[:_BEGINNING]):
        words = " ".join(filter(None, (g for each in _HEADING.findall(heading) for g in each)))
        held = _read(words, names, hit.statute.abbreviation) if words else []
        if held:
            return any(_covers(one, anchor) for one in held)
    return None


def _read(words: str, names: LawNames, law: str) -> list[NormCitation]:
    """The sections that are named there; where no law stands with them, as those of ``law``."""
    found = find(words, names, law, decisions=False)
    sections = [one for each in found for one in each.targets if isinstance(one, NormCitation)]
    return [one for one in sections if one.number and one.unit in {"§", "Art"}]


def _covers(held: NormCitation, cited: NormCitation) -> bool:
    """Whether a heading with the one may be cited with the other, more or less exactly."""
    number, nested = cited.number or "", _find(cited.path, Level.SECTION)
    own, inside = held.number or "", _find(held.path, Level.SECTION)
    if nested and not inside:  # "Art. 1 § 5" of what says "§ 5" inside Artikel 1
        return own in {number, nested.value}
    if held.number_end and number_key(own) <= number_key(number) <= number_key(held.number_end):
        return True
    if held.follow and _follows(own, number):
        return True
    if number not in {own, inside.value if inside else own}:
        return False
    absatz, other = _find(cited.path, Level.ABSATZ), _find(held.path, Level.ABSATZ)
    return absatz is None or other is None or _are_same(absatz, other)


def _follows(own: str, number: str) -> bool:
    """Whether "ff." behind the one may reach the other."""
    first, other = _LEADING.match(own), _LEADING.match(number)
    if first is None or other is None:
        return False
    return 0 <= int(other[0]) - int(first[0]) <= _REACH


def _find(path: Sequence[PathStep], level: str) -> PathStep | None:
    return next((step for step in path if step.level == level), None)


def _are_same(cited: PathStep, held: PathStep) -> bool:
    if cited.to or held.follows:
        return True
    low, high = number_key(held.value), number_key(held.to or held.value)
    return low <= number_key(cited.value) <= high
