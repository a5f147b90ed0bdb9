"""A shipment is read strictly: it comes from a place that others may write to."""

from dataclasses import replace

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fundstelle.corpus.travel.shipment import (
    SentFile,
    Shipment,
    are_signed,
    dump_shipment,
    load_shipment,
    sign_files,
)
from fundstelle.errors import CorpusError

HASH = "ab" * 32


def make_file(name: str, size: int = 5, chunks: int = 1) -> SentFile:
    return SentFile(name, size, HASH, (HASH,) * chunks)


OWN = (make_file("manifest.json"), make_file("manifest.sha256"))
SHIPMENT = Shipment("0123456789abcdef", (make_file("index/.managed.json", 10, 3), *OWN), 4)
SOUND = replace(
    SHIPMENT,
    files=tuple(replace(f, chunks=(HASH,) * -(-f.size // 4)) for f in SHIPMENT.files),
)


def test_a_shipment_reads_as_it_was_written() -> None:
    assert load_shipment(dump_shipment(SOUND), "it") == SOUND


def test_the_last_chunk_has_what_is_left() -> None:
    chunks = SOUND.cut(SOUND.files[0])

    assert [(chunk.start, chunk.size) for chunk in chunks] == [(0, 4), (4, 4), (8, 2)]


@pytest.mark.parametrize(
    "name",
    [
        "../accounts.sqlite",
        "/etc/passwd",
        "index/../../x",
        "index//x",
        "index/.",
        "index/..",
        "...",
        "index\\x",
        "a\nb",
        "a\0b",
        "",
        "x" * 200,
        "manifest.json",  # a second time
        "manifest.json/x",  # below a file
        7,
    ],
)
def test_a_name_leads_nowhere_but_below_the_build(name: object) -> None:
    fields = orjson.loads(dump_shipment(SOUND))
    fields["files"][0]["name"] = name

    with pytest.raises(CorpusError, match="damaged, or of another version"):
        load_shipment(orjson.dumps(fields), "it")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("size", -1),
        ("size", 2**60),
        ("size", 13),
        ("size", True),
        ("size", 10.0),
        ("size", "10"),
        ("chunks", []),
        ("chunks", [HASH] * 4),
        ("chunks", [HASH, HASH, "../" + "a" * 61]),
        ("chunks", [HASH, HASH, HASH.upper()]),
        ("sha256", "abc"),
        ("more", 1),
    ],
)
def test_a_file_has_the_size_of_its_chunks_and_hashes_are_hashes(field: str, value: object) -> None:
    fields = orjson.loads(dump_shipment(SOUND))
    fields["files"][0][field] = value

    with pytest.raises(CorpusError, match="damaged, or of another version"):
        load_shipment(orjson.dumps(fields), "it")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", 2),
        ("release", "../x"),
        ("release", "0123456789ABCDEF"),
        ("chunk_bytes", 0),
        ("chunk_bytes", 2**40),
        ("chunk_bytes", float(SOUND.chunk_bytes)),
        ("chunk_bytes", True),
        ("files", []),
        ("files", None),
        ("key", "no"),
        ("more", 1),
    ],
)
def test_what_push_does_not_write_is_refused(field: str, value: object) -> None:
    fields = orjson.loads(dump_shipment(SOUND))
    fields[field] = value

    with pytest.raises(CorpusError, match="damaged, or of another version"):
        load_shipment(orjson.dumps(fields), "it")


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", dump_shipment(SOUND)[:-9]])
def test_what_is_no_shipment_is_refused(data: bytes) -> None:
    with pytest.raises(CorpusError, match="damaged, or of another version"):
        load_shipment(data, "it")


def test_the_signature_is_over_every_name_and_hash() -> None:
    key = Ed25519PrivateKey.generate()
    signed = replace(SOUND, signature=sign_files(key, SOUND))
    first, *others = signed.files

    assert are_signed(key.public_key(), signed)
    for other in (
        replace(signed, release="f" * 16),
        replace(signed, files=tuple(others)),
        replace(signed, files=(replace(first, sha256="cd" * 32), *others)),
        replace(signed, files=(replace(first, name="index/other"), *others)),
        replace(signed, signature=None),
    ):
        assert not are_signed(key.public_key(), other)
    assert not are_signed(Ed25519PrivateKey.generate().public_key(), signed)


def test_a_manifest_that_nobody_could_read_whole_is_refused_by_its_size() -> None:
    step = 64 * 2**20
    large = SentFile("manifest.json", 16 * step, HASH, (HASH,) * 16)  # of one object, sixteen times
    sent = replace(SOUND, files=(large, make_file("manifest.sha256")), chunk_bytes=step)

    with pytest.raises(CorpusError, match="manifest is too large"):
        load_shipment(dump_shipment(sent), "it")


@pytest.mark.parametrize(
    "change",
    [
        {"name": "\x1b[2J" + "x" * 5_000},
        {"name": "/".join(["a"] * 5_000)},
        {"\x1b[2J" + "x" * 5_000: 1},
        {"size": -1, "name": "index/" * 50 + "x"},
    ],
)
def test_what_a_record_says_is_quoted_in_one_short_line(change: dict[str, object]) -> None:
    fields = orjson.loads(dump_shipment(SOUND))
    fields["files"][0].update(change)

    with pytest.raises(CorpusError) as raised:
        load_shipment(orjson.dumps(fields), "it")
    assert len(str(raised.value)) < 400
    assert str(raised.value).isprintable()
