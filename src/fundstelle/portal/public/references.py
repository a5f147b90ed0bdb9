"""The references in a norm as links: one for each of its members, to the part that is meant."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Protocol

from fundstelle.lookup.addresses import norm_path
from fundstelle.portal.reading import Link

_NAME = re.compile(r"[a-z]+[_-]")  # of what an id counts: "art_6", "anlage-1"
_SIGN = re.compile(r"(?:§+|Art(?:\.|ikeln?)|Abs(?:\.|atz)|Satz|Nr\.|Nummer|Buchst(?:\.|abe)) ?\Z")
_MOST_MEMBERS = 40  # of one reference; what follows has no link


class Refers(Protocol):
    """A reference of a norm, or a citation in a decision: where it stands and what it means."""

    @property
    def cited_id(self) -> str | None:
        """The id of what is cited, if that is held."""

    @property
    def cited_path(self) -> str:
        """The part of it, as ``abs=1/satz=2``."""

    @property
    def start(self) -> int:
        """Where it begins in the text."""

    @property
    def end(self) -> int:
        """Where it ends."""


def write_target(cited_id: str, cited_path: str) -> str:
    """The page of a cited norm and the anchor of the part: ``abs=1/nr=2`` -> ``#abs-1-nr-2``."""
    path = norm_path(cited_id)
    if not cited_path:
        return path
    return f"{path}#{cited_path.replace('=', '-').replace('/', '-').replace('§', 's')}"


def link_references(references: Sequence[Refers], text: str, own_id: str = "") -> list[Link]:
    """The links of a text to norms, in its order.

    Where one reference names several (§§ 823, 824 und 826; Satz 2 oder 4), each is a link from its
    own number on. What lies only within a range that is named has none.
    """
    links: list[Link] = []
    for (start, end), members in groupby(references, key=lambda one: (one.start, one.end)):
        held = [one for one in members if one.cited_id is not None][:_MOST_MEMBERS]
        links += _link_members(held, text[start:end], start)
    return [link for link in links if link.path != norm_path(own_id)]


def _link_members(members: Sequence[Refers], words: str, start: int) -> Iterator[Link]:
    """A link for each, from its own number (and the sign before it) to the last of its numbers."""
    if not members:
        return
    # Of each member that is named: where its link begins, and its numbers from there on.
    named = [(members[0], 0, _list_values(members[0]))]
    at = _find_end(words, named[0][2][-1:], 0)
    for before, one in pairwise(members):
        values = _list_values(one)
        new = max(_count_same(_list_values(before), values), 1)  # a law has no number
        found = _find_number(words, values[new], at) if new < len(values) else None
        if found is None:
            continue
        sign = _SIGN.search(words, at, found.start())
        named.append((one, sign.start() if sign else found.start(), values[new:]))
        at = found.end()
    for place, (one, begin, values) in enumerate(named):
        if place + 1 < len(named):
            end = _find_end(words[: named[place + 1][1]], values, begin)
        else:
            end = words.find("\n", begin)  # a link ends with its line
        path = write_target(one.cited_id or "", one.cited_path)
        yield Link(start + begin, start + (end if end > begin else len(words)), path)


def _find_number(words: str, value: str, at: int) -> re.Match[str] | None:
    """A number that stands alone, behind a place in the words."""
    pattern = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
    return pattern.search(words, at) if value else None


def _list_values(one: Refers) -> list[str]:
    """The numbers that name a part, from the outermost: law, section, Absatz and so on."""
    cited_id = one.cited_id or ""
    law, _, number = cited_id.rpartition("/")
    is_law = cited_id.count("/") < 2
    cited = [cited_id] if is_law else [law, _NAME.sub("", number)]
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
        found = _find_number(words, value, end)
        end = found.end() if found is not None else end
    return end
