"""The laws of a build by what a text says of them: the day and page they were printed, a title.

"§ 5 des Gesetzes" in an ordinance means the law that empowers it; "Artikel 4 des Gesetzes vom 22.
Juni 1954 (BGBl. II S. 639)" the law of that day and page; and a law that is named in a text older
than the law held under that name is one before it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property

from fundstelle.citations.find import find
from fundstelle.citations.laws.name import LawName
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.text.dates import read_date
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.ingest.graph.resolving import Resolver
from fundstelle.ingest.graph.treaties import Treaties
from fundstelle.law.citations import FoundCitation, NormCitation
from fundstelle.law.norms import NormKind, Statute

_REGULATION = "regulation"
_ENDS = "Aufh"  # of a note on the day from which a law is no more in force
_FIRST_NORMS = 40  # by which a law shows whether it counts §§ or Artikel
FORMULA_WITHIN = 3
"""The last place at the front at which what empowers an ordinance may stand."""
_DAY = re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}")
_PAGE = re.compile(
    r"BGBl\.? (?:(?P<part>I{1,3}) )?\d{4}(?: (?P<second>I{1,3}))? S\. (?P<page>\d+)$"
)
_SIGNS = frozenset({"§", "Art"})
_TITLE_WORDS = 4
_COMPETENCE = "ZustAnpG"  # says who may make ordinances of laws that name another
_WORD = re.compile(r"[^\W_]+")
# What applies or changes another law and has few provisions of its own.
_SPEAKS_OF = re.compile(
    r"(?:[^\W\d_]+\s){0,2}(?:Bekanntmachung|Anordnung)(?!\w)|(?:\S+\s){1,6}?(?:Änderung|Ergänzung)\s"
)
_KIND = re.compile(r"^(?:[\w.-]+\s){0,3}?[\w-]*ordnung(?![\w-])")
_ORDINANCE = re.compile(
    r"((?:[A-ZÄÖÜ][\w-]*-\s(?:und|oder)\s)?[A-ZÄÖÜ]\w+?)(?:-?[Dd]urchführungs)?verordnung(?!\w)"
)
_EMPOWERED = re.compile(r"Auf\s*[Gg]rund|Gemäß|Nach Maßgabe|In Ausführung")


def fold_title(written: str) -> str:
    """The words of a title, without case and punctuation."""
    return " ".join(_WORD.findall(written)).casefold()


class Laws:
    """What is known of the laws of one build."""

    def __init__(self, store: WholeStore, names: LawNames, resolver: Resolver) -> None:
        self._store = store
        self._names = names
        self._resolver = resolver
        self._asked = resolver.asked
        self._signs: dict[str, frozenset[str]] = {}
        self.find_last = self._asked.remember(self._find_last)
        self._changed: dict[str, date | None] = {}
        self._empower = self._asked.remember(self._find_empowering)
        self._titled = self._asked.remember(self._list_titled)
        self._by_abbreviation: dict[str, Statute] = {}
        for statute in store.statutes.values():
            self._by_abbreviation.setdefault(statute.abbreviation, statute)

    def find(self, abbreviation: str) -> Statute | None:
        """The law that goes by this canonical abbreviation."""
        self._asked.ask_law(abbreviation)
        return self._by_abbreviation.get(abbreviation)

    def _find_last(self, name: str) -> Statute | None:
        """The law of that abbreviation, else the last of those that share a title."""
        return self.find(name) or self._find_last_titled(name)

    def _find_last_titled(self, name: str) -> Statute | None:
        ids = {law.statute_id or "" for law in self._find_named(name)}
        named = [self._store.statutes[one] for one in ids if one in self._store.statutes]
        for one in named:
            self._asked.ask_law(one.abbreviation)
        last = [one for one in named if one.issued_on is not None]
        if len(last) != len(ids) or len({fold_title(one.title) for one in last}) != 1:
            return None
        return max(last, key=lambda one: str(one.issued_on))

    def _find_named(self, name: str) -> Sequence[LawName]:
        self._asked.ask_name(name)
        return self._names.find(name)

    def find_in_time(self, name: str, day: date | None) -> str | None:
        """The last law of that name that there was on a day; ``None`` if none of it is held."""
        statute = self.find_last(name)
        if statute is None or statute.issued_on is None:
            return name
        if day is not None and day < statute.issued_on:
            older = self.find_before(statute, day)
            return older.abbreviation if older else None
        return statute.abbreviation

    def has(self, abbreviation: str, target: NormCitation) -> bool:
        """Whether the law has the provision."""
        own = target if target.law == abbreviation else replace(target, law=abbreviation)
        return self._resolver.resolve(own)[0] is not None

    @cached_property
    def _by_day(self) -> dict[date, list[Statute]]:
        by_day: dict[date, list[Statute]] = defaultdict(list)
        for statute in self._store.statutes.values():
            if statute.issued_on is not None:
                by_day[statute.issued_on].append(statute)
        return by_day

    @cached_property
    def _by_title(self) -> dict[str, list[Statute]]:
        by_title: dict[str, list[Statute]] = defaultdict(list)
        for statute in self._store.statutes.values():
            for title in filter(None, (statute.title, statute.short_title)):
                by_title[fold_title(title)].append(statute)
        return by_title

    def find_printed(self, day: str, page: str | None, rest: str) -> Statute | None:
        """The one law of that day that was printed on ``page`` or whose title goes on as ``rest``.

        A page that a law shares with the one it is a part of is not its own.
        """
        on = _read_day(day)
        of_day = self._list_of_day(on) if on else ()
        if page:
            printed = [one for one in of_day if _read_page(one) == page]
            if len(printed) == 1:
                return printed[0]
        words = fold_title(rest).split()[:_TITLE_WORDS]
        if len(words) < _TITLE_WORDS:
            return None
        begun = " ".join(words) + " "
        titled = [one for one in of_day if f" {begun}" in f" {fold_title(one.title)} "[:120]]
        return titled[0] if len(titled) == 1 else None

    def _list_of_day(self, day: date) -> Sequence[Statute]:
        self._asked.ask_day(day.isoformat())
        return self._by_day.get(day, ())

    def _list_of_title(self, title: str) -> Sequence[Statute]:
        folded = fold_title(title)
        self._asked.ask_title(folded)
        return self._by_title.get(folded, ())

    @staticmethod
    def is_printed_on(statute: Statute, year: int, page: str) -> bool:
        """Whether the law was printed on that page of its year, whatever its day."""
        return statute.issued_on is not None and (statute.issued_on.year, _read_page(statute)) == (
            year,
            page,
        )

    @cached_property
    def treaties(self) -> Treaties:
        """Those that are held apart from the laws that consent to them."""
        return Treaties(self._list_of_day, self._list_of_title)

    def find_of_day(self, statute: Statute, day: str) -> Statute | None:
        """The law of that day with the title of ``statute``."""
        named = self._list_namesakes(statute)
        on = _read_day(day)
        return next((one for one in named if one.issued_on == on), None)

    def find_before(self, statute: Statute, day: date) -> Statute | None:
        """The last law with the title of ``statute`` that there was on that day."""
        named = [one for one in self._list_namesakes(statute) if one.issued_on]
        older = [
            one
            for one in named
            if one.issued_on is not None and one.issued_on <= day and one != statute
        ]
        return max(older, key=lambda one: one.issued_on or day, default=None)

    def _list_namesakes(self, statute: Statute) -> list[Statute]:
        titles = filter(None, (statute.title, statute.short_title))
        return [one for title in titles for one in self._list_of_title(title)]

    def fits(self, statute: Statute, target: NormCitation) -> bool:
        """Whether the law counts by the sign that is written."""
        signs = self.get_signs(statute) if target.unit in _SIGNS else frozenset()
        return not signs or target.unit in signs

    def get_signs(self, statute: Statute) -> frozenset[str]:
        """How its provisions are signed: "§", "Art" or both."""
        self._asked.ask_law(statute.abbreviation)
        signs = self._signs.get(statute.statute_id)
        if signs is None:
            first = self._store.list_provisions(statute.statute_id, 0, _FIRST_NORMS)
            signs = frozenset(
                sign
                for norm in first
                for sign in ("§", "Art")
                if norm.label.startswith(sign) or f"/{sign.lower()}" in norm.norm_id
            )
            self._signs[statute.statute_id] = signs
        return signs

    def get_last_changed(self, statute: Statute) -> date | None:
        """The last day on which the publisher says that the law was made or changed."""
        if statute.statute_id not in self._changed:
            notes = [note.text for note in statute.stand_notes if note.kind != _ENDS]
            noted = [day for text in notes for day in _DAY.findall(text)]
            days = [statute.issued_on, *map(_read_day, noted)]
            self._changed[statute.statute_id] = max(filter(None, days), default=None)
        return self._changed[statute.statute_id]

    def find_empowering(self, statute: Statute) -> str | None:
        """The law that "des Gesetzes" means in an ordinance; ``None`` where several could be.

        It is named in the title or stands alone in the words by which the ordinance is made.
        """
        return self._empower(statute.statute_id)

    def _find_empowering(self, statute_id: str) -> str | None:
        statute = self._store.statutes[statute_id]
        if statute.document_kind != _REGULATION:
            return None
        subject = _KIND.sub("", statute.title, count=1)  # else its own title is a law's name
        titled = _list_laws(find(subject, self._names), statute)
        if len(titled) == 1:
            return titled[0]
        namesake = self._find_by_stem(statute)
        if namesake is not None:
            return namesake
        made = _list_laws(self._read_formula(statute), statute)
        both = [law for law in titled if law in made]
        if len(both) == 1:
            return both[0]
        return made[0] if len(made) == 1 else None

    def find_titled(self, statute: Statute, target: NormCitation) -> str | None:
        """The one law in the title that has a provision which the statute itself lacks.

        "§ 19 Absatz 2 Satz 1" in a "Bekanntmachung nach § 19 Absatz 2 des …gesetzes", "§ 11f" in a
        "Gesetz zur Änderung des …gesetzes".
        """
        named = self._titled(statute.statute_id)
        having = [law for law in named if self._fits_and_has(law, target)]
        return having[0] if len(having) == 1 else None

    def _list_titled(self, statute_id: str) -> tuple[str, ...]:
        statute = self._store.statutes[statute_id]
        begun = _SPEAKS_OF.match(statute.title)
        if begun is None:
            return ()
        subject = statute.title[begun.end() :]  # else its own title is a law's name
        return tuple(_list_laws(find(subject, self._names), statute))

    def _fits_and_has(self, law: str, target: NormCitation) -> bool:
        held = self.find_last(law)
        if held is None or not self.fits(held, target):
            return False
        return self.has(held.abbreviation, target)

    def _find_by_stem(self, statute: Statute) -> str | None:
        """``Energiesteuer-Durchführungsverordnung``: the law called Energiesteuergesetz."""
        for title in filter(None, (statute.short_title, statute.title)):
            stem = _ORDINANCE.match(title)
            named = self._find_named(f"{stem[1]}gesetz") if stem else ()
            laws = {law.abbreviation for law in named if law.statute_id}
            if len(laws) == 1:
                return laws.pop()
        return None

    def _read_formula(self, statute: Statute) -> list[FoundCitation]:
        for norm in self._store.list_provisions(statute.statute_id, 0, FORMULA_WITHIN):
            if norm.kind is not NormKind.FORMULA:
                continue
            fassung = self._store.find_fassung(norm.norm_id)
            if fassung is not None and _EMPOWERED.search(fassung.text):
                return [
                    found
                    for found in find(fassung.text, self._names)
                    if not is_amending(fassung.text, found.start)
                ]
        return []


def _list_laws(found: Iterable[FoundCitation], own: Statute) -> list[str]:
    """The laws that citations name, each once; a law that only lends competence is none."""
    laws = [
        target.law
        for one in found
        for target in one.targets
        if isinstance(target, NormCitation) and target.law
    ]
    return [
        law
        for law in dict.fromkeys(laws)
        if law not in {own.abbreviation, _COMPETENCE} and not law.startswith("Verordnung")
    ]


def is_amending(text: str, start: int) -> bool:
    """Whether what begins at ``start`` is what amended a law: "durch Artikel 5 des …"."""
    return text[max(0, start - _BEFORE) : start].rstrip().endswith(_BY)


_BEFORE = 12
_BY = ("durch", "durch das", "durch die", "durch den", "gemäß", "durch die Artikel")


def _read_day(written: str) -> date | None:
    iso = read_date(written)
    return date.fromisoformat(iso) if iso else None


def _read_page(statute: Statute) -> str | None:
    match = _PAGE.match(statute.publication or "") or _PAGE.match(
        (statute.publication or "").split(" (")[0]
    )
    return match["page"] if match else None
