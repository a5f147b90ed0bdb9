"""What stands right behind a citation in a draft and changes what it means.

A single citation is read whole, and what is left over makes it unclear. In a draft words go on
behind it; of those that name an edition, a day, another country's law, a Randnummer or a part the
verdict must say that they were not read.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from fundstelle.citations.decisions.margins import (
    GROUNDS,
    HEADNOTES,
    MARGIN,
    PAGES,
    PARAGRAPHS,
)
from fundstelle.citations.laws.own_numbers import find_other_number
from fundstelle.citations.laws.versions import AS_OF, UNTIL
from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.citations import ReporterCitation, Target
from fundstelle.law.norms import Statute
from fundstelle.lookup.library import Library
from fundstelle.lookup.verdicts.before import find_former, is_of_gone
from fundstelle.lookup.verdicts.judge import Verdict
from fundstelle.lookup.verdicts.quoted import say_omitted

_REACH = 120  # characters that are looked at
_OPENED = r"\s?[,(]?\s?"
_OTHER_THAN_NOW = r"(?!(?:jeweils|derzeit|aktuell\w*|heut\w*|gegenwärtig|nunmehr)(?!\w))"
_WITHIN = r"(?:[^.;()]|(?<=\d)\.|(?<= [vVdD])\.){0,90}?"  # the dots of days end no sentence
_EDITION = re.compile(
    rf"{_OPENED}(?:(?:in (?:der|ihrer|seiner) (?:[\w.]+ ){{0,3}}Fassung|i\. ?d\. ?F\.?|idF)"
    r"(?: (?:der|d\.) Bek(?:anntmachung|\.))?"
    rf"(?: (?:vom|v\.|von|des|der) (?:{DATE}|\S{{1,40}}(?: \d{{4}})?)| \d{{4}}| {DATE})"
    rf"|(?:in|nach|gem(?:äß|\.)) (?:der|ihrer|seiner|d\.) {_OTHER_THAN_NOW}{_WITHIN}Fassung(?!\w)"
    r"|in (?:alter|früherer|neuer) Fassung|(?:idF|i\. ?d\. ?F)(?!\w)"
    rf"|(?:zuletzt )?(?:gültig|geltend|Stand)(?!\w)[: ]{_WITHIN}\d{{4}}"
    r"|\(?(?:Entwurf|aufgehoben|weggefallen|außer Kraft)(?!\w)\)?|\(?Re[gf]E(?!\w)|-(?:alt|E)\b"
    r"|(?:von|aus)(?: dem Jahre?)? (?:1[89]|20)\d\d(?!\w|[./-]\d| (?:bis|und|oder)(?!\w))"
    r"|(?<=\()(?:(?:1[89]|20)\d\d|Ö|A|CH|FL)\)"
    r"|(?:der |des )?(?:DDR|Schweiz|Republik Österreich|Österreichs?|Liechtensteins?)\b)"
)
_CURRENT = r"(?:current|present|latest|new|official|authentic|English|German|French)"
_TIME = rf"(?:{DATE}|\d{{1,2}} \w{{3,9}} \d{{4}}|\w{{3,9}} \d{{1,2}}, \d{{4}}|\d{{4}})(?!\w)"
_VERSION = re.compile(
    rf"{_OPENED}(?:as (?:(?:then|previously|formerly) )?(?:in force|applicable|amended|it stood|of)"
    rf" (?:(?:in|on|at|until|before|up to|from|as of) )?{_TIME}"
    rf"|(?:in|under) (?:the|its) (?!{_CURRENT}(?!\w))(?:[\w.]+ ){{0,3}}?version(?!\w)"
    r"|(?:the )?(?:old|former|previous|earlier|prior|original|\d{4}) version(?!\w)"
    r"|version (?:of )?\d{4}|-old\b)"
)
_WITHIN_BRACKET = re.compile(r"[(<\[](?s:.+)(?=[)>\]])|(?s:.+)")
_GONE = re.compile(r"(?:aufgehoben|weggefallen|außer Kraft)(?!\w)")
_DAY = re.compile(rf"{_OPENED}(?:vom|v\.) (?P<day>{DATE})")
_FORMER = re.compile(
    rf"{_OPENED}(?:(?:damaliger|früherer|alter|vorheriger) Fassung"
    rf"|(?<=\()(?:Fassung {_WITHIN}\d{{4}}|alt|a\. ?F\.|bis (?:zum )?{DATE})\))"
)
_LAPSED = re.compile(
    r",? (?:lautete|galt|bestimmte|regelte|enthielt|sah|hieß|war|verlangte|setzte) "
    rf"(?:\w+ ){{0,2}}?(?:(?:noch )?(?:bis|vor)(?: zum| dem)? (?:{DATE}|(?:19|20)\d\d)"
    r"|damals|früher|seinerzeit|ursprünglich)(?!\w)"
)
_OTHER_STATE = re.compile(r"/DDR(?!\w)")
_LEADS = (
    r"(?:(?:juris|beck-online|dort|hier|insb(?:es(?:ondere)?)?\.?|vgl\.?|siehe|s\.|und zwar|sowie"
    r"|und|u\.|ab|bei|in|im|dessen|deren|den)[ ,:]{1,2}){0,3}"
)
_PLACE = re.compile(
    rf"(?: ?\([^()]{{1,60}}\))?[ ,;:()\[\]–-]{{0,4}}{_LEADS}{MARGIN} ?\d{{1,4}}"
    rf"|[ ,;()–-]{{0,4}}{_LEADS}{GROUNDS}|/ ?\d{{1,4}}"
    r"| ?\[\d{1,4}\]| [–-] \d{1,4}(?=[.,;)]|\s*$)"
)
_PART = re.compile(
    rf"[ ,(]{{1,2}}{_LEADS}(?:Abs(?:\.|atz|ätzen?)|Satz|Sätzen?|Nrn?\.|Nummern?|Ziff(?:\.|ern?)"
    r"|Buchst(?:\.|aben?)|lit\.|Hs\."
    r"|Alt(?:\.|ernative)|Halbs(?:\.|atz)|U(?:nter)?[Aa]bs(?:\.|atz)|Var(?:\.|iante))"
    r" ?(?:\d{1,4}[a-z]?|[a-z])(?!\w)"
    r"|[ ,(]{1,2}[IVX]{1,5}(?=[,;)]| [a-zäöü]|\.?\s*$)"  # no Senat, no heading: ", II ZR 1/20"
)
_FRAGMENT = re.compile(r"[^\s#]{0,100}#[\w.-]*\w")  # of an address, a place that was not read
# Not on a line of its own, where it is the label of what it begins: "\n(1) Der Händler".
_BRACKET = re.compile(r"[ \u00a0]?\((?:\d{1,3}[a-z]?|[IVX]{1,5})\)(?!\w|\s*(?:§|Art))")
_CHANGES = (_EDITION, _VERSION, _DAY, _FORMER, _OTHER_STATE, _LAPSED)
_OF_LAW = frozenset({"norm_does_not_exist", "subunit_does_not_exist", "repealed"})
_NUMBER = re.compile(r" \d{1,3}(?![\w/]|[.,]\d)")
# Of a decision, in whose text nothing says where it is.
_COUNTED_BEHIND = re.compile(
    rf"[ ,:()\[\]–-]{{0,4}}(?!und|sowie|u\.){_LEADS}(?:{HEADNOTES}|{PAGES}|{PARAGRAPHS})"
    # "Abs. 2 der Vorschrift"
    r"(?!\s(?:de[rs]|einer|eines)\s(?!Gründe|Urteil|Beschl|Entscheidung|Umdr)[A-ZÄÖÜ])"
)
_COUNTED_WITHIN = re.compile(
    rf"(?<!\w)(?:{HEADNOTES}|(?<!\d{{4}}\s)(?<!\d{{4}},\s){PAGES}|{PARAGRAPHS})"
)


def doubt(  # noqa: PLR0913 - the last two say what was read
    library: Library,
    verdict: Verdict,
    text: str,
    end: int,
    *,
    read: Sequence[Target] = (),
    further: int | None = None,
) -> Verdict:
    """The verdict, unclear where something behind the citation, at ``end``, was not read.

    A day that the targets ``read`` name was. At ``further`` begins the next citation, whose parts
    are its own.
    """
    if verdict.norm_id is None:
        return verdict
    end = _skip_read(text, end, read)
    behind = text[end : end + _REACH].replace("\u00a0", " ").replace("\n", " ")
    statute = _find_statute(library, verdict.norm_id)
    found = _find_number(library, statute, behind)
    is_decision = _is_decision(library, verdict.norm_id)
    # of another text it may be there
    is_denied = verdict.verdict in {"wrong", "repealed"} and not is_decision
    if found is None and (verdict.verdict == "ok" or is_denied):
        found = next(filter(None, (one.match(behind) for one in _CHANGES)), None)
    if found is None and verdict.verdict == "ok":
        own = len(text) if further is None else further
        if is_decision:
            is_page = bool(read) and all(isinstance(one, ReporterCitation) for one in read)
            within = None if is_page else _COUNTED_WITHIN.search(verdict.citation)
            counted = _COUNTED_BEHIND.match(behind, 0, max(0, own - end))
            found = within or counted or _PLACE.match(behind)
        else:
            found = _FRAGMENT.match(behind) if "://" in verdict.citation else None
            found = found or _find_other_act(statute, text, end)
            found = found or _PART.match(behind, 0, max(0, own - end))
            found = found or _BRACKET.match(text, end, own)
    if found is None or _is_its_own(statute, found[0]) or _is_told(verdict, found[0]):
        return verdict
    words = found[0].lstrip(") ,;(").rstrip(" ,(")
    why = note = f"Not read: what stands behind it, “{words}”."
    if verdict.verdict == "repealed":
        why = note = f"{why} {verdict.why}"
    if verdict.check is not None and verdict.check.omitted:
        why += f" {say_omitted(verdict.check.omitted)}"
    return replace(verdict, verdict="unclear", correct=None, why=why, note=note)


def doubt_unread(verdict: Verdict) -> Verdict:
    """The verdict on a single citation, unclear where words in it name another text.

    The same of what no text of today has as ``doubt`` and ``doubt_former`` in a draft.
    """
    unparsed = verdict.miss.unparsed if verdict.miss is not None else ()
    if verdict.verdict not in {"wrong", "repealed"} or verdict.status not in _OF_LAW:
        return verdict
    for piece in unparsed:
        is_behind = any(one.match(f" {piece}") for one in _CHANGES)
        if not is_behind and find_former(f"{piece} ") is None:
            continue
        if verdict.verdict == "repealed" and (_GONE.search(piece) or is_of_gone(piece)):
            continue
        why = f"Not read: “{piece}”. {verdict.why}"
        return replace(verdict, verdict="unclear", correct=None, why=why, note=why)
    return verdict


def _skip_read(text: str, end: int, read: Sequence[Target]) -> int:
    """Behind the clause that names the day on which all of ``read`` was looked up."""
    versions = {getattr(one, "version", None) or "" for one in read}
    version = versions.pop() if len(versions) == 1 else ""
    clause = _EDITION.match(text, end) if version.startswith((AS_OF, UNTIL)) else None
    days = {read_date(day[0]) for day in re.finditer(DATE, clause[0])} if clause else set()
    return clause.end() if clause and days == {version.partition(":")[2]} else end


def _is_told(verdict: Verdict, behind: str) -> bool:
    """Whether it only says what the verdict does: ``§ 3 (aufgehoben)``."""
    return verdict.verdict == "repealed" and _GONE.search(behind) is not None


def _is_decision(library: Library, held_id: str) -> bool:
    return library.decisions.find(held_id) is not None


def _find_number(library: Library, statute: Statute | None, behind: str) -> re.Match[str] | None:
    """``LuftVGÄndG 12``: the number of another law, where laws of that name bear numbers."""
    is_counted = statute is not None and statute.abbreviation in library.counted
    return _NUMBER.match(behind) if is_counted else None


def _find_other_act(statute: Statute | None, text: str, end: int) -> re.Match[str] | None:
    """``KI-VO (VO (EU) 2016/679)``: the number of another act, said to be its own."""
    jurisdiction, _, name = statute.statute_id.partition("/") if statute else ("", "", "")
    celex = name.partition(":")[0]
    other = find_other_number(text, end, celex) if jurisdiction == "eu" else None
    return _WITHIN_BRACKET.match(text, *other) if other else None


def _is_its_own(statute: Statute | None, behind: str) -> bool:
    """Whether it names the day of the law, or of the edition that is held."""
    written = re.search(DATE, behind)
    day = read_date(written[0]) if written else None
    if statute is None or day is None:
        return False
    named = date.fromisoformat(day)
    said = re.compile(rf"(?<!\d){named.day}\.{named.month}\.{named.year}")
    return statute.issued_on == named or any(
        said.search(note.text) for note in statute.stand_notes if note.kind == "Neuf"
    )


def _find_statute(library: Library, held_id: str) -> Statute | None:
    statutes = library.store.statutes
    norm = library.store.find_norm(held_id)
    return statutes.get(norm.statute_id if norm is not None else held_id)
