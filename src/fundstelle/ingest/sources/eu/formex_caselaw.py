"""Judgments, orders and opinions of the CJEU in Formex (``JUDGMENT``, ``ORDER``, ``OPINION``).

Source: Formex manual, elements BIB.JUDGMENT, CONTENTS.JUDGMENT, GR.SEQ, NP.ECR, JUDGMENT.INIT.
"""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import date

from lxml import etree

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.eu.blocks import tidy
from fundstelle.ingest.sources.eu.formex import iter_mixed, read_words
from fundstelle.law.courts import EU_COURT_OF
from fundstelle.law.decisions import (
    EU_DECISIONS,
    Decision,
    DecisionSource,
    DecisionText,
    DecisionType,
    Heading,
    Part,
    PartKind,
    Passage,
)

_TYPES = {
    "JUDGMENT": DecisionType.URTEIL,
    "ORDER": DecisionType.BESCHLUSS,
    "OPINION": DecisionType.GUTACHTEN,
}
_FURNITURE = frozenset({"CURR.TITLE", "TOC"})
_OPINION = re.compile(r"C[VP]-0*(\d+)/(\d\d)")
_ADDRESS = "https://eur-lex.europa.eu/legal-content/{}/TXT/?uri=CELEX:{}"
_LINES = frozenset({"P", "NP", "NP.ECR", "ITEM", "TI", "STI", "ALINEA", "PARAG", "TXT"})
_BLOCKS = _LINES | frozenset({"LIST", "GR.SEQ", "QUOT.S", "TITLE", "INDEX", "TBL"})
_LABELS = frozenset({"NO.P", "NO.PARAG"})
_MARKS = frozenset({"QUOT.START", "QUOT.END", "NOTE"})  # inside words, wherever they stand


def is_decision(root: etree._Element) -> bool:
    """Whether a document is one of the three kinds."""
    return root.tag in _TYPES


def parse(root: etree._Element, file: SourceFile) -> ParsedDecision:
    """The decision of a file.

    Raises:
        RejectedFile: it has no ECLI or no text.
    """
    ecli = next((each.get("ECLI") for each in root[0].iter("NO.ECLI")), None)
    if not ecli:
        raise RejectedFile(file.name, "it has no ECLI")
    celex = root[0].findtext("NO.CELEX") or ""
    writer = _Writer()
    writer.write(root)
    if not writer.passages:
        raise RejectedFile(file.name, "it has no numbered paragraph")
    language = (root.findtext(".//LG.DOC") or "de").lower()
    decision = Decision(
        decision_id=ecli,
        court=EU_COURT_OF.get(ecli.split(":")[2], "EuGH"),
        panel=_find_panel(root),
        dockets=tuple(_list_dockets(root[0])) or ("",),
        issued_on=_find_day(root),
        decision_type=_TYPES[root.tag],
        ecli=ecli,
        title=_find_title(root),
        norms=None,
        lower_instances=(),
        sources=(DecisionSource(EU_DECISIONS, celex, _ADDRESS.format(language.upper(), celex)),),
        jurisdiction="eu",
        language=language,
    )
    return ParsedDecision(decision, writer.finish(root, ecli))


def _list_dockets(bibliography: etree._Element) -> list[str]:
    """The numbers of all cases that were joined, as printed: ``C-293/12``, ``C-594/12``."""
    dockets = []
    for case in bibliography.iterfind("REF.CASE//NO.CASE"):
        docket = read_words(case).replace("\u2011", "-")
        opinion = _OPINION.fullmatch(docket)
        dockets.append(f"Gutachten {opinion[1]}/{opinion[2]}" if opinion else docket)
    return list(dict.fromkeys(filter(None, dockets)))


def _find_day(root: etree._Element) -> date | None:
    stamp = next((each.get("ISO") for each in root.iterfind("TITLE//DATE")), None)
    return date.fromisoformat(f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}") if stamp else None


def _find_panel(root: etree._Element) -> str | None:
    first = root.find("TITLE/TI/P")
    found = re.search(r"\(([^()]+)\)", read_words(first)) if first is not None else None
    return found[1] if found else None


def _find_title(root: etree._Element) -> str | None:
    """The names of the parties, as the page header has them."""
    lines = [read_words(each) for each in root.iterfind("CURR.TITLE/PAGE.HEADER/P")]
    return lines[1] if len(lines) > 1 else None


@dataclass(slots=True)
class _Writer:
    """Writes the paragraphs as lines."""

    lines: list[str] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    length: int = 0
    reasons: int = 0  # where the numbered paragraphs begin
    end: int = 0  # where the last numbered paragraph ends
    label: str = ""  # of a point whose words are still to come

    def write(self, element: etree._Element) -> None:
        """All blocks below an element."""
        for child in element:
            if isinstance(child.tag, str):
                self._write_one(child)

    def _write_one(self, child: etree._Element) -> None:
        if child.tag in _FURNITURE or child.tag.startswith("BIB."):
            return
        if child.tag == "NP.ECR":
            self._write_passage(child)
        elif child.tag == "GR.SEQ":
            self._write_sequence(child)
        elif child.tag == "INDEX":
            self._add(" - ".join(read_words(each) for each in child.iter("KEYWORD")))
        elif child.tag in _LABELS:
            self.label = f"{self.label} {read_words(child)}".strip()
        elif child.tag in _LINES and not _holds_blocks(child):
            self._add(read_words(child))
            self._write_notes(child)
        else:
            self._write_mixed(child)

    def _write_mixed(self, element: etree._Element) -> None:
        """Words and blocks side by side; where there are no words, whatever is there is a block."""
        tails = (child.tail for child in element)
        has_words = any((words or "").strip() for words in (element.text, *tails))

        def is_block(child: etree._Element) -> bool:
            if child.tag in _MARKS:
                return False
            return not has_words or child.tag in _BLOCKS or _holds_blocks(child)

        for part in iter_mixed(element, is_block):
            if isinstance(part, str):
                self._add(part)
            else:
                self._write_one(part)
        for child in element:
            if isinstance(child.tag, str) and not is_block(child):
                self._write_notes(child)
        if element.tag in {"NP", "PARAG"}:
            self._add("")  # a label that stands alone

    def _write_notes(self, element: etree._Element) -> None:
        """Footnotes, behind the words that they belong to."""
        for note in element.iter("NOTE"):
            self._add(read_words(note))

    def _write_sequence(self, sequence: etree._Element) -> None:
        title = sequence.find("TITLE")
        words = read_words(title) if title is not None else ""
        if words:
            level = sequence.get("LEVEL") or "1"
            start = self.length
            self._add(words)
            depth = int(level) if level.isdigit() else 1
            self.headings.append(Heading(start, start + len(words), depth))
        for child in sequence:
            if isinstance(child.tag, str) and child.tag != "TITLE":
                self._write_one(child)

    def _write_passage(self, passage: etree._Element) -> None:
        number = tidy(passage.findtext("NO.P") or "")
        if not self.passages:
            self.reasons = self.length
        start = self.length
        for child in passage:
            if isinstance(child.tag, str) and child.tag != "NO.P":
                self._write_one(child)
        end = max(start, self.length - 1)
        self.passages.append(Passage(number, start, end, start, 1))
        self.end = self.length

    def _add(self, line: str) -> None:
        line, self.label = f"{self.label} {line}".strip(), ""
        if line:
            self.lines.append(line)
            self.length += len(line) + 1

    def finish(self, root: etree._Element, ecli: str) -> DecisionText:
        """The text with its parts: head, reasons, and what the court rules behind them."""
        text = "\n".join(self.lines)
        end = min(self.end, len(text))
        parts = [
            Part(PartKind.HEAD, None, 0, self.reasons),
            Part(PartKind.GRUENDE, None, self.reasons, end),
        ]
        if end < len(text):
            parts.append(Part(PartKind.TENOR, None, end, len(text)))
        source = sum(len("".join(words.split())) for words in root.itertext())
        return DecisionText(
            decision_id=ecli,
            text=text,
            text_sha256=hashlib.sha256(text.encode()).hexdigest(),
            parts=tuple(part for part in parts if part.start < part.end),
            passages=tuple(self.passages),
            headings=tuple(self.headings),
            source_chars=source,
            kept_chars=len("".join(text.split())),
        )


def _holds_blocks(element: etree._Element) -> bool:
    """Whether anything in it is a line of its own, or a label that is set before one."""
    inside = _BLOCKS - {"TXT"} | _LABELS
    return any(
        each.tag in inside and next(each.iterancestors("NOTE"), None) is None
        for each in element.iterdescendants()
    )
