"""One pass over a clean text: from anchor to anchor, each read by its grammar."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote_plus

from fundstelle.citations.drafts import Draft, Group, LawReference
from fundstelle.citations.laws import eu
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.laws.own_titles import read_tail
from fundstelle.citations.laws.suffix import LawReader
from fundstelle.citations.norms.anchors import find_anchors
from fundstelle.citations.norms.annexes import OwnAnnexes
from fundstelle.citations.norms.behind import take_levels_behind
from fundstelle.citations.norms.binding import build_law, build_targets
from fundstelle.citations.norms.chain import MOST_ITEMS, ChainReader
from fundstelle.citations.norms.context import (
    find_law_before,
    is_foreign,
    is_literature,
    is_literature_behind_law,
    is_of_directions,
    is_of_paper,
    is_private,
    read_levels_before,
)
from fundstelle.citations.norms.items import ANNEX, HEAD, read_annex, read_head, read_item
from fundstelle.citations.norms.leading import is_below_other, is_led, is_next_law, lead, part
from fundstelle.citations.norms.recitals import BEFORE, RECITAL, read_recital
from fundstelle.citations.norms.schedules import SCHEDULE, read_schedule
from fundstelle.citations.text.numerals import read_roman
from fundstelle.law.citations import EuCitation, PathStep, Target

# Pages of one provision at the publisher and at two sites that lawyers link to.
_ADDRESSES = tuple(
    re.compile(rf"https?://(?:www\.)?{address}", re.IGNORECASE)
    for address in (
        r"gesetze-im-internet\.de/(?P<law>[\w-]+)/__(?P<section>\d+[a-z]*)\.html",
        r"gesetze-im-internet\.de/(?P<law>[\w-]+)/art_(?P<article>\d+[a-z]*)\.html",
        r"gesetze-im-internet\.de/(?P<law>[\w-]+)/art_(?P<article>\d+)__(?P<nested>\d+[a-z]*)\.html",
        r"dejure\.org/gesetze/(?P<law>[\w.-]+)/(?P<number>\d+[a-z]*)\.html",
        r"buzer\.de/(?P<number>\d+[a-z]*)_(?P<law>[\w.-]+)\.htm",
        r"buzer\.de/(?:s1\.htm|gesetz/)\?g=(?P<law>[\w%+.-]+)&a=(?P<number>\d+[a-z]*)",
    )
)


class Hit(NamedTuple):
    """Targets at a place of the clean text."""

    start: int
    end: int
    targets: tuple[Target, ...]
    notes: tuple[str, ...] = ()
    bare: bool = False  # no law stands with it
    law: LawReference | None = None
    apart: bool = False  # a law is named beside it that was not read with it


class Scanner:
    """Reads every norm and EU act of one text.

    ``whole``: the text is one citation; ``unnamed``: provisions of what has no name are read too.
    """

    __slots__ = ("act", "annexes", "laws", "names", "opening", "text", "unnamed", "whole")

    def __init__(
        self, text: str, names: LawNames, *, whole: bool = False, unnamed: bool = False
    ) -> None:
        self.text = text
        self.whole = whole
        self.unnamed = unnamed
        self.act: tuple[LawReference, int] | None = None  # of the Union, last read, and where
        self.names = names
        self.laws = LawReader(text, names)
        self.annexes = OwnAnnexes(text)
        match = names.match(text, 0) if text[:1].isalnum() else None
        self.opening = match[0] if match is not None else 0  # end of the name the text begins with

    def scan(self) -> Iterator[Hit]:
        """The hits in the order of the text; they do not overlap."""
        floor = 0
        for anchor in find_anchors(self.text):
            if anchor.start() < floor:
                continue
            for hit in self._read_at(anchor.start(), floor):
                yield hit
                floor = max(floor, hit.end)
                self.act = (hit.law, hit.end) if hit.law and hit.law.celex else None

    def _read_at(self, pos: int, floor: int) -> list[Hit]:
        text = self.text
        head = HEAD.match(text, pos)
        if head is not None:
            return self._read_norm(head, floor)
        annex = ANNEX.match(text, pos)
        if annex is not None:
            return self._read_annex(annex, floor)
        recital = RECITAL.match(text, pos)
        if text.startswith("Erw", pos):
            before = BEFORE.search(text, max(floor, pos - _LONGEST_WORD), pos)
            recital = RECITAL.match(text, before.start()) if before else recital
        if recital is not None:
            return self._read_recital(recital, floor)
        schedule = SCHEDULE.match(text, pos)
        if schedule is not None:
            group = read_schedule(text, schedule, floor, whole=self.whole)
            return self._build([group]) if group is not None else []
        if text.startswith("http", pos):
            for pattern in _ADDRESSES:
                address = pattern.match(text, pos)
                if address is not None:
                    return self._read_address(address)
        return self._read_act(pos)

    def _read_address(self, match: re.Match[str]) -> list[Hit]:
        """``https://www.gesetze-im-internet.de/bgb/__823.html``, ``dejure.org/gesetze/BGB/823``."""
        parts = match.groupdict()
        laws = self.names.find(unquote_plus(parts["law"]).replace("_", " "))
        if not laws:
            return []
        law = LawReference(laws[0].abbreviation, match.end(), laws[0].celex, laws[0].unit)
        unit = "Art" if parts.get("article") else "§"
        if parts.get("number"):
            unit = laws[0].unit or unit
        number = parts.get("number") or parts.get("article") or parts["section"]
        draft = Draft(unit, number, match.start(), match.end())
        if parts.get("nested"):
            draft.path.append(PathStep("§", parts["nested"]))
        return self._build([Group([draft], law, match.start(), match.end())])

    def _read_norm(self, head: re.Match[str], floor: int) -> list[Hit]:
        unit, plural = read_head(head)
        draft = read_item(self.text, head.end(), unit, plural=plural, start=head.start())
        if draft is None or is_foreign(self.text, head.start()) or self._is_in_name(head.start()):
            return []
        draft = self._read_article_behind(draft) or draft
        drafts = self._read_levels_before(floor, draft)
        groups = ChainReader(self.text, self.laws).read(drafts[-1])
        if len(drafts) > 1 and groups:
            groups[0].drafts = [*drafts[:-1], *groups[0].drafts]
            groups[0].start = drafts[0].start
        return self._close(groups, floor)

    def _read_article_behind(self, draft: Draft) -> Draft | None:
        """``§ 5 Art. 229 EGBGB``: a section below the Artikel that stands behind it."""
        if draft.unit != "§" or draft.plural or draft.number_end or draft.follow:
            return None
        link = _BELOW_ARTICLE.match(self.text, draft.end)
        head = HEAD.match(self.text, link.end()) if link is not None else None
        if head is None:
            return None
        article = read_item(self.text, head.end(), "Art", plural=False, start=draft.start)
        if article is None or article.path or article.number_end or article.follow:
            return None
        law = self.laws.read(article.end, article)
        if law is None or law.silent or law.own or law.celex:
            return None
        if not (self.whole or (law.name or "").startswith("EG")):
            return None
        article.path = [PathStep("§", draft.number or ""), *draft.path]
        return article

    def _read_levels_before(self, floor: int, draft: Draft) -> list[Draft]:
        """Levels in front of the sign, which are no part of the name that the text begins with."""
        low = max(floor, self.opening)
        return read_levels_before(self.text, low, draft, self.laws, whole=self.whole)

    def _is_in_name(self, pos: int) -> bool:
        """Whether a sign is part of a name: ``BewG§81DV``, or the one that the text begins with."""
        if pos < self.opening:
            return True
        start = pos
        while start and self.text[start - 1].isalnum() and pos - start < _LONGEST_WORD:
            start -= 1
        match = self.names.match(self.text, start) if start < pos else None
        return match is not None and match[0] > pos

    def _close(self, groups: list[Group], floor: int) -> list[Hit]:
        """Bind a last group without a law to the law before it, or leave it bare."""
        groups = lead(self.text, groups, floor, self.laws)
        last = groups[-1]
        if last.apart or is_led(last):
            return self._build(groups)
        if last.law is not None and is_literature_behind_law(self.text, last.law.end):
            groups.pop()
        elif last.law is not None:
            if not is_of_directions(self.text, floor, last.start, self.laws):
                self._take_levels_behind(last)
        elif is_literature(self.text, last.end) or is_of_paper(self.text, last.start):
            groups.pop()
        elif len(groups) == 1:
            before = self._find_law_before(last, floor)
            if before is not None:
                last.law, last.start = before
            elif self.text.startswith("S", last.start) and not last.drafts[-1].path:
                groups.pop()  # "Section 8 housing"
            elif is_private(self.text, last.start):
                groups.pop()
        return self._build(groups)

    def _find_law_before(self, group: Group, floor: int) -> tuple[LawReference, int] | None:
        before = find_law_before(self.text, floor, group.start, self.laws)
        is_other = before is not None and is_below_other(self.text, group, before[0])
        return None if is_other else before

    def _take_absatz_behind(self, group: Group) -> None:
        """``Paragraf 823 BGB I``: a Roman number at the very end belongs to the section."""
        draft = group.drafts[-1]
        match = _ABSATZ_BEHIND.match(self.text, group.end)
        value = read_roman(match[1]) if match else None
        if match is not None and value is not None and len(group.drafts) == 1 and not draft.path:
            draft.path.append(PathStep("abs", str(value)))
            group.end = match.end(1)

    def _take_levels_behind(self, group: Group) -> None:
        if not self.whole:
            self._take_absatz_behind(group)
        take_levels_behind(ChainReader(self.text, self.laws), group, whole=self.whole)

    def _read_annex(self, match: re.Match[str], floor: int) -> list[Hit]:
        draft = read_annex(self.text, match, match.start())
        drafts = self._read_levels_before(floor, draft)
        own = self._find_own_annex(match.start(), drafts) if self.unnamed else None
        if own is not None:
            return self._build([own])
        groups = ChainReader(self.text, self.laws).read(drafts[-1])
        if len(drafts) > 1 and groups:
            groups[0].drafts = [*drafts[:-1], *groups[0].drafts]
        groups[0].start = drafts[0].start
        groups = lead(self.text, groups, floor, self.laws)
        if groups[-1].law is not None and not is_led(groups[-1]):
            self._take_levels_behind(groups[-1])
        elif self.whole and groups[0].law is None and not groups[0].apart:  # "BewG Anlage 21"
            before = find_law_before(self.text, floor, groups[0].start, self.laws)
            if before is not None:
                groups[0].law, groups[0].start = before
        if not draft.number and _IS_OF.match(self.text, draft.end) is None:
            # "Anlage AST 1" is an exhibit, "Anlage VersMedV" is not
            groups = [group for group in groups if group.law is None or group.law.known]
        is_annex = draft.number and not _EXHIBIT.fullmatch(draft.number)
        return [hit for hit in self._build(groups) if not hit.bare or is_annex]

    def _find_own_annex(self, start: int, drafts: Sequence[Draft]) -> Group | None:
        """The one annex of the text's own statute with all parts named of it, if that is meant."""
        last, levels = drafts[-1], drafts[0].start < start
        end = self.annexes.find_end(start, last, levels=levels)
        if end is None:
            return None
        if end == last.end and last.path and not levels:
            members = ChainReader(self.text, self.laws).read_members(last)
            drafts, end = [*drafts[:-1], *members], members[-1].end
            if _IS_OF.match(self.text, end) is not None:
                return None
        return Group(drafts, LawReference(None, end, own=True), drafts[0].start, end)

    def _read_recital(self, match: re.Match[str], floor: int) -> list[Hit]:
        draft = read_recital(match)
        groups = lead(self.text, ChainReader(self.text, self.laws).read(draft), floor, self.laws)
        if len(groups) == 1 and groups[0].law is None and not groups[0].apart:
            before = find_law_before(self.text, floor, groups[0].start, self.laws)
            if before is not None:
                groups[0].law, groups[0].start = before
            elif self.act and _BEHIND_ACT.fullmatch(self.text, self.act[1], groups[0].start):
                groups[0].law = self.act[0]  # "Art. 6 DSGVO, EG 47"
        return [
            hit
            for hit in self._build(groups)
            if hit.apart or all(isinstance(target, EuCitation) for target in hit.targets)
        ]

    def _read_act(self, pos: int) -> list[Hit]:
        act = eu.read_act(self.text, pos) or eu.read_identifier(self.text, pos)
        if act is None:
            return []
        tail = read_tail(self.text, act.end, self.laws.names.get_facts(act.celex))
        act = act._replace(end=tail.end)
        law = LawReference(
            act.name, act.end, act.celex, "Art", version=act.version, name_end=act.end
        )._replace(unread=tail.wrong)
        if act.unit:
            draft = Draft(act.unit, act.number, pos, act.end)
            draft.path += act.path
            return self._build([Group([draft], law, pos, act.end)])
        groups = self._read_led(law, pos)
        if groups is not None:
            return self._build(groups)
        return [Hit(pos, act.end, (build_law(law),), law=law), *self._read_further(act)]

    def _read_led(self, law: LawReference, pos: int) -> list[Group] | None:
        """What an act that begins at ``pos`` stands in front of, ``None`` if it leads nothing."""
        text = self.text
        head = HEAD.match(text, _skip(text, law.end))
        if head is None:
            return None
        unit, plural = read_head(head)
        draft = read_item(text, head.end(), unit, plural=plural, start=head.start())
        if draft is None or is_below_other(text, Group([draft], None, draft.start, draft.end), law):
            return None
        groups = ChainReader(text, self.laws).read(draft)
        first = groups[0]
        if first.law is None or (len(groups) == 1 and is_next_law(text, first.drafts[-1].end)):
            first.law, first.start, first.end = law, pos, first.drafts[-1].end
            return groups
        groups[:1] = part(text, first, law, pos)
        return groups if groups[0].law == law else None

    def _read_further(self, act: eu.Act) -> list[Hit]:
        """The other acts of a list that names its kind once."""
        hits: list[Hit] = []
        while len(hits) < MOST_ITEMS:
            further = eu.read_further(self.text, act.end, act.celex)
            if further is None:
                break
            law = LawReference(further.name, further.end, further.celex, "Art")
            start = further.end - len(self.text[act.end : further.end].lstrip(" ,undsow\n"))
            hits.append(Hit(start, further.end, (build_law(law),), law=law))
            act = further
        return hits

    def _build(self, groups: list[Group]) -> list[Hit]:
        hits = []
        for group in groups:
            if group.law is not None and group.law.silent:
                if self.unnamed and any(draft.number for draft in group.drafts):
                    end = max(draft.end for draft in group.drafts)
                    targets = build_targets(Group(group.drafts, None, group.start, end), [])
                    hits.append(Hit(group.start, end, targets))
                continue
            notes: list[str] = []
            targets = build_targets(group, notes)
            bare = group.law is None or group.law.own
            hits.append(
                Hit(group.start, group.end, targets, tuple(notes), bare, group.law, group.apart)
            )
        return hits


_BELOW_ARTICLE = re.compile(r"\s*,?\s*(?:(?:des|zu|von)\s+)?(?=Art)")
_IS_OF = re.compile(r"\s*\(?\s*(?:zu[mr]?|de[rs]|of)(?!\w)")
_BEHIND_ACT = re.compile(
    r"[\s,;(]*(?:(?:und|sowie|mit|vgl\.|i\.?\s?V\.?\s?m\.?|in Verbindung mit)\s)?\s*"
)
_EXHIBIT = re.compile(r"[A-Z]\d.*")  # "Anlage K1" of a brief
_ABSATZ_BEHIND = re.compile(r"\s([IVX]{1,5})(?=\s*(?:$|[,;.)](?!\w)))")
_LONGEST_WORD = 40


def _skip(text: str, pos: int) -> int:
    while text[pos : pos + 1] in {" ", ",", "\n"}:
        pos += 1
    return pos
