"""Decisions on the site of the Bundesfinanzhof: one page, one decision."""

from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.decision_text.html import (
    find_class,
    has_class,
    read_blocks,
    read_text,
)
from fundstelle.ingest.sources.decision_text.ids import (
    read_day,
    read_dockets,
    read_ecli,
    read_lower_instances,
    read_type,
)
from fundstelle.ingest.sources.decision_text.page import count_page, parse_page
from fundstelle.ingest.sources.decision_text.record import Head, build_parsed
from fundstelle.law.decisions import DecisionSource

SOURCE_TYPE = "bfh"
COURT = "BFH"
_FIELDS = ("ecli", "spruchkoerper", "norms", "vorinstanz")


def parse(file: SourceFile) -> ParsedDecision:
    """The decision of one page.

    Raises:
        RejectedFile: it is no page of a decision of the court.
    """
    root = parse_page(file)
    body = find_class(root, "div", "m-article__body")
    heading = find_class(root, "div", "m-article__header")
    if body is None or heading is None:
        raise RejectedFile(file.name, "it holds no decision")
    named = read_text(heading)  # "Urteil vom 11. Januar 2024, IV R 24/21"
    fields = {name: read_text(find_class(body, "p", name)) for name in _FIELDS}
    title = read_text(find_class(root, "div", "m-article__intro"))
    head = Head(
        court=COURT,
        dockets=read_dockets(named.partition(",")[2]),
        issued_on=read_day(named),
        decision_type=read_type(named),
        source=_find_source(root, file),
        ecli=read_ecli(fields["ecli"]),
        panel=fields["spruchkoerper"].removeprefix(f"{COURT} "),
        title=title,
        norms=fields["norms"],
        lower_instances=read_lower_instances(fields["vorinstanz"]),
    )
    decision = head.build(file.name)
    blocks = read_blocks(body, is_furniture=_is_field)
    kept = (named, title, *fields.values())
    return build_parsed(decision, kept, blocks, count_page(root), file.name)


def _find_source(root: _Element, file: SourceFile) -> DecisionSource:
    address = root.find(".//link[@rel='canonical']")
    url = address.get("href") if address is not None else None
    number = (url or file.name).rstrip("/").rsplit("/", 1)[-1].removesuffix(".html")
    return DecisionSource(SOURCE_TYPE, number, url)


def _is_field(element: _Element) -> bool:
    """Fields above the decision become fields of the record."""
    return element.tag == "p" and any(has_class(element, name) for name in _FIELDS)
