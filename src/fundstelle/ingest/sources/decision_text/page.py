"""HTML files of decisions, read without trusting them: whole, in a known encoding, bounded."""

import re
from collections.abc import Iterator

from lxml import etree
from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.decision_text.text import count_chars
from fundstelle.ingest.sources.decision_text.xml import check_size
from fundstelle.ingest.sources.files.nesting import check_depth

_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_CHARSETS = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "windows-1252": "cp1252"}


def parse_page(file: SourceFile) -> _Element:
    """The root of a court's page.

    Raises:
        RejectedFile: it is no whole page in UTF-8 or the encoding it declares.
    """
    check_size(file)
    text = _decode(file)
    head = text[:2048].lstrip("\ufeff \t\r\n").lower()
    if not head.startswith(("<!doctype html", "<html", "<!--", "<?xml")):
        raise RejectedFile(file.name, "it is no HTML")
    if "</html>" not in text[-512:].lower():
        raise RejectedFile(file.name, "it is cut off (no </html>)")
    return _parse(text, file.name, fragment=False)


def parse_fragment(text: str, name: str) -> _Element:
    """The HTML inside a record.

    Raises:
        RejectedFile: there is no text in it.
    """
    if not text.strip():
        raise RejectedFile(name, "it has no text")
    return _parse(f"<div>{text}</div>", name, fragment=True)


def _decode(file: SourceFile) -> str:
    declared = _CHARSET.search(file.data[:4096])
    written = declared[1].decode().lower() if declared else "utf-8"
    encoding = _CHARSETS.get(written, "utf-8")
    try:
        return file.data.decode(encoding)
    except UnicodeDecodeError as error:
        raise RejectedFile(file.name, f"it is not valid {encoding.upper()} ({error})") from None


def _parse(text: str, name: str, *, fragment: bool) -> _Element:
    parser = etree.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True, huge_tree=False
    )
    whole = f"<html><body>{text}</body></html>" if fragment else text.removeprefix("\ufeff")
    try:
        root: _Element | None = etree.fromstring(whole.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise RejectedFile(name, f"it is no HTML ({error.msg})") from None
    if root is None:
        raise RejectedFile(name, "it is no HTML")
    check_depth(root, name)
    return root


def count_page(root: _Element) -> int:
    """The characters a page shows, scripts and styles left out."""
    body = root.find("body")
    pieces = _iter_seen(root if body is None else body)
    return sum(count_chars(piece) for piece in pieces)


def _iter_seen(element: _Element) -> Iterator[str]:
    if not isinstance(element.tag, str) or element.tag in {"script", "style", "noscript"}:
        return
    if element.text:
        yield element.text
    for child in element:
        yield from _iter_seen(child)
        if child.tail:
            yield child.tail
