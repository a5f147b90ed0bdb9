"""The path below the section, read in the order it is written in."""

import re
from dataclasses import replace

from fundstelle.citations.norms.levels import (
    ANNEX_LEVELS,
    LETTER_LEVELS,
    LEVEL_OF,
    ORDINAL_LEVELS,
    PLURALS,
    RANK,
    build_word_pattern,
    list_misspelt,
)
from fundstelle.citations.text.numerals import (
    ORDINAL_OPENINGS,
    ORDINAL_WORD,
    read_ordinal,
    read_roman,
)
from fundstelle.law.citations import PathStep, end_range

_NUMBER = r"\d{1,5}(?!\d)(?:(?-i:[a-z]{1,2}|[A-H])(?![^\W_]))?"
_CAPITALS = "|".join(f"{letter}{{2,3}}" for letter in "ABCDEF")
_VALUE = (
    rf"{_NUMBER}|-1[a-z]?(?![^\W_])"
    rf"|(?-i:[IVX]{{1,6}}[a-z]?|[a-z]{{1,3}}|[A-Z]|{_CAPITALS})(?![^\W_])"
    r"|(?-i:[a-z](?=[A-Z]{2}))"
)
# a comma read for the dot of an abbreviation: "Abs, 1"
_AFTER_WORD = r"(?:\s?\.\s*|\s+|(?=\d|\()|(?:(?<=abs)|(?<=nr)|(?<=lit)|(?<=ziff)),\s*(?=\d))"
# Any word: whether it names a level is looked up, which is faster than to try them all.
STEP = re.compile(rf"\s*([^\W\d_]+){_AFTER_WORD}(\()?({_VALUE})(?(2)\))", re.IGNORECASE)
# Annexes count "Nr. 1.6.2".
_ANNEX_STEP = re.compile(
    rf"\s*([^\W\d_]+){_AFTER_WORD}(\()?(\d{{1,4}}(?:\.\d{{1,3}})+[a-z]?(?![^\W_])|{_VALUE})"
    r"(?(2)\))",
    re.IGNORECASE,
)
# Rules on training number their lists "5.1", "I.20"; catalogues too.
_DOTTED_STEP = re.compile(
    rf"\s*(Nr|Nrn|Nummer|Nummern|Ziff|Ziffer|Ziffern){_AFTER_WORD}(\()?"
    r"((?:\d{1,4}|(?-i:[IVX]{1,4}|[A-Z]))(?:\.\d{1,3})+[a-z]?)(?![^\W_]|\.\d)(?(2)\))",
    re.IGNORECASE,
)
_MISSPELT_STEP = re.compile(r"([^\W\d_]{3,12})\.?\s*(\d{1,3}[a-z]?|[a-z])(?![^\W_])")
ORDINAL = re.compile(
    rf"\s*(?:(\d{{1,3}})\.\s?|({ORDINAL_WORD})\s+)({build_word_pattern(ORDINAL_LEVELS)})"
    r"(?![^\W_])(?:\.(?!\s+(?-i:[A-ZÄÖÜ][a-zäöüß]+(?!\w))))?",
    re.IGNORECASE,
)
ROMAN = re.compile(
    r"\s*([IVX]{1,6})(?:([a-h])(?![^\W_])|(?!\d{3}|[^\W\d_]))(?!\.\s?(?:m\b|\d|V|[A-ZÄÖÜ]\w*[GVO]\b))"
    r"(?!\s+[A-Z]{1,3}\s+\d+/\d)"
)
_WORD = re.compile(r"[^\W\d_]+")
_MISSPELT = list_misspelt()
_LONGEST_ENCLOSED = 40
_LONGEST_VALUE = 3  # letters
_BARE_SATZ = re.compile(r"\s*(\d{1,2})(?![\w%]|[./]\d|\.\s?[A-Z]?\w|\s*(?:bis|-)\s*\d)")
_BRACKET = re.compile(
    r"\s*\(\s*(\d{1,3}[a-z]?|[ivx]{1,5}|([a-z])\2{0,2})\s*\)"
    # "(ba)" was inserted behind "(b)", "(-1)" before "(1)"
    r"|(?<=[\w)])\((?-i:([a-z]{2}|[ivx]{1,5}[a-h]|-1[a-z]?))\)",
    re.IGNORECASE,
)
_COUNTED_ROMAN = re.compile(r"([ivx]+)([a-h]?)")
_BRACKET_RANGE = re.compile(r"\s*(?:to|bis|-)\s*\((\d{1,3}|[a-z])\)")
_LETTER = re.compile(r"\s*([a-z])\)")
# What follows the label of an item, and no part in brackets: "(3) Der Händler", not "(1) DSGVO".
_ITEM_GOES_ON = re.compile(r"\s+(?:[A-ZÄÖÜ]?[a-zäöüß]|[„\"(§])")
# "Buchst. a gg" at the end names the Grundgesetz.
_DOUBLE = re.compile(r"\s*(?!gg\s*(?:$|[.,;)]))(([a-z])\2{1,2})(?![^\W_])")
_BARE_LETTER = re.compile(
    r"\s([a-z])(?![^\W_]|\.)(?=\s*(?:$|[,;(/]|[A-ZÄÖÜ]|und\b|oder\b|iVm|i\.|([a-z])\2(?![^\W_])))"
)
_LONE_LETTER = re.compile(
    r"\s*(?<=\s)([a-z])(?=\s(?:[A-ZÄÖÜ]{2}|[A-Z][a-zäöüß]+-?[A-ZÄÖÜ]|de[rs]\s|Satz\s?\d|S\.?\s?\d"
    r"|\d{1,2}\s[A-ZÄÖÜ]|(?:und|oder|bis)\s(?:[IVX]+|[a-z])\b)|,\s(?:[IVX]+|[a-z])\b)"
)
_POINTS = frozenset({"point", "points"})  # "point 4(a)" of an annex, but "point (f)"
_NUMBERED_POINT = "nr"
_RANGE = re.compile(
    rf"\s*(?:bis(?:\s+einschließlich)?|to|-)\s*(?:({build_word_pattern()})\.?\s*)?({_VALUE})"
    r"(?!/\d|\.\d)",
    re.IGNORECASE,
)
# With the brackets of the letters: "a) bis f)", "aa) - cc)".
_CLOSED_RANGE = re.compile(
    rf"\)\s*(?:bis(?:\s+einschließlich)?|to|-)\s*(?:({build_word_pattern()})\.?\s*)?"
    r"((?-i:[a-z]{1,3}))(?=\))",
    re.IGNORECASE,
)
_SHORT_LEVELS = frozenset({"abs", "uabs", "satz", "hs"})
_HIGHEST = 99  # no part of these levels has three digits
_FOLLOW = re.compile(r"\s*(ff|f(?=\.))(?![^\W_])\.?")
_COMMA = re.compile(r",\s*(?:hier:?\s*|dort:?\s*)?")
_SECTION = re.compile(r"\s*(?:§|Section|Sec\.)\s*(\d{1,4}(?:[a-z](?![^\W_]))?)")


def match_step(text: str, pos: int, *, annex: bool = False) -> re.Match[str] | None:
    """A level with its value at ``pos``: groups 1 and 3."""
    match = (_ANNEX_STEP if annex else STEP).match(text, pos)
    return match if match is not None and match[1].casefold() in LEVEL_OF else None


def read_value(level: str, written: str) -> str | None:
    """The value in canonical form, ``None`` if the level cannot have it (``Buchst. 3`` can)."""
    if written[0] == "-":  # "Abs. -1" was inserted before the first
        return written.lower() if level == "abs" else None
    if written[0].isdigit():
        return written.lower()
    if level in LETTER_LEVELS:
        return written.lower()
    if level in ANNEX_LEVELS and level != "teil":
        return written
    letter = ""
    if len(written) > 1 and written[-1] in "abcdefghjklmnopqrstuwyz":
        written, letter = written[:-1], written[-1]
    roman = read_roman(written)
    if roman is not None and (written.isupper() or level == "nr"):
        return f"{roman}{letter}"
    return written if level in ANNEX_LEVELS else None


_COUNTED = frozenset({"abs", "satz"})


class PathReader:
    """Reads steps at a place of ``text``; ``steps`` grows, ``pos`` is where reading stopped."""

    __slots__ = ("annex", "beyond", "bracketed", "nested", "pos", "short", "steps", "text")

    def __init__(
        self,
        text: str,
        pos: int,
        steps: list[PathStep],
        *,
        annex: bool = False,
        nested: bool = False,
    ) -> None:
        self.text = text
        self.pos = pos
        self.steps = steps
        self.annex = annex
        self.nested = nested
        self.beyond: int | None = None  # the section behind "§§", which another may follow
        self.bracketed = False
        self.short = False  # the last step was an Absatz in short form

    def read(self) -> int:
        """Take as many steps as there are; where they end."""
        while self._take():
            pass
        return self.pos

    def _take(self) -> bool:
        """One more step; what the next character cannot begin is not tried."""
        text, pos = self.text, self.pos
        first = text[pos : pos + 1]
        if first.isspace():
            pos = skip_blanks(text, pos + 1)
            first = text[pos : pos + 1]
        if first.isalpha():
            return self._after_word(pos, first)
        if first.isdigit():
            return self._ordinal(pos) or self._short_form(self.pos)
        if first in {"(", "§"}:
            return self._short_form(pos) or (first == "(" and self._enclosed(pos))
        if first == ")" and self.steps and self.steps[-1].value.isalpha():
            # "Buchst. a) Satz 1", but not the bracket around the whole citation
            return self._step(pos + 1) or self._ordinal(pos + 1) or self._letters(pos + 1)
        return first == "," and self._after_comma(pos)

    def _after_word(self, pos: int, first: str) -> bool:
        word = _WORD.match(self.text, pos)
        folded = word[0].casefold() if word else ""
        return (
            (folded in LEVEL_OF and self._step(pos))
            or (folded[:2] in ORDINAL_OPENINGS and self._ordinal(pos))
            or ((len(folded) <= _LONGEST_VALUE or first in "IVXS") and self._short_form(self.pos))
            or (folded in _MISSPELT and self._misspelt(pos))
        )

    def _step(self, pos: int) -> bool:
        match = match_step(self.text, pos, annex=self.annex)
        if match is None:
            return False
        if self.text.startswith(".", match.end(3)):
            match = _DOTTED_STEP.match(self.text, pos) or match
        word, written = match[1].casefold(), match[3]
        level = _NUMBERED_POINT if word in _POINTS and written[0].isdigit() else LEVEL_OF[word]
        if level in ANNEX_LEVELS and not (self.annex or self._is_title_part(level, written)):
            return False
        value = written if "." in written else read_value(level, written)
        if value is None:
            return False
        if level == "buchst" and len(value) > 1 and len(set(value)) == 1 and self._last("buchst"):
            level = "dbuchst"
        end = match.end()
        self._add(level, value, end)
        if word in PLURALS:
            self.steps[-1] = replace(self.steps[-1], plural=True)
        if level in {"abs", "nr"} and value.isdigit():
            self._split_letter(level)
        self.read_range(level)
        return True

    def _is_title_part(self, level: str, written: str) -> bool:
        """``Art. 13 Teil A``: articles of directives on taxes have parts; tables have columns.

        Rules on training divide their lists: ``§ 3 Absatz 2 Abschnitt A Nummer 8``.
        """
        if level in {"spalte", "kategorie"}:
            return bool(self.steps)
        if level == "abschnitt":
            return self._last("abs") and len(written) == 1 and written.isupper()
        return level == "teil" and not self.steps and len(written) == 1 and written.isupper()

    def _misspelt(self, pos: int) -> bool:
        """``Abastz 1``, ``Nummmer 2``: the chief word of a level with one slip."""
        match = _MISSPELT_STEP.match(self.text, pos)
        level = _MISSPELT.get(match[1].casefold()) if match else None
        if match is None or level is None:
            return False
        value = read_value(level, match[2])
        if value is None:
            return False
        self._add(level, value, match.end())
        self.read_range(level)
        return True

    def _split_letter(self, level: str) -> None:
        match = _BARE_LETTER.match(self.text, self.pos)
        if match is None:
            return
        self.pos = match.end()
        last = self.steps[-1]
        if level == "abs":
            self.steps[-1] = replace(last, value=last.value + match[1], lettered=True)
        else:  # "Nr 2 f" may be what follows
            lettered = match[1] == "f"
            self.steps.append(PathStep("buchst", match[1], bare=True, lettered=lettered))

    def read_repeated(self, level: str) -> None:
        """What belongs to a value that is written without its word: ``Nr. 1, 2 a``."""
        if level in {"abs", "nr"} and self.steps[-1].value.isdigit():
            self._split_letter(level)
        self.read_range(self.steps[-1].level)

    def read_range(self, level: str) -> None:
        """A range or "ff." behind the last value."""
        last = self.steps[-1]
        if self.text[self.pos - 1 : self.pos] == ")" and self._bracket_range():
            return
        closed = self.text.startswith(")", self.pos) and level in LETTER_LEVELS
        match = (_CLOSED_RANGE if closed else _RANGE).match(self.text, self.pos)
        if match is not None and (not match[1] or LEVEL_OF[match[1].casefold()] == level):
            to = read_value(level, match[2])
            if to is not None and _is_later(last.value, to) and not self._is_section(level, match):
                self.steps[-1] = end_range(last, to)
                self.pos = match.end()
            return
        follow = _FOLLOW.match(self.text, self.pos)
        if follow is not None:
            # "Buchst. b ff" may be a double letter
            lettered = last.level == "buchst" and follow[0][-2:] == "ff"
            self.steps[-1] = replace(last, to=follow[1], lettered=lettered)
            self.pos = follow.end()

    def _is_section(self, level: str, match: re.Match[str]) -> bool:
        """Whether what a range runs to is another section: ``Abs. 1 bis 574 Abs. 2``."""
        if match[1] or not match[2][0].isdigit():
            return False
        value = int(re.sub(r"\D", "", match[2]))
        follows = self.beyond is not None and value > self.beyond
        if value > _HIGHEST and (level in _SHORT_LEVELS or follows):
            return True
        step = match_step(self.text, match.end())
        below = step is None or RANK[LEVEL_OF[step[1].casefold()]] > RANK[level]
        return not below or (level == "abs" and ROMAN.match(self.text, match.end()) is not None)

    def _ordinal(self, pos: int) -> bool:
        match = ORDINAL.match(self.text, pos)
        if match is None:
            return False
        level = LEVEL_OF[match[3].casefold()]
        value = match[1] or read_ordinal(match[2])
        self._add(level, value, match.end())
        return True

    def _short_form(self, pos: int) -> bool:
        if not self.steps or self.steps[-1].level == "§":
            return (
                self._roman(pos) or self._bracket(pos) or self._section(pos) or self._letters(pos)
            )
        if self.short:
            match = _BARE_SATZ.match(self.text, pos)
            if match is not None:
                self._add("satz", match[1], match.end())
                return True
        return self._bracket(pos) or self._letters(pos) or self._lone_letter(pos)

    def _lone_letter(self, pos: int) -> bool:
        """``Art. 6 (1) f DSGVO``, ``Art. 6 I f DSGVO``; ``§ 34 III a BauGB`` is Abs. 3a."""
        is_open = self.short and not self._has("buchst")
        match = _LONE_LETTER.match(self.text, pos) if is_open else None
        if match is None:
            return False
        self._add("buchst", match[1], match.end())
        self.steps[-1] = replace(self.steps[-1], lettered=True)
        self.short = True  # "III a 1"
        return True

    def _roman(self, pos: int) -> bool:
        match = ROMAN.match(self.text, pos)
        value = read_roman(match[1]) if match else None
        if match is None or value is None:
            return False
        self._add("abs", f"{value}{match[2] or ''}", match.end())
        self.short = True
        self.read_range("abs")
        return True

    def _bracket(self, pos: int) -> bool:
        match = _BRACKET.match(self.text, pos)
        if match is None or (match[1] and self._is_label(match)):
            return False
        level, value = self._read_bracketed((match[1] or match[3]).lower())
        is_first = not self.steps
        self.bracketed = self.bracketed or is_first
        self._add(level, value, match.end())
        self.steps[-1] = replace(self.steps[-1], bracketed=is_first)
        self._bracket_range()
        self.short = level == "abs"
        return True

    def _bracket_range(self) -> bool:
        """``(4) to (23)`` behind the first."""
        last, until = self.steps[-1], _BRACKET_RANGE.match(self.text, self.pos)
        if until is None or not _is_later(last.value, until[1]):
            return False
        self.steps[-1] = end_range(last, until[1])
        self.pos = until.end()
        return True

    def _read_bracketed(self, written: str) -> tuple[str, str]:
        """Level and value of what brackets hold: ``(1)``, ``(a)``, ``(ii)``, ``(iia)``."""
        if not written.isalpha():
            return ("nr" if self._has("abs") else "abs"), written
        is_below = self._has("buchst")
        counted = _COUNTED_ROMAN.fullmatch(written)
        roman = read_roman(counted[1]) if counted else None
        if counted and roman is not None and (is_below or (len(written) > 1 and not counted[2])):
            return "nr", f"{roman}{counted[2]}"
        return ("dbuchst" if is_below else "buchst"), written

    def _is_label(self, match: re.Match[str]) -> bool:
        """Whether it begins the next line as the label of what stands there."""
        start = match.start(1) - match[0].lstrip().startswith("(")
        end = match.end() + (match[0][-1] != ")" and self.text.startswith(")", match.end()))
        if self.text[end - 1] != ")" or _ITEM_GOES_ON.match(self.text, end) is None:
            return False
        return "\n" in self.text[len(self.text[:start].rstrip()) : start]

    def _letters(self, pos: int) -> bool:
        if self._last("buchst"):
            match = _DOUBLE.match(self.text, pos)
            if match is not None and not self._is_label(match):
                level = "dbuchst" if len(match[1]) == len("aa") else "tbuchst"
                self._add(level, match[1], match.end())
                self.read_range(level)
                return True
            return False
        match = _LETTER.match(self.text, pos)
        if match is not None and not self._has("buchst") and not self._is_label(match):
            self._add("buchst", match[1], match.end() - 1)
            self.read_range("buchst")
            return True
        return False

    def _enclosed(self, pos: int) -> bool:
        """``§ 276 Abs. 1 (S. 1) AktG``: what is below the last step, in brackets."""
        if not self.steps or self.text.find(")", pos, pos + _LONGEST_ENCLOSED) < 0:
            return False
        inner = PathReader(self.text, pos + 1, list(self.steps), annex=self.annex)
        is_step = match_step(self.text, pos + 1) or ORDINAL.match(self.text, pos + 1)
        end = inner.read() if is_step else 0
        steps = inner.steps[len(self.steps) :]
        if not steps or not self.text.startswith(")", end) or self._has(steps[0].level):
            return False
        if RANK[steps[0].level] <= RANK[self.steps[-1].level]:
            return False
        self.steps += steps
        self.pos = end + 1
        return True

    def _section(self, pos: int) -> bool:
        match = _SECTION.match(self.text, pos) if self.nested and not self.steps else None
        if match is None:
            return False
        self._add("§", match[1], match.end())
        return True

    def _after_comma(self, pos: int) -> bool:
        """``Abs. 1, 1. Alt.`` goes on downwards; what repeats a level is a new norm."""
        comma = _COMMA.match(self.text, pos)
        if comma is None:
            return False
        match = match_step(self.text, comma.end()) or ORDINAL.match(self.text, comma.end())
        if match is None:
            return self._last("buchst") and self._letters(comma.end())
        word = match[1] if match.re is STEP else match[3]
        level = LEVEL_OF[word.casefold()]
        # "Nr. 9, Halbsatz 1": there are none but in what is named last
        below = level == "hs" or not self.steps or RANK[level] > RANK[self.steps[-1].level]
        if self._has(level) or not below:
            return False
        return self._step(comma.end()) or self._ordinal(comma.end())

    def _add(self, level: str, value: str, end: int) -> None:
        if level in _COUNTED:
            value = value.lstrip("0") or value  # "Abs. 01"; rows of tables may be numbered so
        self.steps.append(PathStep(level, value))
        self.pos = end
        self.short = False

    def _has(self, level: str) -> bool:
        return any(step.level == level for step in self.steps)

    def _last(self, level: str) -> bool:
        return bool(self.steps) and self.steps[-1].level == level


def skip_blanks(text: str, pos: int) -> int:
    """The next place that holds no blank."""
    while text[pos : pos + 1].isspace():
        pos += 1
    return pos


def _is_later(value: str, to: str) -> bool:
    """Whether a range from ``value`` to ``to`` goes up."""
    if value[:1].isdigit() and to[:1].isdigit():
        digits = re.compile(r"\d+")
        first, last = digits.match(value), digits.match(to)
        assert first is not None
        assert last is not None
        return (int(first[0]), value) < (int(last[0]), to)
    return value < to
