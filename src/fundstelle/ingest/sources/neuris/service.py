"""The service of the federal legal information system, as its published description has it.

Source: ``openapi.json`` of the service ("RIS API", version 1): lists of documents, a changelog of
each kind, archives of all. At most 600 requests a minute are answered; more are answered by 503.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urljoin, urlsplit

import orjson

from fundstelle.corpus.manifest import OwedDocument
from fundstelle.errors import SourceError
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.files.cache import WrongContent
from fundstelle.ingest.sources.files.download import Downloader, show
from fundstelle.ingest.sources.files.owed import OwedNote
from fundstelle.ingest.sources.neuris.expression import EXPRESSION

LEGISLATION, CASE_LAW = "legislation", "case-law"
_MOST_LIST = 64 * 2**20
_PAGE_SIZE = 300  # the most that the service takes
_MOST_PAGES = 1_000
_MOST_OF_LIST = 2**30  # bytes of all pages; what is kept of them is in memory
_MOST_UNREAD = 1_000  # ids of no known form in one changelog
_LEAST_PAUSE = 0.1  # seconds: 600 requests a minute
_NUMBER = re.compile(r"(?:.*/case-law/)?([A-Z][A-Z0-9]{4,39})(?:[./].*)?")
_LONGEST = 200  # characters of an id in a message
_LONGEST_ADDRESS = 2_000  # characters; those of the service have about 150


@dataclass(frozen=True, slots=True)
class Service:
    """Where the service is, where its files are kept, and how it is asked."""

    cache: Path
    address: str
    client: Downloader
    note: OwedNote
    lacking: tuple[OwedDocument, ...] = ()  # what the live build is owed

    @classmethod
    def open(cls, order: Order, client: Downloader) -> "Service":
        """The service, asked no faster than it answers, and no other host in its place."""
        paced = replace(client, pause=max(client.pause, _LEAST_PAUSE), to_own_host=True)
        note = OwedNote.of(order.kept, order.cache)
        return cls(order.cache, order.address, paced, note, order.owed)

    def read_owed(self) -> "Owed":
        """What was noted, and what the live build lacks: what came may be in another one alone."""
        return Owed.read(self.note).join(Owed.of_build(self.lacking))

    def resolve(self, written: str) -> str:
        """The whole address of what the service names; only its own host is asked.

        Raises:
            WrongContent: it names another one, or none.
        """
        try:
            whole = urljoin(f"{self.address}/", written)
            own, named = urlsplit(self.address), urlsplit(whole)
        except ValueError:
            raise WrongContent(f"{self.address} names an address that is none") from None
        if (own.scheme, own.netloc) != (named.scheme, named.netloc):
            raise WrongContent(f"{self.address} leads to {show(whole)}, which is not asked")
        return whole

    def ask(self, path: str, **query: str) -> Mapping[str, Any]:
        """An answer in JSON.

        Raises:
            SourceError: there is none, or it is no object.
        """
        return self.ask_page(path, query)[0]

    def ask_page(self, path: str, query: Mapping[str, str]) -> tuple[Mapping[str, Any], int]:
        """An answer in JSON, and how many bytes it is.

        Raises:
            SourceError: as ``ask``.
        """
        url = f"{self.address}/v1/{path}" + (f"?{urlencode(query)}" if query else "")
        data = self.client.fetch(url, _MOST_LIST, wanted={"Accept": "application/json"}).data or b""
        try:
            read = orjson.loads(data)
        except ValueError as error:
            raise WrongContent(f"{show(url)} is no whole JSON ({error})") from None
        if not isinstance(read, dict):
            raise WrongContent(f"{show(url)} is no object")
        return read, len(data)


@dataclass(frozen=True, slots=True)
class Changes:
    """What a changelog says of a period: ELIs of expressions, or numbers of decisions."""

    changed: tuple[str, ...]
    deleted: tuple[str, ...]
    all_changed: bool
    unread: tuple[str, ...] = ()  # ids of no form that is known


def ask_changes(service: Service, kind: str, since: date, now: datetime) -> Changes:
    """What has changed from the beginning of a day until now.

    Raises:
        SourceError: the changelog is not to be had, or is none.
    """
    answer = service.ask(
        f"{kind}/changelog",
        **{"from": f"{since.isoformat()}T00:00:00Z", "to": now.strftime("%Y-%m-%dT%H:%M:%SZ")},
    )
    unread: list[str] = []
    changed = tuple(dict.fromkeys(_iter_ids(kind, answer.get("changed"), unread)))
    deleted = tuple(dict.fromkeys(_iter_ids(kind, answer.get("deleted"), unread)))
    all_changed = answer.get("allChanged")
    if not isinstance(all_changed, bool):
        raise WrongContent(f"{service.address}: the changelog of {kind} says no allChanged")
    return Changes(changed, deleted, all_changed, tuple(unread))


def _iter_ids(kind: str, listed: object, unread: list[str]) -> Iterator[str]:
    if not isinstance(listed, list):
        raise WrongContent(f"the changelog of {kind} is no list of documents")
    for one in listed:
        fields = one if isinstance(one, dict) else {}
        written = [fields.get(name) for name in ("@id", "contentUrl")]
        found = (read_id(kind, text) for text in written if isinstance(text, str))
        name = next((each for each in found if each), None)
        if name:
            yield name
        else:
            if len(unread) >= _MOST_UNREAD:  # each is told in a report that workers read
                raise WrongContent(
                    f"the changelog of {kind} names more than {_MOST_UNREAD:,} documents by no id"
                    " that is known here"
                )
            shown = written[0] if isinstance(written[0], str) else type(written[0]).__name__
            unread.append(shown[:_LONGEST])


def read_id(kind: str, written: str) -> str | None:
    """The ELI of an expression, or the number of a decision, out of an id or address."""
    if kind == LEGISLATION:
        found = EXPRESSION.search(written)
        return found[0].lstrip("/") if found else None
    number = _NUMBER.fullmatch(written)
    return number[1] if number else None


def get_work(eli: str) -> str:
    """The work of an expression."""
    found = EXPRESSION.fullmatch(eli)
    return found["work"] if found else eli


@dataclass(frozen=True, slots=True)
class Listed:
    """A document as a list names it; ``address`` of its zip or XML file, as written there."""

    name: str  # ELI of the expression, number of the decision
    address: str


def list_expressions(service: Service, work: str | None = None) -> list[Listed]:
    """Every expression of one law, or of all.

    Raises:
        SourceError: the list is not to be had whole.
    """
    query = {} if work is None else {"eli": work}
    found = {}
    for item in _iter_items(service, LEGISLATION, query):
        name = read_id(LEGISLATION, str(item.get("legislationIdentifier") or item.get("@id")))
        if name and (work is None or get_work(name) == work):
            found[name] = Listed(name, _find_zip(item))
    return [found[name] for name in sorted(found)]


def list_decisions(service: Service) -> list[Listed]:
    """Every decision.

    Raises:
        SourceError: the list is not to be had whole.
    """
    numbers = (
        read_id(CASE_LAW, str(item.get("documentNumber")))
        for item in _iter_items(service, CASE_LAW, {"sort": "documentNumber"})
    )
    return [name_decision(number) for number in dict.fromkeys(numbers) if number]


def name_decision(number: str) -> Listed:
    """A decision by its number."""
    return Listed(number, f"/v1/{CASE_LAW}/{quote(number, safe='')}.xml")


def _iter_items(
    service: Service, kind: str, query: Mapping[str, str]
) -> Iterator[Mapping[str, Any]]:
    count = size = 0
    for page in range(_MOST_PAGES):
        asked = {**query, "size": str(_PAGE_SIZE), "pageIndex": str(page)}
        answer, length = service.ask_page(kind, asked)
        size += length
        if size > _MOST_OF_LIST:
            raise WrongContent(
                f"{service.address}: the list of {kind} has more than {_MOST_OF_LIST >> 20:,} MB"
            )
        members, total = answer.get("member"), answer.get("totalItems")
        if not isinstance(members, list) or not isinstance(total, int):
            raise WrongContent(f"{service.address}: the list of {kind} is none")
        if len(members) > _PAGE_SIZE:  # all pages are held in memory
            raise WrongContent(f"{service.address}: a page of the list of {kind} has too many")
        for member in members:
            item = member.get("item") if isinstance(member, dict) else None
            if isinstance(item, dict):
                yield item
        count += len(members)
        if count >= total:
            return
        if not members:
            break
    raise SourceError(
        f"{service.address} lists {count:,} documents of {kind} and says that there are more: give"
        " its archive with --source"
    )


def _find_zip(item: Mapping[str, Any]) -> str:
    """The archive of an expression; it stands beside its XML file."""
    encodings = item.get("encoding")
    addresses = [
        one["contentUrl"]
        for one in (encodings if isinstance(encodings, list) else [])
        if isinstance(one, dict) and isinstance(one.get("contentUrl"), str)
    ]
    packed = next((one for one in addresses if one.endswith(".zip")), None)
    plain = next((one for one in addresses if one.endswith((".xml", ".html"))), None)
    if packed is None and plain is not None:
        packed = f"{plain.rpartition('/')[0]}.zip"
    return packed if packed and len(packed) <= _LONGEST_ADDRESS else ""


def list_archives(service: Service) -> dict[str, str]:
    """The archive of all documents of a kind, where the service names one on its own host.

    Raises:
        SourceError: the list of archives is not to be had.
    """
    sets = service.ask("bulk-zip-links").get("dataSet")
    found: dict[str, str] = {}
    for one in sets if isinstance(sets, list) else []:
        packed = one.get("distribution") if isinstance(one, dict) else None
        address = packed.get("contentUrl") if isinstance(packed, dict) else None
        if not isinstance(address, str):
            continue
        words = f"{one.get('name')} {address.rpartition('/')[2]}".lower()
        kind = next((kind for kind, marks in _MARKS.items() if marks.search(words)), None)
        if kind is not None:
            found.setdefault(kind, service.resolve(address))
    return found


_MARKS = {
    LEGISLATION: re.compile(r"legislation|\bnorms?\b|gesetz"),
    CASE_LAW: re.compile(r"case-?_?law|rechtsprechung"),
}


@dataclass(frozen=True, slots=True)
class Owed:
    """What an update has to ask for again whatever the changelog says.

    Attributes:
        missing: expressions and decisions that were listed and could not be had.
        coming: laws of which a text begins on a day to come, by that day.
    """

    missing: frozenset[str] = frozenset()
    coming: Mapping[str, date] = field(default_factory=dict)

    @classmethod
    def read(cls, note: OwedNote) -> "Owed":
        """What was noted; nothing if the note is not whole."""
        data = note.read()
        try:
            fields = orjson.loads(data)
            coming = {work: date.fromisoformat(day) for work, day in fields["coming"].items()}
            return cls(frozenset(map(str, fields["missing"])), coming)
        except (ValueError, TypeError, KeyError, AttributeError):
            return cls()

    @classmethod
    def of_build(cls, documents: Iterable[OwedDocument]) -> "Owed":
        """What a build says that it lacks."""
        listed = list(documents)
        coming = {one.name: date.fromisoformat(one.due) for one in listed if one.due}
        return cls(frozenset(one.name for one in listed if not one.due), coming)

    def list_documents(self) -> tuple[OwedDocument, ...]:
        """The inverse of ``of_build``."""
        coming = (OwedDocument(work, day.isoformat()) for work, day in self.coming.items())
        return tuple(sorted((*map(OwedDocument, self.missing), *coming)))

    def join(self, other: "Owed") -> "Owed":
        """What is owed by either; of a law the earlier day: one that was due is due."""
        days = {work: min(day, self.coming.get(work, day)) for work, day in other.coming.items()}
        return Owed(self.missing | other.missing, {**self.coming, **days})

    def write(self, note: OwedNote) -> None:
        """Note it."""
        coming = {work: day.isoformat() for work, day in sorted(self.coming.items())}
        fields = {"missing": sorted(self.missing), "coming": coming}
        note.write(orjson.dumps(fields))


def split_owed(missing: Iterable[str]) -> tuple[set[str], set[str]]:
    """The works and the decisions among what is owed."""
    works = {get_work(name) for name in missing if name.startswith("eli/")}
    return works, {name for name in missing if not name.startswith("eli/")}
