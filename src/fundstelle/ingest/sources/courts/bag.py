"""Decisions on the site of the Bundesarbeitsgericht: one page, one decision."""

from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.decision_text.html import (
    find_class,
    read_blocks,
    read_text,
)
from fundstelle.ingest.sources.decision_text.ids import read_day, read_dockets, read_ecli, read_type
from fundstelle.ingest.sources.decision_text.page import count_page, parse_page
from fundstelle.ingest.sources.decision_text.record import Head, build_parsed
from fundstelle.law.decisions import DecisionSource

SOURCE_TYPE = "bag"
COURT = "BAG"


def parse(file: SourceFile) -> ParsedDecision:
    """The decision of one page.

    Raises:
        RejectedFile: it is no page of a decision of the court.
    """
    root = parse_page(file)
    main = root.find(".//main")
    if main is None:
        raise RejectedFile(file.name, "it holds no decision")
    details = _read_details(root)
    title = read_text(find_class(root, "p", "section__title--subheading"))
    address = root.find(".//link[@rel='canonical']")
    url = address.get("href") if address is not None else None
    head = Head(
        court=COURT,
        dockets=read_dockets(details.get("Aktenzeichen", "")),
        issued_on=read_day(details.get("Datum", "")),
        decision_type=read_type(details.get("Art", "")),
        source=DecisionSource(SOURCE_TYPE, _get_slug(url or file.name), url),
        ecli=read_ecli(details.get("ECLI", "")),
        panel=details.get("Senat"),
        title=title,
    )
    decision = head.build(file.name)
    kept = (title, *details.values())
    return build_parsed(decision, kept, read_blocks(main), count_page(root), file.name)


def _read_details(root: _Element) -> dict[str, str]:
    box = find_class(root, "ul", "is-details")
    items = box.iterfind("li") if box is not None else ()
    return {read_text(item.find("strong")): read_text(item.find("p")) for item in items}


def _get_slug(address: str) -> str:
    return address.rstrip("/").rsplit("/", 1)[-1].removesuffix(".html")
