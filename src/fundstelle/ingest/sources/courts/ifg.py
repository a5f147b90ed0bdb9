"""Decisions as the text of their prints, with a register of court, docket, day and kind.

Source: the collection of decisions on freedom of information by the Open Knowledge Foundation
Germany; a file is named after court and docket, ``/`` written ``-``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

import orjson

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.courts.printed import correct
from fundstelle.ingest.sources.decision_text.ids import (
    read_court,
    read_day,
    read_dockets,
    read_type,
)
from fundstelle.ingest.sources.decision_text.pdf_text import decode_text, write_print
from fundstelle.ingest.sources.decision_text.record import Head
from fundstelle.law.decisions import DecisionSource

SOURCE_TYPE = "ifg"
_FIELDS = ("gericht", "aktenzeichen", "datum", "art")
_STRASBOURG = "EGMR"
_ENGLISH = re.compile(r"\b(?:the|of|and)\b")
_GERMAN = re.compile(r"\b(?:der|die|und)\b")
_FRENCH = re.compile(r"\b(?:le|la|les|des)\b")

_ADDRESS = re.compile(r"https?://(?:www\.justiz\.nrw\.de|www\.bverwg\.de)/\S+\.html?(?=\s)")

Entry = Mapping[str, str]


def is_register(file: SourceFile) -> bool:
    """Whether a file lists decisions instead of holding one."""
    return file.name.endswith(".json") and all(
        f'"{field}"'.encode() in file.data[:2048] for field in _FIELDS
    )


def read_register(file: SourceFile) -> "Register":
    """What the register says of each text.

    Raises:
        RejectedFile: it is no list of decisions.
    """
    try:
        entries = orjson.loads(file.data)
    except orjson.JSONDecodeError as error:
        raise RejectedFile(file.name, f"it is no JSON ({error})") from None
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise RejectedFile(file.name, "it is no list of decisions")
    named: dict[str, list[Entry]] = {}
    for entry in entries:
        values = {str(key): str(value) for key, value in entry.items()}
        named.setdefault(_name(values), []).append(values)
    return Register(str(PurePosixPath(file.name).parent), named)


def _name(entry: Entry) -> str:
    written = f"{entry.get('gericht', '')} {entry.get('aktenzeichen', '')}"
    return " ".join(written.replace("/", "-").split())


@dataclass(frozen=True, slots=True)
class Register:
    """The decisions of a collection by the names of their files."""

    folder: str
    entries: Mapping[str, list[Entry]]

    def names(self, file: SourceFile) -> bool:
        """Whether the register lists the decision of this file."""
        return _get_stem(file) in self.entries

    def parse(self, file: SourceFile) -> ParsedDecision:
        """The decision of one text.

        Raises:
            RejectedFile: it is not listed, or no text.
        """
        entries = self.entries.get(_get_stem(file))
        if not entries:
            raise RejectedFile(file.name, "the register does not list it")
        text = decode_text(file)
        entry = _choose(entries, text)
        court = read_court(entry["gericht"])
        head = Head(
            court=court,
            dockets=_read_dockets(entry["aktenzeichen"], court),
            issued_on=read_day(entry.get("datum", "")),
            decision_type=read_type(entry.get("art", ""), court),
            source=DecisionSource(SOURCE_TYPE, PurePosixPath(file.name).name, _find_address(text)),
            language=_find_language(text),
        )
        decision = correct(head, text).build(file.name)
        words = write_print(text, decision.decision_id, dotted=court == _STRASBOURG)
        if not words.text:
            raise RejectedFile(file.name, "it has no text")
        return ParsedDecision(decision, words)


def _get_stem(file: SourceFile) -> str:
    return " ".join(PurePosixPath(file.name).name.removesuffix(".txt").split())


def _read_dockets(written: str, court: str) -> tuple[str, ...]:
    """Numbers of applications to the ECtHR are no German dockets."""
    return (written,) if court == _STRASBOURG else read_dockets(written)


def _choose(entries: list[Entry], text: str) -> Entry:
    """Of several decisions under one docket the one whose day the text names first."""
    if len(entries) == 1:
        return entries[0]
    places = {}
    for number, entry in enumerate(entries):
        day = read_day(entry.get("datum", ""))
        months = (
            "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
        )
        written = f"{day.day}. {months.split()[day.month - 1]} {day.year}" if day else "\0"
        found = text.find(written)
        places[number] = found if found >= 0 else len(text)
    return entries[min(places, key=places.__getitem__)]


def _find_address(text: str) -> str | None:
    """The address that a browser printed on the page, if it is whole."""
    found = _ADDRESS.search(text)
    return found[0] if found else None


def _find_language(text: str) -> str:
    counts = {
        "de": len(_GERMAN.findall(text)),
        "en": len(_ENGLISH.findall(text)),
        "fr": len(_FRENCH.findall(text)),
    }
    return max(counts, key=counts.__getitem__)
