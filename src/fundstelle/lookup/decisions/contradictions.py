"""What is written of a decision against what is held of it: court, day, kind, ECLI, bracket.

The Aktenzeichen or the ECLI leads to the decision; what stands beside it may be of another one.
Only what can be compared is: a court right before the number, the days that are written of it.
"""

import re
from collections.abc import Iterator, Sequence

from fundstelle.citations.decisions.courts import find_last_court
from fundstelle.citations.decisions.ecli import ECLI, decode, read_kind
from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.citations.text.numerals import read_roman
from fundstelle.law.citations import DecisionCitation, Target
from fundstelle.law.courts import EU_COURTS
from fundstelle.law.decisions import Decision, DecisionType, docket_key
from fundstelle.lookup.decisions.kinds import COMPARED, read_kinds
from fundstelle.lookup.decisions.passages import find_places

_WORDS = (
    r"\w*(?:urteil|beschluss|beschluß)(?!\w)|urt\.|beschl\.|gerichtsbescheid|gutachten|entscheidung|judgment"
    r"|order|v\.|vom|of|az\.?:?|aktenzeichen:?|rs\.?|rechtssache|case|(?:gro(?:ße|sse)r?\s)?(?:senat|kammer)"
)
# Between a court and the number that it gave: nothing but what belongs to one citation.
_BETWEEN = re.compile(rf"(?:[\s,:;()\[\]–-]|{DATE}\.?|{_WORDS}|\d+\.)*+", re.IGNORECASE)
_DAY = re.compile(DATE)
_BRACKET = re.compile(r"\s?\((\w{1,3})\)")
_OF_LETTER = {"U": DecisionType.URTEIL, "B": DecisionType.BESCHLUSS}
# A year alone: behind the kind of decision, or between its court and the Aktenzeichen.
_YEAR = re.compile(
    rf"(?:{_WORDS})\s(?:von|aus|aus dem jahre?)\s(?P<year>(?:19|20)\d\d)(?![\w.])", re.IGNORECASE
)
_YEAR_BEHIND = re.compile(r"[\s,(]*(?:von\s|aus\s)?(?P<year>(?:19|20)\d\d)[\s,:;()–-]*")
_PANEL = re.compile(r"(?<![\w/])(?P<number>\d{1,2}|[IVX]+)\.\s(?:\w*senat)(?!\w)", re.IGNORECASE)
# "zuletzt abgerufen am 1.1.2024"
_RETRIEVED = re.compile(
    rf"(?:abgerufen|abgefragt|abruf|abrufdatum|aufgerufen|besucht|zugriff|stand|accessed|retrieved)"
    rf"(?:\s+(?:am|vom|on))?:?\s*{DATE}",
    re.IGNORECASE,
)
_WHOLE_ECLI = re.compile(r"ECLI:\S+", re.IGNORECASE)


def list_contradictions(
    written: str,
    target: DecisionCitation,
    decision: Decision,
    others: Sequence[DecisionCitation] = (),
) -> list[str]:
    """What a citation says otherwise than the decision that it leads to, in words.

    ``others`` are cited with it. Where they are the numbers of other decisions, no day and no kind
    is known to be said of this one; its own further numbers ("C-39/05 P, C-52/05 P") are it too.
    """
    held = {docket_key(one) for one in decision.dockets}
    twins = [one for one in others if _is_twin(one, target)]
    joined = [
        one for one in others if one.docket and docket_key(one.docket) in held and one not in twins
    ]
    alone = len(joined) == len(others)
    is_read = bool(twins) and target.court == decision.court  # of which number is known by that
    return [
        *(() if is_read else _compare_court(written, [target, *joined], decision)),
        *(_compare_day(written, [target, *joined], decision) if alone else ()),
        *(_compare_kind(written, decision) if alone else ()),
        *(_compare_panel(written, decision) if alone else ()),
        *_compare_ecli(target, decision),
        *_compare_bracket(written, decision),
    ]


def _is_twin(one: DecisionCitation, target: DecisionCitation) -> bool:
    """Whether one number is cited of two courts: ``LG Köln - 2 O 9/18, LG Bonn - 2 O 9/18``."""
    if not one.docket or not target.docket or one.court == target.court:
        return False
    return docket_key(one.docket) == docket_key(target.docket)


def _compare_court(
    written: str, targets: Sequence[DecisionCitation], decision: Decision
) -> Iterator[str]:
    place = _find_place(written, targets)
    named = find_last_court(written, 0, place) if place else None
    if named is None or _BETWEEN.fullmatch(written, named.end, place) is None:
        return
    held = decision.court
    is_same_house = named.name == "EuGH" and held in EU_COURTS  # the institution as a whole
    if named.name != held and not is_same_house:
        yield f"it is a decision of the {held}, not of the {named.name}"


def _find_place(written: str, targets: Sequence[DecisionCitation]) -> int:
    """Where the first of their numbers stands; 0 if nothing is before it."""
    places = (min(find_places(written, one), default=0) for one in targets)
    return min(filter(None, places), default=0)


def _compare_day(
    written: str, targets: Sequence[DecisionCitation], decision: Decision
) -> Iterator[str]:
    if decision.issued_on is None:
        return
    days = _list_days(written, targets)
    if not days:
        yield from _compare_year(written, targets, decision.issued_on.year)
    held = decision.issued_on.isoformat()
    if days and held not in days:
        yield f"it is of {held}, not of {', '.join(days)}"


def say_unknown_day(targets: Sequence[Target], decision: Decision) -> str:
    """That the day cited was not compared, since that of the decision is not known; else nothing.

    An ECLI that is held of it may say the day.
    """
    if decision.issued_on is not None:
        return ""
    match = ECLI.fullmatch(decision.ecli) if decision.ecli else None
    known = decode(match).issued_on if match else None
    held = {docket_key(one) for one in decision.dockets}
    days = [
        one.issued_on
        for one in targets
        if isinstance(one, DecisionCitation)
        and one.issued_on not in {None, known}
        and (one.docket is None or docket_key(one.docket) in held)
    ]
    if not days:
        return ""
    return f"The day of this decision is not known here; that it is of {days[0]} was not checked."


def _list_days(written: str, targets: Sequence[DecisionCitation]) -> list[str]:
    """The days that can be meant: of several those before the number, where there are any.

    Behind it several may be of anything. When it was read somewhere is none of them.
    """
    words = written
    for other in (_WHOLE_ECLI, _RETRIEVED):  # "…13K26.11.01" holds no day
        words = other.sub(lambda match: " " * len(match[0]), words)
    found = [(each.start(), day) for each in _DAY.finditer(words) if (day := read_date(each[0]))]
    if len({day for _, day in found}) > 1:
        place = _find_place(written, targets)
        found = [(start, day) for start, day in found if start < place]
    return list(dict.fromkeys(day for _, day in found))


def _compare_year(written: str, targets: Sequence[DecisionCitation], held: int) -> Iterator[str]:
    place = _find_place(written, targets)
    named = find_last_court(written, 0, place) if place else None
    behind = _YEAR_BEHIND.fullmatch(written, named.end, place) if named else None
    found = [*_YEAR.finditer(written), *([behind] if behind else [])]
    years = {int(each["year"]) for each in found}
    if len(years) == 1 and held not in years:
        yield f"it is of {held}, not of {years.pop()}"


def _compare_panel(written: str, decision: Decision) -> Iterator[str]:
    """``8. Senat`` of a decision of the 7th, where one number is written and one is printed."""
    said, held = (
        set(map(_read_panel, _PANEL.finditer(each))) for each in (written, decision.panel or "")
    )
    if len(said) == 1 and len(held) == 1 and said != held:
        yield f"it is of the {decision.panel}"


def _read_panel(match: re.Match[str]) -> str:
    number = match["number"].upper()
    return str(read_roman(number) or number)


def _compare_kind(written: str, decision: Decision) -> Iterator[str]:
    kinds, held = read_kinds(written, decision.court), decision.decision_type
    if len(kinds) == 1 and held in COMPARED and held not in kinds:
        [kind] = kinds
        yield f"it is {_name_kind(held)}, not {_name_kind(kind)}"


def _name_kind(kind: DecisionType) -> str:
    if kind is DecisionType.SCHLUSSANTRAEGE:  # of which there are always several
        return "Schlussanträge"
    return f"a {kind.value.capitalize()}"


def _compare_ecli(target: DecisionCitation, decision: Decision) -> Iterator[str]:
    """Where no ECLI is held of it, by what is decoded: court, day, Aktenzeichen, kind."""
    if not target.ecli:
        return
    if decision.ecli:
        if target.ecli.casefold() != decision.ecli.casefold():
            yield f"its ECLI is {decision.ecli}"
        return
    match, letter = ECLI.fullmatch(target.ecli), read_kind(target.ecli)
    named = decode(match) if match else target
    if named.court and named.court != decision.court:
        yield f"it is a decision of the {decision.court}, not of the {named.court} as the ECLI says"
    # elsewhere the Aktenzeichen in it is written in too many ways to be told apart
    is_other = named.docket and docket_key(named.docket) not in map(docket_key, decision.dockets)
    if letter and is_other:
        yield f"its Aktenzeichen is {decision.dockets[0]}, not {named.docket} as the ECLI says"
    issued_on = decision.issued_on.isoformat() if decision.issued_on else None
    if named.issued_on and issued_on and named.issued_on != issued_on:
        yield f"it is of {issued_on}, not of {named.issued_on} as the ECLI says"
    kind, held = _OF_LETTER.get(letter or ""), decision.decision_type
    if kind and held in _OF_LETTER.values() and held != kind:
        yield f"it is {_name_kind(held)}, not {_name_kind(kind)} as the ECLI says"


def _compare_bracket(written: str, decision: Decision) -> Iterator[str]:
    """``7 E 1675/07 (3)`` where ``7 E 1675/07 (2)`` is held."""
    for docket in decision.dockets:
        bare, bracket = docket.partition(" (")[::2]
        number = r"\s*".join(map(re.escape, bare.replace(" ", "")))
        place = re.search(number, written, re.IGNORECASE) if bracket else None
        said = _BRACKET.match(written, place.end()) if place else None
        if said and docket_key(said[1]) != docket_key(bracket.rstrip(")")):
            yield f"its Aktenzeichen is {docket}"
