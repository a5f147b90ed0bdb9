"""The table of contents of "Rechtsprechung im Internet", and what of it could not be had.

Source: the portal's own ``rii-toc.xml`` (about 84,000 items in 23 MB, written anew every night)::

    <item><gericht>BGH 9. Zivilsenat</gericht><entsch-datum>20100114</entsch-datum>
    <aktenzeichen>IX ZB 72/08</aktenzeichen>
    <link>http://www.rechtsprechung-im-internet.de/jportal/docs/bsjrs/jb-JURE100055033.zip</link>
    <modified>2025-06-23T21:55:54.378Z</modified></item>
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from html import unescape

import orjson

from fundstelle.corpus.manifest import OwedDocument
from fundstelle.errors import SourceError
from fundstelle.ingest.sources.files.cache import WrongContent
from fundstelle.ingest.sources.files.owed import OwedNote

_MOST_ITEMS = 1_000_000  # all are held in memory
_MOST_LEFT = 0.3  # of the decisions that were listed; the portal takes single ones away
_FEW_LEFT = 1  # of a small portal
# each looks no further than to the next "<item>" or "<": a list is read without a limit of time
_ITEM = re.compile(rb"<item>((?:(?!<item>).)*?)</item>", re.DOTALL)
_FIELD = re.compile(rb"<(gericht|entsch-datum|aktenzeichen|link|modified)>([^<]*)</")
_NUMBER = re.compile(r"/jb-([A-Z0-9]{1,40})\.zip")
_ROOT = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<[?!][^<>]*>\s*)*<([\w.:-]+)")


@dataclass(frozen=True, slots=True)
class Item:
    """One decision as the table of contents names it."""

    number: str  # the document number, ``doknr`` in the decision's own file
    court: str  # with its panel: "BGH 9. Zivilsenat"
    issued_on: date | None
    docket: str
    modified: str  # as the portal writes it


def read_contents(contents: bytes) -> Iterator[Item]:
    """The items of a ``rii-toc.xml``; what has no document number is passed over."""
    for item in _ITEM.finditer(contents):
        fields = {
            name.decode(): unescape(value.strip().decode("utf-8", "replace"))
            for name, value in _FIELD.findall(item[1])
        }
        number = _NUMBER.search(fields.get("link", ""))
        if number:
            yield Item(
                number[1],
                fields.get("gericht", ""),
                _read_day(fields.get("entsch-datum", "")),
                fields.get("aktenzeichen", ""),
                fields.get("modified", ""),
            )


def require_contents(url: str, data: bytes, _content_type: str) -> None:
    """See that these are the bytes of a whole table of contents.

    It is written anew every night: of one that is just being written, the end is missing.

    Raises:
        WrongContent: they are not.
    """
    if data.count(b"<item>") > _MOST_ITEMS:
        raise WrongContent(f"{url} lists more than {_MOST_ITEMS:,} decisions")
    if next(read_contents(data), None) is None:
        raise WrongContent(f"{url} is not a table of contents; is a proxy answering in its place?")
    found = _ROOT.match(data)
    root = found[1] if found is not None else b""
    is_closed = root not in {b"", b"item"} and data.rstrip().endswith(b"</" + root + b">")
    whole = sum(1 for _ in _ITEM.finditer(data))
    if not is_closed or whole != data.count(b"<item>"):
        raise WrongContent(
            f"{url} is cut short after {whole:,} decisions; nothing was changed: run the command"
            " again later"
        )


@dataclass(frozen=True, slots=True)
class Owed:
    """What is noted for the next look.

    Attributes:
        missing: numbers of decisions that were listed and could not be had.
        listed: how many decisions the last table of contents named; 0 = not noted.
    """

    missing: frozenset[str] = frozenset()
    listed: int = 0

    @classmethod
    def read(cls, note: OwedNote) -> "Owed":
        """What was noted; nothing if the note is not whole."""
        data = note.read()
        try:
            fields = orjson.loads(data)
            if isinstance(fields, list):  # as versions of before wrote it
                return cls(frozenset(map(str, fields)))
            return cls(frozenset(map(str, fields["missing"])), int(fields["listed"]))
        except (ValueError, TypeError, KeyError):
            return cls()

    def write(self, note: OwedNote) -> None:
        """Note it."""
        note.write(orjson.dumps({"missing": sorted(self.missing), "listed": self.listed}))

    def list_documents(self) -> tuple[OwedDocument, ...]:
        """As a build names what it lacks."""
        return tuple(map(OwedDocument, sorted(self.missing)))

    def require_most(self, address: str, listed: int) -> None:
        """See that a table of contents has not lost most of what the last one named.

        Raises:
            SourceError: it has; what it no longer names would never be asked for again.
        """
        if self.listed - listed > max(self.listed * _MOST_LEFT, _FEW_LEFT):
            raise SourceError(
                f"{address} lists {listed:,} decisions, and the last time {self.listed:,}; nothing"
                " was changed: run the command again later. If it has no more, 'fundstelle ingest"
                " --decisions' takes them"
            )


def _read_day(digits: str) -> date | None:
    try:
        return datetime.strptime(digits, "%Y%m%d").replace(tzinfo=UTC).date()
    except ValueError:
        return None
