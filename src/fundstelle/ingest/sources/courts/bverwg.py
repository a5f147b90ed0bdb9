"""Decisions on the site of the Bundesverwaltungsgericht.

A page can hold several decisions of one case (the order that admits the appeal, the judgment);
press releases and notes on the case stand beside them and are no part of a decision.
"""

import re

from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.decision_text.html import (
    HtmlBlock,
    find_class,
    has_class,
    read_blocks,
    read_text,
)
from fundstelle.ingest.sources.decision_text.ids import (
    read_day,
    read_dockets,
    read_ecli,
    read_lower_instance,
    read_type,
)
from fundstelle.ingest.sources.decision_text.page import count_page, parse_page
from fundstelle.ingest.sources.decision_text.record import Head, begin_head, write_blocks
from fundstelle.ingest.sources.decision_text.text import DecisionWriter
from fundstelle.law.decisions import DecisionSource, PartKind

SOURCE_TYPE = "bverwg"
COURT = "BVerwG"
_SITE = "https://www.bverwg.de/"
_PANEL = re.compile(
    r"(?:der|hat der)\s+((?:\d+\.\s+\w*[Ss]enat|Fachsenat|Große Senat)[^,]*?)\s+des B"
)
_LEITSATZ = re.compile(r"Leits(?:atz|ätze):?")


def parse(file: SourceFile) -> list[ParsedDecision]:
    """The decisions of one page; what the page shows beside them counts with the first.

    Raises:
        RejectedFile: it is no page of a decision of the court.
    """
    root = parse_page(file)
    boxes = [each for each in root.iter("span") if has_class(each, "target")]
    boxes = [each for each in boxes if find_class(each, "div", "entscheidung") is not None]
    if not boxes:
        raise RejectedFile(file.name, "it holds no decision")
    sizes = [count_page(box) for box in boxes]
    sizes[0] += count_page(root) - sum(sizes)
    return [_parse_one(box, size, file) for box, size in zip(boxes, sizes, strict=True)]


def _parse_one(box: _Element, size: int, file: SourceFile) -> ParsedDecision:
    heading = read_text(
        find_class(box, "h2", "h1")
    )  # "Urteil vom 01.02.2024 - BVerwG 2 A 7.23ECLI…"
    ecli = read_ecli(heading)
    named = heading.split("ECLI:")[0]
    subject = read_text(find_class(box, "h2", "unline"))
    rubrum = read_text(find_class(box, "div", "rubrum"))
    panel = _PANEL.search(rubrum)
    instances = [read_text(e) for e in box.iter("div") if has_class(e, "instanz")]
    sources = [read_text(row) for row in box.iter("tr") if row.find("td[@class='rq']") is not None]
    head = Head(
        court=COURT,
        dockets=read_dockets(named.partition(" - ")[2].removeprefix("BVerwG")),
        issued_on=read_day(named),
        decision_type=read_type(named),
        source=_find_source(box, ecli),
        ecli=ecli,
        panel=panel[1] if panel else None,
        title=subject,
        norms="; ".join(sources),
        lower_instances=tuple(map(read_lower_instance, instances)),
    )
    decision = head.build(file.name)
    writer = DecisionWriter()
    for value in (heading, subject, *instances, *sources):
        writer.keep(value)
    write_blocks(writer, _read_leitsatz(box))
    begin_head(writer)
    _write_body(writer, box)
    return ParsedDecision(decision, writer.finish(decision.decision_id, size))


def _find_source(box: _Element, ecli: str | None) -> DecisionSource:
    number = (box.get("id") or "") if ecli is None else ecli.rsplit(":", 1)[-1]
    return DecisionSource(SOURCE_TYPE, number, _SITE + number)


def _read_leitsatz(box: _Element) -> list[HtmlBlock]:
    """The Leitsätze above the decision; below them are fields of the record."""
    blocks: list[HtmlBlock] = []
    for area in box.iter("div"):
        if has_class(area, "entscheidung") and has_class(area.getparent(), "col-xs-12"):
            blocks += read_blocks(area, is_furniture=lambda each: has_class(each, "accordeon"))
    return blocks


def _write_body(writer: DecisionWriter, box: _Element) -> None:
    body = next(e for e in box.iter("div") if has_class(e, "row") and has_class(e, "entscheidung"))
    for child in body:
        blocks = read_blocks(child, is_furniture=lambda each: has_class(each, "instanz"))
        if has_class(child, "tenor"):
            writer.begin_part(PartKind.TENOR)
        if has_class(child, "entscheidung"):  # the word "Urteil"
            blocks = [block._replace(heading=False) for block in blocks]
        write_blocks(writer, blocks)
