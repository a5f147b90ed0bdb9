"""One norm of a list: its sign, its number with letters, range or "ff.", and its path."""

import re
from dataclasses import replace
from typing import NamedTuple

from fundstelle.citations.drafts import Draft
from fundstelle.citations.norms.path import PathReader
from fundstelle.citations.text.dates import MONTH
from fundstelle.citations.text.numerals import read_roman
from fundstelle.citations.text.tables import read_words
from fundstelle.law.citations import PathStep, split_ends

HEAD = re.compile(
    r"(?P<section>(?P<signs>§{1,4})\.?|(?:Para?gra?(?:f|ph)|Section|(?<!\w)Sec(?=t?s?\.?\s*\d))"
    r"(?P<many>en|s|ts?|)\.?(?=\s*\d))"
    # a letter left out, doubled or swapped: "Artkel", "Artikkel", "Artiekl"
    r"|(?P<article>A(?:rti|ri)(?:kel|cle)(?P<plural>n|s|)"
    r"|A(?:rtkel|rtiel|rtikl|tikel|trikel|ritkel|rtkiel|rtiekl|rtikle|rrtikel|rttikel|rtikkel)"
    r"(?=\s*\d)|Art(?P<arts>t|s|)(?:\.|(?=\s*\d|\s+[IVX])))",
    re.IGNORECASE,
)
ANNEX = re.compile(
    r"(?:Anlage|Anhang|Anhänge|Annex|Anl\.|Anh\.)(?P<plural>n|s|es)?(?!\w)\s*(?:Nr\.?\s*|Nummer\s+)?"
    r"(?P<number>(?-i:[A-Z]{2,5}\.\d{3,5})|\d{1,3}(?:\.\d{1,2}(?!\.?\d)|[a-z]?(?!\.\d))|(?-i:[IVX]{1,6}[a-z]?|[A-Z]\d{0,2}[a-z]?))?"
    r"(?![^\W_]|\d)",
    re.IGNORECASE,
)
_ANNEX_RANGE = re.compile(
    r"\s*(?:bis(?:\s+(?:einschließlich|zu))?\s+(?:Nr\.\s*)?|-)(\d{1,3}|[IVX]{1,6})(?![\w/]|\.\d|-)"
)
# "Anlage I Kapitel V Sachgebiet D Abschnitt III", "Anlage I Kap V D III": how the annexes of the
# Einigungsvertrag are divided, and how their parts are labelled.
_CHAPTER = re.compile(
    r"\s*,?\s*Kap(?:itel|\.)?\s*(?P<chapter>[IVX]{1,6})(?!\w)\.?"
    r"(?:\s*,?\s*(?:(?:Sachgebiet|Sachgeb\.?|Sg\.)\s*)?(?P<field>[A-Z])(?!\w|\.\w))?"
    r"(?:\s*,?\s*(?:(?:Abschnitt|Abschn\.?)\s*)?(?P<section>[IVX]{1,4})(?!\w|\.\w))?"
)
# "Anlage 2 a UVPG" and "Anhang Nr. 2 a", but not "Anlage 2 a) der Verordnung"
_ANNEX_LETTER = re.compile(
    r"\s([a-z])(?![^\W_]|[.):])(?=\s+(?:[A-ZÄÖÜ]|de[rs]\s|zu[rm]?\s|und\s|oder\s)|\s*(?:$|[,;]))"
)
# No law has so many, but a number that is not there is read as a whole, not its first digits.
_NUMBER = re.compile(
    r"\s*(\d{1,9}(?!\d)(?:[a-z](?=\.\d\d(?![\d.])))?)(?:\.(\d\d)(?![\d.]))?"
    r"([A-Za-z]{1,3}(?![^\W_])|[a-z]{1,2}(?=Abs|Satz|Nr|Halbs)|[a-z](?=[A-ZÄÖÜ]{2}))?"
)
_SPLIT = re.compile(
    r"\s([a-z]{1,2})(?![^\W_]|[.):])(?=\s*(?:$|[,;(/]|§|[A-ZÄÖÜ]|und\b|oder\b|sowie\b|bis\b|-|i\.?\s?V"
    r"|i\.\s|des\b|der\b|f{1,2}\b))"
)
_ROMAN_LETTERS = frozenset("IVX")
_ABSATZ = re.compile(r"\s*(?:Abs(?:\.|atz|[.\s])|\(\d)", re.IGNORECASE)
_FOLLOW = re.compile(r"\s*(f{1,2})(?![^\W_])(\.?)")
_RANGE = re.compile(
    # a dash that begins a line is the sign of the next item
    r"(?:\s*(?:bis(?:\s+(?:einschließlich|zu))?|to)|[^\S\n]*-)\s*(?:§{1,2}|Art(?:ikel|\.)?)?\s*"
    r"(\d{1,9})(?!\d)((?-i:[a-z]{1,2}(?![^\W_])|\s[a-z](?![\w.])))?"
    r"(?![\w/]|\.\d|\s+[A-Z][A-Za-z]{0,3}\s+\d+/)",
    re.IGNORECASE,
)
_SECTIONS = re.compile(r"\s*(§{1,2})\s*(?=\d)")
_FAR_END = re.compile(
    r"\s*bis(?:\s+(?:einschließlich|zu))?\s+(?P<sign>§{1,2}|Art(?:ikel|\.)?)?\s*"
    r"(?P<number>\d{1,9})(?!\d)(?P<letter>(?-i:[a-z]{1,2}(?![^\W_])|\s[a-z](?![\w.])))?"
    rf"(?![\w/]|\.\d|\.?\s{MONTH})",
    re.IGNORECASE,
)


class Number(NamedTuple):
    """A section number as read: ``312g``, to which number it runs, what follows."""

    number: str
    end: int
    number_end: str | None = None
    follow: str | None = None
    lettered: bool = False  # "f" is written as a letter of the number would be: "§§ 675f"


def read_number(text: str, pos: int, *, plural: bool) -> Number | None:
    """The number at ``pos`` with its letters, range or "ff."."""
    match = _NUMBER.match(text, pos)
    if match is None:
        return None
    number = match[1] + (f".{match[2]}" if match[2] else "")
    end = match.end(2) if match[2] else match.end(1)
    glued = match[3]
    follow = None
    if glued == "f" and plural and _is_section_letter(text, f"{number}f", match.end()):
        number, end = f"{number}f", match.end()
    elif glued is not None:
        if glued in {"f", "ff"} and (glued == "ff" or plural or text.startswith(".", match.end())):
            follow, end = glued, match.end()
            end += text.startswith(".", end)
        elif _is_letter(glued):
            number, end = number + glued.lower(), match.end()
        elif glued in _ROMAN_LETTERS and _ABSATZ.match(text, match.end()):
            number, end = number + glued.lower(), match.end()  # "§ 312I ABS. 1": no two Absätze
    if follow is None:
        number, end, follow = _read_after(text, number, end, plural=plural, lettered=bool(glued))
    if follow is None:
        to = _read_range(text, number, end)
        if to is not None:
            return Number(number, to[1], to[0])
    lettered = follow == "f" and text[end - 1] != "."
    return Number(number, end, None, follow, lettered)


def read_item(text: str, pos: int, unit: str, *, plural: bool, start: int) -> Draft | None:
    """A number and its path; ``None`` if there is no number."""
    read = read_number(text, pos, plural=plural)
    if read is None:
        roman = _read_roman_article(text, pos) if unit == "Art" else None
        if roman is None:
            return None
        read = roman
    draft = Draft(unit, read.number, start, read.end, read.number_end, read.follow, plural=plural)
    draft.lettered = read.lettered
    is_one = unit == "Art" and not (read.follow or read.number_end)
    nested = _read_sections(text, draft) if is_one else None
    if nested is not None:
        return nested
    if not read.follow:
        reader = PathReader(text, read.end, draft.path, nested=unit == "Art")
        reader.beyond = int(re.sub(r"\D.*", "", read.number)) if plural else None
        draft.end = reader.read()
        draft.bracketed = reader.bracketed
        if draft.path and not draft.number_end:
            _read_far_end(text, draft)
    return draft


def _read_sections(text: str, article: Draft) -> Draft | None:
    """``Art. 229 §§ 5, 6``: the first of the sections below an Artikel; others may follow."""
    signs = _SECTIONS.match(text, article.end)
    if signs is None:
        return None
    plural = len(signs[1]) > 1
    first = read_item(text, signs.end(), "§", plural=plural, start=article.start)
    # a range that begins in a part of its first section is no part of one Artikel
    return None if first is None or split_ends(tuple(first.path))[0] else nest(first, article)


def nest(section: Draft, article: Draft) -> Draft:
    """A section as a part of the Artikel that ``article`` is, or is in.

    Numbers that follow are sections again where "§§" announced them.
    """
    until = section.number_end or section.follow
    path = [PathStep("§", section.number or "", until), *section.path]
    repeats = section.repeats
    if repeats is not None:
        repeats = (article.number or "", (PathStep("§", repeats[0]), *repeats[1]))
    below = section if section.plural else None
    return replace(
        section,
        unit="Art",
        number=article.number,
        number_end=None,
        follow=None,
        path=path,
        plural=False,
        lettered=False,
        repeats=repeats,
        below=below,
    )


def _read_far_end(text: str, draft: Draft) -> None:
    """``§§ 573 Abs. 1 bis 574 Abs. 2``: a range that begins in a part of its first section."""
    match = _FAR_END.match(text, draft.end)
    first = re.match(r"\d+", draft.number or "")
    if match is None or first is None or draft.path[0].level == "§":
        return
    number = match["number"] + (match["letter"] or "").strip().lower()
    if (int(first[0]), draft.number or "") >= (int(match["number"]), number):
        return
    behind: list[PathStep] = []
    end = PathReader(text, match.end(), behind).read()
    same = bool(behind) and behind[0].level == draft.path[0].level
    if match["sign"] or draft.plural or same:
        draft.number_end, draft.end = number, end
        draft.path += [PathStep("§", number), *behind]


def read_head(match: re.Match[str]) -> tuple[str, bool]:
    """The unit and whether more than one is announced."""
    if match["section"]:
        many = match["signs"] is not None and len(match["signs"]) > 1
        return "§", many or match["many"] in {"en", "s", "ts"}
    return "Art", bool(match["plural"] in {"n", "s"} and match[0][-1] != "l") or bool(match["arts"])


def read_annex(text: str, match: re.Match[str], start: int) -> Draft:
    """An annex and the path inside it."""
    draft = Draft("Anlage", match["number"], start, match.end(), plural=bool(match["plural"]))
    read_annex_range(text, draft)
    _read_chapter(text, draft)
    torn = _ANNEX_LETTER.match(text, draft.end) if (draft.number or "").isdigit() else None
    if torn is not None and not draft.number_end:
        draft.number, draft.end = f"{draft.number}{torn[1]}", torn.end()
    reader = PathReader(text, draft.end, draft.path, annex=True)
    draft.end = reader.read()
    return draft


def read_annex_range(text: str, draft: Draft) -> None:
    """``Anlagen 1 bis 3``, behind the first of them."""
    until = _ANNEX_RANGE.match(text, draft.end) if draft.number else None
    if until is not None and 0 < _count_annex(draft.number or "") < _count_annex(until[1]):
        draft.number_end, draft.end = until[1], until.end()


def _read_chapter(text: str, draft: Draft) -> None:
    """``Anlage I Kapitel V Sachgebiet D Abschnitt III``: a number of its own, "I Kap V D III"."""
    if draft.number is None or draft.number_end or read_roman(draft.number) is None:
        return
    match = _CHAPTER.match(text, draft.end)
    bare = match is not None and match["section"] and "bschn" not in match[0]
    if match is not None and (match["field"] or bare):
        parts = ("Kap", match["chapter"], match["field"], match["section"])
        draft.number = " ".join(filter(None, (draft.number, *parts)))
        draft.end = match.end()


def _count_annex(number: str) -> int:
    """An Arabic or Roman number; 0 for one with letters."""
    return int(number) if number.isdigit() else read_roman(number) or 0


def _read_after(
    text: str, number: str, end: int, *, plural: bool, lettered: bool
) -> tuple[str, int, str | None]:
    """A letter or "ff." behind a blank: ``§ 7 g EStG``, ``§§ 145 f.``."""
    match = _FOLLOW.match(text, end)
    if match is not None and (match[1] == "ff" or plural or match[2]):
        is_letter = match[0].strip() == "f" and not lettered
        if is_letter and _is_section_letter(text, f"{number}f", match.end()):
            return f"{number}f", match.end(), None
        return number, match.end(), match[1]
    split = _SPLIT.match(text, end) if not lettered else None
    if split is not None and (len(split[1]) == 1 or split[1][0] == split[1][1] == "a"):
        number, end = number + split[1], split.end()
        match = _FOLLOW.match(text, end)
        if match is not None and (match[1] == "ff" or match[2]):
            return number, match.end(), match[1]
    return number, end, None


def _is_section_letter(text: str, number: str, end: int) -> bool:
    """Whether a part or the end of a range stands behind "f", as it cannot behind "following"."""
    if text.startswith(".", end):
        return False
    return PathReader(text, end, []).read() > end or _read_range(text, number, end) is not None


def _read_range(text: str, number: str, end: int) -> tuple[str, int] | None:
    match = _RANGE.match(text, end)
    if match is None:
        return None
    to = match[1] + (match[2] or "").strip().lower()
    first = re.match(r"\d+", number)
    assert first is not None
    if (int(first[0]), number) >= (int(match[1]), to):
        return None
    return to, match.end()


def _read_roman_article(text: str, pos: int) -> Number | None:
    """``Artikel IV``, as older treaties count."""
    match = re.compile(r"\s*([IVX]{1,6})(?![^\W_])").match(text, pos)
    roman = read_roman(match[1]) if match else None
    if match is None or roman is None:
        return None
    return Number(str(roman), match.end())


# What stands glued to a number by a slip: "§ 5im", "§ 5iV".
_GLUED_WORDS = read_words("glued")


def _is_letter(glued: str) -> bool:
    """Whether letters glued to a number are part of it ("312g", "53cd"; not "5BGB", "1S")."""
    if glued.islower():
        return len(glued) < len("abc") and glued not in _GLUED_WORDS
    return len(glued) == 1 and glued in "ABCDEFGH"
