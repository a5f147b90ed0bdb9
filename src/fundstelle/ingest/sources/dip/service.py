"""The Bundestag's interface as its description has it: lists of ``Vorgänge``, page by page.

Source: ``openapi.yaml`` of DIP 1.2: the key goes into ``Authorization``; a list is read on with the
``cursor`` of its last page until that is the same twice.
"""

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import orjson

from fundstelle.errors import SourceError
from fundstelle.ingest.sources.files.cache import CachedFile, WrongContent
from fundstelle.ingest.sources.files.download import Downloader, show

NAME = "Deutscher Bundestag - DIP"
SOURCE_TYPE = "dip"

_MOST_PAGE = 32 * 2**20
_MOST_PAGES = 5_000  # of 100 each: every Vorgang of more than two legislative periods
_MOST_LIST = 2**30  # bytes of all pages, which lie in the cache, and what is kept of it in memory
_LEAST_PAUSE = 0.5  # seconds; the service names no limit and asks for consideration


@dataclass(frozen=True, slots=True)
class Parliament:
    """Where the record is asked, and with which key."""

    address: str  # without a slash at its end
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Service:
    """The interface, with the folder that its pages are kept in."""

    parliament: Parliament
    pages: Path
    client: Downloader

    @classmethod
    def open(cls, parliament: Parliament, pages: Path, client: Downloader) -> "Service":
        """The service, asked at a pace that it can bear, and no other host in its place."""
        paced = replace(client, pause=max(client.pause, _LEAST_PAUSE), to_own_host=True)
        return cls(parliament, pages, paced)

    def iter_changed(self, since: datetime, moment: datetime) -> Iterator[Mapping[str, Any]]:
        """Every Vorgang that was changed since, each as the list has it.

        A page that was fetched before is asked for with the validators that it came with.

        Raises:
            SourceError: the list is not to be had whole.
        """
        query = {"f.aktualisiert.start": since.isoformat(timespec="seconds"), "format": "json"}
        asked: set[Path] = set()
        cursor, numbers, total, size = "", set[str](), 0, 0
        for _ in range(_MOST_PAGES):
            page, length = self._read_page(
                {**query, **({"cursor": cursor} if cursor else {})}, asked, moment
            )
            size += length
            if size > _MOST_LIST:
                raise SourceError(
                    f"{self.parliament.address} lists more than {_MOST_LIST >> 20:,} MB of Vorgänge"
                )
            for document in page["documents"]:
                numbers.add(str(document.get("id")))
                yield document
            total = page["numFound"]
            if page["cursor"] == cursor or not page["documents"]:
                break
            cursor = page["cursor"]
        if len(numbers) < total:
            raise SourceError(
                f"{self.parliament.address} lists {len(numbers):,} Vorgänge and says that there are"
                f" {total:,}"
            )
        self._drop_others(asked)

    def _read_page(
        self, query: Mapping[str, str], asked: set[Path], moment: datetime
    ) -> tuple[Mapping[str, Any], int]:
        """A page, and how many bytes it is."""
        url = f"{self.parliament.address}/api/v1/vorgang?{urlencode(query)}"
        folder = self.pages / hashlib.sha256(url.encode()).hexdigest()[:32]
        asked.add(folder)
        file = CachedFile(folder / "page.json", url)
        wanted = {"Accept": "application/json", "Authorization": f"ApiKey {self.parliament.key}"}
        ask = partial(self.client.fetch, url, _MOST_PAGE, wanted=wanted)
        file.refresh(ask, partial(_require_page, url), moment)
        data = file.path.read_bytes()
        return _parse(url, data), len(data)

    def _drop_others(self, asked: set[Path]) -> None:
        """Pages of lists that are no longer asked for; their contents are kept elsewhere."""
        for folder in self.pages.iterdir() if self.pages.is_dir() else ():
            if folder not in asked:
                shutil.rmtree(folder, ignore_errors=True)


def _require_page(url: str, data: bytes, content_type: str) -> None:
    del content_type
    _parse(url, data)


def _parse(url: str, data: bytes) -> Mapping[str, Any]:
    """A page of the list.

    Raises:
        WrongContent: it is none.
    """
    try:
        page = orjson.loads(data)
    except ValueError:
        page = None
    fields = page if isinstance(page, dict) else {}
    documents, total, cursor = (fields.get(name) for name in ("documents", "numFound", "cursor"))
    is_list = isinstance(documents, list) and all(isinstance(one, dict) for one in documents)
    if not is_list or not isinstance(total, int) or not isinstance(cursor, str):
        raise WrongContent(f"{show(url)} is no list of Vorgänge")
    return fields
