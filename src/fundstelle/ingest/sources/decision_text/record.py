"""What adapters know of a decision beside its words, and how it becomes a record."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from fundstelle.citations.decisions.checks import check_ecli
from fundstelle.citations.decisions.ecli import ECLI, decode
from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision
from fundstelle.ingest.sources.decision_text.headings import find_part, is_enumerator
from fundstelle.ingest.sources.decision_text.html import HtmlBlock
from fundstelle.ingest.sources.decision_text.ids import build_id, correct_court, get_jurisdiction
from fundstelle.ingest.sources.decision_text.text import DecisionWriter
from fundstelle.law.citations import DecisionCitation
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
    doubts: tuple[str, ...] = ()

    def build(self, name: str) -> Decision:
        """The decision; its id is the ECLI, else made of court, docket, day and kind.

        An ECLI that names another court, year or docket is that of another decision, whose place
        this one would take: it is left out.

        Raises:
            RejectedFile: there is no docket or no court.
        """
        if not self.dockets:
            raise RejectedFile(name, "no docket")
        if not self.court:
            raise RejectedFile(name, "no court")
        court = correct_court(self.court, self.dockets)
        own = build_id(court, self.dockets, self.issued_on, self.decision_type)
        ecli = self.ecli if self.ecli and self._is_named_by(self.ecli) else None
        return Decision(
            decision_id=ecli or own,
            court=court,
            panel=self.panel or None,
            dockets=self.dockets,
            issued_on=self.issued_on,
            decision_type=self.decision_type,
            ecli=ecli,
            title=self.title or None,
            norms=self.norms or None,
            lower_instances=self.lower_instances,
            sources=(self.source,),
            jurisdiction=get_jurisdiction(court),
            language=self.language,
            text_complete=self.text_complete,
            doubts=self.doubts,
        )

    def _is_named_by(self, ecli: str) -> bool:
        match = ECLI.fullmatch(ecli)
        if match is None:
            return True  # it says nothing that could be wrong
        named = decode(match)
        on = self.issued_on.isoformat() if self.issued_on else None
        return any(
            not check_ecli(DecisionCitation(self.court, docket, on), named)
            for docket in self.dockets
        )


_NAME = r"(?:[A-ZÄÖÜ][\w'’-]*\.?|von|van|de[rn]?|zu|h\.\s?c\.|\||/|…|\.{3})"
_NAMES = re.compile(rf"(?:gez\.:?\s*)?{_NAME}(?:\s+(?:gez\.:?\s*)?{_NAME}){{0,11}}")
_LONGEST_NAMES = 120
_MOST_LINES = 8


def find_signatures(lines: Sequence[str]) -> int:
    """Where the names of the judges at the end begin; the number of lines if there are none."""
    start = len(lines)
    while start > 1 and len(lines) - start < _MOST_LINES and _is_names(lines[start - 1]):
        start -= 1
    return start


def _is_names(line: str) -> bool:
    if len(line) > _LONGEST_NAMES or line.endswith(".") or is_enumerator(line):
        return False
    return _NAMES.fullmatch(line) is not None and not line.isupper() and find_part(line) is None


def write_blocks(
    writer: DecisionWriter, blocks: Sequence[HtmlBlock], *, signed: bool = False
) -> None:
    """Blocks as they come; a heading that names a part begins it.

    ``signed`` if the names of the judges may stand at the end.
    """
    numbered = [place for place, block in enumerate(blocks) if block.number is not None]
    signatures = find_signatures([block.text for block in blocks]) if signed else len(blocks)
    for place, block in enumerate(blocks):
        kind = find_part(block.text)
        if place == signatures and place > (numbered[-1] if numbered else 0):
            writer.begin_part(PartKind.SIGNATURES)
        if kind is not None:
            writer.begin_part(kind, block.text, block.number)
        elif block.heading:
            writer.add_heading(block.text, block.number)
        else:
            writer.add(block.text, block.number, added=block.added)


def build_parsed(
    decision: Decision,
    kept: Iterable[str],
    blocks: Sequence[HtmlBlock],
    source_chars: int,
    name: str,
) -> ParsedDecision:
    """A record from the blocks of a page; ``kept`` is what the page shows of the head.

    Raises:
        RejectedFile: there is no text.
    """
    writer = DecisionWriter()
    for value in kept:
        writer.keep(value)
    write_blocks(writer, blocks, signed=True)
    if writer.is_empty:
        raise RejectedFile(name, "it has no text")
    return ParsedDecision(decision, writer.finish(decision.decision_id, source_chars))


def begin_head(writer: DecisionWriter) -> None:
    """What follows is neither Leitsatz nor reasons: keywords, places of publication."""
    writer.begin_part(PartKind.HEAD)
