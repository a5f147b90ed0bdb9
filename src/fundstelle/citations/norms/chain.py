"""Lists of norms: what a comma, an "und" or an "i. V. m." joins, and what is inherited."""

import re
from dataclasses import replace

from fundstelle.citations.drafts import Draft, Group, LawReference
from fundstelle.citations.laws.suffix import MANNER, LawReader
from fundstelle.citations.norms.bare import (
    COUNTED,
    announces_several,
    find_level,
    find_repeated,
    is_above,
    is_far,
    match_dotted,
    place_number,
)
from fundstelle.citations.norms.items import (
    ANNEX,
    HEAD,
    nest,
    read_annex,
    read_annex_range,
    read_head,
    read_item,
    read_number,
)
from fundstelle.citations.norms.levels import (
    LETTER_LEVELS,
    LEVEL_OF,
    ORDINAL_LEVELS,
    RANK,
    build_word_pattern,
)
from fundstelle.citations.norms.path import (
    ORDINAL,
    ROMAN,
    STEP,
    PathReader,
    match_step,
    skip_blanks,
)
from fundstelle.citations.text.numerals import ORDINAL_OPENINGS, ORDINAL_WORD, read_ordinal
from fundstelle.law.citations import PathStep, split_ends
from fundstelle.law.norms import Level

MOST_ITEMS = 200

_JOINT = re.compile(
    r"\s*,?\s*(?:jeweils\s+)?(?:auch\s+)?(?:i\s?\.?\s*V\s?\.?\s*m\s?(?:\.|(?![^\W_]))|in\s+Verb(?:indung|\.)\s+mit(?!\w)"
    r"|in\s+conjunction\s+with|i\.\s?Verb\.\s?m\.)\s*"
    r"|\s*(?:und|oder|and|bzw\.)\s?/\s?(?:oder|und|or)(?![^\W_])\s*"
    r"|\s*(?:,\s*(?:und|oder|sowie|and|or|bzw\.|ferner)?(?![^\W_])|,(?=\d)|;|/|\+"
    r"|(?:und|oder|sowie|als\s+auch|wie\s+auch|u\.|bzw\.|beziehungsweise|and|or|&)(?![^\W_]))\s*",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"(?:(?:nach|gemäß|aus|den|dem|der|die|des|auch|mit|von|in|auf|jeweils|entsprechend)\s+){1,2}",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"(?:points?\s)?\(\s*(?:(\d{1,3}[a-z]?)|([a-z]))\s*\)")
_BELOW_LETTERS = frozenset({Level.UNTERABSATZ, Level.SATZ})
_LETTER = re.compile(r"([a-z])(?:\)|(?![^\W_]|\.))")
_CAPITAL = re.compile(r"([A-Z])(?![^\W_]|\.\w)")
_MANNER_OPENS = frozenset({"an", "en", "di", "un", "do", "(a", "(e", "(d", "(u"})
_ASIDE = re.compile(r",\s*(?:jeweils\s+)?(?:auch\s+)?in\s+Verbindung\s+mit\s")
_JOINED = re.compile(
    r"\s*\(\s*(?:(?:ggf\.|gegebenenfalls|jeweils|auch)\s+)*"
    r"(?:i\s?\.?\s*V\s?\.?\s*m\s?(?:\.|(?![^\W_]))|in\s+Verb(?:indung|\.)\s+mit(?!\w)"
    r"|in\s+conjunction\s+with)\s*(?:(?:dem|den|der)\s+)?",
    re.IGNORECASE,
)
_CLOSES = re.compile(r"\s*,(?=\s+(?:de[sr]|dieses)\s)")
# The next line of an enumeration: "…, 3;\n8. …".
_NEXT_ITEM = re.compile(
    r"[^\S\n]*+[,;]?[^\S\n]*+(?:und|oder|sowie)?[^\S\n]*+\n\s*+(?:\d+[a-z]?\.|[a-z]{1,2}\))\s"
)
_PART = rf"(?:\d{{1,3}}\.|{ORDINAL_WORD})"
_ORDINAL_PART = re.compile(_PART, re.IGNORECASE)
_ORDINALS = re.compile(
    rf"\s*({_PART}(?:\s*(?:,|und|oder|bzw\.|and|or)\s*{_PART}){{1,9}})\s*"
    rf"({build_word_pattern(ORDINAL_LEVELS)})(?![^\W_])",
    re.IGNORECASE,
)
# "2 a" is 2a before a law or the next of the list
_BARE_ANNEX = re.compile(
    r"(?:Nr\.\s?)?(?P<number>\d{1,3}[a-z]?|[IVX]+)(?![\w/]|\.\d)"
    r"(?:(?<=\d)\s(?P<letter>[a-z])(?=\s[A-ZÄÖÜ]|,|\s(?:und|oder|des|der)\s|$))?"
)
_LOWER = re.compile(r"/\d")
_DIGITS = re.compile(r"\d{1,9}")  # no number of a provision is longer
_MOST_TAIL = 40


class ChainReader:
    """Reads a whole list from its first sign, and binds it to its laws."""

    __slots__ = ("groups", "laws", "pending", "text")

    def __init__(self, text: str, laws: LawReader) -> None:
        self.text = text
        self.laws = laws
        self.pending: list[Draft] = []
        self.groups: list[Group] = []

    def read(self, first: Draft) -> list[Group]:
        """The groups of the list that begins with ``first``; the last one may have no law."""
        self.pending = [first]
        self.groups = []
        count = 1
        while count < MOST_ITEMS:
            count += self._read_ordinals(self.pending)
            last = self.pending[-1]
            law = self.laws.read(last.end, last)
            if law is not None:
                self._bind(law)
                tail = None if law.silent else self._read_tail(law.end, last)
                if tail is None:
                    return self.groups
                self.pending = tail
                count += len(tail)
                continue
            after = self._read_next(last)
            if after is None and (self._bind_behind_aside(last) or self._bind_behind_joined(last)):
                return self.groups
            if after is None:
                break
            self.pending.append(after)
            count += 1
        self._close()
        return self.groups

    def read_members(self, first: Draft) -> list[Draft]:
        """``first`` and what is joined to it below the same section, without their law."""
        members = [first]
        while len(members) < MOST_ITEMS:
            self._read_ordinals(members)
            after = self.read_joined(members[-1])
            if after is None:
                break
            members.append(after)
        return members

    def read_joined(self, last: Draft, end: int | None = None) -> Draft | None:
        """The next member of a list below one section, ``None`` where something else begins.

        ``end``: it is joined to what ends there and not to ``last`` itself.
        """
        place = self._skip_joint(last, last.end if end is None else end)
        if place is None or self.text.startswith("§", place[0]):
            return None
        after = self._read_below(place[0], last, filled=place[1])
        # a number alone is another section
        return after if after is not None and after.path and after.number == last.number else None

    @staticmethod
    def _add_ordinals(members: list[Draft], match: re.Match[str]) -> None:
        last, level = members[-1], LEVEL_OF[match[2].casefold()]
        base = list(last.path)
        for place, written in enumerate(_ORDINAL_PART.findall(match[1])):
            value = written[:-1] if written[0].isdigit() else read_ordinal(written)
            if place:
                last = Draft(last.unit, last.number, match.start(), 0, plural=last.plural)
                members.append(last)
            last.path = [*base, PathStep(level, value)]
            last.end = match.end()

    def _read_ordinals(self, members: list[Draft]) -> int:
        """``dritter, sechster und siebter Gedankenstrich``: how many more members there are."""
        text, pos = self.text, members[-1].end
        if text[pos : pos + 1].isspace():
            pos = skip_blanks(text, pos + 1)
        opening = text[pos : pos + 2]
        if not (opening.casefold() in ORDINAL_OPENINGS or opening[:1].isdigit()):
            return 0
        if members[-1].follow:
            return 0
        match = _ORDINALS.match(self.text, pos)
        before = len(members)
        if match is not None:
            self._add_ordinals(members, match)
        return len(members) - before

    def _bind(self, law: LawReference) -> None:
        drafts = self.pending
        self.groups.append(Group(drafts, law, drafts[0].start, law.end))
        self.pending = []

    def _close(self) -> None:
        if self.pending:
            drafts = self.pending
            self.groups.append(Group(drafts, None, drafts[0].start, drafts[-1].end))

    def _bind_behind_aside(self, last: Draft) -> bool:
        """``§ 3 Abs. 1, auch in Verbindung mit § 4, des Tierschutzgesetzes``.

        A comma before the law closes what a comma opened; without that another phrase begins.
        """
        comma = _CLOSES.match(self.text, last.end)
        if comma is None or _ASIDE.search(self.text, self.pending[0].end, last.start) is None:
            return False
        law = self.laws.read(comma.end(), last)
        if law is None or law.silent or law.own:
            return False
        self._bind(law)
        return True

    def _bind_behind_joined(self, last: Draft) -> bool:
        """``§ 142 Abs. 2 (i. V. m. § 15) AktG``: the law behind the bracket is that of all."""
        opened = _JOINED.match(self.text, last.end)
        if opened is None:
            return False
        pos, joined = opened.end(), list[Draft]()
        draft = self._read_headed(pos) or self._read_below(pos, last, filled=False)
        while draft is not None and len(joined) < _MOST_TAIL:
            joined.append(draft)
            if self.text.startswith(")", draft.end):
                law = self.laws.read(draft.end + 1, draft)
                if law is None or not law.known or law.silent or law.own:
                    return False
                if law.unit not in {None, last.unit}:
                    return False  # "§ 26 (i. V. m. Art. 88) DSGVO" is of two laws
                self.pending += joined
                self._bind(law)
                return True
            draft = self._read_next(draft)
        return False

    def _read_tail(self, pos: int, last: Draft) -> list[Draft] | None:
        """``§§ 3 UWG, 823, 1004 BGB``: bare numbers after a law, if a law follows them too."""
        joint = _JOINT.match(self.text, pos)
        if joint is None:
            return None
        drafts: list[Draft] = []
        place = joint.end()
        draft = self._read_bare_section(place, last.unit, plural=last.plural)
        while draft is not None and len(drafts) < _MOST_TAIL:
            drafts.append(draft)
            law = self.laws.read(draft.end, draft)
            if law is not None:
                return None if law.silent else drafts
            draft = self._read_next(draft)
        return None

    def _read_bare_section(self, pos: int, unit: str, *, plural: bool) -> Draft | None:
        if not self.text[pos : pos + 1].isdigit():
            return None
        draft = read_item(self.text, pos, unit, plural=plural, start=pos)
        return None if draft is None or COUNTED.match(self.text, draft.end) else draft

    def _read_next(self, last: Draft) -> Draft | None:
        """The next norm of the list, ``None`` where the list ends."""
        place = self._skip_joint(last, last.end)
        if place is None:
            return None
        pos, filled = place
        if _LOWER.match(self.text, last.end) and self._is_lower(last, pos):
            return None
        return self._read_headed(pos) or self._read_below(pos, last, filled=filled)

    def _is_lower(self, last: Draft, pos: int) -> bool:
        """``§ 433/1``: no list goes down, and what the stroke means is not guessed."""
        first, after = _DIGITS.match(last.number or ""), _DIGITS.match(self.text, pos)
        return bool(
            first and after and not last.plural and not last.path and int(after[0]) < int(first[0])
        )

    def _skip_joint(self, last: Draft, end: int) -> tuple[int, bool] | None:
        """Where the next norm begins behind ``end``, and whether words stand before it."""
        if self.text.startswith(")", end) and last.path and last.path[-1].value.isalpha():
            end += 1
        joint = _JOINT.match(self.text, end)
        if joint is None and self._may_be_manner(end):
            joint = self._find_joint_behind_manner(last, end)
        if joint is None or ("\n" in joint[0] and _NEXT_ITEM.match(self.text, end)):
            return None
        pos = joint.end()
        filler = _FILLER.match(self.text, pos)
        return (pos, False) if filler is None else (filler.end(), True)

    def _may_be_manner(self, end: int) -> bool:
        """Whether "analog" or the like can follow; seldom, and cheaper than to look for it."""
        return self.text[end : end + 3].strip().lower()[:2] in _MANNER_OPENS

    def _find_joint_behind_manner(self, last: Draft, end: int) -> re.Match[str] | None:
        """``§§ 1004 Abs. 1 analog, 823 BGB``; "gilt § 5 entsprechend, § 6 BGB" is none."""
        manner = MANNER.match(self.text, end)
        joint = _JOINT.match(self.text, manner.end()) if manner else None
        if manner is None or joint is None or manner[0].rstrip(" .)").endswith("analog"):
            return joint
        is_number = self.text[joint.end() : joint.end() + 1].isdigit()
        return joint if last.plural and is_number else None

    def _read_headed(self, pos: int) -> Draft | None:
        head = HEAD.match(self.text, pos)
        if head is not None:
            unit, plural = read_head(head)
            return read_item(self.text, head.end(), unit, plural=plural, start=pos)
        annex = ANNEX.match(self.text, pos)
        return read_annex(self.text, annex, pos) if annex is not None and annex["number"] else None

    def _read_below(self, pos: int, last: Draft, *, filled: bool) -> Draft | None:
        """What goes on below ``last``; behind ``Art. 229 §§ 5`` it is below the Artikel again."""
        if last.below is None:
            return self._read_part(pos, last, filled=filled)
        section = self._read_part(pos, last.below, filled=filled)
        return nest(section, last) if section is not None else None

    def _read_part(self, pos: int, last: Draft, *, filled: bool) -> Draft | None:
        text = self.text
        step = match_step(text, pos) or ORDINAL.match(text, pos)
        if step is not None:
            word = step[1] if step.re is STEP else step[3]
            draft = self._inherit(last, LEVEL_OF[word.casefold()], pos)
            self._mind_comma(last, draft, pos)
            return draft
        if filled:
            return None
        if text.startswith(("(", "point"), pos):
            return self._read_bracket(pos, last)
        if last.path:
            roman = ROMAN.match(text, pos) if find_level(last.path, "abs") is not None else None
            if roman is not None:
                return self._inherit(last, "abs", pos)
            level = last.path[-1].level
            is_part = level == "teil" or (level == "abschnitt" and last.path[-1].value.isupper())
            lettered = _LETTER if level in LETTER_LEVELS else _CAPITAL if is_part else None
            letter = lettered.match(text, pos) if lettered is not None else None
            if letter is not None:
                return self._repeat(last, len(last.path) - 1, letter[1], letter.end(1))
        return self._read_bare_number(pos, last)

    def _mind_comma(self, last: Draft, draft: Draft, pos: int) -> None:
        """``Buchst. f, Satz 2``: a comma may as well go on downwards as join the next norm."""
        place = len(last.path) - 1
        while place >= 0 and last.path[place].level in LETTER_LEVELS:
            place -= 1
        is_lettered = 0 <= place < len(last.path) - 1
        if not is_lettered or self.text[last.end : pos].strip(" )") != ",":
            return
        levels = [step.level for step in last.path]
        at = next((at for at, step in enumerate(draft.path) if step.level not in levels), None)
        if at is not None and draft.path[at].level in _BELOW_LETTERS:
            draft.path[at] = replace(draft.path[at], behind=tuple(last.path))

    def _read_bracket(self, pos: int, last: Draft) -> Draft | None:
        """``(1) and (2)``, ``(1)(a) and (b)``: the last value of the kind repeats."""
        is_bracket = last.bracketed or self.text[last.end - 1 : last.end] == ")"
        match = _BRACKET.match(self.text, pos) if is_bracket else None
        if match is None or (not last.bracketed and "\n" in self.text[last.end : pos]):
            return None
        levels = {"abs", "nr"} if match[1] else LETTER_LEVELS
        place = next(
            (i for i in range(len(last.path) - 1, -1, -1) if last.path[i].level in levels), None
        )
        if place is None:
            return None
        return self._repeat(last, place, match[1] or match[2], match.end())

    def _read_bare_number(self, pos: int, last: Draft) -> Draft | None:
        if last.unit in {"Anlage", "Erwg"} and not last.path:
            return self._read_bare_annex(pos, last)
        text = self.text
        dotted = match_dotted(text, last, pos)
        if dotted is not None:
            return self._repeat(last, len(last.path) - 1, dotted[0], dotted.end(), bare=True)
        read = read_number(text, pos, plural=last.plural)
        if read is None or COUNTED.match(text, read.end):
            return None
        place = place_number(text, last, read.number, read.end)
        if place is not None:
            match = re.compile(r"\d+[a-z]?").match(text, pos)
            assert match is not None
            several = announces_several(last, place, match[0], text[last.end : pos])
            part = self._repeat(last, place, match[0], match.end(), bare=True, several=several)
            rises = last.unit == "Art" and is_above(last, match[0])
            if not (self._is_named(part) and (several or rises)):
                return part
        draft = read_item(text, pos, last.unit, plural=last.plural, start=pos)
        if draft is not None and place is None:
            draft.repeats = find_repeated(last, draft)
        return draft

    def _is_named(self, draft: Draft) -> bool:
        """``Art. 1 Satz 2, 2``: nothing is named twice in one list."""
        return any(one.path == draft.path and one.number == draft.number for one in self.pending)

    def _read_bare_annex(self, pos: int, last: Draft) -> Draft | None:
        match = _BARE_ANNEX.match(self.text, pos)
        if match is None:
            return None
        number = match["number"] + (match["letter"] or "")
        draft = Draft(last.unit, number, pos, match.end(), plural=last.plural)
        if last.unit == "Anlage":
            read_annex_range(self.text, draft)
            draft.end = PathReader(self.text, draft.end, draft.path, annex=True).read()
        return draft

    def _inherit(self, last: Draft, level: str, pos: int) -> Draft:
        """A new norm that keeps every level of ``last`` above ``level``."""
        place = find_level(last.path, level)
        if place is None:
            rank = RANK[level]
            place = next(
                (i for i, step in enumerate(last.path) if RANK[step.level] >= rank), len(last.path)
            )
        return self._continue(last, last.path[:place], pos)

    def _repeat(  # noqa: PLR0913 - what a bare number may be is known where it is read
        self,
        last: Draft,
        place: int,
        value: str,
        end: int,
        *,
        bare: bool = False,
        several: bool = False,
    ) -> Draft:
        """A new norm with another value at ``place`` of the path; ``bare``: a number alone."""
        before = last.path[place]
        step = replace(
            before,
            value=value,
            to=None,
            reaches=False,
            lettered=before.lettered and not before.to and value.isalpha(),
            bare=bare and (not before.plural or is_far(before, value)),
            several=several,
        )
        steps = [*last.path[:place], step]
        return self._continue(last, steps, end, repeated=True)

    def _continue(
        self, last: Draft, steps: list[PathStep], pos: int, *, repeated: bool = False
    ) -> Draft:
        number = last.number_end or last.number  # what is below a range is of its last section
        ended = split_ends(tuple(steps))
        steps = list(ended[1]) if last.number_end and ended[0] else steps
        draft = Draft(last.unit, number, pos, pos, path=steps, plural=last.plural)
        draft.bracketed = last.bracketed
        reader = PathReader(self.text, pos, steps, annex=last.unit == "Anlage")
        if repeated:
            reader.read_repeated(steps[-1].level)
        draft.end = reader.read()
        return draft
