"""Where an act was promulgated and when it comes into force, out of a ``Vorgang``. Pure.

Source: ``openapi.yaml`` of DIP 1.2, schemas Vorgang, Verkuendung, Inkrafttreten.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from fundstelle.ingest.history.commencing import Commencement, Promulgation, Records

_PLACE = re.compile(
    r"BGBl\.? (?P<part>I{1,3}) (?P<year>\d{4}),? (?:(?P<numbered>Nr\.) ?|S\. ?)?(?P<place>\d+)"
)
_PART = re.compile(r"BGBl\.? (?P<part>I{1,3})")
_NUMBERED_SINCE = 2023  # one act a number, and no pages that go on
_CORRECTION = re.compile(r"[Bb]erichtigung")
_ELSEWHERE = re.compile(r"\b[Ii]n ?[Kk]raft|\bInkraft")
_MOST = 200  # of either list of a Vorgang


def read_promulgations(documents: Iterable[Mapping[str, Any]]) -> Records:
    """What the record says of acts; of one of which two documents say two things, nothing."""
    found: dict[tuple[date, str], Promulgation | None] = {}
    for document in documents:
        key, said = _read_key(document), _read_days(document)
        if key is None or said is None:
            continue
        found[key] = said if found.get(key, said) == said else None
    return {key: said for key, said in found.items() if said is not None}


def is_promulgated(document: Mapping[str, Any]) -> bool:
    """Whether it tells of a promulgation at all."""
    return bool(document.get("verkuendung"))


def _read_key(document: Mapping[str, Any]) -> tuple[date, str] | None:
    """The day the act was issued, and its place in the gazette; ``None`` if it names several."""
    listed = document.get("verkuendung")
    entries = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    acts = [one for one in entries if not _CORRECTION.search(_read(one, "einleitungstext"))]
    keys = {_read_place(one) for one in acts[:_MOST]}
    return keys.pop() if len(keys) == 1 and len(acts) <= _MOST else None


def _read_place(entry: Mapping[str, Any]) -> tuple[date, str] | None:
    """As ``Act.place`` has it: ``I 409`` or ``I Nr. 234``; its fields must not contradict."""
    issued_on = _read_day(entry.get("ausfertigungsdatum"))
    cited = _PLACE.search(_read(entry, "fundstelle"))
    short = _PART.search(_read(entry, "verkuendungsblatt_kuerzel"))
    year = _read(entry, "jahrgang")
    if issued_on is None or not re.fullmatch(r"[12]\d{3}", year):
        return None
    is_numbered = int(year) >= _NUMBERED_SINCE
    places = {_read(entry, "heftnummer" if is_numbered else "seite").lstrip("0")} - {""}
    parts = {short["part"]} if short else set()
    if cited is not None:
        parts.add(cited["part"])
        if bool(cited["numbered"]) == is_numbered:
            places.add(cited["place"].lstrip("0"))
    if len(parts) != 1 or len(places) != 1 or (cited is not None and cited["year"] != year):
        return None
    place = places.pop()
    if not (place.isascii() and place.isdecimal()):
        return None
    return issued_on, f"{parts.pop()} {'Nr. ' if is_numbered else ''}{place}"


def _read_days(document: Mapping[str, Any]) -> Promulgation | None:
    listed = document.get("inkrafttreten")
    if not isinstance(listed, list) or not 0 < len(listed) <= _MOST:
        return None
    days = []
    for entry in listed:
        day = _read_day(entry.get("datum")) if isinstance(entry, dict) else None
        if day is None:  # what is left would seem to be all
            return None
        days.append(Commencement(day, " ".join(_read(entry, "erlaeuterung").split())))
    limited = _ELSEWHERE.search(_read(document, "mitteilung")) is not None
    days.sort(key=lambda one: (one.day, one.remark))
    return Promulgation(tuple(days), limited)


def _read(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value.strip() if isinstance(value, str) else ""


def _read_day(value: object) -> date | None:
    try:
        return date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
