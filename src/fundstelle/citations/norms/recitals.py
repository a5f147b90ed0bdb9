"""Recitals: ``Erwägungsgrund 47 DSGVO``, ``ErwGr. 26``, ``EG 47 DSGVO``, ``recital 47 GDPR``."""

import re

from fundstelle.citations.drafts import Draft
from fundstelle.citations.norms.path import PathReader

_UNITS = ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
_WORDS = {
    "erst": 1,
    "zweit": 2,
    "dritt": 3,
    "viert": 4,
    "fünft": 5,
    "sechst": 6,
    "siebt": 7,
    "siebent": 7,
    "acht": 8,
    "neunt": 9,
    "zehnt": 10,
    "elft": 11,
    "zwölft": 12,
    "dreizehnt": 13,
    "vierzehnt": 14,
    "fünfzehnt": 15,
    "sechzehnt": 16,
    "siebzehnt": 17,
    "achtzehnt": 18,
    "neunzehnt": 19,
} | {
    f"{unit}{tens}igst": value + place
    for tens, value in (("zwanz", 20), ("dreiß", 30), ("vierz", 40), ("fünfz", 50))
    for place, unit in enumerate(("", *(f"{unit}und" for unit in _UNITS)))
}
_ORDINAL = "|".join(sorted(_WORDS, key=len, reverse=True))
RECITAL = re.compile(
    r"(?P<first>\d{1,3})\.\s?(?:Erwägungsgrund(?:e?s)?|ErwG(?:r|rd)?\.?)(?![^\W_])"
    rf"|(?P<word>(?i:{_ORDINAL}))e[nrs]?\s(?:Erwägungsgrund(?:e?s)?)(?![^\W_])"
    r"|(?:Erwägungsgr(?:und|unde?s?|ünde|ünden|\.)|Erw(?:G|Gr|Grd|\.?[\s-]?Gr)\.?|Erwgr\.|[Rr]ecitals?)"
    r"(?![^\W_])\s*\(?(?:Nrn?\.?\s*)?(?P<number>\d{1,3})\)?(?!\d)"
    r"|EG\s+(?:Nr\.\s?)?(?P<bare>\d{1,3})(?![\w/.]|\s*/)",
)
BEFORE = re.compile(rf"(?:(?<!\d)\d{{1,3}}\.|(?<![^\W_])(?i:{_ORDINAL})e[nrs]?)\s?$")
_RANGE = re.compile(r"\s*(?:bis|to|-)\s*\(?(\d{1,3})\)?(?![\w/]|\.\d)")


def read_recital(match: re.Match[str]) -> Draft:
    """The first recital of a list, with the end of its range and its sentences."""
    word = match["word"]
    number = match["first"] or match["number"] or match["bare"]
    if word:
        number = str(_WORDS[re.sub(r"e[nrs]?$", "", word.casefold())])
    plural = match["first"] is None and not word
    draft = Draft("Erwg", number, match.start(), match.end(), plural=plural)
    until = _RANGE.match(match.string, match.end()) if plural else None
    if until is not None and int(until[1]) > int(number):
        draft.number_end, draft.end = until[1], until.end()
    else:
        draft.end = PathReader(match.string, match.end(), draft.path).read()
    return draft
