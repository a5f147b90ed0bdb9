"""Whether a law is named right behind a provision that it was not read with.

``§ 1 Abs. 1 Fallvariante 2 IFG``, ``Annex I, Section C(4) of Directive 2014/65/EU``: something
that nothing reads stands between the two, so that the law is unknown, and not the one named before.
``nach § 5 gilt das AktG`` is another phrase: words with small letters make one.
"""

import re

from fundstelle.citations.laws.between import OWN_SIGN
from fundstelle.citations.laws.suffix import LawReader
from fundstelle.citations.norms.levels import build_word_pattern
from fundstelle.citations.text.numerals import ORDINAL_WORD

_VALUE = r"(?:\d+(?:\.\d+)*[a-z]?|\([a-z\d]{1,4}\)|[IVX]{1,5}|[A-Z]|[a-z]\.?)(?![^\W_])\)?"
# What goes on counting, though not as the grammar reads it; a word in capitals has its number.
_COUNTED = (
    rf"(?:(?:{build_word_pattern()}|sections?|parts?|chapters?|titles?|indents?)(?![^\W\d_])\.?"
    rf"(?:\s?{_VALUE})?"
    rf"|(?!An(?:hang|lage|hänge|nex)|Art|Sec)(?-i:[A-ZÄÖÜ][a-zäöüß]+)\s{_VALUE}|{_VALUE}"
    rf"|(?:{ORDINAL_WORD})(?![^\W_])(?:\s(?:and|und|or|oder)\s(?:{ORDINAL_WORD})(?![^\W_]))?)"
)
_GAP = re.compile(
    rf"(?:[^\S\n]?(?:[,*_„“”\"»«'‚‘’)\]/]|\s-(?=\s)|\([^()\n]{{1,80}}\)|(?:und|oder|sowie|bzw\.|and|or|to|bis)\s(?={_COUNTED})"
    rf"|{_COUNTED}|(?:a\.\s?E\.?|aE|am\s+Ende|respectively|jeweils|entsprechend|(?:fort)?folgende|in\s+fine)(?![^\W_])))*+"
    r"[^\S\n]?(?P<joint>(?:(?P<genitive>des|der|d\.|of(?:\s+the)?|vom|aus\s+dem|laut)|to(?:\s+the)?|zu[mr]?(?:\s+de[rmn])?)\s)?"
    r"(?:(?:Council|Commission)\s)?[*_„“\"»«'‚‘’(\[]{0,3}",
    re.IGNORECASE,
)
_LAW = re.compile(r"[A-ZÄÖÜ]|\d{1,2}\.\s[A-ZÄÖÜ]")
_ABBREVIATION = re.compile(r"[\[„“\"*]*[A-ZÄÖÜ]\w{0,12}[A-ZÄÖÜ]")
_WORD = re.compile(r"[A-ZÄÖÜ][a-zäöüß-]+\s[*_„“\"»«'‚‘’(\[]{0,2}")
_REACH = 100


def is_law_behind(text: str, start: int, end: int, laws: LawReader, *, annex: bool) -> bool:
    """Whether nothing but what counts stands between ``end`` and the name of a known law.

    ``annex``: an annex ends there, which is one "to" a law.
    """
    gap = _GAP.match(text, end, end + _REACH)
    assert gap is not None
    place = gap.end()
    if place == end or _LAW.match(text, place) is None:
        return False
    if " -" in gap[0] and text[max(0, start - 3) : start].rstrip().endswith("-"):
        return False  # the next keyword: "Richtlinie 2003/88/EG - Art. 7 - Charta"
    if gap["joint"] and not gap["genitive"] and not annex:
        return False  # "das Verhältnis von § 5 zum AktG"
    law = laws.read_name(place)
    if law is None:
        word = _WORD.match(text, place)  # "§ 87 Abs. 1 Einleitungssatz BetrVG"
        law = laws.read_name(word.end()) if word is not None else None
    if law is None or not law.known or OWN_SIGN.match(text, law.end):
        return False
    written = text[place : law.end]
    alone = "," in gap[0] or _ABBREVIATION.match(written) is None  # "GmbHG (§ 43), AktG (§ 93)"
    if text.startswith(")", end) and not gap["joint"] and alone:
        return False  # "in einem Vertrag (§ 7) Vereinbarungen über …"
    # an act by its number, and a comma before it alone, begin the next phrase
    return not (gap[0].strip() == "," and "/" in written)
