"""The acts that a law's own notes name as taken into its text.

"Zuletzt geändert durch Art. 4 G v. 19.7.2024 I Nr. 234", "Änderung durch Art. 9 G v. 20.7.2022 I
1237 (Nr. 28) textlich nachgewiesen": an act is told by the day it was issued, the part of the
Bundesgesetzblatt and the page there, since 2023 the number. What a note says is still missing from
the text ("noch nicht berücksichtigt"), or cannot be carried out, is left out.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from fundstelle.law.norms import StandNote, Statute

_MOST_READ = 2_000  # characters of a note; the publisher's longest have some hundreds
_ACT = re.compile(
    r"(?:(?P<words>(?:Art\.?|§) ?\d[^;,()]{0,60}?) )?(?P<kind>[A-ZÄÖÜ][\w.-]{0,12}) v\. ?"
    r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>\d{4}),? "
    r"(?:\d{4} )?(?P<part>I{1,3}) (?P<place>Nr\. \d+|\d+)"
)
_ARTICLE = re.compile(
    r"Art\.? ?(?P<article>\d+[a-z]?)(?: Abs\. ?(?P<absatz>\d+[a-z]?))?(?P<more>.*)"
)
_MISSING = re.compile(r"nicht (?:berücksichtigt|ausführbar|eingearbeitet)|außer Kraft")
_OTHER_KINDS = frozenset({"Aufh"})


@dataclass(frozen=True, slots=True)
class Act:
    """An act as a note names it, with the part of it that changed the law.

    Attributes:
        issued_on: the day it was issued (Ausfertigung).
        place: part of the gazette and page or number: ``I 1237``, ``I Nr. 234``.
        article: of the act, where one is named.
        absatz: of that article.
        narrow: whether the note names a still smaller part of it.
    """

    issued_on: date
    place: str
    article: str | None = None
    absatz: str | None = None
    narrow: bool = False


def list_acts(statute: Statute) -> frozenset[str]:
    """The acts as the notes write them: "Art. 4 G v. 19.7.2024 I Nr. 234"."""
    return frozenset(_iter_acts(statute.stand_notes))


def _iter_acts(notes: Iterable[StandNote]) -> Iterator[str]:
    for note in notes:
        if note.kind in _OTHER_KINDS or _MISSING.search(note.text):
            continue
        for found in _ACT.finditer(note.text[:_MOST_READ]):
            yield _write(found)


def _write(found: re.Match[str]) -> str:
    words = f"{found['words']} " if found["words"] else ""
    day = f"{int(found['day'])}.{int(found['month'])}.{found['year']}"
    return f"{words}{found['kind']} v. {day} {found['part']} {found['place']}"


def read_act(written: str) -> Act | None:
    """An act that ``list_acts`` gave; ``None`` if its day is none."""
    found = _ACT.fullmatch(written)
    if found is None:
        return None
    try:
        issued_on = date(int(found["year"]), int(found["month"]), int(found["day"]))
    except ValueError:
        return None
    place = f"{found['part']} {found['place']}"
    part = _ARTICLE.fullmatch(found["words"] or "")
    if part is None:
        return Act(issued_on, place, narrow=bool(found["words"]))
    return Act(issued_on, place, part["article"], part["absatz"], bool(part["more"].strip()))
