"""What belongs to a decision in running text and stands apart from it.

The court before a bracket ("das BVerwG (Urteil vom …)"), Randnummern in front ("Rn. 99 des Urteils
…") or beyond a bracket, a semicolon or the page where it is printed. Whoever judges a citation must
read them with it.
"""

import re
from dataclasses import replace

from fundstelle.citations.decisions.courts import find_last_court
from fundstelle.citations.decisions.margins import MARGIN
from fundstelle.law.citations import DecisionCitation, FoundCitation, ReporterCitation

_REACH = 80  # characters before it that are looked at
_OPENS = re.compile(r"\s?[(\[]\s?\Z")
_NUMBER = r"\d{1,4}[a-z]?(?![\w/]|[.,]\d)(?:\s?f{1,2}(?!\w)\.?)?"
_NUMBERS = (
    rf"{MARGIN}\s?{_NUMBER}(?:(?:\s?[,;]\s?|\s?[–-]\s?|\s(?:bis|und|sowie|u\.)\s){_NUMBER}"
    r"(?!\.\s(?:\w+\s)?\d|\s[A-Z]\w*\s\d))*+"
)
_IN_FRONT = re.compile(
    rf"(?<!\w){_NUMBERS}\s(?:(?:des|der|in|im|aus|von|vom|of)\s(?:(?:dem|der|the)\s)?)"
    r"(?:(?:Gründe|Urteils?|Beschluss(?:es)?|Entscheidung|judgment)"
    r"\s(?:(?:des|der|vom|von|in|of)\s(?:the\s)?)?)?\Z"
)
_MARGIN = re.compile(rf"(?<!\w){MARGIN}\s?\d")
_BEHIND = re.compile(rf"\s?[,;:–-]?\s?(?:[Jj]uris,?\s|dort\s)?{_NUMBERS}")
# "(Informationsfreiheit)", "(NVwZ 2017, 1862)": a name or where it is printed, no "(a. A. Muster)"
_NAMED = re.compile(r"\s\((?:[A-ZÄÖÜ„\"][^()\[\];]{1,60}|juris)\)(?=\s?[,;:–-]?\s)")
# Behind Randnummern: "Rn. 17; 99", no day and no Aktenzeichen.
_MORE = re.compile(
    rf"\s?;\s?{_NUMBER}(?:(?:\s?[,;]\s?|\s?[–-]\s?|\s(?:bis|und)\s){_NUMBER})*+(?=\s?[,;)\]]|\.?\s*$|\.\n)"
)
_ENDS_IN_MARGIN = re.compile(rf"(?<!\w){MARGIN}\s?\d[^()]{{0,30}}\Z")
_LONGEST_MARGIN = 45
_BEGINS = re.compile(r"(?:\A|[.!?:]\s+|\n\s*)(?=[(\[]\Z)")
_CLOSES = re.compile(r"\s?[)\]]")


def add_what_is_apart(text: str, found: FoundCitation, low: int, high: int) -> FoundCitation:
    """The citation with what belongs to it between ``low`` and ``high``; others as they are."""
    if isinstance(found.targets[0], ReporterCitation):
        end, _ = _find_end(text, found, high, is_open=False)
        return found if end == found.end else replace(found, end=end, text=text[found.start : end])
    if not isinstance(found.targets[0], DecisionCitation):
        return found
    start = _find_front(text, found, low)
    bracket = start if text[start] in "([" else None  # around it, and no part of it
    is_open = bracket is not None or text[start : found.start].rstrip()[-1:] in {"(", "["}
    end, has_passages = _find_end(text, found, high, is_open=is_open)
    if bracket is not None and not has_passages:
        start, end = found.start, found.end
    if (start, end) == (found.start, found.end):
        return found
    return replace(found, start=start, end=end, text=text[start:end])


def _find_front(text: str, found: FoundCitation, low: int) -> int:
    """Where it begins: with Randnummern, with its court, or with a bracket around it."""
    start = found.start
    low = max(low, start - _REACH)
    front = _IN_FRONT.search(text, low, start)
    if front is not None and not _MARGIN.search(found.text):
        return front.start()
    opens = _OPENS.search(text, low, start)
    if opens is None:
        return start
    court = find_last_court(text, low, opens.start())
    if court is not None and not text[court.end : opens.start()].strip():
        return start if find_last_court(text, start, found.end) else court.start
    at = opens.end() - len(opens[0].lstrip())
    return at if _BEGINS.search(text, low, at + 1) else start


def _find_end(text: str, found: FoundCitation, high: int, *, is_open: bool) -> tuple[int, bool]:
    """Where it ends, and whether that is behind Randnummern that were added."""
    end = found.end
    if _ENDS_IN_MARGIN.search(text, max(found.start, end - _LONGEST_MARGIN), end):
        more = _MORE.match(text, end, high)
        return (more.end(), True) if more else (end, False)
    closed = _CLOSES.match(text, end, high) if is_open else None
    end = behind = end if closed is None else closed.end()
    named = _NAMED.match(text, behind, high)
    behind = behind if named is None else named.end()
    passages = _BEHIND.match(text, behind, high) if text[behind - 1] in ")]" else None
    return (end, False) if passages is None else (passages.end(), True)
