"""What belongs to a citation of a decision around court, docket and page.

"Urteil vom" before the date; behind it the place ("juris Rn. 12", "<127 f.>", "zu II 2 der
Gründe") and the name by which the decision is known ("- Standbeutel").
"""

import re
from collections.abc import Sequence

from fundstelle.citations.decisions.margins import MARGIN
from fundstelle.citations.norms.scan import Hit
from fundstelle.citations.text.dates import DATE
from fundstelle.law.citations import DecisionCitation, ReporterCitation

_KIND = (
    r"(?:[A-ZÄÖÜ][\w-]*(?:urteil|beschluss|beschluß|beschlüsse|entscheidung)|Urteil|Beschlu(?:ss|ß)"
    r"|Beschlüsse|Entscheidung|Verfügung|Gerichtsbescheid|Urt\.|Beschl\."
    r"|[A-Z]\w*-(?:Urteil|Beschluss|Beschlüsse|Entscheidung))(?:e[ns]?|s|n)?"
)
_COURT = (
    r"(?:(?:BVerfG|BGH|BVerwG|BAG|BSG|BFH|BPatG|EuGH|EGMR|EuG|KG|BayObLG|(?:\w+\s)?(?:OLG|OVG|VGH|LSG|LAG|FG|LG|AG)"
    r"(?:\s[A-Z]\w+)?|Senat|Kammer|GmS-OGB)(?:\s<Kammer>)?,?\s)"
)
_PANEL = (
    r"(?:de[rs]\s(?:\d+\.\s|[A-ZÄÖÜ][\w-]+\s|de[rs]\s|-\s?[A-Z]\w+\s?-\s|\([A-Z]\w+\)\s|für\s"
    r"|i[nm]\s|am\s){1,9})"
)
_CASE = r"(?:[A-ZÄÖÜ]\w*|Streits|Rechtss)?(?:[Vv]erfahren|[Ss]treitsache|ache)"
_LEAD = re.compile(
    rf"(?=[A-ZÄÖÜ<v])(?<!\w)(?:{_COURT}?{_KIND}\s(?:{_PANEL}|\([\w. ]+\)\s)?(?:vom|v\.|in)\s"
    rf"|(?:{_COURT})?vom\s|<Kammer>\s"
    rf"|{_KIND}\s(?:{_PANEL}|de[rs]\s)?(?:-\s)?"
    rf"|{_KIND}\sde[rs]\s[A-ZÄÖÜ][\w .-]{{3,50}}?\s(?:\(|-\s)"
    rf"|{_CASE}s?\s(?:-\s)?|(?:Az|Rs)\.:?\s"
    rf"|(?:{_COURT}?{_KIND}\s{_PANEL}?|{_COURT})vom\s{DATE}(?:\s-\s|,\s|\s\())$"
)
# Before a case of the EuGH: "Schlussanträge der Generalanwältin Kokott vom 1. Juni 2022, C-1/21".
_OPINIONS = ("Schlussantr", "Schlußantr", "Opinion of A")
_WORD_BETWEEN = re.compile(r"[^\W\d_]+")
_SMALL_WORDS = frozenset(
    {"des", "der", "vom", "v", "von", "in", "of", "the", "u", "a", "zu", "und"}
)
_ENDS_OPINION = (";", ")", "\n\n")
_DATED = re.compile(r"(?:19|20)\d\d(?:, | \()")
# Names of the parties before a case of the EuGH: "EuGH-Urteil Bog u. a., EU:C:2011:135".
_PARTIES = re.compile(
    rf"(?:(?<=;\s)|(?<=\()|(?<=,\s)|(?:EuGH-)?{_KIND}\s)(?!vgl|und\s|vom\s)[A-ZÄÖÜ][\w/. -]{{2,60}}"
    r"(?:,\s|\s\(|\svom\s|\s)$"
)
_UNION = re.compile(r"(?:vom\s[^;()]{8,18}\s)?(?:EU:[CT]:|[CT]-\d)")
_KIND_ENDS = ("rteil", "rteile", "rteilen", "rteils", "schluss", "schlüsse", "schlüssen", "heidung")
_REACH = 130
# How a lead may end; everything else is passed without a search.
_LEAD_ENDS: tuple[str, ...] = (
    "vom ",
    "v. ",
    " in ",
    "> ",
    "- ",
    "des ",
    "der ",
    "z. ",
    "z.: ",
    "s. ",
    "hren ",
    "hrens ",
)
_LEAD_ENDS += (
    "ache ",
    "teil ",
    "uss ",
    "dung ",
    "teile ",
    "teils ",
    "teilen ",
    "ats ",
    "mer ",
)
# What the words for a kind of decision have in common: a lead is searched from there.
_STEMS = ("rteil", "eschl", "ntscheid", "erfügung", "bescheid", "Urt.", "erfahren", "sache")
_BEFORE_KIND = 40
# Words between a court and its decision that belong to the sentence, not to the citation.
_SENTENCE = re.compile(
    r".*(?:\s(?:hat|mit|im|in\s(?:seine[mnr]|dem)|das|anhängige[nr]?|unter\sdem|zu\sdem|de[sr]|seine[mnrs]?|ihre[mnrs]?"
    rf"|\w+ene)\s|\()(?={_KIND}\s|{_CASE}s?\s|Az\.|Klage\s)",
    re.DOTALL,
)
# "Urteil vom 29.06.2017 (Az. 7 C 22.15)": what stands before the bracket is of the citation.
_BRACKETED = re.compile(rf"(?:{DATE}|{_KIND}),?\s\((?=Az\.)")
_NUMBER = r"\d+[a-z]?(?:\s?f{1,2}\.?(?!\w))?"
_NUMBERS = rf"{_NUMBER}(?:\s?(?:,|und|bis|-|–)\s?(?!\d+[./]\d){_NUMBER}(?!\w))*"
_WORD = rf"(?:{MARGIN}|(?:Ziff|Nrn?|§§?|Abs|Z)\.?)"
_JOURNAL = (
    r"[A-ZÄÖÜ][\w/-]+\s(?:(?:(?:für|und|zum|der|des)\s|[A-ZÄÖÜ(][\w/()-]+\s){0,6}"
    r"(?:-\s[\w-]+\s-\s)?)"
)
_MARGIN = re.compile(rf"{_WORD}\s?\d+[a-z]?(?:\s?f{{1,2}}\.?)?$")
_MORE_MARGINS = re.compile(
    rf"(?:\s?(?:,|und|bis|-|–)\s?(?:{MARGIN}\s?)?(?!\d+[./]\d|\d+\s\w+\.?\s\d|\d+\.){_NUMBER}(?!\w))+"
)
_LONGEST_MARGIN = 16
_ECLI_GOES_ON = re.compile(r"[\w .:]{0,30}\]")
_TAIL = re.compile(
    r"(?:(?:\s[-=])?(?:\s?,)?\s(?:\([Jj]uris\)|[Jj]uris(?:,|\sdort)?|www\.[\w./-]+\w|a\.\s?a\.\s?O\.?|aaO)"
    r"(?![\w-])"
    rf"|(?:\s[-=])?(?:\s?,)?\s(?:[Jj]uris,?\s|dort\s)?{_WORD}\s?{_NUMBERS}(?![\w/])"
    rf"|\s\((?:{_WORD}\s?)?{_NUMBERS}\)|\sm\.?\s?w\.?\s?N\.?(?=\s-\s[Jj]uris)|\su\.?\s?a\.?(?=[\s,;)])"
    r"|\s?<[^<>;]{1,60}>|\s[(\[]Ls\.?[)\]]|,\sLeitsatz(?:\s\d{1,2}(?!\w))?|\sf{1,2}(?=[\s,;.)]|$)"
    rf"|(?:\s?[,-]|\s\()\s?{_JOURNAL}(?:19|20)\d\d,\s(?:S\.\s|Nr\.\s)?{_NUMBER}(?![\w/])"
    r"|(?:\s-)?,\s[A-ZÄÖÜ][\w. -]{2,40}(?:/|\sv\.\s|\./\.\s)[A-ZÄÖÜ][\w-]+(?=[\s,;.)])"
    r"|(?:\s-)?(?:\s?,)?\szu\s[A-Z0-9][\w .()]{0,30}?\sder\s(?:Gründe|Entscheidungsgründe)"
    r"|(?:\s?,)?\sunter\s(?:Ziff\.\s?)?[A-Z0-9]{1,4}[a-z]?(?![\w/])(?:\.\s?(?:\d+|[a-z]{1,2}|[IVX]+)(?![\w/])|\s(?:[a-z]{1,2}|\d{1,2})(?![\w/]))*\.?"
    r"(?=[\s,;)]|$)(?!\s[A-ZÄÖÜ]\w)"
    rf"|,?\sS\.?\s{_NUMBERS}|(?:\s-)?\s\[[A-ZÄÖÜ][^\][;]{{2,50}}\](?=[\s,;.)]|$)"
    r")"
)
_NAME_END = r"(?=\)|\]|;|,\s|\.(?:\s|$)|\s\(|\sm\.\s?w\.|\smwN|$)"
_NAME = re.compile(
    r"\s?[-–]\s[„\"]?(?=[A-ZÄÖÜ0-9])(?![IVX]+\s\w+\s\d|\d+\s[A-Z]\w*\s\d|Rn|RdNr|BGBl|B\s\d|Juris)"
    rf"[^;()„“\"–]{{2,60}}?[“\"]?{_NAME_END}"
)
_SMALL_NAME = re.compile(
    rf"\s?[-–]\s[„\"]?(?!juris|zu\s|vgl)[a-zäöü][^\s;,()„“\"–]*(?:\s[^\s;,()„“\"–]+){{0,2}}?[“\"]?{_NAME_END}"
)
_ENDING_DASH = re.compile(r"(?<=\d)\s-(?=[\s,;.)]|$)(?!\s(?:BGH|BVerw|BVerf|BAG|BSG|BFH|juris))")
_SHORTEST_LEAD = 5
_LONGEST_TAIL = 8  # parts
_OPENS = re.compile(r"\s\((?:-\s)?")
_GOES_ON_WITHIN = re.compile(r"\s?[,;=-]\s|\s=\s|,?\sund\s")
_GOES_ON = frozenset(" ,<\n")
_LONG = 25  # characters; a shorter citation holds no words of the sentence


def complete_decisions(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits, those of decisions with what belongs to them; none runs into another."""
    done: list[Hit] = []
    floor = 0
    after = opened = False  # behind a decision; within the bracket it opened
    for index, hit in enumerate(hits):
        if isinstance(hit.targets[0], DecisionCitation | ReporterCitation):
            limit = hits[index + 1].start if index + 1 < len(hits) else len(text)
            opinion = _find_opinion(text, max(floor, hit.start - _REACH), hit.start)
            start = _find_start(text, floor, hit) if opinion is None else opinion
            opened = (after and _OPENS.fullmatch(text, floor, start) is not None) or (
                opened and _GOES_ON_WITHIN.fullmatch(text, floor, start) is not None
            )
            end = _find_end(text, hit, limit)
            opened = opened or text.count("(", start, end) > text.count(")", start, end)
            if opened and end < limit and text[end] == ")":
                opened, end = False, end + 1
            hit = hit._replace(start=start, end=end)  # noqa: PLW2901
            after = True
        else:
            after = opened = False
        done.append(hit)
        floor = hit.end
    return done


def _find_start(text: str, floor: int, hit: Hit) -> int:
    start = hit.start
    if hit.end - start > _LONG and isinstance(hit.targets[0], DecisionCitation):
        bracketed = _BRACKETED.search(text, start, hit.end)
        end = hit.end if bracketed is None else bracketed.start()
        sentence = _SENTENCE.match(text, start, end)
        if sentence is not None:
            return sentence.end()
    if start - floor < _SHORTEST_LEAD:
        return start
    if _UNION.match(text, start) is not None:
        parties = _PARTIES.search(text, max(floor, start - _REACH), start)
        if parties is not None:
            return parties.start()
    if not text.endswith(_LEAD_ENDS, floor, start) and not _DATED.match(
        text, max(floor, start - 6)
    ):
        return start
    kind_at = _find_kind(text, floor, start)
    if kind_at is not None:
        return kind_at
    low = max(floor, start - _REACH)
    kind = max(text.rfind(stem, low, start) for stem in _STEMS)
    lead = _LEAD.search(text, max(low, (start if kind < 0 else kind) - _BEFORE_KIND), start)
    return lead.start() if lead else start


def _find_opinion(text: str, low: int, start: int) -> int | None:
    """Where the Schlussanträge in a case begin, of which nothing but names and days follows."""
    at = max(text.rfind(word, low, start) for word in _OPINIONS)
    if at < 0 or any(text.find(mark, at, start) >= 0 for mark in _ENDS_OPINION):
        return None
    words = _WORD_BETWEEN.findall(text, at, start)
    is_name = all(word[0].isupper() or word in _SMALL_WORDS for word in words)
    return at if is_name else None


def _find_kind(text: str, floor: int, start: int) -> int | None:
    """Where "Urteil vom " or a lone "vom " right before ``start`` begins, without a court."""
    if not text.startswith("vom ", start - 4):
        return None
    end = start - len("vom ") - 1
    at = max(text.rfind(" ", floor, end), text.rfind("(", floor, end)) + 1
    word = text[max(at, floor) : end]
    if word[:1].islower() or word[-1:] in {";", ","}:
        return start - len("vom ")  # "; vom 4. Mai 2012", "und vom 4. Mai 2012"
    known = word[:1].isupper() and word.endswith(_KIND_ENDS)
    return at if known and at > floor and not text.endswith(", ", floor, at) else None


def _find_end(text: str, hit: Hit, limit: int) -> int:
    end = hit.end
    if end == limit or text[end] not in _GOES_ON:
        return end
    if text.find("[ECLI", hit.start, end) >= 0 and text.find("]", hit.start, end) < 0:
        ecli = _ECLI_GOES_ON.match(text, end, limit)
        end = ecli.end() if ecli else end
    for _ in range(_LONGEST_TAIL):
        tail = _TAIL.match(text, end)
        if tail is None or tail.end() > limit:
            break
        end = tail.end()
    if _MARGIN.search(text, max(hit.start, end - _LONGEST_MARGIN), end) is not None:
        more = _MORE_MARGINS.match(text, end, limit)
        end = more.end() if more else end
    name = _NAME.match(text, end)
    if name is None and isinstance(hit.targets[0], ReporterCitation):
        name = _SMALL_NAME.match(text, end)
    if name is not None and name.end() <= limit:
        end = name.end()
        if text.startswith("]", end) and text.count("[", hit.start, end) > text.count(
            "]", hit.start, end
        ):
            end += 1
    elif "- " in text[hit.start : end]:
        dash = _ENDING_DASH.match(text, end)
        end = dash.end() if dash is not None and dash.end() <= limit else end
    return end
