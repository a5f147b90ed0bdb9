"""The publisher's table of contents, ``gii-toc.xml``: the slugs and titles of all its laws."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote, urlsplit

from lxml import etree

_MOST_MARKS = 1_000_000  # that of today has 80,000
_SLUG_OF_LINK = re.compile(rb"<link>([^<]*)</link>")
_USUAL_LINK = re.compile(rb"\s*https?://[^/?#\s]+/([\w.-]+)/[\w.-]+\s*")  # .../bgb/xml.zip
_ITEM = re.compile(rb"<title>([^<]*)</title>\s*<link>([^<]*)</link>")


def is_table_of_contents(data: bytes) -> bool:
    """Whether these are the bytes of a whole ``gii-toc.xml`` that names laws.

    Of one with far more marks than there are laws nothing is read: each takes memory. One that
    declares or uses entities of its own is refused: what they stand for would be missing.
    """
    if data.count(b"<") > _MOST_MARKS:
        return False
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return False
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and next(declared.iterentities(), None) is not None:
        return False
    if next(root.iter(etree.Entity), None) is not None:
        return False
    return next(read_slugs(data), None) is not None


def read_slugs(contents: bytes) -> Iterator[str]:
    """The slugs that a ``gii-toc.xml`` names: the folder in each item's link."""
    for link in _SLUG_OF_LINK.findall(contents):
        slug = _read_slug(link)
        if slug:
            yield slug


def read_titles(contents: bytes) -> Iterator[tuple[str, str]]:
    """Slug and title of each item of a ``gii-toc.xml``."""
    for title, link in _ITEM.findall(contents):
        slug = _read_slug(link)
        words = unescape(title.decode("utf-8", "replace")).split()
        if slug and words:
            yield slug, " ".join(words)


def _read_slug(link: bytes) -> str | None:
    usual = _USUAL_LINK.fullmatch(link)  # a history has a million of them
    if usual:
        return usual[1].decode("ascii")
    try:
        address = urlsplit(link.decode("utf-8", "replace").strip())
    except ValueError:  # "http://[" is the beginning of none
        return None
    parts = [part for part in address.path.split("/") if part]
    return unquote(parts[-2]) if len(parts) > 1 else None
