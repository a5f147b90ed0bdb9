"""Reading damaged text: a clean copy with a map of offsets back to the caller's text."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

_BLANKS = (
    "\u00a0\u202f\u2009\u2007\u2002\u2003\u200a\u2008\u2000\u2001\u2004\u2005\u2006\u205f\u3000"
    # seldom, but a row of them that stays is read again from each of its signs
    "\u1680\u2028\u2029\x0b\x0c\x1c\x1d\x1e\x1f\x85"
)
# Digits of other scripts and faces (Unicode Nd): "Abs. １"; the grammar reads all as 0 to 9.
_DIGITS = {
    code: str(unicodedata.decimal(chr(code)))
    for code in (*range(0x660, 0x10000), *range(0x1D7CE, 0x1D800))  # the latter are mathematical
    if unicodedata.decimal(chr(code), None) is not None
}
# Apart, since a set that goes beyond U+FFFF is looked for a hundred times more slowly.
_OTHER_DIGIT = re.compile(f"[{''.join(chr(code) for code in _DIGITS if code < 0x10000)}]")
_MATHEMATICAL = re.compile("[\U0001d7ce-\U0001d7ff]")
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63"
_SAME_LENGTH = [(c, " ") for c in _BLANKS] + [(c, "-") for c in _DASHES]
_ENTITIES = {
    "sect": "§",
    "#167": "§",
    "#xa7": "§",
    "#xA7": "§",
    "nbsp": " ",
    "thinsp": " ",
    "ensp": " ",
    "emsp": " ",
    "#xA0": " ",
    "#8239": " ",
    "#160": " ",
    "#xa0": " ",
    "ndash": "-",
    "mdash": "-",
    "#8211": "-",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "auml": "ä",
    "ouml": "ö",
    "uuml": "ü",
    "Auml": "Ä",
    "Ouml": "Ö",
    "Uuml": "Ü",
    "szlig": "ß",
    "shy": "",
}
_TAG = r"</?(?:a|abbr|b|br|em|i|p|small|span|strong|sup|u)(?: [^<>]{0,200})?/?>"
# Each kind of damage is looked for only in texts that hold its mark; each begins with a plain
# character, so that the search skips to it at C speed.
_BLANKS_DOUBLED = r" [ \t]+|\t[ \t]+"
_LINES = r"\n[ \t\n]+"
# a word divided at the end of a line
_DIVIDED = r"-(?<=[a-zäöüß]-)[ \t]*\n[ \t]*(?=[a-zäöüß])"
_INVISIBLE = "\u00ad\u200b\u2060\ufeff"
_ENTITY = rf"&(?:{'|'.join(_ENTITIES)});"
_MARKS = re.compile(rf"[\t\n&<{_INVISIBLE}{_BLANKS}{_DASHES}]|  ")  # a text without one is clean


@cache
def _build_damage(marks: tuple[bool, ...]) -> re.Pattern[str]:
    kinds = (*_INVISIBLE, _BLANKS_DOUBLED, _LINES, _ENTITY, _TAG, _DIVIDED)
    return re.compile("|".join(kind for kind, needed in zip(kinds, marks, strict=True) if needed))


def _find_damage(text: str) -> re.Pattern[str] | None:
    """What to look for in ``text``; ``None`` if there can be nothing."""
    tab = "\t" in text
    marks = (
        *(mark in text for mark in _INVISIBLE),
        tab or "  " in text,
        "\n\n" in text or "\n " in text or (tab and "\n\t" in text),
        "&" in text,
        "<" in text,
        "-\n" in text or " \n" in text or (tab and "\t\n" in text),
    )
    return _build_damage(marks) if any(marks) else None


def find_all(text: str, mark: str) -> Iterator[int]:
    """Where ``mark`` stands in ``text``: what is seldom is found so, not by a pattern."""
    place = text.find(mark)
    while place >= 0:
        yield place
        place = text.find(mark, place + len(mark))


class CleanText(NamedTuple):
    """``text`` is what the grammar reads; ``get_origin`` leads back to the caller's text."""

    text: str
    notes: tuple[str, ...] = ()
    cuts: tuple[int, ...] = ()  # places in the clean text after which the shift changes
    shifts: tuple[int, ...] = ()

    def get_origin(self, pos: int) -> int:
        """The offset in the caller's text of the clean text's ``pos``."""
        if not self.cuts:
            return pos
        place = bisect_right(self.cuts, pos)
        return pos + (self.shifts[place - 1] if place else 0)

    def get_origin_end(self, pos: int) -> int:
        """As ``get_origin``, for the end of a span: what was cut away after it stays outside."""
        return self.get_origin(pos - 1) + 1 if pos else 0


def clean(text: str) -> CleanText:
    """A copy in which blanks, dashes, entities and divided words are as the grammar expects."""
    notes = []
    if _OTHER_DIGIT.search(text) is not None or _MATHEMATICAL.search(text) is not None:
        text = text.translate(_DIGITS)  # of the same length
        notes.append("digits")
    if _MARKS.search(text) is None:
        return CleanText(text, tuple(notes))  # as most citations are
    for character, plain in _SAME_LENGTH:
        if character in text:
            text = text.replace(character, plain)
            notes.append("no-break blanks" if plain == " " else "dashes")
    damage = _find_damage(text)
    if damage is None or damage.search(text) is None:
        return CleanText(text, tuple(dict.fromkeys(notes)))
    return _cut(text, damage, notes)


def _cut(text: str, damage: re.Pattern[str], notes: list[str]) -> CleanText:
    pieces: list[str] = []
    cuts: list[int] = []
    shifts: list[int] = []
    done = shift = 0
    last = ""  # sign that was written
    marked = False
    for match in damage.finditer(text):
        start, end = match.span()
        first = text[start]
        if first in "\n ":
            instead = first
        else:
            instead = _replace(match[0])
            marked = marked or first != "\t"
        if instead == " " and start > done and text[start - 1] in " \n":
            start -= 1
            instead = text[start]
        if start == done and instead in {" ", "\n"} and last in {" ", "\n"}:
            instead = ""  # a row of tags or entities is one blank
        pieces += (text[done:start], instead)
        last = (last + text[done:start][-1:] + instead)[-1:]
        done = end
        shift += end - start - len(instead)
        cuts.append(end - shift)
        shifts.append(shift)
    pieces.append(text[done:])
    if marked:
        notes.append("characters that do not print, entities or markup")
    return CleanText("".join(pieces), tuple(dict.fromkeys(notes)), tuple(cuts), tuple(shifts))


def _replace(written: str) -> str:
    """What the grammar reads instead of blanks with tabs, an entity, a tag or a divided word."""
    if written[0] == "\t" or (written[0] == "<" and written[1:3] in {"br", "p>", "/p"}):
        return " "
    return _ENTITIES[written[1:-1]] if written[0] == "&" else ""
