"""The day from which a text applies, by parliament's record of the acts that brought it.

The looks come first: a day is believed only between the last look without the text and the first
one with it, as the publisher's own notes are (``history.noted``), and those go before it. The
record of an act with one day and no remark holds for all of the act; where it has several, or
remarks ("Artikel 3"), only for the article that the law's note names, and only if a remark names
that as a whole. Of several acts in one step all must have the same day: which of them changed
which provision nobody says.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from pathlib import Path

import orjson

from fundstelle.corpus.updates import LOOKS
from fundstelle.errors import CorpusError
from fundstelle.ingest.history.acts import Act, read_act
from fundstelle.ingest.history.identity import History
from fundstelle.ingest.history.noted import LONGEST
from fundstelle.law.norms import DatePrecision, Enactment, Fassung

# "Artikel 1 Nr. 14, Artikel 3 Nr. 4, Artikel 4 und 6 bis 8"
_NAMED = r"\d{1,3}[a-z]?"
_PART = (
    r"(?:Abs(?:atz|\.)|Nr\.|Nummern?|Buchst(?:abe|\.)|Satz|§§?|Doppelbuchst(?:abe|\.)) ?\w{1,8}"
    r"(?:(?:, ?| und | bis )(?!Art)\w{1,4}(?! ?\w))*"
)
_ARTICLES = re.compile(
    rf"(?:Art(?:ikel|\.)? )?(?P<first>{_NAMED})(?: (?:bis|-) (?P<last>{_NAMED}))?"
    rf"(?P<part>(?:,? ?{_PART})*)(?P<joint>, | und |; |$)"
)
_ABSATZ = re.compile(r"Abs(?:atz|\.) ?(?P<absatz>\d+[a-z]?)")
_BEGINS = re.compile(r"Art(?:ikel|\.)? \d")
_LONGEST_REMARK = 2_000  # characters
FOLDER, FILE = "dip", "acts.json"  # among the looks of a data folder


@dataclass(frozen=True, slots=True)
class Commencement:
    """A day on which an act, or what the remark names of it, comes into force."""

    day: date
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Promulgation:
    """What parliament's record says of one promulgated act.

    ``limited``: it says elsewhere that parts come into force on other days.
    """

    days: tuple[Commencement, ...]
    limited: bool = False


Records = Mapping[tuple[date, str], Promulgation]
"""By the day an act was issued and its place in the gazette (``Act.place``)."""


def find_day(records: Records, acts: Iterable[str]) -> date | None:
    """The day on which all of these acts came into force, each as far as it is named."""
    days = set()
    for written in acts:
        act = read_act(written)
        record = records.get((act.issued_on, act.place)) if act is not None else None
        days.add(None if act is None or record is None else _find_own(record, act))
    return days.pop() if len(days) == 1 else None


def _find_own(record: Promulgation, act: Act) -> date | None:
    if len(record.days) == 1 and not record.days[0].remark and not record.limited:
        return record.days[0].day
    if act.article is None:
        return None
    days = set()
    for one in record.days:
        if not one.remark:
            continue
        named = read_remark(one.remark)
        if named is None:  # what it excepts nobody knows
            return None
        for article, absatz, is_whole in named:
            if article != act.article:
                continue
            if not is_whole and (absatz is None or absatz != act.absatz):
                if absatz is None or act.absatz is None:
                    return None  # some part of it, and which part changed this law is not said
                continue
            days.add(one.day)
    return days.pop() if len(days) == 1 else None


@lru_cache(maxsize=2_000)
def read_remark(remark: str) -> tuple[tuple[str, str | None, bool], ...] | None:
    """The articles that a remark consists of: number, Absatz named alone, whether it is whole.

    ``None`` if it has other words, too.
    """
    text = " ".join(remark[:_LONGEST_REMARK].split()).rstrip(".")
    if len(remark) > _LONGEST_REMARK or not _BEGINS.match(text):
        return None
    found: list[tuple[str, str | None, bool]] = []
    place = 0
    while place < len(text):
        one = _ARTICLES.match(text, place)
        if one is None or one.end() == place:
            return None
        place = one.end()
        part = one["part"].strip(" ,")
        absatz = _ABSATZ.fullmatch(part)
        if one["last"] is None:
            found.append((one["first"], absatz["absatz"] if absatz else None, not part))
        elif part or not (one["first"].isdecimal() and one["last"].isdecimal()):
            return None
        else:
            numbers = range(int(one["first"]), int(one["last"]) + 1)
            found += ((str(number), None, True) for number in numbers)
    return tuple(found)


def commence(histories: Sequence[History], records: Records | None) -> list[History]:
    """The histories with the days that the records bear out now, and no other ones of theirs.

    Without ``records`` with those that they bore out when they were last at hand.
    """
    return [(norm, _date_all(fassungen, records)) for norm, fassungen in histories]


def _date_all(fassungen: tuple[Fassung, ...], records: Records | None) -> tuple[Fassung, ...]:
    if all(one.enactment is None for one in fassungen):
        return fassungen
    dated: list[Fassung] = []
    for one in fassungen:
        new = _date(one, records)
        if dated and dated[-1].in_force_until == one.in_force_from is not None:
            dated[-1] = replace(dated[-1], in_force_until=new.in_force_from)
        dated.append(new)
    return tuple(dated)


def _date(fassung: Fassung, records: Records | None) -> Fassung:
    enactment = fassung.enactment
    if enactment is None:
        return fassung
    if records is not None:
        enactment = replace(enactment, said=find_day(records, enactment.acts))
        fassung = replace(fassung, enactment=enactment)
    if fassung.date_precision is DatePrecision.EXACT:
        return fassung
    if is_borne_out(enactment):
        begins, precision = enactment.said, DatePrecision.PARLIAMENT
    else:
        begins, precision = enactment.seen, DatePrecision.FIRST_SEEN
    return replace(fassung, in_force_from=begins, date_precision=precision)


def is_borne_out(enactment: Enactment) -> bool:
    """Whether the looks around a text leave room for the day that the record says."""
    said, without, seen = enactment.said, enactment.without, enactment.seen
    return said is not None and without < said <= seen and seen - without <= LONGEST


def find_records(data_dir: Path) -> Path | None:
    """The file of what parliament's record says, where a data folder has one."""
    path = data_dir / LOOKS / FOLDER / FILE
    return path if path.is_file() else None


def dump_records(records: Records) -> bytes:
    """As ``read_records`` reads them: JSON, one order for one content."""
    rows = [
        [
            issued_on.isoformat(),
            place,
            [[one.day.isoformat(), one.remark] for one in record.days],
            record.limited,
        ]
        for (issued_on, place), record in sorted(records.items())
    ]
    return orjson.dumps(rows)


@lru_cache(maxsize=1)
def read_records(path: Path) -> Records:
    """The records of a file; once in a process.

    Raises:
        CorpusError: it is not what ``dump_records`` writes.
    """
    try:
        return {
            (date.fromisoformat(issued_on), place): Promulgation(
                tuple(Commencement(date.fromisoformat(day), remark) for day, remark in days),
                limited,
            )
            for issued_on, place, days, limited in orjson.loads(path.read_bytes())
        }
    except (OSError, ValueError, TypeError) as error:
        raise CorpusError(
            f"{path.name}, the days of parliament's record, cannot be read ({error}); take it away,"
            " and the next update makes it anew"
        ) from error
