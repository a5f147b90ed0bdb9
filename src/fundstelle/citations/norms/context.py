"""What stands before a sign: a law, levels in front, or a work of literature."""

import re

from fundstelle.citations.drafts import Draft, LawReference
from fundstelle.citations.laws import of_land
from fundstelle.citations.laws.suffix import LawReader
from fundstelle.citations.laws.unknown import NO_LAWS
from fundstelle.citations.norms.chain import ChainReader
from fundstelle.citations.norms.levels import LEVEL_OF, build_word_pattern
from fundstelle.citations.norms.path import PathReader
from fundstelle.citations.text.numerals import ORDINAL_WORD

_REACH = 120
_WORD = build_word_pattern()
_NO_UNIT = rf"(?!(?:{_WORD})\.?\s*[\d(]|\d+\.\s?(?:{_WORD}))"  # "1 und S 2", "1, 2. Halbsatz"
_LETTER = rf"(?!(?:{_WORD})\.?\s*\d)[a-z](?![^\W_])"
# A value is read in one way only, and what follows it is tried with that one: of a row of units
# there would be as many readings as powers of two.
_BEFORE = (
    rf"(?<![^\W_])(?P<levels>(?>(?:"
    rf"(?:{_WORD})\.?\s*(?:\d+(?:\.\d+)*(?:{_LETTER})?|[IVX]+(?![^\W_])"
    rf"|\(?(?!de[rs]|in|zu|von|of)[a-z]{{1,3}}(?:\)|(?![^\W_])))"
    rf"(?:\s*(?:,|und|oder|bis|-)\s*{_NO_UNIT}(?:\d+[a-z]?|[a-z])(?![^\W_]))*"
    rf"|(?:\d+\.|{ORDINAL_WORD})\s?(?:{_WORD}))\s*(?:(?:,|und|oder)\s*)?)+)"
)
_LEVELS = re.compile(rf"{_BEFORE}(?:des|der|von|zu|in|of)\s*$", re.IGNORECASE)
_UNLINKED = re.compile(rf"{_BEFORE}$", re.IGNORECASE)
_ANY_NUMBER = "9999"  # of the section behind, which none of the numbers in front can be
_LEVEL_WORD = re.compile(rf"(?<![^\W_])(?:{_WORD}|\d+\.|{ORDINAL_WORD})", re.IGNORECASE)
_LONGEST_LINK = 6
_LONGEST_VALUE = 3  # letters
_VALUE = r"(?:\d[a-z]?|\s\(?[a-z]{1,2}\)?|[a-z]{3}|[IVX])"
_VALUE_BEFORE = re.compile(rf"{_VALUE}\s+$")
_VALUE_OR_COMMA = re.compile(rf"{_VALUE}\s*,?\s+$")
_SHORTEST = len("S 1 ")
_LINK = re.compile(r"(?<!\w)(?:des|der|von|zu|in|of)\s*$")
_LITERATURE = re.compile(r"\s*,?\s*(?:Rn|Rdn|RdNr|Rdnr|Rz|RN|Randn|Tz|Anm|Randnr)(?:\.|\s|\d)")
_MARGIN = re.compile(r"\s+(?:Rn|Rdn|RdNr|Rdnr|Rz|Randnr)(?:\.\s?|\s)\d")
_PRIVATE = re.compile(
    r"(?:(?<!\w)(?:AGB|Police)|(?<!tarif)(?<!staats)(?<!einigungs)vertrage?s?|satzung|vereinbarung"
    r"|bedingungen|hausordnung|teilungserklärung)\s*[,:]?\s*$",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"\s+zu\s+$")
_PAGE_ABOUT = re.compile(r"(?<!\w)S\.?\s?\d{1,4}(?:\s?f{1,2}\.?)?\s+zu\s+$")
_LONGEST_PAGE = len("S. 1234 ff. zu ")
_FOREIGN = re.compile(r"(?:U\.?\s?S\.?\s?C\.?|C\.?F\.?R\.?|(?P<chapter>Chapter\s\d+,))\s*$")
_WORDS = re.compile(r"\S+")
_OPENING = re.compile(r"[\s(„“\"»«*]*")
_BETWEEN = re.compile(r"[\s,:*)“”\"»«]*(?:\s-\s)?")
_LONGEST_WORD = 40
_MOST_WORDS = 7
_LOOKS_LIKE_LAW = re.compile(
    r"(?:[A-ZÄÖÜ]\w{0,40}[A-ZÄÖÜ]|gesetz|buch|ordnung|Act|Code|bgb|stgb|zpo)\w{0,40}(?:\s+[IVX\d]+)?$"
)
_MAY_BE_LAW = re.compile(r"(?<![^\W_])[A-ZÄÖÜ][\w-]{2,}(?:\s[IVX\d/]+a?)?$")
_CLOSING = ' \n\t,:*“”"»«'
_DASH = re.compile(r"\s-$")
_EDITION = re.compile(r"\s[an]\.?\s?F\.?$")
_UNKNOWN = re.compile(
    r"(?<![\w/.-])(?=\w*[a-zäöüß]\w*[A-ZÄÖÜ]|[A-ZÄÖÜ]{3})[A-ZÄÖÜ][\w-]*(?:G|GB|O|V)$"
)
_COURT = re.compile(r"(?:OV|[Vv]erw|[Vv]erf|[Ss]oz|[Aa]rb)G$")  # "SächsOVG", "LVerwG"
_NO_RULES = re.compile(r"[A-ZÄÖÜ]{2,}[OV]")  # "CEO", "EDV"


def is_literature(text: str, end: int) -> bool:
    """Whether a Randnummer follows at once: a commentary on the section, not the section."""
    return _LITERATURE.match(text, end) is not None


def is_literature_behind_law(text: str, end: int) -> bool:
    """Whether a Randnummer follows the law itself: ``§ 1 KSchG Rn. 15`` of a commentary."""
    return _MARGIN.match(text, end) is not None


def is_of_paper(text: str, start: int) -> bool:
    """Whether the page of a bill stands before the sign, which then is of the bill itself."""
    return _PAGE_ABOUT.search(text, max(0, start - _LONGEST_PAGE), start) is not None


def is_of_directions(text: str, floor: int, start: int, laws: LawReader) -> bool:
    """Whether administrative directions are named before the sign: ``AEAO zu § 122``."""
    about = _ABOUT.search(text, max(floor, start - _REACH), start)
    found = find_law_before(text, floor, about.start(), laws) if about else None
    name = found[0].name if found else None
    return name is not None and any(one.nature == "administrative" for one in laws.names.find(name))


def is_private(text: str, start: int) -> bool:
    """Whether a contract or the like is named right before the sign: ``Mietvertrag § 5``."""
    return _PRIVATE.search(text, max(0, start - 40), start) is not None


def is_foreign(text: str, start: int) -> bool:
    """Whether a collection of foreign law stands before the sign: ``17 U.S.C. § 107``.

    Or its chapter, where each counts anew: ``Chapter 20, Section 3, of the Penal Code``.
    """
    found = _FOREIGN.search(text, max(0, start - 12), start)
    return found is not None and (not found["chapter"] or text.startswith("Sec", start))


def read_levels_before(
    text: str, floor: int, draft: Draft, laws: LawReader, *, whole: bool = False
) -> list[Draft]:
    """``Sätze 2 und 3 des § 9 Abs. 1``: the levels in front belong below the path behind.

    ``whole``: the text is one citation, in which they need no word to join them (``Abs. 2 § 823``).
    """
    if draft.start - floor < _SHORTEST:
        return [draft]
    link = _LINK.search(text, max(floor, draft.start - _LONGEST_LINK), draft.start)
    if (link is None and not whole) or _is_about(draft, link):
        return [draft]
    value = _VALUE_BEFORE if link else _VALUE_OR_COMMA
    if not _may_end_levels(text, floor, link.start() if link else draft.start, value):
        return [draft]
    match = _find_levels(text, max(floor, draft.start - _REACH), draft.start, linked=bool(link))
    if match is None:
        return [draft]
    levels = match["levels"]
    first = Draft(draft.unit, _ANY_NUMBER, 0, 0)
    first.end = PathReader(levels, 0, first.path, annex=True).read()
    members = ChainReader(levels, laws).read_members(first)
    if not first.path or (whole and levels[members[-1].end :].strip(" \n,)")):
        return [draft]
    return [
        Draft(
            draft.unit,
            draft.number,
            match.start(),
            draft.end,
            draft.number_end,
            draft.follow,
            [*draft.path, *member.path],
            draft.plural,
        )
        for member in members
    ]


def _is_about(draft: Draft, link: re.Match[str] | None) -> bool:
    """``S. 16 zu § 11``, ``AEAO Nr. 4 zu § 91``: a page or number of what is written about it."""
    return link is not None and link[0].startswith("zu") and draft.unit != "Anlage"


def _may_end_levels(text: str, floor: int, end: int, value: re.Pattern[str]) -> bool:
    """Whether a value or the word of a level stands before ``end``; cheap, and seldom so."""
    if value.search(text, max(floor, end - _LONGEST_LINK), end) is None:
        return False
    words = text[max(floor, end - _LONGEST_WORD) : end].rsplit(None, 1)
    last = words[-1] if words else ""
    long = len(last) > _LONGEST_VALUE and last.isalpha() and last[-1].islower()
    return not long or last.casefold() in LEVEL_OF


def _find_levels(text: str, low: int, end: int, *, linked: bool) -> re.Match[str] | None:
    """The first levels of ``text[low:end]`` that reach up to its end."""
    levels = _LEVELS if linked else _UNLINKED
    for word in _LEVEL_WORD.finditer(text, low, end):
        match = levels.match(text, word.start(), end)
        if match is not None:
            return match
    return None


def find_law_before(
    text: str, floor: int, start: int, laws: LawReader
) -> tuple[LawReference, int] | None:
    """The law that ends right before ``start`` and where it begins: ``StGB, § 263``."""
    if not floor:
        opening = _OPENING.match(text)
        assert opening is not None
        first = laws.read_name(opening.end())
        if first is not None and _BETWEEN.fullmatch(text, first.end, start):
            return first, opening.end()
    low = max(floor, start - _REACH)
    head = text[low:start].rstrip(_CLOSING)
    bare = head.rstrip(")")
    near = max(0, len(bare) - _LONGEST_WORD)
    if not (_LOOKS_LIKE_LAW.search(bare, near) or of_land.ENDS.search(bare, near)):
        return None
    return _read_last(text, low, head, laws)


def find_leading_law(
    text: str, floor: int, start: int, laws: LawReader
) -> tuple[LawReference, int] | None:
    """The same before a list that has another law behind it.

    There it may be any name that lawyers use (``Grundrechtecharta Art. 7; Art. 2 GG``), and a dash
    may stand behind it.
    """
    before = find_law_before(text, floor, start, laws)
    low = max(floor, start - _REACH)
    head = _DASH.sub("", text[low:start].rstrip(_CLOSING)).rstrip(_CLOSING)
    if before is not None or "\n" in text[low + len(head) : start]:
        return before
    bare = _EDITION.sub("", head)
    near = max(0, len(bare) - _LONGEST_WORD)
    looks = _LOOKS_LIKE_LAW.search(bare, near) is not None
    if not looks and _MAY_BE_LAW.search(bare, near) is None:
        return None
    before = _read_last(text, low, head, laws)
    if before is None or looks:
        return before
    return before if any(law.by_hand for law in laws.names.find(before[0].name or "")) else None


def _read_last(text: str, low: int, head: str, laws: LawReader) -> tuple[LawReference, int] | None:
    """The law at the end of ``head``, which begins at ``low``."""
    closed = head.endswith(")")
    head = head.rstrip(")")
    end = low + len(head)
    for word in list(_WORDS.finditer(head))[-_MOST_WORDS:]:
        place = low + word.start()
        place += len(text[place:end]) - len(text[place:end].lstrip('(„“"»«*'))
        law = laws.read_name(place)
        if law is not None and (law.end == end or (closed and law.end == end + 1)):
            return law, place
    return None


def find_unknown_before(text: str, floor: int, start: int) -> tuple[int, int] | None:
    """Where what looks like a law that nobody knows stands right before ``start``."""
    low = max(floor, start - _LONGEST_WORD)
    head = text[low:start].rstrip(_CLOSING)
    match = _UNKNOWN.search(head)
    if match is None or match[0] in NO_LAWS or _COURT.search(match[0]):
        return None
    if _NO_RULES.fullmatch(match[0]) and text[low + len(head) : start].strip():
        return None  # "der CEO, § 76 und § 77 AktG"
    return low + match.start(), low + match.end()
