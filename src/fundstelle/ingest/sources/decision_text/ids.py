"""Who decided what and when: courts, dockets, days and kinds of decisions as they are printed."""

import re
from collections.abc import Iterable
from datetime import date

from fundstelle.citations.decisions.courts import find_last_court
from fundstelle.citations.decisions.dockets import CORE, read_docket
from fundstelle.citations.decisions.ecli import ECLI
from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.ingest.sources.decision_text.text import tidy
from fundstelle.law.courts import EU_COURT_OF, EU_COURTS
from fundstelle.law.decisions import DecisionType, LowerInstance
from fundstelle.law.identifiers import to_id
from fundstelle.law.lands import INTERNATIONAL

UNDATED = "ohne-datum"
_DATE = re.compile(DATE)
_TYPES = (
    (re.compile(r"schlussantr(?:ag|äge)"), DecisionType.SCHLUSSANTRAEGE),
    (re.compile(r"gerichtsbescheid"), DecisionType.GERICHTSBESCHEID),
    (re.compile(r"beschlu(?:ss|ß)|\border\b"), DecisionType.BESCHLUSS),
    (re.compile(r"urteil|\bjudgment\b"), DecisionType.URTEIL),
    (re.compile(r"verfügung"), DecisionType.VERFUEGUNG),
    (re.compile(r"gutachten"), DecisionType.GUTACHTEN),
    (re.compile(r"bescheid"), DecisionType.BESCHEID),
)
_SEPARATORS = re.compile(r"\s*(?:[,;]|\bund\b|\bu\.)\s*")
_WHOLE = re.compile(r"\D.*\d[/.]\d|\d+\s\D.*\d[/.]\d")
_HEAD = re.compile(r"\D*?(?:\d{1,3}[a-z]?\s)?[^\d]+(?=\d)")
_AZ = re.compile(r"\b(?:Az|AZ|Aktenzeichen)\b\.?:?\s*(?P<docket>[^,;()]*\d+[/.]\d+[^,;()]*)")


def read_court(name: str) -> str:
    """The short name of the table of courts; as it is printed if the table has none."""
    written = tidy(name)
    court = find_last_court(written, 0, len(written))
    return court.name if court is not None and court.start == 0 else written


_CASE = re.compile(r"(?P<letter>[CTF])-\d{1,4}/\d\d(?!\d)")


def correct_court(court: str, dockets: Iterable[str]) -> str:
    """The court of the Union whose letter the dockets bear; other courts are as they are said.

    Since 1989 a case has the letter of its court: C, T, and from 2005 to 2016 F. A register that
    files all of them under "Europäischer Gerichtshof" means the institution.
    """
    found = {case["letter"] for docket in dockets if (case := _CASE.match(docket))}
    return EU_COURT_OF[found.pop()] if court in EU_COURTS and len(found) == 1 else court


def get_jurisdiction(court: str) -> str:
    """``eu`` for its courts, ``int`` for the European Court of Human Rights, else ``de``."""
    if court in EU_COURTS:
        return "eu"
    return INTERNATIONAL if court == "EGMR" else "de"


def read_dockets(text: str) -> tuple[str, ...]:
    """Every Aktenzeichen of a list, ``2 BvQ 53/18, 2 BvQ 54/18 und 55/18``, in order."""
    found: list[str] = []
    for piece in _SEPARATORS.split(tidy(text)):
        if not piece:
            continue
        bare = re.fullmatch(r"\d+/\d+", piece)
        head = _HEAD.match(found[-1]) if bare and found else None
        found.append(spell_docket(head[0] + piece if head else piece))
    return tuple(dict.fromkeys(found))


def spell_docket(text: str) -> str:
    """The official spelling of an Aktenzeichen where it can be told, else as it is printed."""
    written = tidy(text).translate({0x2011: "-", 0x2010: "-"})
    core = CORE.search(written)
    docket = read_docket(written, core, 0) if core else None
    if docket is None or (docket.start, docket.end) != (0, len(written)):
        return written
    return docket.text


def read_type(text: str, court: str = "") -> DecisionType:
    """The kind of a decision by the word at its head: ``Schlussurteil`` is an Urteil."""
    folded = text.casefold()
    for pattern, kind in _TYPES:
        if pattern.search(folded):
            return kind
    # The BVerfG names its orders by what they do: "Ablehnung einstweilige Anordnung".
    return DecisionType.BESCHLUSS if court == "BVerfG" and text.strip() else DecisionType.OTHER


def read_day(text: str) -> date | None:
    """The first day named in ``text``: ``20180822``, ``22.08.2018``, ``2018-08-22``."""
    if re.fullmatch(r"\d{8}", text.strip()):
        text = f"{text.strip()[:4]}-{text.strip()[4:6]}-{text.strip()[6:]}"
    for found in _DATE.finditer(text):
        day = read_date(" ".join(found[0].split()))
        if day is not None:
            return date.fromisoformat(day)
    return None


def read_ecli(text: str) -> str | None:
    """The ECLI that ``text`` holds; ``None`` if it is empty or none."""
    found = ECLI.search(text)
    return found[0] if found else None


def build_id(court: str, dockets: Iterable[str], day: date | None, kind: DecisionType) -> str:
    """The id of a decision without an ECLI: court, first docket, day, kind."""
    first = next(iter(dockets))
    on = day.isoformat() if day else UNDATED
    return f"{get_jurisdiction(court)}/{to_id(court)}/{to_id(first)}/{on}/{to_id(kind.value)}"


def read_lower_instances(text: str) -> tuple[LowerInstance, ...]:
    """``vorgehend LG Aachen, 17. März 2008, Az: 6 T 104/07, Beschluss vorgehend AG …``."""
    pieces = re.split(r"(?<=\S)\s+(?=vorgehend\b|nachgehend\b)|\n", text)
    return tuple(read_lower_instance(piece) for piece in map(tidy, pieces) if piece)


def read_lower_instance(text: str) -> LowerInstance:
    """One court below, as far as it can be read."""
    day = _DATE.search(text)
    start = day.start() if day else len(text)
    court = find_last_court(text, 0, start) or find_last_court(text, 0, len(text))
    rest = text[day.end() :] if day else text
    named = _AZ.search(text)
    docket = spell_docket(named["docket"]) if named else _find_docket(rest)
    return LowerInstance(
        text, court.name if court else None, docket, read_day(day[0]) if day else None
    )


def _find_docket(text: str) -> str | None:
    for core in CORE.finditer(text):
        docket = read_docket(text, core, 0)
        if docket is not None:
            return docket.text
    return None
