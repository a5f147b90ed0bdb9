"""Cases of the EuGH as people type them, without hyphen or stroke, and its opinions."""

import re
from collections.abc import Iterator

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.citations import DecisionCitation
from fundstelle.law.courts import EU_COURT_OF

_SHORT = 200  # characters; "Eugh C 807 21" is how people type, not how courts write
_EU_BLANK = re.compile(
    r"(?i:eugh|eug|rs\.?)[\s,]+(?:(?i:rs\.?|rechtssache)\s+)?(?P<letter>[CcTt])"
    r"(?:[\s-](?P<number>\d{1,4})\s|(?P<glued>\d{1,4})\s?/\s?)(?P<year>\d\d)(?!\d)"
)
_OPINION = re.compile(
    rf"Gutachten\s+(?:(?:v\.|vom)\s+(?P<on>{DATE})\s*+,?\s*+-?\s*+)?(?P<number>[12]/\d\d)(?!\d)"
)


_OPINION_ALONE = re.compile(
    r"\W*(?:Gutachten|Opinion|Avis)\s+(?P<number>[12]/\d\d)(?![\w/])", re.IGNORECASE
)


def find_typed(text: str) -> Iterator[tuple[int, int, DecisionCitation]]:
    """Cases of the EuGH without hyphen or stroke, and its opinions."""
    for match in _EU_BLANK.finditer(text) if _may_be_typed(text) else ():
        number = match["number"] or match["glued"]
        docket = f"{match['letter'].upper()}-{number}/{match['year']}"
        court = EU_COURT_OF[docket[0]]
        yield match.start(), match.end(), DecisionCitation(court, docket)
    is_named = "Gutachten" in text and "EuGH" in text
    alone = _OPINION_ALONE.match(text) if len(text) < _SHORT and not is_named else None
    if alone is not None:  # nobody else numbers opinions
        yield alone.start(), alone.end(), DecisionCitation("EuGH", f"Gutachten {alone['number']}")
    for match in _OPINION.finditer(text) if is_named else ():
        on = read_date(match["on"]) if match["on"] else None
        target = DecisionCitation("EuGH", f"Gutachten {match['number']}", on)
        yield match.start(), match.end(), target


def _may_be_typed(text: str) -> bool:
    if len(text) >= _SHORT:
        return False
    folded = text.casefold()
    return "eug" in folded or "rs" in folded
