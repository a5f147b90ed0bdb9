"""What a lookup comes to: hits with the cut unit, or misses with their evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from fundstelle.law.citations import PathStep, Target
from fundstelle.law.decisions import Decision, DecisionText
from fundstelle.law.norms import Fassung, Norm, Segment, Statute

WITHHELD = "withheld"  # the status of what a key does not reach
CODES = {
    "not_parseable": "INVALID_CITATION",
    "ambiguous": "INVALID_CITATION",
    "law_unknown": "LAW_NOT_FOUND",
    "norm_does_not_exist": "NORM_NOT_FOUND",
    "subunit_does_not_exist": "NORM_NOT_FOUND",
    "repealed": "NORM_NOT_FOUND",
    "not_yet_in_force": "NORM_NOT_FOUND",
    "not_seen_yet": "NORM_NOT_FOUND",
    "not_in_corpus": "NORM_NOT_FOUND",
    "known_missing": "NORM_NOT_FOUND",
    "outside_coverage": "OUTSIDE_COVERAGE",
    WITHHELD: "OUTSIDE_COVERAGE",
}


@dataclass(frozen=True, slots=True)
class ProvisionHit:
    """A unit of a provision, with the text that held on the day asked.

    ``start``/``end`` are offsets of the unit in ``text``; ``unit`` is its index in ``segments``,
    -1 where it is the whole norm (or a row of a table).
    """

    statute: Statute
    norm: Norm
    fassung: Fassung
    citation: str  # canonical, of the unit
    start: int
    end: int
    unit: int = -1
    rest: tuple[PathStep, ...] = ()  # cited below the unit, but not to be cut
    split: PathStep | None = None  # cited, not there, and read as the unit: "Nr. 4 a" as Nr. 4a
    alternatives: tuple["Place", ...] = ()
    warnings: tuple[str, ...] = ()
    named_change: date | None = None  # the day rests on the law's own notes (``lookup.unchanged``)
    within: bool = False  # not named, but between the ends of a range or among those that follow
    on: date | None = None  # the day that the citation itself names
    doubt: str = ""  # why another text than that of the day may be meant
    instead: bool = False  # of the other language, since what is held in the one asked for lacks it

    @property
    def held_id(self) -> str:
        """The id of the norm."""
        return self.norm.norm_id

    @property
    def text(self) -> str:
        """The stored text of the norm."""
        return self.fassung.text

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The parts of that text."""
        return self.fassung.segments

    @property
    def is_whole(self) -> bool:
        """Whether the unit is the norm with all its text."""
        return self.start == 0 and self.end == len(self.text)


@dataclass(frozen=True, slots=True)
class DecisionHit:
    """A decision or some of its Randnummern.

    ``start``/``end`` are offsets of what was cited in ``text``; ``segments`` are the Randnummern.
    """

    decision: Decision
    decision_text: DecisionText
    segments: tuple[Segment, ...]
    stand: date  # the day of the decision, of the build where that is not known
    citation: str  # canonical, of what was cited
    start: int
    end: int
    warnings: tuple[str, ...] = ()

    @property
    def held_id(self) -> str:
        """The id of the decision."""
        return self.decision.decision_id

    @property
    def text(self) -> str:
        """The stored text of the decision."""
        return self.decision_text.text

    @property
    def is_whole(self) -> bool:
        """Whether all of the decision is meant."""
        return self.start == 0 and self.end == len(self.text)


Hit = ProvisionHit | DecisionHit  # what both have can be asked without a look at which it is


@dataclass(frozen=True, slots=True)
class LawHit:
    """A law named without a section."""

    statute: Statute
    warnings: tuple[str, ...] = ()
    on: date | None = None  # the day that the citation itself names


@dataclass(frozen=True, slots=True)
class Place:
    """A norm or a unit of one, by name."""

    citation: str
    norm_id: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What may have been meant; never the answer. ``norm_id`` is ``None`` if nothing is held."""

    citation: str
    norm_id: str | None
    why: str


@dataclass(frozen=True, slots=True)
class Successor:
    """What took the place of something that is no more; ``basis`` is what says so.

    That is ``publisher`` (a note), ``text`` (the law that ended it, or the words that went and
    came on one day, of which ``share`` per cent were kept) or ``table`` (kept by hand).
    """

    citation: str
    norm_id: str  # of a provision or a law
    basis: str
    share: int | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the corpus knows about the place where nothing was found."""

    first: Place | None = None
    last: Place | None = None
    nearest_before: Place | None = None
    nearest_after: Place | None = None
    repealed_on: date | None = None
    last_seen: date | None = None  # of the text that is gone
    cited_by_count: int | None = None
    archive_floor: date | None = None


class Means(StrEnum):
    """What leads on from a miss, in no protocol's words."""

    SEARCH = "search"  # by subject
    FIND_LAW = "find_law"  # by its name
    CONTENTS = "contents"  # of a law
    READ = "read"  # a provision or decision
    CONTEXT = "context"  # its older texts
    CITING = "citing"  # decisions that cite it
    HOLDINGS = "holdings"  # what is held at all
    DAY = "day"  # the day that a question is asked for


# A sentence, with the means that it names in their places.
Advice = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NextCall:
    """One call that leads on: ``of`` are words to search for, a name or an id.

    It is for the day that was asked for, unless it leads to another, ``on``.
    """

    means: Means
    of: str
    on: date | None = None


@dataclass(frozen=True, slots=True)
class Miss:
    """Why there is no text: an ordinary answer. ``status`` is a key of ``CODES``."""

    citation: str
    status: str
    reason: str
    next_step: Advice
    evidence: Evidence = Evidence()
    suggestions: tuple[Suggestion, ...] = ()
    hint: NextCall | None = None
    about: Place | None = None  # a norm that is known, though it has no text for the day
    last_seen: date | None = None  # of a law that the newest look at its publisher did not bring
    unparsed: tuple[str, ...] = ()  # parts of the reference, as written, that were not read
    successors: tuple[Successor, ...] = ()  # of what is repealed
    within: bool = False  # not named, but between the ends of a range or among those that follow
    parallel: bool = False  # an unknown page beside a decision that is held: it denies nothing
    on: date | None = None  # the day that the citation itself names

    @property
    def advice(self) -> tuple[str, ...]:
        """What to do next, in its parts."""
        return (self.next_step,) if isinstance(self.next_step, str) else self.next_step

    @property
    def code(self) -> str:
        """The kind of miss."""
        return CODES[self.status]


Outcome = Hit | LawHit | Miss


@dataclass(frozen=True, slots=True)
class Resolution:
    """All that one written reference comes to, in the order it was written.

    ``on`` is the day asked about, or the one that the citation itself names for all of it.
    ``outcomes`` holds at least one; ``total`` counts the units meant, also those beyond the cap.
    ``unshown`` are those beyond it that are named one by one, and are there. ``unread`` counts what
    it names and was not looked up, since one call may take no more. ``doubts`` are those of
    ``normalised`` that rest on what is held, and are more than a way of writing.
    """

    written: str
    targets: tuple[Target, ...]
    outcomes: tuple[Outcome, ...]
    total: int
    on: date
    normalised: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    unshown: tuple[Outcome, ...] = ()
    unread: int = 0
    doubts: tuple[str, ...] = ()

    @property
    def hits(self) -> Sequence[Hit]:
        """The texts found."""
        return [outcome for outcome in self.outcomes if isinstance(outcome, Hit)]

    @property
    def misses(self) -> Sequence[Miss]:
        """What was not found."""
        return [outcome for outcome in self.outcomes if isinstance(outcome, Miss)]

    @property
    def is_cut(self) -> bool:
        """Whether more is cited than ``outcomes`` tell, be it within a range."""
        return self.total > len(self.outcomes) or bool(self.unshown or self.unread)

    def get_day(self, outcome: Outcome | None) -> date:
        """The day on which it was read: its own, or that of the whole."""
        own = None if outcome is None or isinstance(outcome, DecisionHit) else outcome.on
        return own or self.on
