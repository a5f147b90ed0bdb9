"""Decisions of "Rechtsprechung im Internet": one XML file, one decision.

Source: rii-dok.dtd, http://www.rechtsprechung-im-internet.de/dtd/v1/rii-dok.dtd.
"""

from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.decision_text.html import read_blocks, read_text
from fundstelle.ingest.sources.decision_text.ids import (
    read_court,
    read_day,
    read_dockets,
    read_ecli,
    read_lower_instances,
    read_type,
)
from fundstelle.ingest.sources.decision_text.record import Head, write_blocks
from fundstelle.ingest.sources.decision_text.text import DecisionWriter, count_chars
from fundstelle.ingest.sources.decision_text.xml import parse_xml
from fundstelle.law.decisions import DecisionSource, DecisionText, PartKind

SOURCE_TYPE = "rii"
ROOT = "dokument"
_ADDRESS = "https://www.rechtsprechung-im-internet.de/jportal/?quelle=jlink&docid=jb-{}"
_PARTS = {
    "leitsatz": PartKind.LEITSATZ,
    "sonstosatz": PartKind.ORIENTIERUNGSSATZ,
    "tenor": PartKind.TENOR,
    "tatbestand": PartKind.TATBESTAND,
    "entscheidungsgruende": PartKind.ENTSCHEIDUNGSGRUENDE,
    "gruende": PartKind.GRUENDE,
    "abwmeinung": PartKind.ABWEICHENDE_MEINUNG,
    "sonstlt": PartKind.FULL_TEXT,
}
_SIGNED = frozenset({PartKind.ENTSCHEIDUNGSGRUENDE, PartKind.GRUENDE, PartKind.ABWEICHENDE_MEINUNG})
_ABRIDGED = "rii-abridged/"


def parse(file: SourceFile) -> ParsedDecision:
    """The decision of one file.

    Raises:
        RejectedFile: it is no decision in the publisher's format, or has no docket or text.
    """
    root = parse_xml(file, {ROOT})
    court = read_court(f"{_get(root, 'gertyp')} {_get(root, 'gerort')}")
    head = Head(
        court=court,
        dockets=read_dockets(_get(root, "aktenzeichen")),
        issued_on=read_day(_get(root, "entsch-datum")),
        decision_type=read_type(_get(root, "doktyp"), court),
        source=_find_source(root),
        ecli=read_ecli(_get(root, "ecli")),
        panel=_get(root, "spruchkoerper"),
        title=_get(root, "titelzeile"),
        norms=_get(root, "norm"),
        lower_instances=read_lower_instances(_read_lines(root.find("vorinstanz"))),
        text_complete=_ABRIDGED not in f"/{file.name}",
    )
    decision = head.build(file.name)
    return ParsedDecision(decision, _read_words(root, decision.decision_id, file.name))


def read_number(file: SourceFile) -> str:
    """The document number of a file.

    Raises:
        RejectedFile: it is no decision in the publisher's format.
    """
    return _get(parse_xml(file, {ROOT}), "doknr")


def _find_source(root: _Element) -> DecisionSource:
    number = _get(root, "doknr")
    return DecisionSource(SOURCE_TYPE, number, _ADDRESS.format(number) if number else None)


def _read_words(root: _Element, decision_id: str, name: str) -> DecisionText:
    writer = DecisionWriter()
    source_chars = 0
    for element in root:
        kind = _PARTS.get(str(element.tag))
        source_chars += count_chars("".join(map(str, element.itertext()))) if kind else 0
        blocks = read_blocks(element) if kind else []
        if kind is None or not blocks:
            continue
        writer.begin_part(kind)
        write_blocks(writer, blocks, signed=kind in _SIGNED)
    if writer.is_empty:
        raise RejectedFile(name, "it has no text")
    return writer.finish(decision_id, source_chars)


def _get(root: _Element, tag: str) -> str:
    return read_text(root.find(tag))


def _read_lines(element: _Element | None) -> str:
    if element is None:
        return ""
    return "\n".join(block.text for block in read_blocks(element))
