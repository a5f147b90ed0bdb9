"""Applications to the EGMR: ``EGMR, Urteil vom 21. April 2009, Nr. 68959/01, §§ 29, 32``."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.citations import DecisionCitation

_REACH = 130
_COURT = re.compile(
    r"E(?<!\wE)(?:GMR|CtHR|uropäische[rn]?\s+Gerichtshofs?\s+für\s+Menschenrechte"
    r"|uropean\s+Court\s+of\s+Human\s+Rights)"
)
_UNNAMED = re.compile(
    rf"(?:Urteil|Entscheidung|Beschluss|Judgment|judgment)\s+(?:vom|v\.|of)\s+(?P<on>{DATE})\s*[,-]?\s*"
    r"(?:(?:Individualb|B)eschwerden?\s+)?(?:Nrn?\.|nos?\.)\s*(?P<number>\d{4,5}/\d\d)(?![\d/])"
)
_UNNAMED_NUMBER = re.compile(r"\.\s*\d{4,5}/\d\d")
_NUMBER = re.compile(r"(?<![\w/.])(\d{3,5})/(\d{2})(?![\d/])")
_MORE = re.compile(r"\s*(?:,|und|u\.|and|&)\s*(?:Nr\.\s*)?(\d{3,5})/(\d{2})(?![\d/])")
_DATE = re.compile(DATE)
_DATE_BEHIND = re.compile(rf"[^;/\d]{{1,60}}({DATE})")
_MARGINS = re.compile(
    r"(?:\s*,?\s*(?:§§?\s*\d+(?:\s*(?:,|und|-|ff\.)\s*\d+)*|Rn\.?\s*\d+|Z\.\s*\d+))+"
)


class Application(NamedTuple):
    """An application and where it is cited."""

    start: int
    end: int
    target: DecisionCitation


def find_applications(text: str) -> Iterator[Application]:
    """Applications with the paragraphs of the judgment; joined ones share its day."""
    floor = 0
    for court in _COURT.finditer(text) if _is_named(text) else ():
        number = _NUMBER.search(text, court.end(), court.end() + _REACH)
        if court.start() < floor or number is None or ";" in text[court.end() : number.start()]:
            continue
        date = _DATE.search(text, court.end(), number.start())
        date = date or _DATE_BEHIND.match(text, number.end())
        on = read_date(date[date.lastindex or 0]) if date else None
        for one in _read_list(text, court.start(), number, on):
            yield one
            floor = one.end
    for unnamed in _UNNAMED.finditer(text) if _UNNAMED_NUMBER.search(text) else ():
        if unnamed.start() >= floor:
            margins = _MARGINS.match(text, unnamed.end())
            end = margins.end() if margins else unnamed.end()
            on = read_date(unnamed["on"])
            target = DecisionCitation("EGMR", unnamed["number"], on)
            yield Application(unnamed.start(), end, target)


def _is_named(text: str) -> bool:
    return "EGMR" in text or "ECtHR" in text or "Menschenrechte" in text or "Human Rights" in text


def _read_list(
    text: str, start: int, number: re.Match[str] | None, on: str | None
) -> Iterator[Application]:
    while number is not None:
        margins = _MARGINS.match(text, number.end())
        end = margins.end() if margins else number.end()
        yield Application(start, end, DecisionCitation("EGMR", f"{number[1]}/{number[2]}", on))
        number = _MORE.match(text, end)
        start = number.start(1) if number else end
