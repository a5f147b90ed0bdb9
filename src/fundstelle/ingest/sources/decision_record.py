"""What adapters know of a decision beside its words, and how it becomes a record."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from fundstelle.errors import RejectedFile
from fundstelle.ingest.sources.decision_headings import find_part
from fundstelle.ingest.sources.decision_html import Block
from fundstelle.ingest.sources.decision_ids import build_id, get_jurisdiction
from fundstelle.ingest.sources.decision_text import DecisionWriter
from fundstelle.law.decisions import Decision, DecisionSource, DecisionType, LowerInstance, PartKind


@dataclass(frozen=True, slots=True)
class Head:
    """Who decided what and when, as a publisher says."""

    court: str
    dockets: tuple[str, ...]
    issued_on: date | None
    decision_type: DecisionType
    source: DecisionSource
    ecli: str | None = None
    panel: str | None = None
    title: str | None = None
    norms: str | None = None
    lower_instances: tuple[LowerInstance, ...] = ()
    language: str = "de"
    text_complete: bool = True

    def build(self, name: str) -> Decision:
        """The decision; its id is the ECLI, else made of court, docket, day and kind.

        Raises:
            RejectedFile: there is no docket or no court.
        """
        if not self.dockets:
            raise RejectedFile(name, "no docket")
        if not self.court:
            raise RejectedFile(name, "no court")
        own = build_id(self.court, self.dockets, self.issued_on, self.decision_type)
        return Decision(
            decision_id=self.ecli or own,
            court=self.court,
            panel=self.panel or None,
            dockets=self.dockets,
            issued_on=self.issued_on,
            decision_type=self.decision_type,
            ecli=self.ecli,
            title=self.title or None,
            norms=self.norms or None,
            lower_instances=self.lower_instances,
            sources=(self.source,),
            jurisdiction=get_jurisdiction(self.court),
            language=self.language,
            text_complete=self.text_complete,
        )


def write_blocks(writer: DecisionWriter, blocks: Iterable[Block]) -> None:
    """Blocks as they come; a heading that names a part begins it."""
    for block in blocks:
        kind = find_part(block.text)
        if kind is not None:
            writer.begin_part(kind, block.text, block.number)
        elif block.heading:
            writer.add_heading(block.text, block.number)
        else:
            writer.add(block.text, block.number, added=block.added)


def begin_head(writer: DecisionWriter) -> None:
    """What follows is neither Leitsatz nor reasons: keywords, places of publication."""
    writer.begin_part(PartKind.HEAD)
