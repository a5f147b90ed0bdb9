"""What the head of a printed decision says of itself, against what a collection says of it.

Whoever typed a list mistyped some of it. A value of the list that stands nowhere in the text, where
the head of the text gives one value instead, is that of the text; both are named in ``doubts``.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from difflib import SequenceMatcher

from fundstelle.citations.decisions.dockets import CORE, read_docket
from fundstelle.citations.text.dates import DATE
from fundstelle.ingest.sources.decision_text.ids import correct_court, read_day, read_type
from fundstelle.ingest.sources.decision_text.record import Head
from fundstelle.law.decisions import DecisionType, docket_core, docket_key

_HEAD_CHARS = 4_000
_FIRST_LINES = 600  # characters in which a print names its own docket
_MONTHS = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
_ENGLISH = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_FRENCH = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
]
_DAYS = (  # the day of the decision itself, not of what it is about
    re.compile(rf"^\s*(?:Verkündet\s+)?am:?\s+({DATE})", re.MULTILINE),
    re.compile(rf"^\s*(?:Datum|Entscheidungsdatum|Aktenzeichen):\s+({DATE})", re.MULTILINE),
    re.compile(rf"^\s*STRASBOURG\s+({DATE})", re.MULTILINE),
)
_TITLE = re.compile(
    rf"^[^\n,.]{{3,40}},\s(?:Urteil|Beschluss)\s+v(?:\.|om)\s+({DATE})\s+[–-]\s", re.MULTILINE
)
_HEARD = re.compile(rf"(?:auf\s+die|aufgrund\s+der)\s+mündlichen?\s+Verhandlung\s+vom\s+({DATE})")
_APPLICATION = re.compile(r"[Aa]pplication no\.\s+(\d{1,6}/\d\d)\b")
_TYPES = {
    "urteil": DecisionType.URTEIL,
    "beschluss": DecisionType.BESCHLUSS,
    "beschluß": DecisionType.BESCHLUSS,
    "gerichtsbescheid": DecisionType.GERICHTSBESCHEID,
    "décision": DecisionType.OTHER,
}
_KIND = re.compile(r"^\s*Entscheidungsart:\s*(Urteil|Beschluss|Gerichtsbescheid)\s*$", re.MULTILINE)
_REMARK = re.compile(r"\s*\([^\W\d]{4,}\)$")  # "15 P 4/06 (Berichtigung)"
_LIKE = 0.75  # a docket mistyped is still like the one meant; that of the court below is not


def correct(head: Head, text: str) -> Head:
    """The head with what the text itself says where the two cannot both be right."""
    for step in (_correct_court, _correct_dockets, _correct_day, _correct_type):
        head = step(head, text)
    return head


def find_type(text: str) -> DecisionType | None:
    """The kind that stands alone in a line at the head of a print; ``None`` if none does."""
    kind = _KIND.search(text[:_HEAD_CHARS])
    if kind is not None:
        return read_type(kind[1])
    for line in text[:_HEAD_CHARS].split("\n"):
        letters = "".join(line.split()).casefold()
        if letters in _TYPES:
            return _TYPES[letters]
    return None


def _doubt(head: Head, what: str, listed: str, printed: str) -> tuple[str, ...]:
    return (
        *head.doubts,
        f"The collection gives the {what} {listed}; the text itself says {printed}, given here.",
    )


def _correct_court(head: Head, _text: str) -> Head:
    """Cases of the Court of Justice and of the General Court tell themselves apart."""
    court = correct_court(head.court, head.dockets)
    if court == head.court:
        return head
    doubt = f"The collection gives the court {head.court}; its case number is one of the {court}."
    return replace(head, court=court, doubts=(*head.doubts, doubt))


def _correct_dockets(head: Head, text: str) -> Head:
    dockets = tuple(_REMARK.sub("", docket) for docket in head.dockets)
    printed = docket_key(text).replace("\u2010", "-").replace("\u2011", "-")
    key = docket_core(dockets[0]) or docket_key(dockets[0])
    if len(dockets) != 1 or key in printed:
        return replace(head, dockets=dockets)
    own = next(_iter_dockets(text[:_FIRST_LINES]), None)
    if own is None or SequenceMatcher(None, own, dockets[0]).ratio() < _LIKE:
        return replace(head, dockets=dockets)
    return replace(head, dockets=(own,), doubts=_doubt(head, "docket", dockets[0], own))


def _iter_dockets(text: str) -> Iterator[str]:
    application = _APPLICATION.search(text)
    if application is not None:
        yield application[1]
    for core in CORE.finditer(text):
        docket = read_docket(text, core, 0)
        if docket is not None:
            yield docket.text


def _correct_day(head: Head, text: str) -> Head:
    day = head.issued_on
    if day is None or _names(text, day):
        return head
    opening = text[:_HEAD_CHARS]
    found = {read_day(each[1]) for pattern in _DAYS for each in pattern.finditer(opening)}
    found |= {read_day(each[1]) for each in _TITLE.finditer(text[:_FIRST_LINES])}
    found = found or {read_day(each[1]) for each in _HEARD.finditer(opening)}
    own = next(iter(found), None)
    if len(found) != 1 or own is None:
        return head
    doubts = _doubt(head, "day", f"{day:%d.%m.%Y}", f"{own:%d.%m.%Y}")
    return replace(head, issued_on=own, doubts=doubts)


def _names(text: str, day: date) -> bool:
    """Whether the day stands anywhere in a text, however it is written."""
    letters = "".join(text.split())
    year, month, number = day.year, day.month, day.day
    named = [f"{number}.{_MONTHS[month - 1]}", f"{number}{_ENGLISH[month - 1]}"]
    named += [f"{number}{_FRENCH[month - 1]}"]
    forms = [f"{each}{year}" for each in named]
    forms += [f"{number:02}.{month:02}.{year}", f"{number}.{month}.{year}", day.isoformat()]
    forms += [f"{number:02}.{month:02}.{year % 100:02}", f"{number}.{month}.{year % 100:02}"]
    return any(form in letters for form in forms)


def _correct_type(head: Head, text: str) -> Head:
    printed = find_type(text)
    if printed is None or printed is head.decision_type:
        return head
    doubts = _doubt(head, "kind", head.decision_type.value, printed.value)
    return replace(head, decision_type=printed, doubts=doubts)
