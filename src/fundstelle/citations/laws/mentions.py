"""Laws named in a text without a provision: "das Grundgesetz", "nach dem KSchG"."""

import re
from collections.abc import Iterator, Sequence

from fundstelle.citations.drafts import LawReference
from fundstelle.citations.laws import of_land
from fundstelle.citations.laws.suffix import LawReader
from fundstelle.citations.laws.titles import read_title
from fundstelle.citations.laws.unknown import NO_LAWS, make_nominative
from fundstelle.citations.laws.versions import find_mark_end
from fundstelle.citations.text.tables import read_words
from fundstelle.memo import remember_short

# A word with all its hyphens that ends like the name of a law; possessive, so that every other
# word is passed in one step.
_CANDIDATE = re.compile(
    r"[A-ZÄÖÜ](?<![\w/§.-].)\w*+(?:(?<=[a-z])-\sund\s[A-ZÄÖÜ]\w*+)?(?:-[A-ZÄÖÜ]\w*+)*+"
    # endings by their last letter: most words are passed with one look
    r"(?:(?<=[A-ZÄÖÜ])(?<=[a-zäöüßA-ZÄÖÜ].)|(?<=g)(?:(?<=rdnung)|(?<=sverfassung)|(?<=ertrag))"
    r"|(?<=s)(?:(?<=setzes)|(?<=setzbuchs)|(?<=setzbuches)|(?<=Buchs)|(?<=Buches)|(?<=kommens))"
    r"|(?<=n)(?:(?<=konvention)|(?<=kommen))|(?<=esetz)|(?<=setzbuch)|(?<=Buch)|(?<=harta)"
    r"|(?<=kodex))(?!/[A-Za-zÄÖÜ])"
)
_ADJECTIVE = re.compile(
    r"(?<![\w-])(?!Dies|Jed|Jen|Welch|Ein|Kein|Sein|Ihr|Solch|All|Manch|Unser|Ander|Neu|Gelt|Alt|Genannt)"
    r"(?:[A-ZÄÖÜ][a-zäöüß]{2,}(?:-[A-ZÄÖÜ][a-zäöüß]+)?e[smnr]?|[a-zäöüß]{4,}ische[smnr]?)\s$"
)
_COUNTED = re.compile(r"(?<![\d.]\s)(?<![\w.])\d{1,2}\.\s$")
_IN_SENTENCE = re.compile(r"[a-zäöüß]\s$")
_NUMBERED = re.compile(r"(?<![\w.])(?:\d{1,2}\.|[A-ZÄÖÜ][a-zäöüß]{2,}(?:te|ste|fte)[smnr]?)\s$")
# Alone they name no law; most end the search here.
_BARE = frozenset(
    {"Gesetz", "Gesetzes", "Verordnung", "Anordnung", "Ordnung", "Vertrag", "Abkommen"}
)
_SHORTEST = 3
_LONGEST_REMEMBERED = 80
_FEW = 4
_SHORT = frozenset({"GG", "AO"})
_LONG = re.compile(
    r".*?(?:(?P<law>[a-z]gesetz(?:buch)?)(?:e?s)?|(?P<order>[a-z]verordnung)"
    r"|(?:(?:prozess|prozeß|gerichts|abgaben|verkehrs|haushalts|handwerks|insolvenz|besoldungs|ärzte|anwalts"
    r"|Gewerbe|wahl|Wahl|versicherungs|disziplinar|beschwerde|notar|gebühren|[a-z]schul)ordnung)"
    r"|rechts?konvention|flüchtlingskonvention|rechte?charta|[Ss]ozialcharta|[Rr]eichsverfassung"
    r"|[Ll]andesverfassung|[a-z]übereinkommens?|[a-z]abkommens?)$"
)
_ABBREVIATION = re.compile(
    r"(?=.*[a-zäöüß].*[A-ZÄÖÜ]|.*-)(?:[A-ZÄÖÜ][\wäöüß]*[-/])*[A-ZÄÖÜ]?[\wäöüß]*(?:G|GB|O|V|VO|(?<!U)RL|StV|Ü|Übk)$"
)
_CAPITALS = re.compile(r"[A-ZÄÖÜ]{2,6}(?:G|VO)$")
# "LANDESSOZIALGERICHT BERLIN-BRANDENBURG": no abbreviation has so many capitals in a row.
_WORD_IN_CAPITALS = re.compile(r"[A-ZÄÖÜ]{7}")
_NEUTER = re.compile(r"(?<!\w)(?:[Dd](?:as|es|em)|[Ii]m|[Vv]om|[Zz]um|[Bb]eim|[Dd]urchs)\s$")
_FEMININE = re.compile(r"(?<!\w)(?:[Dd](?:ie|er)|[Zz]ur)\s$")
_DEFINED = re.compile(
    r"(?:gesetz(?:buch)?(?:e?s)?|ordnung|Gesetz(?:es)?\s[^.;()]{5,150})(?:\s[A-ZÄÖÜ][\w-]+){0,3}\s?[-(<–]{1,2}\s?"
    r"(?:[A-ZÄÖÜ][\w-]+\s[-–<]\s)?$"
)
_DEFINITION_ENDS = re.compile(r"\s?[-)>–;,]")
_REACH = 180
_LONGEST_ARTICLE = 8  # "durchs " and a letter before
_YEAR = re.compile(r"\s(?:1[89]|20)\d\d(?![\w/.,]\d|\s?\(\d|\s\d)")
# A law in the title of a commentary: an edition, a place in it or its authors stand beside it.
_WORK_BEHIND = re.compile(
    r"\s\d{1,4},\s(?:S\.\s?)?\d|\s\d+/\d|\s\d+\s<|\)?>?,?\s\(?B[TR]-?\s?(?:Dr|Plenar)|/§"
    r"|[^\S\n]{0,9},?\s{0,9}(?:\d+\.\s?(?:,\s?\w+\.\s)?(?:Aufl|Ed|Lfg|EL)|Aufl|Stand\s|Komm(?:entar|\.)|Bd\.|Band\s|Loseblatt"
    r"|(?:Rn|Rdn|RdNr|Rdnr|Rz|RN|Anm|Vorb|Einl)[\s.]"
    r"|(?:[\w. ]{2,20},\s|[12]\d{3},?\s|K\s|Vor\s|nF,\s)?(?:§§?|Art\.?)\s\d{1,5}+\w{0,5}"
    r"(?:[^;()§]{0,40}?)(?:Rn|Rdn|RdNr|Rdnr|Rz|RN|Anm|Randnr|Rnd)[\s.])"
)
_WORK_BEFORE = re.compile(
    r"(?:[A-ZÄÖÜ][a-zäöüß-]+/(?:[A-ZÄÖÜ]\.\s)?[A-ZÄÖÜ][a-zäöüß-]+,?\s(?:[A-ZÄÖÜ]\w+,\s)?"
    r"|\sin:?\s(?:[A-ZÄÖÜ][\w-]+[/\s]?){1,4},\s|[Kk]ommentar\s(?:zum|zur|zu)\s)$"
)
_BEFORE = 60


def find_mentions(
    text: str, laws: LawReader, taken: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, LawReference]]:
    """Laws outside the spans ``taken`` (sorted), and where each begins; ``end`` of the name."""
    place = 0
    floor = 0
    for match in _CANDIDATE.finditer(text):
        start = match.start()
        while place < len(taken) and taken[place][1] <= start:
            place += 1
        if start < floor or (place < len(taken) and taken[place][0] < match.end()):
            continue
        low = max(floor, taken[place - 1][1] if place else 0)
        found = _read(text, match, low, laws)
        if found is not None:
            yield found
            floor = found[1].name_end or found[1].end


def _read(
    text: str, match: re.Match[str], low: int, laws: LawReader
) -> tuple[int, LawReference] | None:
    written = match[0]
    start = match.start()
    if _is_none(written) or (written in _BARE and read_title(text, start) is None):
        return None
    if _is_doubtful(text, match, laws):
        return None
    begin = _find_begin(text, start, low, written)
    found = _read_of_land(start, low, laws) or _read_known(begin, match.end(), laws)
    if found is None and begin != start:
        found = _read_known(start, match.end(), laws)
        if found is not None and _IN_SENTENCE.search(text, max(0, begin - 2), begin):
            found = (begin, found[1])
    if found is None:
        found = _read_unknown(text, begin, match)
    if found is None or _is_in_work(text, found[0], found[1].end):
        return None
    return found


@remember_short(maxsize=4_096, longest=_LONGEST_REMEMBERED)
def _is_none(written: str) -> bool:
    """Whether a word names no law wherever it stands."""
    return (
        written in NO_LAWS
        or written in read_words("no_mention")
        or (len(written) < _SHORTEST and written not in _SHORT)
        or _is_company(written)
    )


def _is_doubtful(text: str, match: re.Match[str], laws: LawReader) -> bool:
    """Whether a few capitals are a law's name only to the publisher: ``MSV``, ``ZIV``."""
    written = match[0]
    if len(written) > _FEW or not written.isupper():
        return False
    if any(law.by_hand for law in laws.names.find(written)):
        return False
    return not _is_introduced(text, written, match.start(), match.end())


def _find_begin(text: str, start: int, low: int, written: str) -> int:
    """Where the adjective or number before a name begins: "Sächsisches …gesetz", "35. BImSchV"."""
    small = written[-1].islower()
    if text[start - 2 : start - 1] not in ("smnre" if small else "."):
        return start
    before = (_ADJECTIVE if small else _COUNTED).search(text, max(low, start - 34), start)
    return before.start() if before else start


def _read_of_land(start: int, low: int, laws: LawReader) -> tuple[int, LawReference] | None:
    """A law that the Bund has too, and a Land before or behind its name."""
    before = of_land.find_before(laws.text, low, start)
    begin = start if before is None else before
    law = laws.read_name(begin)
    return (begin, law) if law is not None and law.of_land else None


def _read_known(start: int, least: int, laws: LawReader) -> tuple[int, LawReference] | None:
    if laws.names.match(laws.text, start) is None:
        return None
    law = laws.read_name(start)
    if law is None or not law.known or law.end < least:
        return None
    return start, law


def _read_unknown(text: str, begin: int, match: re.Match[str]) -> tuple[int, LawReference] | None:
    written, start, end = match[0], match.start(), match.end()
    stop_words = read_words("no_mention")
    if written[-1].islower():
        title = read_title(text, start)
        if title is not None:
            numbered = _NUMBERED.search(text, max(0, start - 20), start)
            return _make(text, numbered.start() if numbered else begin, title)
        long = _LONG.match(written)
        if long is None or make_nominative(written) in stop_words:
            return None
        return _make(text, begin, end)
    is_name = _ABBREVIATION.match(written) and not _WORD_IN_CAPITALS.search(written)
    if not is_name and not _is_introduced(text, written, start, end):
        return None
    return _make(text, start, end)


def _is_introduced(text: str, written: str, start: int, end: int) -> bool:
    """Whether capitals alone are a law: by the article before, or as a definition says."""
    if _CAPITALS.match(written):
        article = _FEMININE if written.endswith("VO") else _NEUTER
        if article.search(text, max(0, start - _LONGEST_ARTICLE), start):
            return True
    if _DEFINITION_ENDS.match(text, end) is None:
        return False
    return _DEFINED.search(text, max(0, start - _REACH), start) is not None


def _is_company(written: str) -> bool:
    """``BASF-AG``, ``X-EWIV``: the parts tell that this is no law."""
    first, hyphen, last = written.rpartition("-")
    return bool(hyphen) and (len(first) == 1 or (last in NO_LAWS and last != "VO"))


def _make(text: str, start: int, end: int) -> tuple[int, LawReference]:
    land = of_land.BEHIND.match(text, end)
    end = land.end() if land is not None else end
    year = _YEAR.match(text, end)
    end = year.end() if year else end
    name = make_nominative(text[start:end])
    end = find_mark_end(text, end)
    return start, LawReference(name, end, known=False, name_end=end)


def _is_in_work(text: str, start: int, end: int) -> bool:
    if _WORK_BEHIND.match(text, end) is not None:
        return True
    low = max(0, start - _BEFORE)
    before = text[low:start]
    if not ("/" in before or "in" in before or "ommentar" in before):  # one is in each
        return False
    return _WORK_BEFORE.search(text, low, start) is not None
