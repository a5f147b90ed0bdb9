"""EU acts by number: ``VO (EU) Nr. 1215/2012``, ``RL 95/46/EG``, ``EU 2024/1689`` to CELEX.

Source of the numbering: EUR-Lex, "How CELEX numbers are composed".
"""

import re
from functools import cache
from typing import NamedTuple

from fundstelle.citations.text.tables import read_table
from fundstelle.law.citations import PathStep

_KINDS = (
    r"(?P<juris>E(?:W?G|U)(?:RL|V))(?=\s\d{1,4}/\d{2})"
    r"|(?P<regulation>(?:Durchführungs|Grund|Ausführungs|Rats|Kommissions)?verordnung(?:en)?|VO(?:en)?|DVO|DelVO"
    r"|(?:Implementing\s+|Delegated\s+)?Regulations?)"
    r"|(?P<directive>(?:Rahmen|Änderungs|Durchführungs)?richtlinien?|RLn?|Directives?)"
    r"|(?P<framework>Rahmenbeschl(?:uss(?:es)?|uß|üsse)|RB|Framework\s+Decision)"
    r"|(?P<decision>(?:Durchführungs|Rats)?(?:beschluss(?:es)?|beschluß|entscheidung)|Decision)"
)
_COMMUNITY = r"(?:EU|EG|EWG|EURATOM|EGKS|EAG|EC|EEC|JI|JHA|GASP|UE|CE)"
_COMMUNITIES = rf"{_COMMUNITY}(?:\s?,\s?{_COMMUNITY})*"
ACT = re.compile(
    rf"(?:(?:Delegierte[nr]?\s+)?(?:(?:EU|EG|EWG)-)?(?:{_KINDS})\s*"
    rf"(?:[(<\[]?\s?{_COMMUNITIES}\s?[)>\]]?\s*)?(?P<nr>(?:Nr|No|n°)\.?\s*)?"
    rf"|{_COMMUNITY}\s+)"
    rf"(?P<a>\d{{1,4}})/\s?(?P<b>\d{{1,4}})(?!\d|/\d)(?:\s?/\s?{_COMMUNITY}(?![^\W_]))?",
    re.IGNORECASE,
)
_FURTHER = re.compile(
    rf"\s*(?:,|und|sowie|and)\s*(?:[(<]{_COMMUNITIES}[)>]\s*)?(?P<nr>(?:Nr|No)\.?\s*)?"
    rf"(?P<a>\d{{1,4}})/(?P<b>\d{{1,4}})(?!\d|/\d)(?:/{_COMMUNITY}(?![^\W_]))?"
)
CELEX = re.compile(
    r"(?:CELEX\s?-?\s?[:.]?\s?(?:Nr\.?\s?|Nummer\s)?:?\s?)?(?:(?<!\w)|(?<=%3[Aa]))(?P<sector>[0-9])(?P<year>(?:19|20)\d\d)"
    r"(?P<type>[A-Z]{1,2})(?P<number>\d{3,4})?(?:R\(\d\d\))?(?:-(?P<on>\d{8}))?(?![\w])"
)
ELI = re.compile(
    r"https?://(?:data\.europa\.eu|eur-lex\.europa\.eu)/eli/"
    r"(?P<type>reg|dir|dec)(?:_impl|_del)?/(?P<year>\d{4})/(?P<number>\d{1,4})"
    r"(?P<rest>(?:/[\w.-]+)*)"
)
_ALIKE = {"EEC": "EWG", "EC": "EG", "CE": "EG", "UE": "EU", "EAG": "EURATOM", "JHA": "JI"}
_LONGEST_FIRST = "|".join(
    sorted((*_ALIKE, *["EU", "EG", "EWG", "EURATOM", "EGKS", "JI", "GASP"]), key=len)[::-1]
)
_NUMBERED = re.compile(
    rf"(?:(?P<juris>E(?:W?G|U))(?:RL|V)\s|(?P<before>{_COMMUNITIES})\s?[)>\]]?\s*)?"
    r"(?:(?:Nr|No|n°)\.?\s*)?(?<!\d)(?P<a>\d{1,4})/\s?(?P<b>\d{1,4})(?!\d|/\d)"
    rf"(?:\s?/\s?(?P<after>{_LONGEST_FIRST}))?",
    re.IGNORECASE,
)
_TYPES = {"reg": "R", "dir": "L", "dec": "D"}
_LAST_YEAR = 2030
_LONGEST_ACT = 150  # characters before the stroke of its number
_NEW_NUMBERING = 2015
_FIRST_YEAR = 52


class Act(NamedTuple):
    """An act found at a place, perhaps with a unit that its identifier names.

    ``version`` is ``consolidated:2010-01-01``, as the identifier has it.
    """

    celex: str
    name: str | None
    end: int
    version: str | None = None
    unit: str | None = None
    number: str | None = None
    path: tuple[PathStep, ...] = ()


def read_act(text: str, pos: int) -> Act | None:
    """The act whose number stands at ``pos``."""
    match = ACT.match(text, pos) if text.find("/", pos, pos + _LONGEST_ACT) > 0 else None
    if match is None:
        return None
    regulation = match["regulation"] is not None or (match["juris"] or "").endswith("V")
    order = _order(match, regulation=regulation)
    if order is None:
        return None
    year, number = order
    letter = "R"
    if match["directive"] or (match["juris"] or "").endswith("L"):
        letter = "L"
    elif match["framework"]:
        letter = "F"
    elif match["decision"]:
        letter = "D"
    elif not regulation:
        letter = _guess_type(year, number)
    celex = f"3{year}{letter}{number:04d}"
    return Act(celex, find_short_name(celex), match.end())


def read_further(text: str, pos: int, celex: str) -> Act | None:
    """The next number of a list: ``Richtlinien 98/26/EG und 2014/65/EU``."""
    match = _FURTHER.match(text, pos)
    if match is None:
        return None
    letter = celex[5]
    order = _order(match, regulation=letter == "R")
    if order is None:
        return None
    further = f"3{order[0]}{letter}{order[1]:04d}"
    return Act(further, find_short_name(further), match.end())


def read_communities(text: str, celex: str) -> frozenset[str]:
    """The communities written beside the number of an act, as German has them: ``EWG``, ``EU``.

    Empty where the number does not stand in ``text``, or without one.
    """
    if not celex[6:].isdecimal():  # a treaty, "12016P"
        return frozenset()
    act = int(celex[1:5]), int(celex[6:])
    for match in _NUMBERED.finditer(text):
        numbers = int(match["a"]), int(match["b"])
        if act in {(year + 1900 if year < 100 else year, n) for year, n in _either(numbers)}:
            written = ",".join(filter(None, match.group("juris", "before", "after"))).upper()
            names = (name.strip() for name in written.split(",") if written)
            return frozenset(_ALIKE.get(name, name) for name in names)
    return frozenset()


def _either(numbers: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    return numbers, (numbers[1], numbers[0])


def find_short_name(celex: str) -> str | None:
    """The short name of an act by its CELEX number."""
    return _map_names().get(celex)


def find_definitions(celex: str) -> str | None:
    """The article of an act whose numbered items are definitions."""
    return _map_definitions().get(celex)


def _order(match: re.Match[str], *, regulation: bool) -> tuple[int, int] | None:
    """Year and number. "Nr." and two-digit years tell; from 2015 the year stands first."""
    first, second = int(match["a"]), int(match["b"])
    candidates = [(first, second), (second, first)]
    number_first = first < _NEW_NUMBERING or not _is_year(match["a"])
    if match["nr"] or match.groupdict().get("juris") or (regulation and number_first):
        candidates.reverse()
    written = {first: match["a"], second: match["b"]}
    for year, number in candidates:
        if _is_year(written[year]):
            return (year + 1900 if year < 100 else year), number
    return None


def _is_year(written: str) -> bool:
    if len(written) == len("95"):
        return int(written) >= _FIRST_YEAR
    return len(written) == len("2016") and 1900 + _FIRST_YEAR <= int(written) <= _LAST_YEAR


def _guess_type(year: int, number: int) -> str:
    """``EU 2024/1689`` names no kind: the registry knows, else a regulation."""
    for letter in "RLD":
        if f"3{year}{letter}{number:04d}" in _map_names():
            return letter
    return "R"


@cache
def _map_names() -> dict[str, str]:
    return {row[1]: row[0] for row in read_table("eu_acts")}


@cache
def _map_definitions() -> dict[str, str]:
    return {row[1]: row[4] for row in read_table("eu_acts") if row[4]}


def read_identifier(text: str, pos: int) -> Act | None:
    """A CELEX number or an ELI at ``pos``; case law has its own reader."""
    eli = ELI.match(text, pos)
    if eli is not None:
        return _read_eli(eli)
    uri = _URI.match(text, pos)
    match = CELEX.match(text, uri.end() if uri else pos)
    if match is None or match["sector"] not in "013":
        return None
    act = _read_celex(match)
    return None if act is None else _read_fragment(text, act)


def _read_eli(match: re.Match[str]) -> Act:
    """An act with the unit and the day that its ELI names; it ends where it cannot be read on."""
    celex = f"3{match['year']}{_TYPES[match['type']]}{int(match['number']):04d}"
    act = Act(celex, find_short_name(celex), match.start("rest"))
    for part in _ELI_PART.finditer(match["rest"]):
        version, unit, number, path = act.version, act.unit, act.number, act.path
        if part["on"]:
            version = f"consolidated:{part['on']}"
        elif part["unit"] and unit is None:
            unit, number = _ELI_UNITS[part["unit"]], part["number"]
        elif part["level"] and unit is not None:
            level = "abs" if part["level"] == "par" else _find_point(part["value"])
            path = (*path, PathStep(level, part["value"]))
        elif not part["form"]:
            break
        end = match.start("rest") + part.end()
        act = Act(celex, act.name, end, version, unit, number, path)
    return _read_fragment(match.string, act)


def _read_fragment(text: str, act: Act) -> Act:
    """The act with the provision that its address names at the end: ``…/oj#art_17.par_1``."""
    found = _FRAGMENT.match(text, act.end)
    if found is None or act.unit is not None:
        return act
    path = act.path
    for part in _FRAGMENT_LEVEL.finditer(found["path"]):
        level = "abs" if part["level"] == "par" else _find_point(part["value"])
        path = (*path, PathStep(level, part["value"]))
    unit = _ELI_UNITS[found["unit"]]
    return act._replace(end=found.end(), unit=unit, number=found["number"], path=path)


def _find_point(value: str) -> str:
    return "nr" if value.isdecimal() else "buchst"


# Source: "ELI for EU legislation", technical guide of the Publications Office, subdivisions.
_ELI_UNITS = {"art": "Art", "rct": "Erwg", "anx": "Anhang"}
_ELI_PART = re.compile(
    r"/(?:(?P<on>\d{4}-\d\d-\d\d)|(?P<form>oj|(?:bul|ces|dan|deu|ell|eng|est|fin|fra|gle|hrv|hun"
    r"|ita|lav|lit|mlt|nld|pol|por|ron|slk|slv|spa|swe)|html|xhtml|pdf|pdfa1a|fmx4)"
    r"|(?P<unit>art|rct|anx)_(?P<number>\w+)|(?P<level>par|pnt)_(?P<value>\w+)|.+)(?=/|$)"
)
# Behind the address of an act, and what that asks its site for ("&from=DE").
_FRAGMENT = re.compile(
    r"(?:[&?][\w=&%,:+.-]{1,100})?#(?P<unit>art|rct|anx)_(?P<number>[A-Za-z0-9]+)"
    r"(?P<path>(?:[./](?:par|pnt)_[A-Za-z0-9]+)*)(?![\w#/-]|\.\w)"
)
_FRAGMENT_LEVEL = re.compile(r"[./](?P<level>par|pnt)_(?P<value>[A-Za-z0-9]+)")
_URI = re.compile(
    r"https?://eur-lex\.europa\.eu/[^\s#?]{0,80}\?(?:[^\s#]{0,60}&)?uri=(?:CELEX)?(?::|%3A)",
    re.IGNORECASE,
)


def _read_celex(match: re.Match[str]) -> Act | None:
    year, kind, number = match["year"], match["type"], match["number"]
    if match["sector"] == "1":
        celex = f"1{year}{kind}"
        article = str(int(number)) if number else None
        unit = "Art" if article else None
        return Act(celex, find_short_name(celex), match.end(), unit=unit, number=article)
    if number is None:
        return None
    celex = f"3{year}{kind}{int(number):04d}"
    on = match["on"]
    version = f"consolidated:{on[:4]}-{on[4:6]}-{on[6:]}" if on else None
    return Act(celex, find_short_name(celex), match.end(), version)
