"""Citations without a sign, where the whole string is one: ``823 BGB``, ``BGB 823``, ``BGB``."""

import re

from fundstelle.citations.drafts import Draft, Group, LawReference
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.laws.suffix import LawReader
from fundstelle.citations.norms.behind import take_levels_behind
from fundstelle.citations.norms.binding import build_law, build_targets
from fundstelle.citations.norms.chain import ChainReader
from fundstelle.citations.norms.items import read_item
from fundstelle.citations.norms.scan import Hit

_EDGE = re.compile(r"[\s*_(\[\"„“.,:;)\]]*")
_INTRODUCTION = re.compile(
    r"(?:(?:vgl|s|siehe|gem|gemäß|nach|lt|iSd|i\.\s?S\.\s?d)\.?\s+)*", re.IGNORECASE
)
_LONG = re.compile(r"\d{6}")  # the number of another thing: "WO 2015/123456"
_SIGN = re.compile(r"para?s?\.?\s+(?=\d)", re.IGNORECASE)  # "par. 823 BGB"


def read_short_form(text: str, names: LawNames) -> list[Hit]:
    """The whole string as ``number law``, ``law number`` or a law alone; else nothing."""
    start = _skip_edge(text, 0)
    sign = _SIGN.match(text, start)
    if sign:
        start = sign.end()
    laws = LawReader(text, names)
    if text[start : start + 1].isdigit():
        hits = _read_number_first(text, start, laws)
        if hits:
            return hits
    law = laws.read_name(start)
    if law is None:
        return []
    after = _skip_edge(text, law.end)
    if after >= len(text):
        return [Hit(start, law.end, (build_law(law),), law=law)]
    return _read_law_first(text, start, after, law, laws)


def _read_number_first(text: str, start: int, laws: LawReader) -> list[Hit]:
    draft = read_item(text, start, "§", plural=False, start=start)
    if draft is None:
        return []
    chain = ChainReader(text, laws)
    groups = chain.read(draft)
    if any(group.law is None or group.law.silent or not group.law.known for group in groups):
        return []
    take_levels_behind(chain, groups[-1], whole=True)
    return _build(text, groups)


def _read_law_first(
    text: str, start: int, after: int, law: LawReference, laws: LawReader
) -> list[Hit]:
    draft = read_item(text, after, law.unit or "§", plural=False, start=start)
    if draft is None:
        return []
    groups = ChainReader(text, laws).read(draft)
    if len(groups) != 1 or groups[0].law is not None:
        return []
    groups[0].law = law
    return _build(text, groups)


def _build(text: str, groups: list[Group]) -> list[Hit]:
    if _skip_edge(text, groups[-1].end) < len(text):
        return []
    if _LONG.search(text, groups[0].start, groups[-1].end):
        return []
    for group in groups:
        for draft in group.drafts:
            _take_unit(draft, group.law)
    hits = []
    for group in groups:
        notes = ["the sign was missing"]
        targets = build_targets(group, notes)
        hits.append(Hit(group.start, group.end, targets, tuple(notes)))
    return hits


def _take_unit(draft: Draft, law: LawReference | None) -> None:
    if law is not None and law.unit:
        draft.unit = law.unit


def _skip_edge(text: str, pos: int) -> int:
    edge = _EDGE.match(text, pos)
    assert edge is not None
    introduction = _INTRODUCTION.match(text, edge.end())
    return introduction.end() if introduction else edge.end()
