"""The references in a norm as links: one for each of its members, to the part that is meant."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from fundstelle.corpus.store import Reference
from fundstelle.lookup.addresses import norm_path
from fundstelle.portal.reading import Link

_NAME = re.compile(r"[a-z]+[_-]")  # of what an id counts: "art_6", "anlage-1"
_MOST_MEMBERS = 40  # of one reference; what follows has no link


def write_target(cited_id: str, cited_path: str) -> str:
    """The page of a cited norm and the anchor of the part: ``abs=1/nr=2`` -> ``#abs-1-nr-2``."""
    path = norm_path(cited_id)
    if not cited_path:
        return path
    return f"{path}#{cited_path.replace('=', '-').replace('/', '-').replace('§', 's')}"


def link_references(references: Sequence[Reference], text: str, own_id: str) -> list[Link]:
    """The links of a norm's text, in its order.

    Where one reference names several (§§ 823, 824 und 826; Satz 2 oder 4), each is a link from its
    own number on. What lies only within a range that is named has none.
    """
    links: list[Link] = []
    for (start, end), members in groupby(references, key=lambda one: (one.start, one.end)):
        held = [one for one in members if one.cited_id is not None][:_MOST_MEMBERS]
        links += _link_members(held, text[start:end], start)
    return [link for link in links if link.path != norm_path(own_id)]


def _link_members(members: Sequence[Reference], words: str, start: int) -> Iterator[Link]:
    if not members:
        return
    places = [0]
    named = [members[0]]
    at = _find_end(words, _list_values(members[0])[-1:], 0)
    for before, one in pairwise(members):
        values = _list_values(one)
        new = max(_count_same(_list_values(before), values), 1)  # a law has no number
        found = (
            re.search(rf"(?<!\w){re.escape(values[new])}(?!\w)", words[at:])
            if (new < len(values))
            else None
        )
        if found is None:
            continue
        places.append(at + found.start())
        named.append(one)
        at += found.end()
    for number, one in enumerate(named):
        is_last = number + 1 == len(named)
        end = len(words) if is_last else places[number + 1]
        if not is_last:
            end = _find_end(words[:end], _list_values(one), places[number])
        yield Link(
            start + places[number], start + end, write_target(one.cited_id or "", one.cited_path)
        )


def _list_values(one: Reference) -> list[str]:
    """The numbers that name a part, from the outermost: law, section, Absatz and so on."""
    law, _, number = (one.cited_id or "").rpartition("/")
    cited = [law, _NAME.sub("", number)]
    steps = [step.partition("=")[2] for step in one.cited_path.split("/") if step]
    return [*cited, *steps]


def _count_same(before: Sequence[str], values: Sequence[str]) -> int:
    """How many of the outermost are the same."""
    pairs = zip(before, values, strict=False)
    return next(
        (place for place, (a, b) in enumerate(pairs) if a != b), min(len(before), len(values))
    )


def _find_end(words: str, values: Sequence[str], at: int) -> int:
    """Where the last of these numbers ends that stands behind ``at``, one behind the other."""
    end = at
    for value in values:
        found = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", words[end:])
        if found is not None:
            end += found.end()
    return end if end > at else len(words)
