"""Levels behind the law: ``§ 823 BGB Abs. 2``, ``§ 433 BGB (Abs. 1 Satz 2)``, ``§ 280 BGB I``.

A § may be one, below an Artikel: ``Art. 229 EGBGB § 5 Abs. 1``.
"""

import re
from dataclasses import replace

from fundstelle.citations.drafts import Draft, Group
from fundstelle.citations.norms.chain import ChainReader
from fundstelle.citations.norms.levels import LEVEL_OF, RANK
from fundstelle.citations.norms.path import ORDINAL, PathReader, match_step, skip_blanks
from fundstelle.citations.norms.schedules import begins_schedule
from fundstelle.citations.text.numerals import ORDINAL_OPENINGS
from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Level

_OPENS = re.compile(r"\s*(?P<comma>[,;])?\s*(?P<bracket>\()?\s*(?P<begun>(?P<word>[^\W\d_]*)\d?)")
_SECTION = re.compile(r"\s*§\s*\d")  # below an Artikel: "Art. 229 EGBGB § 5"
_FOLLOW = re.compile(r"\s*(ff|f)(?![^\W_])\.?")
# "Nr. 5 des Anhangs", "Satz 2 der Vorschrift": levels of something else that is named behind them.
_OF_ANOTHER = re.compile(r"\s*(?:de[rsmn]|zu[mr]?|vo[nm]|of|i[nm]|§|Art)(?![^\W_])")


_HIGHEST = frozenset({"abs"})


def take_levels_behind(chain: ChainReader, group: Group, *, whole: bool) -> None:
    """Give the section of ``group`` the levels that stand behind its law, if they are its own.

    In running text only what begins with the word of a level is taken; ``whole``: the text is one
    citation, in which also "(1)", "I 1" and "ff." can mean nothing else.
    """
    draft = group.drafts[-1]
    if group.end >= len(chain.text) or len(group.drafts) > 1:
        return
    if draft.follow or draft.number_end or (draft.number is None and draft.unit != "Anlage"):
        return
    if whole and _take_follow(chain.text, group, draft):
        return
    if begins_schedule(chain.text, group.end):
        return
    members, end = _read_own(chain, group, draft, whole=whole)
    if not members:
        members, end = _read_joined(chain, group, draft)
    if members and not _goes_on(chain, members[-1], end):
        group.drafts, group.end = members, end


def _take_follow(text: str, group: Group, draft: Draft) -> bool:
    match = _FOLLOW.match(text, group.end) if not draft.path else None
    if match is None:
        return False
    draft.follow, group.end = match[1], match.end()
    return True


def _read_own(
    chain: ChainReader, group: Group, draft: Draft, *, whole: bool
) -> tuple[list[Draft], int]:
    """What goes on below the path in front, or above it: ``§ 1 Satz 2 BGB Abs. 1``."""
    text, annex = chain.text, draft.unit == "Anlage"
    opened = _OPENS.match(text, group.end)
    assert opened is not None
    pos = opened.start("begun")
    has_word = _may_be_level(opened) and (
        match_step(text, pos, annex=annex) or ORDINAL.match(text, pos)
    )
    nested = _may_hold_section(group, draft, whole=whole) and bool(
        _SECTION.match(text, opened.end("comma") if whole and opened["comma"] else group.end)
    )
    if not has_word:
        if not (whole or nested) or (opened["comma"] and not nested):
            return [], 0
        pos = skip_blanks(text, opened.end("comma") if opened["comma"] else group.end)
    path: list[PathStep] = []
    path_end = PathReader(text, pos, path, annex=annex, nested=nested).read()
    if not path or not _fits(draft.path, path):
        return [], 0
    members = chain.read_members(replace(draft, path=path, end=path_end))
    end = members[-1].end
    if has_word and opened["bracket"]:
        if not text.startswith(")", end):
            return [], 0
        end += 1
    above = members[0].path[-1].level in _HIGHEST and _is_below_absatz(draft.path)
    for member in members:
        member.path = [*member.path, *draft.path] if above else [*draft.path, *member.path]
    return members, end


def _may_hold_section(group: Group, draft: Draft, *, whole: bool) -> bool:
    """Whether a § behind the law can be of the Artikel; in running text the next may begin there.

    Artikel that hold §§ are those of introductory laws above all.
    """
    law = group.law
    if draft.unit != "Art" or draft.path or law is None or law.celex:
        return False
    return whole or (law.name or "").startswith("EG")


def _is_below_absatz(path: list[PathStep]) -> bool:
    """Whether a path begins below an Absatz; "Art. 249 § 1" does not."""
    return bool(path) and RANK.get(path[0].level, 0) > RANK[Level.ABSATZ]


def _may_be_level(opened: re.Match[str]) -> bool:
    """Whether a level or an ordinal can begin so; seldom, and cheaper than to look for both."""
    word = opened["word"].casefold()
    return word in LEVEL_OF or word[:2] in ORDINAL_OPENINGS or opened["begun"].isdigit()


def _fits(path: list[PathStep], behind: list[PathStep]) -> bool:
    """Whether none of the levels behind is named in front; an Absatz has none above it."""
    named = {step.level for step in path}
    last = behind[-1].level in _HIGHEST
    return named.isdisjoint(step.level for step in behind) and not (
        last and len(behind) > 1 and path
    )


def _read_joined(chain: ChainReader, group: Group, draft: Draft) -> tuple[list[Draft], int]:
    """``§ 280 Abs. 1 BGB und Abs. 3``: a further member of the list, whose level is repeated."""
    after = chain.read_joined(draft, group.end) if draft.path else None
    if after is None or (not match_step(chain.text, after.start) and not _is_ordinal(chain, after)):
        return [], 0
    members = [draft, *chain.read_members(after)]
    return members, members[-1].end


def _is_ordinal(chain: ChainReader, draft: Draft) -> bool:
    return ORDINAL.match(chain.text, draft.start) is not None


def _goes_on(chain: ChainReader, last: Draft, end: int) -> bool:
    """Whether the levels are of a law or a thing that stands behind them."""
    if _OF_ANOTHER.match(chain.text, end) is not None:
        return True
    law = chain.laws.read(end, last)
    return law is not None and not law.silent
