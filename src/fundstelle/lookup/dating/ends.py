"""From which day on a law is out of force, by its publisher's note or its own words.

"V aufgeh. durch § 8 dieser V mWv 14.7.2026" stands there long before that day, and its publisher
takes the law away some time after it. Behind it nobody knows here whether it was put off in time.
Notes on the end of a part of a law, and such as name no day, say nothing of the whole; what
prolongs it counts. Its own words are asked where no look shows the law behind the day that they
name: the Preisgesetz ended on 31 December 1948 by its § 16, and another law has kept it in force.

Of acts of the Union the publisher says only that they are no longer in force: of the days behind
their newest text nobody knows here on which of them they were.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.norms import ENDED, NormStatus, StandNote, Statute
from fundstelle.lookup.library import Library

_MOST_READ = 4_000  # characters of a note, or of a provision
_LAST = 3  # provisions at the end of a law among which the one on its end stands
_LAW = r"(?:V|G|AnO|Verordnung|Gesetz|Anordnung)"
_WHOLE = re.compile(
    rf"(?:(?:Die|Das|Diese|Dieses) )?(?:{_LAW} |(?:zugehörige )?{_LAW} v\.? [^;()]{{1,80}}"
    r"\([^()]{1,40}\) )?(?:[Aa]ufgeh\.|tritt |ist )"
)
_ENDS = re.compile(r"[Aa]ufgeh\.|außer Kraft")
_PARTLY = re.compile(
    r"\b(?:Ausnahme|ausgenommen|soweit|teilweise|Einschränkung|Maßgabe|frühestens|sofern|insoweit"
    r"|ursprünglich|(?:an dem|am) Tage?)\b|\b(?:gilt|gelten) .{0,200}\bfort\b|\bhinaus verlänger"
)
# "mit Ausnahme des § 17 Abs. 6, dieser tritt gem. … mWv 18.8.2026 außer Kraft"
_EXCEPTED = re.compile(r"\bmit Ausnahme [^,;]{1,80}, diese[r]? (?:tritt|treten) ")
_PROLONGED = re.compile(r"\bverlänger")
_DAY = re.compile(
    rf"\b(?:(?P<first>mWv|am)|mit Ablauf(?: des| d\.)?|bis zum(?: Ablauf des)?) (?P<day>{DATE})"
)
_UNTIL = re.compile(rf"\bbis zum(?: Ablauf des)? (?P<day>{DATE})")
_OWN = re.compile(
    r"(?:^|\n|[.;] )(?:\(\d\) )?"
    r"(?:Dieses Gesetz|Diese (?:Verordnung|Anordnung|Satzung)|Sie|Es) tritt "
    rf"(?:(?:am Tag nach der Verkündung|(?:mit Wirkung vom|am) {DATE}) in Kraft und (?:tritt )?)?"
    rf"(?:(?P<first>am)|mit Ablauf des) (?P<day>{DATE}) außer Kraft\."
)


@dataclass(frozen=True, slots=True)
class End:
    """The first day on which a law is out of force, and what says so."""

    day: date
    said: str


def warn_of_end(library: Library, statute: Statute, on: date) -> tuple[str, ...]:
    """A sentence where by then a law had ended, as far as is known here."""
    if statute.jurisdiction == "eu":
        return _warn_of_act(statute, on)
    end = find_end(library, statute)
    if end is None or on < end.day:
        return ()
    unsure = f"whether {statute.abbreviation} still applied on {on.isoformat()} is not known here."
    return (f"{end.said}; {unsure}",)


def find_end(library: Library, statute: Statute) -> End | None:
    """The end of a federal law as a whole; ``None`` where nothing names its day."""
    if statute.jurisdiction != "de":
        return None
    known = library.ends
    if statute.statute_id not in known:
        # a note goes before a later day of the law's own words: it may have been repealed before
        said = _read_notes(statute.stand_notes)
        known[statute.statute_id] = said or _find_own(library, statute)
    found = known[statute.statute_id]
    return End(*found) if found is not None else None


def _warn_of_act(statute: Statute, on: date) -> tuple[str, ...]:
    """As ``warn_of_end`` of an act of the Union, behind the day of its newest text."""
    notes = (note.text for note in statute.stand_notes if note.text.startswith(ENDED))
    seen = next(notes, "").removeprefix(ENDED)
    if not seen or on <= statute.newest_from:
        return ()
    unsure = (
        f"Its publisher showed {statute.abbreviation} as no longer in force on {seen}; whether it"
        f" was on {on.isoformat()} is not known here."
    )
    return (unsure,) if on.isoformat() < seen else (unsure.partition(";")[0] + ".",)


@lru_cache(maxsize=10_000)
def _read_notes(notes: tuple[StandNote, ...]) -> tuple[date, str] | None:
    """The last day that the notes on the end of a law name, and those notes."""
    days: list[date] = []
    said: list[str] = []
    for note in notes:
        text = " ".join(note.text[:_MOST_READ].split())
        is_prolonged = _PROLONGED.search(text) is not None
        is_whole = _WHOLE.match(text) is not None and _ENDS.search(text) is not None
        if note.kind in {"Stand", "Neuf"} or not (is_prolonged or is_whole):
            continue
        found = [*_iter_days(_UNTIL if is_prolonged else _DAY, text)]
        if not found or _PARTLY.search(_EXCEPTED.sub(" ", text)):
            return None
        days += found
        said.append(text.rstrip("."))
    return (max(days), f"Publisher's note: {'. '.join(said)}") if days else None


def _iter_days(pattern: re.Pattern[str], text: str) -> Iterator[date]:
    """The first days without the law that are named."""
    for found in pattern.finditer(text):
        if (day := read_date(found["day"])) is not None:
            is_first = found.groupdict().get("first") is not None
            yield date.fromisoformat(day) + timedelta(days=0 if is_first else 1)


def _find_own(library: Library, statute: Statute) -> tuple[date, str] | None:
    """The day that the law's own words name, where no look shows the law behind it."""
    store = library.store
    _, norm = store.find_ends(statute.statute_id)
    for _ in range(_LAST):
        if norm is None:
            break
        fassung = store.find_fassung(norm.norm_id)
        if fassung is not None and fassung.status is NormStatus.IN_FORCE:
            days = set(_iter_days(_OWN, fassung.text[:_MOST_READ]))
            if len(days) == 1 and (day := days.pop()) > statute.stand:
                words = f"By {norm.citation} it is out of force from {day.isoformat()} on"
                return day, words
        norm, _ = store.find_neighbours(statute.statute_id, norm.number, norm.kind)
    return None
