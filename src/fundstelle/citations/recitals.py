"""Recitals: ``Erwägungsgrund 47 DSGVO``, ``ErwGr. 26``, ``EG 47 DSGVO``, ``recital 47 GDPR``."""

import re

from fundstelle.citations.drafts import Draft

RECITAL = re.compile(
    r"(?P<first>\d{1,3})\.\s?(?:Erwägungsgrund(?:e?s)?|ErwG(?:r|rd)?\.?)(?![^\W_])"
    r"|(?:Erwägungsgr(?:und|unde?s?|ünde|ünden|\.)|Erw(?:G|Gr|Grd|\.?\s?Gr)\.?|Erwgr\.|[Rr]ecitals?)"
    r"(?![^\W_])\s*\(?(?:Nrn?\.\s*)?(?P<number>\d{1,3})\)?(?!\d)"
    r"|EG\s+(?:Nr\.\s?)?(?P<bare>\d{1,3})(?![\w/.]|\s*/)",
)


def read_recital(match: re.Match[str]) -> Draft:
    """The first recital of a list."""
    number = match["first"] or match["number"] or match["bare"]
    plural = match["first"] is None
    return Draft("Erwg", number, match.start(), match.end(), plural=plural)
