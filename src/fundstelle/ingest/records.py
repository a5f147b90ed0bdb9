"""What a source adapter hands to the pipeline."""

from dataclasses import dataclass
from datetime import date

from fundstelle.law.decisions import Decision, DecisionText
from fundstelle.law.norms import Fassung, Norm, Statute


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a snapshot as fetched.

    ``listed`` is False if the table of contents no longer names it.
    """

    name: str  # "laws/bgb/BJNR001950896.xml": what a message about it says
    slug: str
    data: bytes
    listed: bool = True


@dataclass(frozen=True, slots=True)
class StatuteHeader:
    """What is needed to give a statute its id before the whole is parsed."""

    slug: str
    publisher_id: str
    abbreviation_juris: str  # the first jurabk, "" without one; those of single norms name no law
    abbreviation_official: str | None
    title: str
    issued_on: date | None


@dataclass(frozen=True, slots=True)
class ParsedStatute:
    """A statute with its norms in document order, each with its text in this snapshot."""

    statute: Statute
    norms: tuple[tuple[Norm, Fassung], ...]


@dataclass(frozen=True, slots=True)
class ParsedDecision:
    """A decision as one publisher has it."""

    decision: Decision
    text: DecisionText


@dataclass(frozen=True, slots=True)
class ParsedAct:
    """An EU act in one language, its norms in document order, each with its versions."""

    statute: Statute
    norms: tuple[tuple[Norm, tuple[Fassung, ...]], ...]
    texts: int = 1  # that it was made of: the act as published, and consolidated ones
    newest: "ParsedAct | None" = None  # of several texts the newest alone
    made_on: date | None = None  # when the publisher made its newest file, where that is said


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A document that its publisher no longer has.

    ``number`` is what the publisher calls it: that of a statute (``Statute.publisher_id``) or of a
    decision (``DecisionSource.publisher_id``).
    """

    source_type: str
    number: str
