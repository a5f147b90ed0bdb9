"""How far a citation reaches in running text, and what only looks like one there.

The span of a norm ends with the name of its law, "a. F." and the year included; the abbreviation
repeated in brackets and the clause on the version are read but lie outside, as readers mark them.
A date with its gazette behind the name belongs to it.
"""

import re
from collections.abc import Sequence

from fundstelle.citations.drafts import LawReference
from fundstelle.citations.laws.titles import is_title, read_enactment, read_journal
from fundstelle.citations.norms.context import is_literature
from fundstelle.citations.norms.scan import Hit
from fundstelle.law.citations import EuCitation, GazetteCitation, NormCitation

_HEADING = re.compile(r"(?:\A|\n)[\s„\"(\[]*$")
_HEADING_BEHIND = re.compile(r"[\])]?\s*(?:$|\n|[A-ZÄÖÜ„(\[])")
_PAGE_BEFORE = re.compile(r"(?:\d/\d+|\sS\.?)[ \d.,f]*\s[<(]?(?:dort\s)?[Zz]u\s(?:den\s)?$")
_PAGE_WITHIN = re.compile(r"S\.?\s\d+\s(?:und\s)?zu\s")
_REACH = 30
_BEFORE_MARGIN = frozenset(" ,\n")


def settle(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits of a running text with the bounds a reader would draw."""
    settled: list[Hit] = []
    for index, hit in enumerate(hits):
        if settled and hit.start < settled[-1].end:
            continue
        law = hit.law
        if not isinstance(hit.targets[0], NormCitation | EuCitation):
            settled.append(hit)
        elif law is None or law.end != hit.end or not (law.name_end or law.celex):
            if not (hit.bare and _is_no_citation(text, hit)):
                settled.append(hit)
        elif not _is_literature(text, law):
            settled.append(_set_end(text, hit, law, hits[index + 1 : index + 4]))
    return settled


def _is_literature(text: str, law: LawReference) -> bool:
    end = law.name_end or law.end
    if end == law.end and text[end : end + 1] not in _BEFORE_MARGIN:
        return False
    return is_literature(text, end) or (end != law.end and is_literature(text, law.end))


def settle_mentions(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits, those of laws named alone with the date and gazette behind the name."""
    settled: list[Hit] = []
    floor = 0
    for index, hit in enumerate(hits):
        if hit.start < floor:
            continue
        law, first = hit.law, hit.targets[0]
        if law is not None and isinstance(first, NormCitation) and first.unit is None:
            hit = _set_end(text, hit, law, hits[index + 1 : index + 4])  # noqa: PLW2901
        settled.append(hit)
        floor = hit.end
    return settled


def _set_end(text: str, hit: Hit, law: LawReference, further: Sequence[Hit]) -> Hit:
    """The hit up to the end of its law's name, or of the gazette that the name is given with."""
    name_end = law.name_end or law.end
    if law.celex and text.find("/", hit.start, name_end) >= 0:
        end = read_journal(text, name_end)
    else:
        titled = is_title(text[hit.start : name_end])
        end = read_enactment(text, name_end, printed=not titled)
    targets = hit.targets
    for other in further:
        if other.start >= end:
            break
        first = other.targets[0]
        if isinstance(first, GazetteCitation):
            targets += other.targets
        elif not isinstance(first, NormCitation) or first.unit is not None:
            return hit._replace(end=name_end)
    return hit._replace(end=end, targets=targets)


def _is_no_citation(text: str, hit: Hit) -> bool:
    """A heading "§ 7 Umfang" of quoted rules, or the place in a bill that a paper explains."""
    start, end = hit.start, hit.end
    first = hit.targets[0]
    assert isinstance(first, NormCitation | EuCitation)
    if not first.path and _HEADING_BEHIND.match(text, end):
        heading = _HEADING.search(text, max(0, start - 4), start) is not None
        return heading and (bool(text[:start].strip()) or bool(text[end:].strip()))
    if _PAGE_WITHIN.match(text, start):
        return True
    return _PAGE_BEFORE.search(text, max(0, start - _REACH), start) is not None
