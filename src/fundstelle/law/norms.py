"""Statutes, their norms, and the text of a norm with its parts.

Source: gii-norm.dtd 1.01 of "Gesetze im Internet" (juris GmbH for the Federal Ministry of Justice).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from fundstelle.law.application import Application
from fundstelle.law.publishers import find_link


class Level(StrEnum):
    """A level below the section, named as in citations (and in the citation gold set)."""

    SECTION = "§"  # below an Artikel: Art. 229 § 5 EGBGB
    ABSATZ = "abs"
    UNTERABSATZ = "uabs"
    SATZ = "satz"
    HALBSATZ = "hs"
    NUMMER = "nr"
    BUCHSTABE = "buchst"
    DOPPELBUCHSTABE = "dbuchst"
    DREIFACHBUCHSTABE = "tbuchst"
    SPIEGELSTRICH = "spiegelstrich"
    ALTERNATIVE = "alt"
    VARIANTE = "var"
    FALL = "fall"
    TEIL = "teil"
    ABSCHNITT = "abschnitt"
    KAPITEL = "kapitel"
    SPALTE = "spalte"
    KATEGORIE = "kategorie"
    RANDNUMMER = "rn"  # of a decision


class NormKind(StrEnum):
    """What a unit of a statute is.

    A HEADING holds other norms; some headings carry text (EGBGB Art. 246).
    """

    SECTION = "section"
    ARTICLE = "article"
    ANNEX = "annex"
    FORMULA = "formula"  # Eingangsformel, Präambel, Schlussformel
    CONTENTS = "contents"  # Inhaltsübersicht
    HEADING = "heading"
    OTHER = "other"
    RECITAL = "recital"  # Erwägungsgrund


class NormStatus(StrEnum):
    """What is known of a norm on a day. The order is that of the codes that builds store.

    The first three are what the publisher says of a text; the others are found from what stands
    beside it.
    """

    IN_FORCE = "in_force"
    REPEALED = "repealed"
    FUTURE = "not_yet_in_force"
    NOT_SEEN = "not_seen_yet"  # the looks up to that day did not show it
    VOID = "void"  # nichtig, declared by the Constitutional Court
    PARTLY_VOID = "partly_void"
    INCOMPATIBLE = "incompatible"  # unvereinbar with the Grundgesetz
    REMOVED = "removed"  # its law is no longer in the publisher's table of contents
    PARTLY_INCOMPATIBLE = "partly_incompatible"


class DatePrecision(StrEnum):
    """What the first day of a fassung is."""

    EXACT = "exact"  # its first day in force
    FIRST_SEEN = "first_seen"  # the day of the look that showed it first, no day in force
    UNKNOWN = "unknown"  # none is known
    PARLIAMENT = "parliament"  # its first day in force, as parliament's record has it
    TEXT = "text"  # its first day in force, by the own words of its law
    TREATY = "treaty"  # the same by Article 297 TFEU, where those words name none
    PROVEN = "proven"  # a day on which it was in force; since when is not known

    @property
    def is_in_force(self) -> bool:
        """Whether it is a first day in force, whoever says so, and not that of a look."""
        return self in _IN_FORCE


_IN_FORCE = frozenset(
    (DatePrecision.EXACT, DatePrecision.PARLIAMENT, DatePrecision.TEXT, DatePrecision.TREATY)
)

# How a note begins on the newest consolidated text of an EU act that was seen at its publisher,
# and the day that it is of.
SEEN = "Neueste konsolidierte Fassung: "
# How a note begins on an EU act of which its publisher says that it is no longer in force.
ENDED = "Beim Herausgeber nicht mehr in Kraft, gesehen am "
_SEEN_ON = re.compile(rf"{SEEN}\d{{4}}-\d\d-\d\d, gesehen am (?P<day>\d{{4}}-\d\d-\d\d)")
# How a note begins on a text of which files are missing or could not be read, and on an excerpt;
# behind it stands the day of the text.
GAPS = "Nicht alle Teile des Textes"
EXCERPTS = "Nur Auszüge des Textes"
# How a note begins on a text that another program read than those before it, and its day.
READ_ANEW = "Anders gelesen ab "


@dataclass(frozen=True, slots=True)
class StandNote:
    """One ``standangabe``.

    ``kind`` is Stand, Neuf, Sonst, Aufh or Hinweis; ``text`` the standkommentar.
    """

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Statute:
    """A Gesetz or Verordnung as a whole.

    ``statute_id`` is ``de/`` + the canonical abbreviation in lower-case ASCII (``de/sgb-v``).
    A ``source_url`` that is no publisher's (``law.publishers``) becomes empty.
    """

    statute_id: str
    slug: str  # the publisher's folder, "sgb_5"
    publisher_id: str  # doknr, "BJNR024820988"
    abbreviation: str  # the one lawyers use: "SGB V", "KWG"
    abbreviations_juris: tuple[str, ...]  # jurabk, 1..n
    abbreviation_official: str | None  # amtabk
    title: str  # langue
    short_title: str | None  # kurzue
    issued_on: date | None  # ausfertigung-datum
    # "BGBl. I 2001 S. 3138"; as the publisher writes it where no rule applies
    publication: str | None
    stand_notes: tuple[StandNote, ...]
    document_kind: str  # statute | regulation
    listed: bool  # False: it has left the publisher's table of contents
    source_url: str
    stand: date  # the day of the snapshot it was taken from
    norm_count: int  # provisions, headings not counted
    source_type: str  # of ``law.sources.Source``
    jurisdiction: str = "de"
    language: str = "de"  # of its text
    complete: bool = True  # False: only parts of it, or of its newest text, are held
    # the oldest look that showed it, of an EU act the day of its oldest text; None = the build's
    first_look: date | None = None
    # the newest day that its notes named when it was first seen; None = they do not tell
    last_change: date | None = None
    # of the file that its newest text was read from, as its source tells files apart; "" = it
    # does not
    fingerprint: str = ""
    # of an act of the Union: the program that read its newest text; "" = not known
    read_by: str = ""
    # of an act of the Union: the day of the Official Journal; when it came into force, and who
    # says so, or a day by which it had (``DatePrecision.PROVEN``); from when on it applies
    published_on: date | None = None
    in_force_from: date | None = None
    date_precision: DatePrecision = DatePrecision.UNKNOWN
    applications: tuple[Application, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "source_url", find_link(self.source_url) or "")

    @property
    def is_dated(self) -> bool:
        """Whether its publisher gives each of its texts with the days on which it applies.

        Laws are numbered so by the European Legislation Identifier of their work.
        """
        return self.publisher_id.startswith("eli/")

    @property
    def has_gaps(self) -> bool:
        """Whether it is not complete since parts of its newest text could not be read.

        Otherwise what is not complete is held in excerpts alone.
        """
        return not self.complete and any(note.text.startswith(GAPS) for note in self.stand_notes)

    @property
    def newest_from(self) -> date:
        """The first day for which all its newest texts are read."""
        return max(self.stand, self.in_force_from or self.stand)

    @property
    def has_looks(self) -> bool:
        """Whether days on which a text began or ended may be those of looks at its publisher."""
        return self.jurisdiction != "eu" and not self.is_dated


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a norm's stored text, or a Randnummer of a decision's.

    Offsets count code points in the stored text, half-open. A segment includes its printed label;
    ``body`` is where its words begin after that label. Children lie inside their parent;
    ``parent`` is
    an index into the same tuple, -1 at the top. Segments are in document order, a parent before
    its children.
    """

    level: Level
    value: str  # "1", "2a", "a", "aa"; the ordinal of an unlabelled Spiegelstrich
    start: int
    end: int
    body: int
    parent: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a norm.

    ``rows`` of cell texts; its text lies at ``start``..``end`` in the stored text.
    """

    start: int
    end: int
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Norm:
    """One §, Artikel, Anlage … or heading of a statute: its place and names, without its text."""

    norm_id: str  # "de/bgb/823", "de/egbgb/229/5", "de/gkg/anlage-1"
    statute_id: str
    position: int  # document order inside the statute, from 0
    kind: NormKind
    number: str  # the part of norm_id after the statute: "823", "229/5", "anlage-1"
    number_end: str | None  # last number of a range norm (§§ 43 und 44), else None
    label: str  # as printed: "§ 823", "Art 74", "Anlage 1"
    title: str | None
    citation: str  # canonical: "§ 823 BGB", "Art. 229 § 5 EGBGB"
    level: int  # 1 = directly below the statute
    parent_id: str | None  # norm_id of the heading above it
    # headings from the outermost inwards: "Buch 2 Recht der Schuldverhältnisse"
    hierarchy: tuple[str, ...]
    status: NormStatus
    publisher_id: str  # doknr


@dataclass(frozen=True, slots=True)
class Headings:
    """What stood above the words of an earlier fassung; ``None`` and empty where not known."""

    title: str | None
    hierarchy: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Enactment:
    """By which acts a text came, as far as the looks around it tell.

    Attributes:
        acts: those that the publisher names since the look that showed the text, as it writes
            them: "Art. 4 G v. 19.7.2024 I Nr. 234".
        without: the last look without the text.
        seen: the first look with it.
        said: the day of commencement by parliament's record of these acts; ``None`` where that
            gives no single one.
    """

    acts: tuple[str, ...]
    without: date
    seen: date
    said: date | None = None


@dataclass(frozen=True, slots=True)
class Fassung:
    """One version of a norm, read for the days of ``[in_force_from, in_force_until)``.

    ``date_precision`` says whether the first day is known to be that of coming into force or is
    the day on which the text was first seen; of the last day the next fassung says it.

    ``text`` is the stored text: NFC, one Absatz or list item a line, table rows as lines with
    cells joined by " | ", no indentation. ``footnotes`` are official, ``notes`` the publisher's.
    """

    norm_id: str
    text: str
    text_sha256: str
    segments: tuple[Segment, ...]
    tables: Sequence[Table]
    footnotes: tuple[str, ...]
    notes: tuple[str, ...]
    in_force_from: date | None
    in_force_until: date | None
    date_precision: DatePrecision
    stand: date  # the snapshot that showed it last
    status: NormStatus = NormStatus.IN_FORCE  # of this version
    headings: Headings | None = None  # of an earlier fassung; None = those of the norm
    enactment: Enactment | None = None  # None where no look showed it to be new, or no act is named

    @property
    def filter_day(self) -> date:
        """What filters by day go by: the day of coming into force where known, else its Stand."""
        if self.in_force_from is not None and self.date_precision.is_in_force:
            return self.in_force_from
        return self.stand


def choose_read_day(stand: date, in_force_from: date | None) -> date:
    """A day for which a text is read: the last look that showed it, and not before it began."""
    return max(stand, in_force_from or stand)


def find_look_at_act(statute: Statute) -> date | None:
    """The last look that showed the newest text of an EU act as such."""
    said = (_SEEN_ON.fullmatch(note.text) for note in statute.stand_notes)
    return next((date.fromisoformat(found["day"]) for found in said if found), None)


def name_later(precision: DatePrecision) -> NormStatus:
    """The status on a day before a norm's first one, of which ``precision`` says what it is."""
    return NormStatus.FUTURE if precision.is_in_force else NormStatus.NOT_SEEN


def set_back(norm: Norm, fassung: Fassung | None) -> Norm:
    """The norm headed as it was in that fassung: a section may come to be about something else."""
    if fassung is None or fassung.headings is None:
        return norm
    return replace(norm, title=fassung.headings.title, hierarchy=fassung.headings.hierarchy)
