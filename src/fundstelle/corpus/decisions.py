"""The port to the decisions of one corpus build and to what they cite.

Read-only and immutable, as ``corpus.store``, whose build it belongs to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Protocol

from fundstelle.corpus.store import Inclusion
from fundstelle.law.citations import ReporterCitation
from fundstelle.law.decisions import Decision, DecisionText


class CitedKind(StrEnum):
    """What a decision cites; gazette and material are kept without being resolved."""

    NORM = "norm"
    EU_ACT = "eu_act"
    DECISION = "decision"
    REPORTER = "reporter"
    GAZETTE = "gazette"
    MATERIAL = "material"


@dataclass(frozen=True, slots=True)
class Citing:
    """One citation in a decision.

    Offsets are code points in the stored text of the citing decision, half-open; ``sentence``
    is the one around it. ``cited_id`` is a norm's, a statute's or a decision's id, ``None`` if it
    could not be resolved; then ``cited_text`` is all there is. ``cited_path`` is the part below
    the section, "abs=1/satz=2", or "".
    """

    citing_id: str
    kind: CitedKind
    cited_id: str | None
    cited_path: str
    cited_text: str
    start: int
    end: int
    passage: str | None  # Randnummer
    sentence: tuple[int, int]
    inferred: bool  # the law came from the context
    ranged: bool = False  # what is cited only lies within a range that is named


class CitingOrder(StrEnum):
    """In which order citing decisions come."""

    NEWEST = "newest"
    RELEVANCE = "relevance"  # court level, then how often it cites, then newest


@dataclass(frozen=True, slots=True)
class NamedPage:
    """Whose page of a collection or journal it is, by what decisions cite beside it.

    ``decision_id`` is the decision, if it is held; ``named`` is a citation of it by court and
    docket that stands beside the page, ``None`` where only its publisher names the page.
    """

    decision_id: str | None
    named: Citing | None


@dataclass(frozen=True, slots=True)
class CitingRequest:
    """Which citing decisions are wanted; all conditions together.

    ``path`` demands that the very unit, or one below it, is cited ("" = any part of the norm);
    ``named`` that it is named, alone or in a list, and does not only lie within a range.
    """

    cited_id: str
    path: str = ""
    named: bool = False
    court: str | None = None
    decision_type: str | None = None
    jurisdiction: str | None = None
    day_from: date | None = None
    day_to: date | None = None
    order: CitingOrder = CitingOrder.NEWEST
    limit: int = 10
    offset: int = 0


@dataclass(frozen=True, slots=True)
class CitingDecision:
    """A decision that cites what was asked for: its first citation of it, and how many."""

    decision: Decision
    first: Citing
    count: int


class DecisionStore(Protocol):
    """The decisions of one build. Ids that are not there give ``None`` or nothing."""

    @property
    def base(self) -> int:
        """The ordinal of the first decision in the search index."""

    def count(self) -> int:
        """How many decisions there are."""

    def find(self, decision_id: str) -> Decision | None:
        """A decision by its id or any of its ECLIs, without regard to case."""

    def find_ordinal(self, decision_id: str) -> int | None:
        """Its number among the decisions, from 0 in the order of ids."""

    def get_by_ordinal(self, ordinals: Sequence[int]) -> list[Decision]:
        """The decisions with these numbers, in the order asked."""

    def list_by_docket(self, docket: str) -> list[Decision]:
        """Every decision under an Aktenzeichen, however it is spelt, newest first."""

    def list_by_core(self, docket: str) -> list[Decision]:
        """Every decision whose Aktenzeichen is this one with something behind its year."""

    def list_printed(self, citation: str) -> list[Decision]:
        """Every decision that answers cite just so."""

    def find_page(self, page: ReporterCitation) -> NamedPage | None:
        """Whose page it is, where all that cite it beside a docket say the same."""

    def find_text(self, decision_id: str) -> DecisionText | None:
        """The words of a decision."""

    def find_inclusion(self, decision_id: str) -> Inclusion | None:
        """The proof of its words; ``None`` where the build has no tree."""

    def list_citations(self, decision_id: str) -> list[Citing]:
        """What a decision cites, in the order of its text."""

    def list_citing(self, request: CitingRequest) -> tuple[list[CitingDecision], int]:
        """Decisions that cite a norm, a law or a decision, and how many there are in all."""

    def list_citing_ordinals(self, cited_id: str) -> list[int]:
        """The numbers of all decisions that cite it."""

    def count_by_court(self) -> Mapping[str, Mapping[int, int]]:
        """Decisions held for each court and year (0 = no date), courts in alphabetical order."""

    def count_by_source(self) -> Mapping[str, int]:
        """Decisions held for each value of the filter ``source_type``."""

    def count_by_jurisdiction(self) -> Mapping[str, int]:
        """Decisions held for each value of the filter ``jurisdiction``."""

    def count_by_type(self) -> Mapping[str, int]:
        """Decisions held for each value of the filter ``decision_type``."""


class NoDecisions:
    """The decisions of a corpus that has none."""

    base = 1 << 62

    def count(self) -> int:
        """None."""
        return 0

    def find(self, decision_id: str) -> Decision | None:  # noqa: ARG002
        """None."""
        return None

    def find_ordinal(self, decision_id: str) -> int | None:  # noqa: ARG002
        """None."""
        return None

    def get_by_ordinal(self, ordinals: Sequence[int]) -> list[Decision]:  # noqa: ARG002
        """None."""
        return []

    def list_by_docket(self, docket: str) -> list[Decision]:  # noqa: ARG002
        """None."""
        return []

    def list_by_core(self, docket: str) -> list[Decision]:  # noqa: ARG002
        """None."""
        return []

    def list_printed(self, citation: str) -> list[Decision]:  # noqa: ARG002
        """None."""
        return []

    def find_page(self, page: ReporterCitation) -> NamedPage | None:  # noqa: ARG002
        """None."""
        return None

    def find_text(self, decision_id: str) -> DecisionText | None:  # noqa: ARG002
        """None."""
        return None

    def find_inclusion(self, decision_id: str) -> Inclusion | None:  # noqa: ARG002
        """None."""
        return None

    def list_citations(self, decision_id: str) -> list[Citing]:  # noqa: ARG002
        """None."""
        return []

    def list_citing(self, request: CitingRequest) -> tuple[list[CitingDecision], int]:  # noqa: ARG002
        """None."""
        return [], 0

    def list_citing_ordinals(self, cited_id: str) -> list[int]:  # noqa: ARG002
        """None."""
        return []

    def count_by_court(self) -> Mapping[str, Mapping[int, int]]:
        """None."""
        return {}

    def count_by_source(self) -> Mapping[str, int]:
        """None."""
        return {}

    def count_by_jurisdiction(self) -> Mapping[str, int]:
        """None."""
        return {}

    def count_by_type(self) -> Mapping[str, int]:
        """None."""
        return {}
