"""What an older page of EUR-Lex says of itself beside its text."""

import re
from datetime import date

from lxml import html

from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.ingest.sources.eu.act import ActText
from fundstelle.ingest.sources.eu.blocks import tidy

_NUMBERED = re.compile(r"^\d+/\d+/[A-Z]+: ")  # "2002/584/JI: Rahmenbeschluss ..."
_DAY = re.compile(rf"\b(?:vom|of) (?P<day>{DATE})")
_JOURNAL = re.compile(
    r"(?:Nr\.|No) (?P<number>[LC] \d+) (?:vom|of) (?P<day>\d\d)/(?P<month>\d\d)/(?P<year>\d{4})"
    r" [SP]\. (?P<page>\d+)"
)


def read_description(tree: html.HtmlElement, act: ActText) -> None:
    """Title, day and journal from what an older page says of itself, where the text tells none."""
    said = {
        str(meta.get("name", "")).lower(): tidy(meta.get("content") or "")
        for meta in tree.iterfind(".//meta")
    }
    title = _NUMBERED.sub("", said.get("dc.description", ""))
    act.title = act.title or title
    day = _DAY.search(act.title)
    if act.issued_on is None and day is not None and (iso := read_date(day["day"])):
        act.issued_on = date.fromisoformat(iso)
    journal = _JOURNAL.search(said.get("dc.source", ""))
    if act.published_on is None and journal is not None:
        day_of_journal = read_date(f"{journal['day']}.{journal['month']}.{journal['year']}")
        act.published_on = date.fromisoformat(day_of_journal) if day_of_journal else None
    if act.publication is None and journal is not None:
        page = journal["page"].lstrip("0")
        act.publication = f"ABl. {journal['number']}, {journal['year']}, S. {page}"
