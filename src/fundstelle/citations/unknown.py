"""Names that look like a law but are in no registry, and nouns that are no law at all."""

import re

from fundstelle.citations.drafts import LawReference
from fundstelle.citations.tables import read_words
from fundstelle.citations.titles import read_title
from fundstelle.citations.versions import find_mark_end, read_version

LANDS = (
    r"(?:\s(?:BW|BY|Bay|BE|Bln|BB|Bbg|HB|HH|HE|Hess|MV|M-V|NI|Nds|NRW|NW|RP|RhPf|Rh-Pf|SL|SN|ST|LSA"
    r"|SH|S-H|SchlH|TH|Thür|Saar)(?![^\W_]))?"
)
_ABBREVIATION = re.compile(
    rf"(?:\d{{1,2}}\.\s?)?[A-ZÄÖÜ][A-Za-zÄÖÜäöüß]*(?:[-.&/](?!Art)[A-ZÄÖÜ][A-Za-zÄÖÜäöüß]*)*{LANDS}(?![^\W_])"
)
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
# Whose law it is: "Schulgesetz für den Freistaat Sachsen", "KAG Rheinland-Pfalz".
_FULL_LANDS = (
    r"(?:Baden-Württemberg|Bayern|Berlin|Brandenburg|(?:Freien\s(?:und\s)?Hansestadt\s)?(?:Bremen|Hamburg)"
    r"|Hessen|Mecklenburg-Vorpommern|Niedersachsen|Nordrhein-Westfalen|Rheinland-Pfalz|Saarland(?:es)?"
    r"|Sachsen-Anhalt|Sachsen|Schleswig-Holstein|Thüringen)"
)
HOME = re.compile(
    rf"\s(?:(?:für\s(?:das\sLand|den\sFreistaat)|des\s(?:Landes|Freistaate?s))\s{_FULL_LANDS}"
    rf"|(?:der\s|des\s)?{_FULL_LANDS})(?![\w-])"
)
_CONTRACT = re.compile(
    r"(?:[(„\"]?[\w.äöüÄÖÜß-]+[)“\"]?\s+){0,5}?[\w-]*(?:vertrag(?:e?s)?|verträgen|satzung|bedingungen"
    r"|AGB|ARB|AKB|ABE|AVB|statuts?|klageschrift|tagesordnung|vereinbarung|police|testaments?|magazins?"
    r"|hausordnung|geschäftsordnung|urkunde|angebots|gutachtens|bescheid(?:e?s)?|schreibens|urteils"
    r"|beschlusses|tarifwerks|leistungsverzeichnisses)(?![^\W_])",
    re.IGNORECASE,
)
_GENITIVE_ENDING = re.compile(r"(gesetz|buch|vertrag|abkommen|übereinkommen)(?:es|s)$")
_LOCAL = re.compile(
    r"\s*[(<\[]\s*(?:im\s+Folgenden:?\s*)?[„\"]?([A-ZÄÖÜ][\w.-]*[A-ZÄÖÜ][\w.-]*)[“\"]?\s*[)>\]]"
)


def read_unknown(text: str, pos: int, preposition: str) -> LawReference | None:
    """What stands behind a citation where no known law does.

    ``preposition`` is the article before it ("des"), empty if the name follows at once.
    """
    long = _LONG.match(text, pos)
    title_end = read_title(text, pos)
    if preposition in {"des", "der", "dieses", "dieser", "vom", "von", "zum", "zur", "im"}:
        contract = _CONTRACT.match(text, pos)
        if contract is not None and (long is None or "vertrag" in contract[0].casefold()):
            return LawReference(None, contract.end(), silent=True)
    if long is not None or title_end is not None:
        end = title_end or (long.end() if long else pos)
        local = _LOCAL.match(text, end)
        land = None if title_end else HOME.match(text, end)
        end = land.end() if land else end
        name = local[1] if local else make_nominative(text[pos:end])
        return _finish(text, name, end, local.end() if local else end)
    abbreviation = _ABBREVIATION.match(text, pos)
    if abbreviation is not None and _is_like_law(abbreviation[0]):
        return _finish(text, abbreviation[0], abbreviation.end(), abbreviation.end())
    if preposition in {"des", "of"}:
        return LawReference(None, pos, silent=True)
    return None


def _is_like_law(written: str) -> bool:
    """Whether an abbreviation has the look of a law: two capitals, and not another known kind."""
    head = written.rsplit(maxsplit=1)[-1] if written[0].isdigit() else written.split(maxsplit=1)[0]
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
