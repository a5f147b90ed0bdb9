"""On which day an act of the Union came into force, by its own words and its Official Journal.

"Diese Verordnung tritt am zwanzigsten Tag nach ihrer Veröffentlichung im Amtsblatt in Kraft" is a
day as soon as the Journal's is known. Where an act names none, it is the twentieth (Article 297
TFEU, before that Articles 254 and 191 EC since the Treaty of Maastricht); until then a directive
took effect when the Member States were told of it, which no text says. From the days by which an
act is to be complied with or applies, it is still known when it was in force at the latest. The
day of its first consolidated text proves nothing: it is that of the Official Journal.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.ingest.records import ParsedAct
from fundstelle.ingest.sources.eu.act import ActText, Unit
from fundstelle.ingest.sources.eu.blocks import render
from fundstelle.law.application import Application
from fundstelle.law.norms import DatePrecision, Fassung, NormKind, NormStatus, Statute

_FINAL = 8  # articles at the end of an act among which those on its commencement stand
_LONGEST = 8_000  # characters of such an article
_MAASTRICHT = date(1993, 11, 1)
_BY_DEFAULT = 20  # days after publication
_ACT = r"(?:Verordnung|Richtlinie|Beschluss|Entscheidung|Rahmenbeschluss)"
_ACT_EN = r"(?:Regulation|Directive|Decision|Framework Decision)"
_BEGINS = r"(?:^|\n)(?:\(?\d{1,2}[.)] )?"  # a paragraph: what an article quotes does not count
_DAY = rf"(?P<day>{DATE})"
_ENTERS = re.compile(
    rf"{_BEGINS}(?:Dieser? {_ACT}|Sie|Er) tritt (?:"
    r"(?:am|mit dem) (?:(?P<count>\w+|\d+\.) )?Tage? "
    r"(?P<after>(?:nach )?)(?:dem (?:Tag|Datum) )?(?:ihrer|seiner) Veröffentlichung"
    rf"|(?:am|mit Wirkung vom) {_DAY}).{{0,80}}?in Kraft",
)
_ENTERS_EN = re.compile(
    rf"{_BEGINS}(?:This {_ACT_EN}|It) (?:shall enter|enters) into force on (?:"
    r"the (?:(?P<count>\w+) )?day (?P<after>(?:following|after|of)) (?:that of |the day of )?"
    rf"(?:the date of )?its publication|{_DAY})"
)
_ANY_ENTRY = re.compile(
    r"\b(?:tritt|treten)\b.{0,200}?\bin Kraft|\benters? into force|\btakes? effect|wird wirksam"
)
_APPLIES = re.compile(
    rf"{_BEGINS}(?:Dieser? {_ACT}|Sie|Er) gilt (?:ab|mit Wirkung|seit)(?: dem| vom)? {_DAY}"
)
_APPLIES_EN = re.compile(
    rf"{_BEGINS}(?:This {_ACT_EN}|It) shall apply (?:as )?(?:from|with effect from) {_DAY}"
)
_ANY_APPLICATION = re.compile(
    r"(?:gilt|gelten|shall apply|applies) (?:\w+ ){0,2}?(?:ab|from|von|vom)\b", re.IGNORECASE
)
_ANY_DAY = re.compile(DATE)
_COMPLIES = re.compile(
    r"(?:bring into force the laws|adopt and publish|setzen die .{0,80}in Kraft|erlassen und"
    rf" veröffentlichen).{{0,300}}?(?:by|than|before|bis|zum) (?:zum |den )?{_DAY}"
)
_COUNTS = {
    name: count
    for count, names in {
        1: ("ersten", "first", "1st"),
        2: ("zweiten", "second"),
        3: ("dritten", "third"),
        5: ("fünften", "fifth"),
        7: ("siebten", "siebenten", "seventh"),
        8: ("achten", "eighth"),
        10: ("zehnten", "tenth"),
        15: ("fünfzehnten", "fifteenth"),
        20: ("zwanzigsten", "twentieth"),
        30: ("dreißigsten", "thirtieth"),
    }.items()
    for name in names
}
_NUMBER = re.compile(r"(\d{1,3})(?:\.|st|nd|rd|th)")


@dataclass(frozen=True, slots=True)
class Entry:
    """The first day in force, or one by which an act was in force (``DatePrecision.PROVEN``)."""

    day: date
    precision: DatePrecision


def find_entry(text: ActText) -> Entry | None:
    """When an act came into force as its text and the day of its Journal tell."""
    if text.celex[0] != "3" or not any(one.kind is NormKind.ARTICLE for one in text.units):
        return None  # the act is repealed, or its articles were not read
    finals = _list_finals(text)
    said = {
        day
        for _, words in finals
        for day in _list_days(words, text.published_on)
        if day is not None
    }
    if len(said) == 1:
        return Entry(said.pop(), DatePrecision.TEXT)
    names_one = any(_ANY_ENTRY.search(words) for _, words in _list_own(finals, text))
    published = text.published_on
    if not said and not names_one and published is not None and _has_default(text):
        return Entry(published + timedelta(_BY_DEFAULT), DatePrecision.TREATY)
    latest = _find_latest(finals)
    return Entry(latest, DatePrecision.PROVEN) if latest is not None else None


def find_application(text: ActText) -> Application | None:
    """What its final provisions say of the day from which an act applies; none is that of entry."""
    for unit, words in reversed(_list_finals(text)):
        general = _APPLIES.search(words) or _APPLIES_EN.search(words)
        parts = _ANY_APPLICATION.search(words) if _reads_entry(words) else None
        begins = general or parts
        if begins is None:
            continue
        named = (read_date(found[0]) for found in _ANY_DAY.finditer(words, begins.start()))
        days = [date.fromisoformat(day) for day in named if day]
        if days:
            said = read_date(general["day"]) if general else None
            day = date.fromisoformat(said) if said else None
            is_divided = len(set(days)) > 1
            return Application(unit.number, text.consolidated_on, day, max(days), is_divided)
    return None


def _list_finals(text: ActText) -> list[tuple[Unit, str]]:
    """The last articles of an act, with their words."""
    articles = [unit for unit in text.units if unit.kind is NormKind.ARTICLE][-_FINAL:]
    rendered = ((unit, render(unit.blocks).text) for unit in articles)
    return [(unit, words) for unit, words in rendered if len(words) <= _LONGEST]


def _list_own(finals: Sequence[tuple[Unit, str]], text: ActText) -> Iterator[tuple[Unit, str]]:
    """Those that may speak of the act's own entry: transposition brings other laws into force."""
    for unit, words in finals:
        if not _COMPLIES.search(words) and (text.celex[5] != "L" or _says_this(words)):
            yield unit, words


def _says_this(words: str) -> bool:
    return re.search(rf"This {_ACT_EN} |Dieser? {_ACT} ", words) is not None


def _reads_entry(words: str) -> bool:
    return any(pattern.search(words) for pattern in (_ENTERS, _ENTERS_EN))


def _list_days(words: str, published: date | None) -> Iterator[date | None]:
    """The days on which the act enters into force; ``None`` for one that cannot be counted."""
    for pattern in (_ENTERS, _ENTERS_EN):
        for found in pattern.finditer(words):
            if found["day"]:
                said = read_date(found["day"])
                yield date.fromisoformat(said) if said else None
                continue
            count = _count(found["count"], found["after"].strip())
            yield None if published is None or count is None else published + timedelta(count)


def _count(written: str | None, after: str) -> int | None:
    """How many days after publication: "am Tag nach", "on the day of", "am dritten Tag nach"."""
    if written is None:
        return 1 if after in {"nach", "following", "after"} else 0
    if after in {"", "of"}:
        return None
    numbered = _NUMBER.fullmatch(written)
    return int(numbered[1]) if numbered else _COUNTS.get(written.casefold())


def _has_default(text: ActText) -> bool:
    """Whether the Treaty names the day where the act does not.

    It does so for regulations, and for directives that are addressed to all Member States.
    """
    if text.excerpt or text.issued_on is None or text.issued_on < _MAASTRICHT:
        return False
    return text.celex[5] == "R" or (text.celex[5] == "L" and "U" not in text.celex)


def _find_latest(finals: Sequence[tuple[Unit, str]]) -> date | None:
    """The first of the days on which the act binds already, as its words take for granted."""
    days = set()
    for _, words in finals:
        for pattern in (_COMPLIES, _APPLIES, _APPLIES_EN):
            found = pattern.search(words)
            said = read_date(found["day"]) if found else None
            if said:
                days.add(date.fromisoformat(said))
    return min(days, default=None)


def commence(act: ParsedAct) -> ParsedAct:
    """The act with its texts in force from the day of its entry on, and not before.

    What was replaced by then never was in force. Once more changes nothing.
    """
    day = act.statute.in_force_from
    if day is None:
        return act
    entry = Entry(day, act.statute.date_precision)
    norms = tuple((norm, _commence(fassungen, entry)) for norm, fassungen in act.norms)
    return replace(act, norms=norms)


def _commence(fassungen: tuple[Fassung, ...], entry: Entry) -> tuple[Fassung, ...]:
    """The texts of one norm; of a text that was replaced by then it is said, or not known."""
    dated: list[Fassung] = []
    for one in fassungen:
        begins, ends = one.in_force_from, one.in_force_until
        if one.status is NormStatus.REPEALED or (begins is not None and begins > entry.day):
            dated.append(one)
        elif not entry.precision.is_in_force:
            ends = max(ends, entry.day) if ends is not None else None
            dated.append(
                replace(
                    one,
                    in_force_from=entry.day,
                    in_force_until=ends,
                    date_precision=entry.precision,
                )
            )
        elif ends is None or ends > entry.day:
            dated.append(replace(one, in_force_from=entry.day, date_precision=entry.precision))
        else:
            dated.append(_replace_by_then(one, entry.day))
    for place, (one, after) in enumerate(pairwise(tuple(dated))):
        if one.status is NormStatus.FUTURE and after.in_force_from == entry.day:
            dated[place] = replace(one, in_force_until=entry.day)
    return tuple(dated)


def _replace_by_then(one: Fassung, day: date) -> Fassung:
    begins = one.in_force_from if one.in_force_from != day else None
    return replace(
        one,
        in_force_from=begins,
        date_precision=DatePrecision.FIRST_SEEN if begins else DatePrecision.UNKNOWN,
        status=NormStatus.FUTURE,
    )


def settle(statute: Statute, text: ActText) -> Statute:
    """The statute with what its text says of its commencement."""
    application = find_application(text)
    statute = enter(statute, text.published_on, find_entry(text))
    return replace(statute, applications=(application,) if application else ())


def enter(statute: Statute, published_on: date | None, entry: Entry | None) -> Statute:
    """The statute with the day of its Journal and that of its entry."""
    return replace(
        statute,
        published_on=published_on,
        in_force_from=entry.day if entry else None,
        date_precision=entry.precision if entry else DatePrecision.UNKNOWN,
    )


def choose_entry(before: Entry | None, after: Entry | None) -> Entry | None:
    """What the earlier of two texts says where that is a day of entry, else the later one."""
    is_known = before is not None and (after is None or before.precision.is_in_force)
    return before if is_known else after
