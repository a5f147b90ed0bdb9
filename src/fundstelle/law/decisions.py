"""Court decisions and their text with its parts.

Source: the decision XML of "Rechtsprechung im Internet" (rii-dok.dtd, Federal Office of Justice)
names the parts; other publishers have fewer of them.
"""

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from fundstelle.law.publishers import find_link

GERMAN_DECISIONS = "rechtsprechung"
EU_DECISIONS = "eurlex_caselaw"
UNKNOWN_COURT = "unbekannt"


class DecisionType(StrEnum):
    """What a decision is, by the word at its head."""

    URTEIL = "urteil"
    BESCHLUSS = "beschluss"
    GERICHTSBESCHEID = "gerichtsbescheid"
    VERFUEGUNG = "verfuegung"
    BESCHEID = "bescheid"
    GUTACHTEN = "gutachten"  # opinions of the CJEU on agreements
    SCHLUSSANTRAEGE = "schlussantraege"
    OTHER = "sonstige"


_WORDS = {
    DecisionType.URTEIL: "Urteil",
    DecisionType.BESCHLUSS: "Beschluss",
    DecisionType.GERICHTSBESCHEID: "Gerichtsbescheid",
    DecisionType.VERFUEGUNG: "Verfügung",
    DecisionType.BESCHEID: "Bescheid",
    DecisionType.GUTACHTEN: "Gutachten",
    DecisionType.SCHLUSSANTRAEGE: "Schlussanträge",
    DecisionType.OTHER: "Entscheidung",
}


class PartKind(StrEnum):
    """A part of a decision, in the order in which courts write them."""

    HEAD = "head"  # what stands before the first other part
    LEITSATZ = "leitsatz"
    ORIENTIERUNGSSATZ = "orientierungssatz"
    TENOR = "tenor"
    TATBESTAND = "tatbestand"
    ENTSCHEIDUNGSGRUENDE = "entscheidungsgruende"
    GRUENDE = "gruende"
    ABWEICHENDE_MEINUNG = "abweichende_meinung"
    RECHTSMITTELBELEHRUNG = "rechtsmittelbelehrung"
    SIGNATURES = "signatures"
    FULL_TEXT = "full_text"  # the publisher does not tell the parts apart


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the stored text: offsets in code points, half-open; parts tile the text.

    ``label`` is the heading as printed, ``None`` where the publisher names the part by markup.
    """

    kind: PartKind
    label: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A numbered paragraph (Randnummer): offsets in code points of the stored text, half-open.

    ``body`` is where its words begin after the printed number; equal to ``start`` where the number
    is not part of the stored text. ``part`` is an index into the parts of the decision.
    """

    number: str  # "12", "12a"
    start: int
    end: int
    body: int
    part: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside the reasons: ``text[start:end]``; ``level`` 1 is the outermost."""

    start: int
    end: int
    level: int


@dataclass(frozen=True, slots=True)
class DecisionSource:
    """Where a decision was published: the adapter's name, the file, the public address.

    An address that is no publisher's (``law.publishers``) is left out, wherever it comes from.
    """

    source_type: str  # "rii" | "bag" | "bverwg" | "bfh" | "bayern" | "ifg" | "old" | "eurlex" …
    publisher_id: str  # document number, or the file's name where there is none
    url: str | None

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", find_link(self.url))


@dataclass(frozen=True, slots=True)
class LowerInstance:
    """One ``vorinstanz``: court, day and docket as far as they are given; ``text`` as printed."""

    text: str
    court: str | None = None
    docket: str | None = None
    issued_on: date | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A court decision: who decided what and when, without its text.

    ``decision_id`` is the ECLI in its official spelling, else ``de/`` + court, docket, day and
    type in id form (``de/vg-koeln/13-k-1189-20/2021-03-11/urteil``).
    """

    decision_id: str
    court: str  # short name of the table of courts: "BGH", "VG Köln"; else as the publisher says
    panel: str | None  # Spruchkörper as printed
    dockets: tuple[str, ...]  # 1..n, official spelling
    issued_on: date | None
    decision_type: DecisionType
    ecli: str | None
    title: str | None  # Titelzeile or name ("Schrems II")
    norms: str | None  # the publisher's Normenkette, as printed
    lower_instances: tuple[LowerInstance, ...]
    sources: tuple[DecisionSource, ...]
    jurisdiction: str = "de"
    language: str = "de"
    text_complete: bool = True  # False: the publisher shortened it
    doubts: tuple[str, ...] = ()  # where text and collection disagree on what it is, in words

    @property
    def source_type(self) -> str:
        """The value of the filter: German courts, or the courts of the EU."""
        return EU_DECISIONS if self.jurisdiction == "eu" else GERMAN_DECISIONS

    @property
    def is_citable(self) -> bool:
        """Whether court, day and docket are known: without one of them nobody finds it again."""
        return self.court != UNKNOWN_COURT and bool(self.dockets) and self.issued_on is not None

    @property
    def citation(self) -> str:
        """``BGH, Urteil vom 15.03.2022 - VI ZR 1/21``.

        Without a docket: ``Urteil unbekannten Gerichts (Sammlung plain, Nr. 0b9c)``.
        """
        word = _WORDS[self.decision_type]
        day = f" vom {self.issued_on:%d.%m.%Y}" if self.issued_on else ""
        if not self.dockets and self.sources:
            source = self.sources[0]
            number = source.publisher_id.removesuffix(".txt")
            place = f"(Sammlung {source.source_type}, Nr. {number})"
            known = self.court != UNKNOWN_COURT
            named = f"{self.court}, {word}{day}" if known else f"{word} unbekannten Gerichts{day}"
            return f"{named} {place}"
        dockets = f" - {', '.join(self.dockets)}" if self.dockets else ""
        return f"{self.court}, {word}{day}{dockets}"

    @property
    def source_url(self) -> str | None:
        """Where a publisher shows it."""
        return next((source.url for source in self.sources if source.url), None)


@dataclass(frozen=True, slots=True)
class DecisionText:
    """The words of a decision.

    ``text`` is NFC, one paragraph a line, without indentation and without page furniture;
    printed Randnummern are not in it. ``source_chars`` counts the publisher's characters without
    white space before furniture was removed, ``kept_chars`` those that were stored.
    """

    decision_id: str
    text: str
    text_sha256: str
    parts: tuple[Part, ...]
    passages: tuple[Passage, ...]
    headings: tuple[Heading, ...]
    source_chars: int
    kept_chars: int


_CORE = re.compile(r"[^/]{0,40}?\d[/.]\d{2,6}(?=\D|$)")
_DOCKET_MARKS = str.maketrans({"/": ".", "‑": "-", "–": "-"})


def docket_key(docket: str) -> str:
    """A docket for comparison: without blanks and case, ``/`` as ``.`` (BVerwG writes the dot)."""
    return "".join(docket.split()).casefold().translate(_DOCKET_MARKS)


def docket_core(docket: str) -> str | None:
    """The key of a docket without what a court writes behind its year; ``None`` if that is nothing.

    "34 Wx 240/23 e", "7 K 805/08.F(3)" and "8 AZR 209/21 (B)" are often cited without the end,
    which tells the order from the judgment under one number.
    """
    found = _CORE.match(docket)
    core = docket_key(found[0]) if found else None
    return None if core == docket_key(docket) else core


def print_key(citation: str) -> str:
    """A citation as ``Decision.citation`` prints it, for comparison: blanks and case aside."""
    return " ".join(citation.split()).casefold()
