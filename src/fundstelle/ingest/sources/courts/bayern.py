"""Decisions of the Bavarian courts on "Bayern.Recht": one page, one decision."""

import re

from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.decision_text.headings import find_part
from fundstelle.ingest.sources.decision_text.html import (
    find_class,
    has_class,
    read_blocks,
    read_text,
)
from fundstelle.ingest.sources.decision_text.ids import (
    read_court,
    read_day,
    read_dockets,
    read_lower_instance,
    read_type,
)
from fundstelle.ingest.sources.decision_text.page import count_page, parse_page
from fundstelle.ingest.sources.decision_text.record import Head, begin_head, write_blocks
from fundstelle.ingest.sources.decision_text.text import DecisionWriter
from fundstelle.law.decisions import DecisionSource

SOURCE_TYPE = "bayern"
_SITE = "https://www.gesetze-bayern.de/Content/Document/"
_NAME = re.compile(
    r"(?P<court>[^,]+),\s*+(?P<type>[^,]*?)\s+v(?:\.|om)\s*(?P<day>[\d.]+)\s*[–-]\s*(?P<docket>.+)"
)


def parse(file: SourceFile) -> ParsedDecision:
    """The decision of one page.

    Raises:
        RejectedFile: it is no page of a decision.
    """
    root = parse_page(file)
    content = find_class(root, "div", "cont")
    named = root.find(".//div[@id='doc-metadata']//b")
    found = _NAME.fullmatch(read_text(named))
    if content is None or found is None:
        raise RejectedFile(file.name, "it holds no decision")
    box = _read_box(content)
    number = file.name.rsplit("/", 1)[-1].removesuffix(".html")
    head = Head(
        court=read_court(found["court"]),
        dockets=read_dockets(found["docket"]),
        issued_on=read_day(found["day"]),
        decision_type=read_type(found["type"]),
        source=DecisionSource(SOURCE_TYPE, number, _SITE + number),
        title=" ".join(box.get("Titel", ())),
        norms="; ".join((*box.get("Normenketten", ()), *box.get("Normenkette", ()))),
        lower_instances=tuple(map(read_lower_instance, box.get("Vorinstanz", ()))),
    )
    decision = head.build(file.name)
    writer = DecisionWriter()
    writer.keep(read_text(named))
    _write(writer, content)
    return ParsedDecision(decision, writer.finish(decision.decision_id, count_page(root)))


def _read_box(content: _Element) -> dict[str, list[str]]:
    """The lines of the box above the decision by the label over them."""
    fields: dict[str, list[str]] = {}
    label = ""
    box = find_class(content, "div", "rsprbox")
    for element in box if box is not None else ():
        if has_class(element, "rsprboxueber"):
            label = read_text(element).rstrip(":")
        else:
            fields.setdefault(label, []).append(read_text(element))
    return fields


def _write(writer: DecisionWriter, content: _Element) -> None:
    is_label = False
    for child in content:
        if not has_class(child, "rsprbox"):
            write_blocks(writer, read_blocks(child))
            continue
        for line in child:
            blocks = read_blocks(line)
            is_label = has_class(line, "rsprboxueber")
            if is_label and find_part(read_text(line)) is None:
                begin_head(writer)
            if has_class(line, "titelzeile"):
                blocks = [block._replace(heading=False) for block in blocks]
            write_blocks(writer, blocks)
