"""What an act of the Union is cited with behind its number: who issued it, day, title, journal.

All of it is compared with what is held of the act. What is of another act is not read; what cannot
be compared, since it is not held, is told of.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fundstelle.citations.gazettes import match_union
from fundstelle.citations.laws import eu
from fundstelle.citations.laws.titles import read_subject
from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.norms import Statute

_OPENS = frozenset(" ,([/\n")
_ISSUERS = re.compile(
    r"\s*(?:(?:de[rs]|of(?:\sthe)?)\s)?(?:"
    r"(?:Europäischen\s+Parlament(?:e?s)?|European\s+Parliament)\s+(?:und|and)\s+(?:des|of\sthe)\s+"
    r"(?:Rate?s|Council)"
    r"|(?<=des\s)Rate?s|(?<=the\s)Council|(?<=der\s)(?:EU-|Europäischen\s+)?Kommission"
    r"|(?<=the\s)(?:European\s+)?Commission|(?<=der\s)Europäischen\s+Zentralbank"
    r"|(?<=the\s)European\s+Central\s+Bank)(?![^\W_])",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"(?P<parliament>Parl[ai])|(?P<council>(?<!\w)Rate?s?(?!\w)|Council)|(?P<commission>[KC]ommission)"
    r"|(?P<bank>Zentralbank|Central\s+Bank)",
    re.IGNORECASE,
)
_DAY = re.compile(rf"\s*(?:vom|v\.|of|dated)\s*(?P<day>{DATE})", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_COMMUNITY = re.compile(r"/?(?:EU|E[WG]G?|EC|EEC)(?=de[rs]\s)")
# An English title begins so; German ones are read as titles of other laws are.
_MORE = r"(?:\s(?!(?:Article|Regulation|Directive|Decision|Annex)s?(?!\w))[^\s,.;:()\d]+)"
_ENGLISH = re.compile(
    r"\s(?!on\s(?:which|whose|that)(?!\w))"
    rf"(?:(?:on|concerning|relating\sto|establishing|laying\sdown){_MORE}{{1,14}}"
    rf"|(?:amending|repealing|supplementing){_MORE}{{0,14}})"
)
_JOURNAL = re.compile(r"\s?(?P<bracket>[(\[])\s?|,\s|\s")
_REST = re.compile(r"[^()\[\]\n]{0,160}[)\]]")
# What is cited on its own in the same brackets: "; vgl. auch § 4 BDSG".
_CITED = re.compile(
    r"§|(?<![^\W_])(?:Art(?:ikels?|icles?|\.)|Anhang|Annex|Urteil|Beschluss|Urt\.|Beschl\.|Judgment"
    r"|[CT]-\d+/|(?:VO|RL|Verordnung|Richtlinie|Regulation|Directive|Decision)\s[^;,]{0,20}\d)",
    re.IGNORECASE,
)
_PLACE = re.compile(r"ABl\. (?P<number>[LC] \d+), (?P<year>\d{4}), S\. (?P<page>\d+)")
_CLOSING = re.compile(r"['’‘”“\"«»]?\)")
_CHANGING = (
    r"(?:(?:Ab)?[Ää]nderung|Aufhebung|Ersetzung|Durchführung|Ergänzung)\sde[rs]\s"
    r"|(?:amending|repealing|supplementing)\s(?:Council\s|Commission\s|(?:Delegated|Implementing)\s){0,2}"
)
_CHANGES = re.compile(rf"(?:{_CHANGING})$")
_FURTHER = re.compile(
    rf"\s?(?:,|und|sowie|,?\sand)\s(?:zur\s(?:{_CHANGING})|{_CHANGING}|de[rs]\s|Council\s)?"
)
# A title is not cut off behind such a word, nor does its sentence go on with one.
_DANGLING = frozenset(
    {
        *(
            "of",
            "the",
            "for",
            "and",
            "on",
            "with",
            "to",
            "in",
            "by",
            "a",
            "an",
            "concerning",
            "über",
        ),
        *("und", "der", "die", "das", "des", "den", "dem", "zu", "zur", "zum", "bei", "von", "für"),
        *("mit", "im", "auf"),
    }
)
_GOES_ON = re.compile(r"\s(?:of|concerning|relating|regarding)(?!\w)")
_ACT_REACH = 60  # characters of the number of an act, or before it
_LEAST_WORDS = 2
_REACH = 1_500  # characters


@dataclass(frozen=True, slots=True)
class ActFacts:
    """What is held of an act, in one language.

    ``subject`` are the words of its title behind the day, folded.
    """

    celex: str
    language: str
    issuers: frozenset[str]
    subject: tuple[str, ...]
    issued_on: str | None
    published_on: str | None
    place: str | None  # "ABl. L 119, 2016, S. 1"


class Tail(NamedTuple):
    """How far it reaches; where what is of another act begins and ends; what is not compared."""

    end: int
    wrong: tuple[int, int] | None = None
    notes: tuple[str, ...] = ()


def collect_facts(statutes: Iterable[Statute]) -> Mapping[str, tuple[ActFacts, ...]]:
    """The facts on acts that are cited by number, by their CELEX numbers."""
    facts: dict[str, tuple[ActFacts, ...]] = {}
    for statute in statutes:
        if statute.jurisdiction == "eu":
            celex = statute.statute_id.partition("/")[2].partition(":")[0]
            head, subject = _cut_title(statute.title, celex)
            one = ActFacts(
                celex,
                statute.language,
                _list_issuers(head),
                tuple(_WORD.findall(subject.casefold())),
                statute.issued_on.isoformat() if statute.issued_on else None,
                statute.published_on.isoformat() if statute.published_on else None,
                statute.publication,
            )
            facts[celex] = (*facts.get(celex, ()), one)
    return facts


def _cut_title(title: str, celex: str) -> tuple[str, str]:
    """The title up to the day, with number and issuers, and what is behind them."""
    for match in eu.ACT.finditer(title):
        act = eu.read_act(title, match.start())
        if act is not None and act.celex == celex:
            place = _skip_issue(title, act.end)
            return title[:place], title[place:]
    return "", ""


def _list_issuers(words: str) -> frozenset[str]:
    return frozenset(one.lastgroup or "" for one in _WHO.finditer(words))


def _skip_issue(text: str, pos: int) -> int:
    community = _COMMUNITY.match(text, pos)  # of a title that lost its blanks: "2014/65/EUdes"
    pos = community.end() if community else pos
    for pattern in (_ISSUERS, _DAY):
        match = pattern.match(text, pos)
        pos = match.end() if match else pos
    return pos


def read_tail(text: str, pos: int, facts: Sequence[ActFacts]) -> Tail:
    """What belongs to an act behind its number, which ends at ``pos``."""
    if text[pos : pos + 1] not in _OPENS:
        return Tail(pos)
    notes: list[str] = []
    wrong: list[tuple[int, int]] = []
    community = _COMMUNITY.match(text, pos)
    place = community.end() if community else pos
    issuers = _ISSUERS.match(text, place)
    if issuers is not None:
        named = _list_issuers(issuers[0])
        held = [one.issuers for one in facts if one.issuers]
        if held and not any(named <= one for one in held):
            wrong.append((issuers.end() - len(issuers[0].lstrip()), issuers.end()))
        place = issuers.end()
    day = _DAY.match(text, place)
    if day is not None:
        days = {one.issued_on for one in facts} - {None}
        if days and read_date(day["day"]) not in days:
            wrong.append(day.span("day"))
        place = day.end()
    place = _read_title(text, place, facts, (wrong, notes), issued=place > pos)
    place = _read_journal(text, place, facts, (wrong, notes))
    return Tail(place, wrong[0] if wrong else None, tuple(notes) if facts else ())


_Said = tuple[list[tuple[int, int]], list[str]]


def _read_title(
    text: str, pos: int, facts: Sequence[ActFacts], said: _Said, *, issued: bool
) -> int:
    wrong, notes = said
    own, is_whole = max((_match_subject(text, pos, one) for one in facts), default=(pos, False))
    if is_whole or not issued:
        return own
    german, english = read_subject(text, pos), _ENGLISH.match(text, pos) if facts else None
    if own > pos:
        last = text[pos:own].rsplit(maxsplit=1)[-1].casefold()
        is_cut = last not in _DANGLING and _GOES_ON.match(text, own) is None
        english = None if is_cut else english
    for raw, language in ((german, "de"), (english.end() if english else pos, "en")):
        is_held = any(one.language == language and one.subject for one in facts)
        end = _read_past_acts(text, pos, raw)
        if end == pos < raw and is_held and own == pos:
            end = _stop_before_act(text, pos, raw)
        if end > own:  # more words than its title has, or others
            if is_held:
                wrong.append((pos + 1, end))
            elif facts:
                notes.append(
                    "The title that is written behind the number was not compared: that of this"
                    " language is not held."
                )
            return end
    return own


def _stop_before_act(text: str, pos: int, end: int) -> int:
    other = eu.ACT.search(text, pos, min(len(text), end + _ACT_REACH))
    return end if other is None else len(text[: min(end, other.start())].rstrip())


def _read_past_acts(text: str, pos: int, end: int) -> int:
    """Where a title ends that names the acts that it changes; ``pos`` if others stand in it."""
    other = eu.ACT.search(text, pos, min(len(text), end + _ACT_REACH)) if end > pos else None
    if other is None or other.start() > end + 1:
        return end
    if _CHANGES.search(text, max(pos, other.start() - _ACT_REACH), other.start()) is None:
        return pos
    while other is not None:
        act = eu.read_act(text, other.start())
        while act is not None:  # "der Verordnungen (EU) Nr. 1296/2013, (EU) Nr. 1301/2013"
            last, act = act, eu.read_further(text, act.end, act.celex)
            end = last.end
        end = _skip_issue(text, max(end, other.end()))
        joint = _FURTHER.match(text, end)
        other = eu.ACT.match(text, joint.end()) if joint else None
    return end


def _match_subject(text: str, pos: int, facts: ActFacts) -> tuple[int, bool]:
    """Where the words end that are those of the title from its beginning on, and whether all are.

    A title may be cut off behind any word but the first.
    """
    end, count = pos, 0
    for word in _WORD.finditer(text, pos, pos + _REACH):
        if count == len(facts.subject) or word[0].casefold() != facts.subject[count]:
            break
        end, count = word.end(), count + 1
    if count < min(_LEAST_WORDS, len(facts.subject)) or not count:
        return pos, False
    is_whole = count == len(facts.subject)
    if text[pos:end].count("(") > text[pos:end].count(")"):
        closing = _CLOSING.match(text, end)
        end = closing.end() if closing else end
    return end, is_whole


def _read_journal(text: str, pos: int, facts: Sequence[ActFacts], said: _Said) -> int:
    wrong, notes = said
    if not facts:  # of an act that is not held, the place is cited beside it
        return pos
    opening = _JOURNAL.match(text, pos)
    match = match_union(text, opening.end()) if opening else None
    if opening is None or match is None:
        return pos
    end, rest = match.end(), ""
    closed = match[0].endswith(")")
    closing = _REST.match(text, end) if opening["bracket"] and not closed else None
    if closing is not None and _CITED.search(closing[0]) is None:
        rest, end = closing[0][:-1].strip(" ,;."), closing.end()
    own = [is_own for one in facts if (is_own := _is_own_place(match, one)) is not None]
    if own and not any(own):
        wrong.append((match.start(), match.start() + len(match[0].rstrip(")"))))
    elif not own:
        notes.append("Where the Official Journal has it was not compared: its page is not held.")
    if rest:
        notes.append(f"Not compared: “{rest}”.")
    return end


def _is_own_place(match: re.Match[str], facts: ActFacts) -> bool | None:
    """Whether the Official Journal has the act there; ``None`` where that is not known."""
    on = read_date(match["on"]) if match["on"] else None
    if match["act"]:
        is_its_day = not on or on == (facts.published_on or on)
        return is_its_day and match["act"] == f"{facts.celex[1:5]}/{int(facts.celex[6:])}"
    slash = match["slash"]
    page = match["page"] or (slash if slash and slash != match["year"] else None)
    year = match["year"] or (on[:4] if on else None)
    if on and facts.published_on and on != facts.published_on:
        return False
    if year and facts.published_on and year != facts.published_on[:4]:
        return False
    held = _PLACE.fullmatch(facts.place or "")
    if held is None:
        return None
    is_number = held["number"] == f"{match['series']} {match['number']}"
    return is_number and page in {None, held["page"]} and year in {None, held["year"]}
