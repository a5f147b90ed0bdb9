"""What a place in a statute refers to, where its words alone do not say it.

A bare "§ 5" is the statute's own, unless it stands in the words that empower an ordinance, below
"aus dem Strafgesetzbuch:", or has a number that the statute lacks and the law named before has;
"§ 5 des Gesetzes" is the law that empowers an ordinance; a law that came after the text that names
it is not meant.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.ingest.graph.laws import Laws, is_amending
from fundstelle.ingest.graph.treaties import find_before
from fundstelle.law.citations import EuCitation, FoundCitation, NormCitation
from fundstelle.law.norms import Norm, NormKind, Statute

_REACH = 160  # characters behind a provision in which the words on its law stand
_LAWLIKE = (
    r"(?:[A-ZÄÖÜ][\w-]*?)?(?:[Gg]esetz(?:es|buch(?:e?s)?)?|[Vv]erordnung|[Aa]nordnung|[Ss]atzung"
    r"|[Vv]ertrage?s|[Aa]bkommens|[Üü]bereinkommens|[Pp]rotokolls|[Ss]tatuts|[Vv]ereinbarung"
    r"|(?<=zum\s)(?:Vertrag|Abkommen|Übereinkommen|Protokoll|Statut)"
    r"|[Rr]ichtlinien?|[Kk]onvention|[Cc]harta|[Bb]eschluss?(?:es)?|[Bb]eschlu(?:ss|ß)|[Ee]rlasses"
    r"|[Gg]eschäftsordnung|[Ww]ahlordnung|[Pp]rüfungsordnung|[Vv]erfassung|[Kk]odex(?:es)?"
    r"|[Bb]ekanntmachung|[Dd]ekrets|[Bb]efehls|[Vv]orschrift|Vorschriften(?=\s(?:über|für|zu[rm]?)\s))(?![\w-])"
)
_PART = r"(?:\s+(?:Abschnitt|Unterabschnitt|Teil|Ziffer)\s+(?:\d+|[IVX]+|[A-Z])(?!\w))?"
_BEHIND = re.compile(
    rf"{_PART}(?:\s*\(?\s*(?:(?:zu|von|der|in)\s+)?diese[rsm]\s+(?P<own>{_LAWLIKE})"
    r"|\s*(?:des|dem|der)\s+(?P<before>(?:genannten|vorgenannten|bezeichneten|gleichen|angeführten)"
    r"\s+(?:Gesetze?s?|Verordnung|Vertrage?s?|Abkommens|Übereinkommens)|(?:des|der)selben\s)"
    r"|\s*(?P<same>de[sr]selben\s)"
    r"|\s*(?:des|dem|der|zum|zur|zu\s+de[mr]|seines|ihres)\s+"
    r"(?P<other>(?:(?:in\s[^.;()\n]{1,60}?\s)?(?:[a-zäöüß-]+en|[A-ZÄÖÜ][\w-]+(?:en|er))\s+){0,2}"
    rf"(?P<noun>{_LAWLIKE})))"
)
_OPENING = frozenset(
    {"de", "di", "zu", "vo", "in", "se", "ih", "(z", "(d", "(v", "(i", "Ab", "Un", "Te", "Zi"}
)
_OF_ITS_OWN = frozenset({"em ", "en "})  # "nach seinem Artikel 6"
_FOR_ITS_OWN = re.compile(r"(?<!\w)hinsichtlich\sde[rs]\s$")
_HEADS = " über\n"  # "die Vorschriften des … über", and below it a list
_THIS = re.compile(r"(?<!\w)[Dd]iese[rsnm]?\s(?:[A-ZÄÖÜ]|\w+\s[A-ZÄÖÜ])")
_POSSESSIVES = re.compile(r"(?<!\w)(?:seine|ihre)[mn]\s$")
_SENTENCE = 400  # characters before "nach seinem Artikel 6" in which the text may name itself
_GOES_ON = re.compile(
    r"\s+(?:vom?\s+\d|über|zu[rm]?\s|für|gegen|betreffend|\((?:EG|EU|EWG|EURATOM)|zwischen|des\s|der\s"
    r"|Nr\.)"
)
_PRINTED = re.compile(
    rf"\s+(?:vom|v\.)\s+(?P<day>{DATE})(?P<rest>[^()]{{0,120}})"
    r"(?:\((?:BGBl|Bundesgesetzbl)[^()]*?S\.\s?(?P<page>\d+))?"
)
_DATED = re.compile(
    rf"(?:(?P<wording>in\s+der\s+(?:im\s[^()]{{4,90}})?Fassung(?:\s+der\s+Bekanntmachung)?)\s+)?"
    rf"(?:vom|v\.)\s+(?P<day>{DATE})"
)
_KINDS = {"Gesetz": "statute", "Gesetzes": "statute", "Verordnung": "regulation"}
_NO_NAMES = frozenset({"Gesetz", "Gesetzes", "Verordnung"})
_KIND = re.compile(r"(?:Gesetze?s?|Verordnung)(?=\s+(?:vom|v\.))")
_ENDING = re.compile(r"(?<=.{4})e?s$")
_FIRST_NOUN = re.compile(r"(?:(?:\d+\.|[^\W\d]+(?:e|er|es|te|tes|ter))\s){0,2}[\w-]*")
_ANNEX = "Anlage"
_AMENDS = re.compile(
    r"wie folgt geändert|folgende[rn]? (?:Fassung|Satz)"
    r"|(?:(?:ein|an)gefügt|gestrichen|ersetzt)(?!\sworden)"
)
_OF_NAMED = re.compile(
    r"(?:[^.;§\n]|\.(?=\d)){0,120}?\s(?:des|der|zu[rm])\s(?:[a-zäöü]+e[ns]\s)?[A-ZÄÖÜ]"
)
_OF_THIS = re.compile(r"\sdiese[rsm]\s(\w+)$")
_WITH_ITS = (" ihrer ", " seiner ", " deren ", " dessen ")
_POSSESSIVE = len(" dessen ")
_TREATY = re.compile(r"Vertrage?s(?![\w-])")
_UNIFICATION = ("Anhang EV", "EinigVtr")
_AMENDED = re.compile(
    rf",\s(?:der|die|das|dessen|deren|von\sdenen)\s[^§()]{{0,160}}?\svom\s+(?P<day>{DATE})"
)
_LABEL = re.compile(r"\s*(?:(\(\d+[a-z]?\))|(\d+[a-z]?\.)|([a-z]\))|([a-z]{2}\)))\s")
_LEADS = re.compile(r"[^§\n]{0,60}")
_LONGEST_LEAD = 80
_DAY_BEHIND = 60


class Meant(NamedTuple):
    """A citation and the law that it means, ``None`` where there is none that could be told.

    Without ``changed`` it is the law that stands with it. ``end`` is where the words on the law
    end, behind the citation.
    """

    found: FoundCitation
    law: str | None = None
    changed: bool = False
    end: int = 0


class Reader:
    """Goes through the citations of one text of a statute, from left to right."""

    def __init__(self, laws: Laws, statute: Statute, norm: Norm, text: str) -> None:
        self._laws = laws
        self._statute = statute
        self._text = text
        self._is_formula = norm.kind is NormKind.FORMULA
        self._of_unification = norm.label.startswith(_UNIFICATION[0])
        self._last: tuple[str, int] | None = None  # the law named before, and where
        self._by_number: dict[str, str] = {}
        self._changed = laws.get_last_changed(statute)

    def read(self, found: Sequence[FoundCitation]) -> Iterator[Meant]:
        """Each citation with the law that it means."""
        scopes = _find_scopes(self._text, found) if ":\n" in self._text else []
        for one in found:
            target = one.targets[0]
            if isinstance(target, EuCitation):
                self._last = None
                yield Meant(one)
            elif not isinstance(target, NormCitation):
                yield Meant(one)
            elif one.apart:
                yield Meant(one, changed=True)
            elif target.law in _NO_NAMES:
                yield self._read_printed(one)
            elif target.law is None or one.inferred:
                yield self._read_unnamed(one, target, scopes)
            else:
                yield self._read_named(one, target)

    @cached_property
    def _amends(self) -> bool:
        """Whether the text quotes what it changes, of this law or that."""
        return _AMENDS.search(self._text) is not None

    def _read_unnamed(
        self, found: FoundCitation, target: NormCitation, scopes: Sequence["_Scope"]
    ) -> Meant:
        behind = None
        if self._text[found.end + 1 : found.end + 3] in _OPENING:  # else no need to look
            behind = _BEHIND.match(self._text, found.end, found.end + _REACH)
        if behind is not None:
            return Meant(found, self._read_behind(behind), changed=True, end=behind.end())
        if self._is_of_its_own(found, target):
            noun = find_before(self._text, found.start)
            return Meant(found, self._name_treaty(noun) if noun else None, changed=True)
        if self._is_formula:
            return Meant(found, self._find_in_formula(found, target), changed=True)
        for scope in scopes:
            if scope.start <= found.start < scope.end:
                return Meant(found, self._set_in_time(scope.law), changed=True)
        return Meant(found, self._find_fitting(found, target), changed=True)

    def _read_printed(self, found: FoundCitation) -> Meant:
        """``Artikel 4 des Gesetzes vom 22. Juni 1954 (BGBl. II S. 639)``."""
        kind = _KIND.search(self._text, found.start, found.end)
        printed = _PRINTED.match(self._text, kind.end()) if kind else None
        law = None
        if printed is not None:
            law = self._laws.find_printed(printed["day"], printed["page"], printed["rest"])
        target = found.targets[0]
        if (
            law is not None
            and isinstance(target, NormCitation)
            and not self._laws.fits(law, target)
        ):
            law = None  # "Artikel 2" of the law of which the one held is a part
        return Meant(found, law.abbreviation if law else None, changed=True)

    def _read_behind(self, behind: re.Match[str]) -> str | None:
        """The law that the words behind a provision mean."""
        own = self._statute.abbreviation
        if behind["own"]:
            return own if self._is_called(behind["own"]) else None
        if behind["before"] or behind["same"]:
            return (self._last[0] or None) if self._last else None
        return self._read_noun(behind, own)

    def _read_noun(self, behind: re.Match[str], own: str) -> str | None:
        """``des Gesetzes``, ``der Verordnung vom …``, ``des Vertrages``."""
        noun, alone = behind["noun"], behind["other"] == behind["noun"]
        printed = _PRINTED.match(self._text, behind.end(), behind.end() + 2 * _REACH)
        if printed is not None:
            law = self._laws.find_printed(printed["day"], printed["page"], printed["rest"])
            law = law or self._laws.treaties.find_of_day(printed["day"], noun)
            return law.abbreviation if law else None
        if not alone or _GOES_ON.match(self._text, behind.end()):
            return None
        if self._of_unification and _TREATY.match(noun):
            return _UNIFICATION[1]
        if noun in {"Gesetzes", "Gesetz"}:
            return self._set_in_time(self._laws.find_empowering(self._statute))
        return own if self._is_called(noun) else self._name_treaty(noun)

    def _is_of_its_own(self, found: FoundCitation, target: NormCitation) -> bool:
        """``das Abkommen nach seinem Artikel 6``, if the statute speaks not of itself."""
        start = found.start
        if target.unit != "Art" or self._text[start - 3 : start] not in _OF_ITS_OWN:
            return False
        if find_before(self._text, start) is not None:
            return True
        possessive = _POSSESSIVES.search(self._text, max(0, start - _LONGEST_LEAD), start)
        named = _THIS.search(self._text, max(0, start - _SENTENCE), start)
        return possessive is not None and named is None

    def _name_treaty(self, noun: str) -> str | None:
        """The treaty that the statute consents to, or is itself."""
        if self._is_called(noun):
            return self._statute.abbreviation
        treaty = self._laws.treaties.find_of(self._statute, noun)
        return treaty.abbreviation if treaty else None

    def _is_called(self, noun: str) -> bool:
        """Whether the statute itself is a Verordnung, a Vertrag and so on."""
        if noun in _KINDS:
            return self._statute.document_kind == _KINDS[noun]
        stem = _ENDING.sub("", noun).casefold()
        first = _FIRST_NOUN.match(self._statute.title.casefold())
        return first is not None and first[0].endswith(stem)

    def _find_in_formula(self, found: FoundCitation, target: NormCitation) -> str | None:
        """``…, von denen § 5 … geändert worden ist``: a law named before, if one is."""
        if self._is_made_of(found):
            return self._statute.abbreviation
        same = self._by_number.get(_key(target))
        if same is None and self._last is not None:
            same = self._last[0]
        return same or None

    def _is_made_of(self, found: FoundCitation) -> bool:
        """``hinsichtlich des § 5 auf Grund des …``: for which of its own there are those words."""
        low = max(0, found.start - _LONGEST_LEAD)
        return _FOR_ITS_OWN.search(self._text, low, found.start) is not None

    def _find_fitting(self, found: FoundCitation, target: NormCitation) -> str | None:
        """The statute's own provision, unless it has none such and the law named before has."""
        own = self._statute.abbreviation
        fits = self._laws.fits(self._statute, target)
        if fits and self._laws.has(own, target):
            return own
        if target.unit == _ANNEX and not self._is_of_named(found):
            return own  # it may not be held
        if self._last is not None and self._is_near(self._last[1], found.start):
            last = self._laws.find(self._last[0])
            if last is not None and self._laws.fits(last, target):
                name = last.abbreviation
                if self._laws.has(name, target):
                    return name
        titled = None if self._amends else self._laws.find_titled(self._statute, target)
        return self._set_in_time(titled) if titled else own if fits else None

    def _is_near(self, named: int, start: int) -> bool:
        """Whether a law named before is so in the same line, or heads the lines between."""
        return "\n" not in self._text[named:start] or self._text.startswith(_HEADS, named)

    def _is_of_named(self, found: FoundCitation) -> bool:
        """``Anlage A Nummer 4 „Dachdecker“ der Handwerksordnung``, ``mit ihrer Anlage 3``."""
        text, this = self._text, _OF_THIS.search(found.text)
        if this is not None:
            return not self._is_called(this[1])
        before = text[max(0, found.start - _POSSESSIVE) : found.start]
        behind = _OF_NAMED.match(text, found.end, found.end + _REACH)
        return behind is not None or before.endswith(_WITH_ITS)

    def _read_named(self, found: FoundCitation, target: NormCitation) -> Meant:
        assert target.law is not None
        law = self._find_of_its_time(found, target.law)
        if not is_amending(self._text, found.start):
            self._last = law or "", found.end
            for one in found.targets:
                if isinstance(one, NormCitation) and one.number:
                    self._by_number[_key(one)] = law or ""
        return Meant(found, law, changed=law != target.law)

    def _find_of_its_time(self, found: FoundCitation, name: str) -> str | None:
        """The law of that name which there was when the text was made; ``None`` if none is held."""
        statute = self._laws.find_last(name)
        issued = statute.issued_on if statute is not None else None
        if statute is None or issued is None:
            return name
        dated = self._find_day(found, statute)
        if dated is not None:
            day = read_date(dated["day"])
            printed = _PRINTED.match(self._text, dated.start() - 1)
            if (
                day is not None
                and printed is not None
                and printed["page"]
                and self._laws.is_printed_on(statute, int(day[:4]), printed["page"])
            ):
                return statute.abbreviation  # of another day by a slip
            if day is not None and date.fromisoformat(day) < issued:
                older = self._find_older(statute, dated)
                return older.abbreviation if older else None
            return statute.abbreviation
        amended = _AMENDED.match(self._text, found.end, found.end + 2 * _REACH)
        if amended is not None and self._is_formula:
            day = read_date(amended["day"])
            if day is not None and date.fromisoformat(day) <= issued:
                older = self._laws.find_before(statute, date.fromisoformat(day))
                return older.abbreviation if older else None
        return self._set_in_time(name)

    def _set_in_time(self, name: str | None) -> str | None:
        """The last law of that name which there was when the statute was last changed."""
        return self._laws.find_in_time(name, self._changed) if name else None

    def _find_older(self, statute: Statute, dated: re.Match[str]) -> Statute | None:
        """The law with the name of ``statute`` and the day that stands behind it."""
        named = self._laws.find_of_day(statute, dated["day"])
        if named is not None:
            return named
        printed = _PRINTED.match(self._text, dated.start() - 1)
        found = printed and self._laws.find_printed(printed["day"], printed["page"], "")
        day = read_date(dated["day"])
        return found or (self._laws.find_before(statute, date.fromisoformat(day)) if day else None)

    def _find_day(self, found: FoundCitation, statute: Statute) -> re.Match[str] | None:
        """The day behind the law or inside what is cited, which is not one of its title."""
        if " v" not in self._text[found.start : found.end + _DAY_BEHIND]:
            return None
        for dated in _DATED.finditer(self._text, found.start, found.end + _REACH // 2):
            if self._text[found.end : dated.start()].strip():
                return None
            if dated["day"] not in statute.title:
                return dated
        return None


def _key(target: NormCitation) -> str:
    return f"{target.unit} {target.number}"


@dataclass(frozen=True, slots=True)
class _Scope:
    """The lines below "aus dem Strafgesetzbuch:", in which a bare § is of that law."""

    start: int
    end: int
    law: str


def _find_scopes(text: str, found: Sequence[FoundCitation]) -> list[_Scope]:
    """The lists that a law stands at the head of."""
    scopes = []
    for one in found:
        target = one.targets[0]
        if not isinstance(target, NormCitation) or target.number or target.law is None:
            continue
        if not text.startswith(":\n", one.end):
            continue
        line = text.rfind("\n", 0, one.start) + 1
        label = _LABEL.match(text, line, one.start)
        if label is None or one.start - label.end() > _LONGEST_LEAD:
            continue
        if _LEADS.fullmatch(text, label.end(), one.start) is None:
            continue
        scopes.append(_Scope(one.end, _find_end(text, one.end, label.lastindex or 0), target.law))
    return scopes


def _find_end(text: str, pos: int, rank: int) -> int:
    """Where the next item of the same or a higher level begins."""
    line = text.find("\n", pos)
    while line >= 0:
        label = _LABEL.match(text, line + 1)
        if label is not None and (label.lastindex or 0) <= rank:
            return line
        line = text.find("\n", line + 1)
    return len(text)
