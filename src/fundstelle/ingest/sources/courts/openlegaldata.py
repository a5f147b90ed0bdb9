"""Decisions of Open Legal Data: one JSON object a line, or a list of them.

Source: the case fields of the platform's API and dumps (id, slug, court{name}, file_number, date,
type, ecli, content); older dumps wrap them in ``{"model": "cases.case", "fields": …}`` and hold
Markdown instead of HTML.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from fundstelle.corpus.manifest import Rejected
from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.decision_text.headings import is_enumerator
from fundstelle.ingest.sources.decision_text.html import (
    HtmlBlock,
    read_blocks,
)
from fundstelle.ingest.sources.decision_text.ids import (
    read_court,
    read_day,
    read_dockets,
    read_ecli,
    read_type,
)
from fundstelle.ingest.sources.decision_text.page import count_page, parse_fragment
from fundstelle.ingest.sources.decision_text.record import Head, write_blocks
from fundstelle.ingest.sources.decision_text.text import (
    DecisionWriter,
    count_chars,
    read_number,
    tidy,
)
from fundstelle.ingest.sources.decision_text.xml import check_size
from fundstelle.ingest.sources.files.failures import tell_failure
from fundstelle.law.decisions import DecisionSource

SOURCE_TYPE = "old"
_SITE = "https://de.openlegaldata.io/case/"
_IS_HTML = re.compile(r"<(?:p|div|dl|h\d|table|span|br)\b", re.IGNORECASE)
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_CELLS = re.compile(r"(?P<number>\d{1,4}[a-z]?)?\s*:?\|\s?(?P<text>.*)")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|>-])")
_STRONG = re.compile(r"\*\*(.+?)\*\*")
_QUOTED = re.compile(r"(?:>\s?)+")
_PORTAL = re.compile(  # buttons of the portals of the Länder
    r"(?:\[Abbildung: [^\]]*\]\s?)?(?:weitere Fundstellen(?: \.{3})?"
    r"|Diese Entscheidung (?:wird )?zitiert)"
)
_MOST_STRANGE = 1_000
_NOTHING = frozenset({"", "None", "null", "{}"})

Fields = Mapping[str, Any]


def iter_cases(file: SourceFile) -> Iterator[ParsedDecision | Rejected]:
    """The decisions of one file; a record that cannot be used is named by its line or place.

    Raises:
        RejectedFile: the file as a whole is no JSON.
    """
    check_size(file)
    strange = 0
    for place, fields in _iter_records(file):
        name = f"{file.name}#{place}"
        if not isinstance(fields, dict):
            strange += 1
            if strange > _MOST_STRANGE:  # each of them is kept, and said
                raise RejectedFile(file.name, f"{strange:,} of its records are none of a decision")
            yield Rejected(name, "it is no record of a decision")
            continue
        try:
            yield parse(fields, name)
        except RecursionError:
            yield Rejected(name, "its elements are nested absurdly deep")
        except Exception as error:  # noqa: BLE001 one record must not end the file
            yield Rejected(name, tell_failure(error))


def _iter_records(file: SourceFile) -> Iterator[tuple[int, Any]]:
    """Each record with its line, or its place in the list."""
    try:
        whole = orjson.loads(file.data)
    except orjson.JSONDecodeError:
        yield from _iter_lines(file)
        return
    records = whole.get("results", [whole]) if isinstance(whole, dict) else whole
    if not isinstance(records, list):
        raise RejectedFile(file.name, "it is no list of decisions")
    yield from enumerate(records, start=1)


def _iter_lines(file: SourceFile) -> Iterator[tuple[int, Any]]:
    lines = file.data.splitlines()
    if not any(line.lstrip().startswith(b"{") and line.rstrip().endswith(b"}") for line in lines):
        raise RejectedFile(file.name, "it is no JSON, or cut off")
    for place, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield place, orjson.loads(line)
            except orjson.JSONDecodeError:
                yield place, None


def parse(record: Fields, name: str) -> ParsedDecision:
    """The decision of one record.

    Raises:
        RejectedFile: it has no docket, court or text.
    """
    fields = record["fields"] if isinstance(record.get("fields"), dict) else record
    content = _get(fields, "content") or _get(fields, "text")
    if not content.strip():
        raise RejectedFile(name, "it has no text")
    slug = _get(fields, "slug") or str(record.get("id") or record.get("pk") or "")
    court = read_court(_read_court_name(fields))
    head = Head(
        court=court,
        dockets=read_dockets(_get(fields, "file_number")),
        issued_on=read_day(_get(fields, "date")),
        decision_type=read_type(_get(fields, "type"), court),
        source=DecisionSource(SOURCE_TYPE, slug, _get(fields, "source_url") or f"{_SITE}{slug}"),
        ecli=read_ecli(_get(fields, "ecli")),
        panel=tidy(_get(fields, "court_chamber")),
    )
    decision = head.build(name)
    blocks, source_chars = _read_content(content, name)
    writer = DecisionWriter()
    write_blocks(writer, blocks, signed=True)
    if writer.is_empty:
        raise RejectedFile(name, "it has no text")
    return ParsedDecision(decision, writer.finish(decision.decision_id, source_chars))


def _get(fields: Fields, key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) and value not in _NOTHING else ""


def _read_court_name(fields: Fields) -> str:
    court = fields.get("court")
    if isinstance(court, dict):
        return _get(court, "name")
    named = _get(fields, "court_name") or (court if isinstance(court, str) else "")
    return named or _get(fields, "source_name")


def _read_content(content: str, name: str) -> tuple[list[HtmlBlock], int]:
    """The paragraphs, and the characters of the source."""
    if not _IS_HTML.search(content):
        blocks = list(_iter_markdown(content))
        size = sum(count_chars(b.text) + count_chars(b.number or "") for b in blocks)
    else:
        root = parse_fragment(content, name)
        blocks, size = read_blocks(root), count_page(root)
    return [block for block in blocks if not _PORTAL.fullmatch(block.text)], size


def _iter_markdown(content: str) -> Iterator[HtmlBlock]:
    """``## Tenor``, ``12| paragraph``, ``| paragraph``; other lines as they are."""
    for raw in content.split("\n"):
        line = _QUOTED.sub("", raw.strip())
        heading = _HEADING.fullmatch(line)
        cells = _CELLS.fullmatch(line)
        text = heading[1] if heading else cells["text"] if cells else line
        number = read_number(cells["number"]) if cells else None
        text = tidy(_ESCAPED.sub(r"\1", _STRONG.sub(r"\1", text)))
        if text:
            yield HtmlBlock(text, number, heading is not None or is_enumerator(text))
