"""What a publisher, or a disk, made of a byte ends no run: it is one document's failure."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fundstelle.errors import CorpusError, SourceError
from fundstelle.ingest.history.contents import read_slugs
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.courts import rii_portal
from fundstelle.ingest.sources.eu import cellar
from fundstelle.ingest.sources.files.cache import CachedFile, Wanted, WrongContent, fetch_each
from fundstelle.ingest.sources.files.download import Downloader, Fetched, _read_date, show
from fundstelle.ingest.sources.files.failures import tell_failure
from fundstelle.ingest.sources.neuris import portal
from fundstelle.ingest.sources.neuris.service import Service
from tests.integration.corpora.building import Heard
from tests.integration.services.loopback import pack

NO_ADDRESS = "http://[x/y/z/xml.zip"
NOW = datetime(2030, 3, 2, 12, tzinfo=UTC)


def spoil_name(packed: bytes) -> bytes:
    """A zip file whose first name says that it is UTF-8, and is not."""
    data = bytearray(packed)
    for mark, flag, name in ((b"PK\3\4", 6, 30), (b"PK\1\2", 8, 46)):
        place = data.find(mark)
        data[place + flag + 1] |= 0x08
        data[place + name] = 0xFF
    return bytes(data)


def require_formex(data: bytes) -> None:
    cellar._require_formex("https://one.example/x", data, "application/zip")


def unzip_edition(data: bytes) -> None:
    raise SourceError(str(next(cellar._unzip("x", data)).problem))


def unzip_expression(data: bytes) -> None:
    raise SourceError(str(next(portal._unzip("eli/x", data)).problem))


def unzip_decision(data: bytes) -> None:
    rii_portal._unzip("KORE1", data)


@pytest.mark.parametrize("read", [require_formex, unzip_edition, unzip_expression, unzip_decision])
def test_a_zip_file_with_a_name_that_is_no_text_is_damaged(
    read: Callable[[bytes], None],
) -> None:
    with pytest.raises(SourceError, match=r"zip file"):
        read(spoil_name(pack({"a.xml": b"<a/>"})))


def test_an_address_that_is_none_is_never_asked(tmp_path: Path) -> None:
    service = Service.open(Order(tmp_path, "https://one.example"), Downloader())
    with pytest.raises(WrongContent, match="names an address that is none"):
        service.resolve(NO_ADDRESS)
    with pytest.raises(SourceError, match="is not an http"):
        Downloader(pause=0).fetch(NO_ADDRESS, 1)
    assert show(NO_ADDRESS) == "an address that is none"


def test_a_table_of_contents_with_an_address_that_is_none_lists_the_others() -> None:
    links = (NO_ADDRESS, "http://www.gesetze-im-internet.de/bgb/xml.zip")
    items = "".join(f"<item><title>x</title><link>{link}</link></item>" for link in links)
    assert list(read_slugs(f"<items>{items}</items>".encode())) == ["bgb"]


def test_a_moment_that_has_no_day_in_every_zone_is_none() -> None:
    assert _read_date("Fri, 31 Dec 9999 23:59:59 GMT") is None


def test_a_flipped_bit_of_what_is_known_of_a_file_costs_a_request_at_most(tmp_path: Path) -> None:
    file = CachedFile(tmp_path / "law" / "xml.zip", "https://one.example/law/xml.zip")
    answer = Fetched(b"a law", '"tag"', "Sat, 02 Mar 2030 10:00:00 GMT", "application/zip")
    file.refresh(lambda _known: answer, lambda _data, _kind: None, NOW)
    path = tmp_path / "law" / "state.json"
    written = path.read_bytes()
    for bit in range(len(written) * 8):
        damaged = bytearray(written)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        state = file.read_state()
        assert isinstance(state.is_fresh(NOW), bool)
        assert all(value.isprintable() for value in state.validators.values())


def fetch(*errors: Exception | None) -> tuple[list[str], list[str | None]]:
    """What comes of documents of which each fails so; ``None``: it does not."""

    def fetch_one(key: str) -> None:
        if (error := errors[int(key)]) is not None:
            raise error

    wanted = [Wanted(str(number), f"{number}.xml") for number in range(len(errors))]
    held, missing = fetch_each(wanted, fetch_one, "https://one.example", "documents", Heard())
    return held, [entry.problem for entry in missing]


def test_a_document_that_fails_as_nobody_foresaw_leaves_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        held, problems = fetch(None, KeyError("a secret"), None)
    assert held == ["0", "2"]
    assert problems == ["it failed in a way that nobody foresaw (KeyError); the log says where"]
    assert "in fetch_one" in caplog.text
    assert "a secret" not in f"{caplog.text}{problems}"


def test_what_is_said_of_a_document_is_not_as_long_as_a_publisher_likes() -> None:
    """A build keeps it, and every worker reads it."""
    _, [problem] = fetch(SourceError("x" * 60_000))
    assert problem == "x" * 500
    assert len(tell_failure(ValueError("x" * 60_000))) < 600


@pytest.mark.parametrize("error", [OSError(28, "No space left"), CorpusError("x"), MemoryError()])
def test_what_is_no_documents_fault_ends_the_run(error: Exception) -> None:
    with pytest.raises(type(error)):
        fetch(None, error, None)


def test_an_edition_that_names_more_files_than_any_is_not_opened() -> None:
    """The names alone of one of 64 MB would take a gigabyte of memory."""
    packed = pack({f"{number:0200}.xml": b"" for number in range(5_000)})
    with pytest.raises(WrongContent, match="is not a zip file of Formex"):
        require_formex(packed)
