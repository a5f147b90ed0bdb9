"""The law behind a list: a known name, an EU act, an unknown name, or something that is no law."""

import re
from typing import NamedTuple

from fundstelle.citations.drafts import Draft, LawReference
from fundstelle.citations.laws import eu, of_land
from fundstelle.citations.laws.between import OWN_SIGN, PREPOSITION, read_past
from fundstelle.citations.laws.name import LawName
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.laws.own_numbers import find_other_number
from fundstelle.citations.laws.own_titles import read_tail
from fundstelle.citations.laws.sozialgesetzbuch import BOOKS, skip_book_number
from fundstelle.citations.laws.unknown import make_nominative, read_unknown
from fundstelle.citations.laws.versions import OLD_OR_NEW, find_mark_end, read_version
from fundstelle.citations.norms.path import skip_blanks
from fundstelle.citations.text.spaced import match_torn
from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Level

_MANNERS = r"(?:analog|entspr(?:echend|\.)?|direkt|unmittelbar|doppelt\s+analog)(?![^\W_])\.?"
MANNER = re.compile(rf"\s*,?\s*(?:{_MANNERS}|\(\s*{_MANNERS}\s*\))", re.IGNORECASE)
"""How a provision is applied, which is no part of it."""

_MANNER_OPENS = frozenset({"an", "en", "di", "un", "do"})
# Names under which the publisher keeps one such law; in a text they mean any.
_GENERIC = frozenset({"Übereinkommen", "Übereinkommens", "Protokoll", "Protokolls", "Vereinbarung"})
_COUNTED = re.compile(r"(?:Erst|Zweit|Dritt|Viert|Fünft|Sechst|Siebt|Acht|Neunt|Zehnt)en\s(?=Ri)")
_BOOK = re.compile(
    r"([A-Z][a-zäöüß]+)en\s+Buch(?:e?s)?(?![\w-])(?!\s*(?:de[rs]|dieses)\s|\s[A-ZÄÖÜ])"
)
# Whose law it is, where it is not of the Federation or the Union: "Art. 6 OR (Schweiz)".
_STATES = (
    r"(?:Schweiz|Österreich|Liechtenstein|Frankreich|Italien|Spanien|Polen|Niederlande|Belgien|USA"
    r"|CH|AT|FL|Switzerland|Austria|France|UK)"
)
_ABROAD = re.compile(rf"\s*[(\[]\s*{_STATES}\s*[)\]]|\s*,\s*(?:Schweiz|Österreich)(?!\w)")
_FOREIGN = re.compile(
    r"(?:schweizerischen?|schweizer|österreichischen?|liechtensteinischen?|französischen?"
    r"|italienischen?|spanischen?|polnischen?|niederländischen?|türkischen?|englischen?)\s+"
    r"[A-ZÄÖÜ][\w-]*"
)
_VERSION_INITIALS = frozenset("anAN(<[,")
_OWN = re.compile(r"\s*(?:dieses\s+Gesetzes|dieser\s+(?:Verordnung|Satzung|Ordnung))(?![^\W_])")
_FRAMEWORK = re.compile(
    r"\s*der\s+Rahmenvereinbarung[^.;()]{0,60}?\s(?:zu|zur|in|der|im\s+Anhang\s+der)\s+"
)
_ANNEX_TO = re.compile(
    r"\s*(?:\(?\s*(?:zu|of)\s+(?:den\s+)?(?:§{1,2}|Art(?:ikeln?|\.)?)|(?:(?<=An[hl]\.)|(?<=An[hl]\.\s))\s*§)"
    r"\s*\d[^()§]{0,60}?"
    r"(?:(?<=[\da-z])\s§\s?\d[^()§]{0,40}?)?\)?\s*"
    r"(?=(?![IVX]+\s)[A-ZÄÖÜ][\w-]*[A-ZÄÖÜ]|de[rs]\s|$|\))"
)
_ANNEXED = re.compile(r"\s*\(?\s*zu\s+(?:den\s+)?§{1,2}\s*\d+[a-z]?(?=[\s)])")
_WORD = re.compile(r"(?<=[\s)])(?:[A-ZÄÖÜ]|\d{1,3}\.\s?[A-ZÄÖÜ])")
_MOST_ANNEXED = 80  # characters of a section with its parts
_ABBREVIATION = re.compile(r" ([A-ZÄÖÜ][a-zäöü]*[A-ZÄÖÜ][\w-]*)(?=\s*(?:$|[.,;)]))")
_SPACE = re.compile(r"[\s-]+")
_BRACKET = re.compile(r"\s*-?\s*([(<\[])\s*")
_SUBTITLE = re.compile(r"\s*-\s*[A-ZÄÖÜ][\wäöüß ,]{3,60}?\s*-(?=\s|$|,|;|\.|\))")
_BEHIND_LETTER = frozenset({" ", ".", "\n"})
_LETTER_GAP = re.compile(r"\.?\s*")
_OWN_LIST = re.compile(r"[*_]{0,3}:[*_]{0,3}\s*(?:(?:[-*•]|\d{1,2}[.)])\s*)?(?:§|Art[.i]?)")
_WORD_GOES_ON = re.compile(r"-[^\W\d_]|[^\W_]")


class _Chosen(NamedTuple):
    """The law that a name means, or the ``name`` alone where several go by it."""

    law: LawName
    one: bool
    name: str
    notes: tuple[str, ...]


class LawReader:
    """Reads what a list is bound to."""

    __slots__ = ("_chosen", "_last", "names", "text")

    def __init__(self, text: str, names: LawNames) -> None:
        self.text = text
        self.names = names
        # what one place, and one way to write a name, are read as: asked for again and again
        self._last: tuple[int, LawReference | None] = (-1, None)
        self._chosen: dict[str, tuple[tuple[LawName, ...], _Chosen]] = {}

    def read(self, pos: int, last: Draft) -> LawReference | None:
        """The law that begins behind ``pos``, ``None`` if there is none."""
        law = self._read(pos, last)
        if law is None or law.silent:
            law = read_past(self.text, pos, last, self.read_name) or law
        if law is None or law.end >= len(self.text):
            return law
        if self._opens_line(pos, law):
            return None
        abroad = _ABROAD.match(self.text, law.end)
        return law if abroad is None else LawReference(None, abroad.end(), silent=True)

    def _opens_line(self, pos: int, law: LawReference) -> bool:
        """Whether the law begins a line and has a section of its own behind it."""
        place = skip_blanks(self.text, pos)
        if "\n" not in self.text[pos:place] or law.silent or law.own:
            return False
        return any(sign.match(self.text, law.end) for sign in (OWN_SIGN, _OWN_LIST))

    def _read(self, pos: int, last: Draft) -> LawReference | None:
        text = self.text
        if text.startswith(")", pos) and last.path and _is_lettered(last.path[-1]):
            pos += 1
        place = skip_blanks(text, pos)
        first = text[place : place + 1]
        if first in {".", ","} and (last.bracketed if first == "," else last.path):
            return self._read_behind_stop(place + 1) or self._read_manner(pos, place, last)
        if first == "§" and last.unit == "Anlage" and _ANNEX_TO.match(text, pos):
            return self._read_manner(pos, place, last)  # "Anh. § 3 III Nr. 11 UWG"
        if not first.isalnum() and (first not in {"(", ","} or last.unit == "§"):
            is_manner = first == "," or (first == "(" and MANNER.match(text, pos))
            return self._read_manner(pos, place, last) if is_manner else None
        if first.islower() or first in {"(", ","}:
            return self._read_manner(pos, place, last)
        if first.isdigit() and "\n" in text[pos:place]:
            return self.read_name(place)  # what no one knows is the label of the next item
        return self.read_name(place) or read_unknown(text, place, "")

    def _read_behind_stop(self, pos: int) -> LawReference | None:
        """``Article 6(1), GDPR``, ``§ 626 Abs 1. BGB``: an abbreviation behind a stray stop."""
        written = _ABBREVIATION.match(self.text, pos)
        law = self.read_name(written.start(1)) if written else None
        return law if law is not None and law.known else None

    def _read_manner(self, pos: int, place: int, last: Draft) -> LawReference | None:
        """A law behind words: ``analog BGB``, ``des Baugesetzbuchs``, ``dieses Gesetzes``.

        ``place`` is the first character behind ``pos`` that is no blank.
        """
        text = self.text
        opening = text[place : place + 2].casefold()
        seldom = opening[:1] in {",", "("} or opening in _MANNER_OPENS
        manner = MANNER.match(text, pos) if seldom else None
        if manner is not None:
            pos = manner.end()
        if last.unit == "Anlage":
            pos = self._skip_section(pos)
        preposition = PREPOSITION.match(text, pos)
        if preposition is None:
            place = skip_blanks(text, pos)
            law = self._read_version_first(place) or self.read_name(place)
            return law or read_unknown(text, place, "")
        return self._read_declined(pos, preposition)

    def _skip_section(self, pos: int) -> int:
        """Behind the section that an annex is cited with: ``zu § 4 16. BImSchV``."""
        section = _ANNEXED.match(self.text, pos)
        for word in _WORD.finditer(self.text, section.end()) if section else ():
            if self.names.match(self.text, word.start()):
                return word.start()
            if word.start() - pos > _MOST_ANNEXED:
                break
        annexed = _ANNEX_TO.match(self.text, pos)
        return pos if annexed is None else annexed.end()

    def _read_version_first(self, pos: int) -> LawReference | None:
        """``§ 651a a. F. BGB``."""
        if self.text[pos : pos + 1] not in _VERSION_INITIALS:
            return None
        which = OLD_OR_NEW.match(self.text, pos)
        law = self.read_name(skip_blanks(self.text, which.end())) if which is not None else None
        if which is None or law is None:
            return None
        return law._replace(version=law.version or ("aF" if which["old"] else "nF"))

    def _read_declined(self, pos: int, preposition: re.Match[str]) -> LawReference | None:
        """A law behind "des", "der" and the like."""
        text = self.text
        written = preposition["word"]
        own = _OWN.match(text, pos) if written.startswith("dies") else None
        if own is not None:
            return LawReference(None, own.end(), own=True)
        framework = _FRAMEWORK.match(text, pos) if written == "der" else None
        if framework is not None:
            act = eu.read_act(text, framework.end())
            if act is not None:
                return LawReference(act.name, act.end, act.celex, unit="§")
        word = "des" if written == "d." else written.split()[0].casefold()
        place = preposition.end()
        begun = preposition.start("rest")
        foreign = _FOREIGN.match(text, begun) if text[begun : begun + 1].islower() else None
        if foreign is not None:
            return LawReference(None, foreign.end(), silent=True)
        law = self.read_name(preposition.start("rest")) if preposition["rest"] else None
        counted = _COUNTED.match(text, place)
        act = eu.read_act(text, counted.end()) if counted else None
        if act is not None:
            return self._finish_act(act)
        law = law or self.read_name(place) or self._read_book(place)
        if law is not None and preposition["rest"].startswith(("alten", "früheren")):
            return law._replace(version=law.version or "aF")
        return law or read_unknown(text, place, word)

    def _read_book(self, pos: int) -> LawReference | None:
        """``§ 18 des Elften Buches``: with no law behind it a book of the Sozialgesetzbuch."""
        book = _BOOK.match(self.text, pos)
        number = BOOKS.get(book[1].casefold()) if book else None
        if book is None or number is None:
            return None
        return LawReference(f"SGB {number}", book.end(), unit="§", name_end=book.end())

    def read_name(self, pos: int) -> LawReference | None:
        """A known law or a numbered EU act at ``pos``, with its version."""
        if self._last[0] != pos:
            self._last = pos, self._read_name(pos)
        return self._last[1]

    def _read_name(self, pos: int) -> LawReference | None:
        act = eu.read_act(self.text, pos)
        if act is not None:
            return self._finish_act(act)
        match = self.names.match(self.text, pos) or match_torn(self.text, pos, self.names)
        if match is None:
            return self._read_behind_land(pos)
        if self._may_be_shorter(pos, match):
            return None
        end, laws = match
        end = skip_book_number(self.text, end, laws[0].abbreviation)
        if self.text[pos:end] in _GENERIC or _WORD_GOES_ON.match(self.text, end):
            return None
        law = self._finish_name(self.text[pos:end], end, laws)
        return self._give_to_land(pos, end, law) or law

    def _read_behind_land(self, pos: int) -> LawReference | None:
        """``Berliner IFG``: a name that the Bund has a law of, too, behind that of a Land."""
        land = of_land.BEFORE.match(self.text, pos)
        if land is None or self.names.match(self.text, land.end()) is None:
            return None
        law = self.read_name(land.end())
        if law is None or law.celex or not (law.known or law.of_land):
            return None
        name = make_nominative(self.text[pos : law.name_end or law.end])
        return law._replace(name=name, unit=None, known=False, of_land=True, notes=())

    def _give_to_land(self, pos: int, end: int, law: LawReference) -> LawReference | None:
        """The law of a Land, where one stands behind the name, what repeats it, or its version."""
        land = of_land.match_behind(self.text, law, end)
        if land is None:
            return None
        version, end = read_version(self.text, land.end())
        return LawReference(
            make_nominative(self.text[pos : land.end()]),
            end,
            version=version or law.version,
            known=False,
            of_land=True,
            name_end=find_mark_end(self.text, land.end()),
        )

    def _may_be_shorter(self, pos: int, match: tuple[int, tuple[LawName, ...]]) -> bool:
        """Whether a name begins with a lone letter without which it is another: ``K SVG``.

        Which is meant is not guessed, unless the one is called just so.
        """
        if self.text[pos + 1 : pos + 2] not in _BEHIND_LETTER:
            return False
        end, laws = match
        rest = _LETTER_GAP.match(self.text, pos + 1)
        other = self.names.match(self.text, rest.end()) if rest else None
        if other is None or other[0] < end:
            return False
        written = self.text[pos:end]
        return all(written not in {law.abbreviation, *law.aliases} for law in laws)

    def _finish_act(self, act: eu.Act) -> LawReference:
        tail = read_tail(self.text, act.end, self.names.get_facts(act.celex))
        return LawReference(
            act.name,
            self._skip_bracket(tail.end, act.name),
            act.celex,
            "Art",
            version=act.version,
            definitions=eu.find_definitions(act.celex),
            name_end=tail.end,
            unread=tail.wrong,
        )

    def _finish_name(self, written: str, end: int, laws: tuple[LawName, ...]) -> LawReference:
        begun = end - len(written)
        if len(laws) > 1:
            laws = self._read_title_behind(end, laws) or laws
        chosen = self._chosen.get(written)
        if chosen is None or chosen[0] is not laws:
            self._chosen[written] = chosen = laws, _choose(written, laws)
        law, one, name, notes = chosen[1]
        subtitle = _SUBTITLE.match(self.text, end) if name.startswith("SGB ") else None
        titled = subtitle is not None and "SGB" not in subtitle[0]
        name_end = subtitle.end() if subtitle and titled else find_mark_end(self.text, end)
        end = self._skip_bracket(subtitle.end() if subtitle else end, name)
        version, end = read_version(self.text, end)
        dated = self.names.find(f"{name} {version}") if version and version.isdecimal() else ()
        if len(dated) == 1 and dated[0].abbreviation != name:  # "FZV (2011)" is not the FZV
            law, one, version = dated[0], True, None
            name = law.abbreviation
        act = law.celex if one else None
        other = find_other_number(self.text, end, act) if act else None
        other = other and (begun, other[1])  # with the name, whose number it is not
        of_bund = None if law.celex else of_land.OF_BUND.match(self.text, end)
        return LawReference(
            name,
            of_bund.end() if of_bund else end,
            act,
            law.unit if one else None,
            version=version,
            definitions=law.definitions if one else None,
            notes=notes if name == chosen[1].name else _say_case(written, law, name),
            name_end=name_end,
            unread=other,
        )

    def _read_title_behind(self, end: int, laws: tuple[LawName, ...]) -> tuple[LawName, ...]:
        """The one of laws of one name whose title stands in brackets: ``EBV (Entgelt…)``."""
        bracket = _BRACKET.match(self.text, end)
        match = self.names.match(self.text, bracket.end()) if bracket else None
        if match is None or self.text[match[0] : match[0] + 1] not in {")", ">", "]"}:
            return ()
        named = tuple(law for law in laws if law in match[1])
        return named if len(named) == 1 else ()

    def _skip_bracket(self, end: int, name: str | None) -> int:
        """The abbreviation repeated in brackets: ``des Berufsbildungsgesetzes <BBiG>``."""
        bracket = _BRACKET.match(self.text, end)
        if bracket is None or name is None:
            return end
        match = self.names.match(self.text, bracket.end())
        if match is None or all(law.abbreviation != name for law in match[1]):
            return end
        closing = {"(": ")", "<": ">", "[": "]"}[bracket[1]]
        return match[0] + 1 if self.text.startswith(closing, match[0]) else end


def _is_lettered(step: PathStep) -> bool:
    """Whether a bracket may close a letter: ``Buchst. a)``, ``Nr. 1a)``."""
    return step.value.isalpha() or (step.level == Level.NUMMER and step.value[-1].isalpha())


def _say_case(written: str, law: LawName, name: str) -> tuple[str, ...]:
    """That an abbreviation was read in other letters: ``LWG`` may be another law than the LwG.

    What is typed in small letters alone names none by them.
    """
    bare = _SPACE.sub("", written)
    names = {_SPACE.sub("", one) for one in (law.abbreviation, *law.aliases)}
    if written.islower() or bare in names:
        return ()
    is_case = bare.casefold() in map(str.casefold, names)
    return (f"{written} was read as {name}",) if is_case else ()


def _prefer(written: str, laws: tuple[LawName, ...]) -> tuple[LawName, ...]:
    """Of laws that share a name, those written just so, and the one kept by hand if it is one."""
    exact = tuple(law for law in laws if written in {law.abbreviation, *law.aliases})
    laws = exact or laws  # GbV is not GBV
    # A name kept by hand is what lawyers mean, also where a remote law bears the same.
    by_hand = tuple(law for law in laws if law.by_hand)
    return by_hand if len(by_hand) == 1 else laws


def _choose(written: str, laws: tuple[LawName, ...]) -> _Chosen:
    if len(laws) > 1:
        laws = _prefer(written, laws)
    law = laws[0]
    one = len(laws) == 1 or len({other.abbreviation for other in laws}) == 1
    name = law.abbreviation if one else _find_name(written, laws)
    return _Chosen(law, one, name, _say_case(written, law, name))


def _find_name(written: str, laws: tuple[LawName, ...]) -> str:
    """The name of one of several laws that share it: as written, in the form the laws have."""
    folded = "".join(written.split()).casefold()
    for law in laws:
        for name in (law.abbreviation, *law.aliases):
            if "".join(name.split()).casefold() == folded:
                return name
    return written
