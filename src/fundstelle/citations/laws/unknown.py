"""Names that look like a law but are in no registry, and nouns that are no law at all."""

import re

from fundstelle.citations.drafts import LawReference
from fundstelle.citations.laws import of_land
from fundstelle.citations.laws.titles import read_title
from fundstelle.citations.laws.versions import find_mark_end, read_version
from fundstelle.citations.text.tables import read_words

_ABBREVIATION = re.compile(
    r"(?:\d{1,2}\.\s?|[IVX]{1,4}\.\s)?[A-ZÄÖÜ][A-Za-zÄÖÜäöüß]*(?:[-.&/](?!Art)[A-ZÄÖÜ][A-Za-zÄÖÜäöüß]*)*(?![^\W_])"
)
_NUMBERED = re.compile(r"[IVX]+\.")
_CAPITAL = re.compile(r"[A-ZÄÖÜ]")
NO_LAWS = read_words("no_law")
_ENDINGS = (
    r"(?:gesetz(?:buch)?(?:e?s)?|buche?s|ordnung|verordnung|kodex|staatsvertrage?s|staatsvertrag"
    r"|konvention|übereinkommens?|abkommens?|verfassung)"
)
_LONG = re.compile(
    rf"(?:[A-ZÄÖÜ][a-zäöüß]+(?:en|es|er|e|s)\s+){{0,3}}(?:[A-ZÄÖÜ][\wäöüß]*-(?:\s?und\s)?)*"
    rf"[A-ZÄÖÜ][a-zäöüß]{{2,}}{_ENDINGS}(?![^\W_])"
)
_CONTRACT = re.compile(
    r"(?:[(„\"]?[\w.äöüÄÖÜß-]+[)“\"]?\s+){0,5}?[\w-]*(?:vertrag(?:e?s)?|verträgen|satzung|bedingungen"
    r"|AGB|ARB|AKB|ABE|AVB|statuts?|klageschrift|tagesordnung|vereinbarung|police|testaments?|magazins?"
    r"|hausordnung|geschäftsordnung|urkunde|angebots|gutachtens|bescheid(?:e?s)?|schreibens|urteils"
    r"|beschlusses|tarifwerks|leistungsverzeichnisses)(?![^\W_])",
    re.IGNORECASE,
)
# Rules that a house or a company gives itself, though they end like a law's name.
_PRIVATE = re.compile(
    r"[\w-]*(?:hausordnung|gemeinschaftsordnung|tagesordnung|vereinsordnung|gartenordnung"
    r"|platzordnung|teilungserklärung|verwaltervollmacht|speisekarte|preisliste)(?:en)?(?![^\W_])",
    re.IGNORECASE,
)
# As pleadings cite what the parties agreed: "§ 3 Abs. 2 AGB", "§ 7 Gesellschaftsvertrag".
_NAKED = re.compile(
    r"(?:AGB(?:-[A-Z]\w*)?|(?:Allgemeine\s)?(?:[A-ZÄÖÜ]\w*)?(?:[Vv]ertrag|[Ss]atzung|[Vv]ereinbarung"
    r"|[Bb]edingungen))(?![^\W_]|-)"
)
# What bears the name of a law but is the own rule of whoever is named behind it.
_OF_CLUB = re.compile(
    r"[A-ZÄÖÜ][\w-]*(?:ordnung|satzung|statuten?|richtlinien?|regeln|reglements?)\s+"
    r"(?:de[rs]|unsere[rs]|eine[rs])\s+(?:[a-zäöü]+en\s)?[\w-]*(?:verein(?:s|e?s)?|verbands?|verbandes|clubs?|klubs?|gesellschaft|genossenschaft"
    r"|gmbh|ag|firma|unternehmens|aufsichtsrats?|vorstands?|gemeinschaft|gesellschaften|stiftung"
    r"|partei|fraktion|mandant(?:in|en)|betriebs|hauses)(?![\w-])",
    re.IGNORECASE,
)
_DETERMINERS = frozenset(
    {"des", "der", "dieses", "dieser", "vom", "von", "zum", "zur", "im"}
    | {f"{stem}e{end}" for stem in ("mein", "dein", "sein", "ein", "unser", "ihr") for end in "rs"}
)
_FOREIGN_ACT = re.compile(
    r"(?:[A-Z][\w'&-]*\s+(?:(?:of|and|on|for|the|in)\s+){0,3}){0,8}(?:Act|Code|Constitution|Statute)\b"
)
# "des Vierzehnten Gesetzes zur …", "des Wiener Übereinkommens über …", "der 39. Verordnung zur …"
_LEADING = re.compile(
    r"(?:[A-ZÄÖÜ][a-zäöüß-]+(?:en|er|e|es)|\d{1,2}\.|[a-zäöüß]+ischen)\s(?=Gesetz|Verordn|Überein|Abkommen)"
)
_SMALL = re.compile(r"verordnung|[a-zäöüß]+ischen\s")  # all small letters that begin a name
_GENITIVE_ENDING = re.compile(r"(gesetz|buch|vertrag|abkommen|übereinkommen)(?:es|s)$")
_LOCAL = re.compile(
    r"\s*[(<\[]\s*(?:im\s+Folgenden:?\s*)?[„\"]?([A-ZÄÖÜ][\w.-]*[A-ZÄÖÜ][\w.-]*)[“\"]?\s*[)>\]]"
)


def read_unknown(text: str, pos: int, preposition: str) -> LawReference | None:
    """What stands behind a citation where no known law does.

    ``preposition`` is the article before it ("des"), empty if the name follows at once.
    """
    if not preposition and text[pos : pos + 1].islower() and not _SMALL.match(text, pos):
        return None
    return _read_unknown(text, pos, preposition)


def _read_unknown(text: str, pos: int, preposition: str) -> LawReference | None:
    long = _LONG.match(text, pos)
    leading = _LEADING.match(text, pos)
    title_end = read_title(text, leading.end() if leading else pos)
    private = _find_agreed(text, pos, preposition, is_law=long is not None or title_end is not None)
    if private is not None:
        return LawReference(None, private, silent=True)
    if preposition == "of":
        return _read_foreign(text, pos)
    if long is not None or title_end is not None:
        end = title_end or (long.end() if long else pos)
        local = _LOCAL.match(text, end)
        land = None if title_end else of_land.BEHIND.match(text, end)
        end = land.end() if land else end
        name = local[1] if local else make_nominative(text[pos:end])
        return _finish(text, name, end, local.end() if local else end)
    abbreviation = _ABBREVIATION.match(text, pos)
    if abbreviation is not None:
        home = of_land.BEHIND.match(text, abbreviation.end())
        end = home.end() if home else abbreviation.end()
        if _is_like_law(text[pos:end]):
            return _finish(text, text[pos:end], end, end)
    if preposition == "des":
        return LawReference(None, pos, silent=True)
    return None


def _find_agreed(text: str, pos: int, preposition: str, *, is_law: bool) -> int | None:
    """Where a contract or the like ends, which an article or nothing stands before."""
    if preposition in _DETERMINERS:
        return _find_private(text, pos, is_law=is_law)
    naked = None if preposition or is_law else _NAKED.match(text, pos)
    return None if naked is None else naked.end()


def _find_private(text: str, pos: int, *, is_law: bool) -> int | None:
    """Where a contract or a house's own rule ends, ``None`` if none begins; ``is_law``: by look."""
    if _OF_CLUB.match(text, pos):
        return pos
    private = _PRIVATE.match(text, pos) or _CONTRACT.match(text, pos)
    if private is None:
        return None
    alone = private.re is _PRIVATE or not is_law or "vertrag" in private[0].casefold()
    return private.end() if alone else None


def _read_foreign(text: str, pos: int) -> LawReference:
    """``of the Forest Act (WaldG)``: the German abbreviation in the bracket, else foreign law."""
    act = _FOREIGN_ACT.match(text, pos)
    local = _LOCAL.match(text, act.end()) if act else None
    if act is None or local is None or not _is_like_law(local[1]):
        abbreviation = _ABBREVIATION.match(text, pos)
        if act is None and abbreviation is not None and _is_like_law(abbreviation[0]):
            return _finish(text, abbreviation[0], abbreviation.end(), abbreviation.end())
        return LawReference(None, act.end() if act else pos, silent=True)
    return _finish(text, local[1], act.end(), local.end())


def _is_like_law(written: str) -> bool:
    """Whether an abbreviation has the look of a law: two capitals, and not another known kind."""
    numbered = written[0].isdigit() or _NUMBERED.match(written) is not None
    head = written.rsplit(maxsplit=1)[-1] if numbered else written.split(maxsplit=1)[0]
    if head in {"Verf", "Verfassung"} and head != written:
        return True  # "Verf BW": the constitution of a Land
    if head in NO_LAWS or head.rstrip(".") in NO_LAWS:
        return False
    return len(_CAPITAL.findall(head)) > 1 and len(head) > 1


def make_nominative(written: str) -> str:
    """The name without the endings of the genitive: ``Bundesberggesetzes`` -> ``…gesetz``."""
    return " ".join(_GENITIVE_ENDING.sub(r"\1", word) for word in written.split())


def _finish(text: str, name: str, name_end: int, end: int) -> LawReference:
    name_end = find_mark_end(text, name_end)
    version, end = read_version(text, end)
    return LawReference(name, end, version=version, known=False, name_end=name_end)
