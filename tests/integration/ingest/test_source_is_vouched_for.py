"""``ingest --source … --sha256 / --signature``: the very file, or nothing of it is read."""

from base64 import b64decode, b64encode
from hashlib import blake2b, sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fundstelle.cli import cli
from fundstelle.errors import SourceError
from fundstelle.ingest import origin
from fundstelle.ingest.authenticity import Proof, PublicKey, Signature
from fundstelle.ingest.sources.files.download import Downloader, Fetched
from tests.integration.corpora.building import Heard

KEY_ID = b"firmfirm"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))
DATA = b"an archive of invented law"
COMMENT = "timestamp:1735689600\tfile:gii.tar.zst"


def write_key(key: Ed25519PrivateKey = KEY, key_id: bytes = KEY_ID) -> str:
    return b64encode(b"Ed" + key_id + key.public_key().public_bytes_raw()).decode()


def write_signature(
    data: bytes = DATA,
    key: Ed25519PrivateKey = KEY,
    key_id: bytes = KEY_ID,
    kind: bytes = b"ED",
    comment: str = COMMENT,
) -> str:
    signature = key.sign(blake2b(data).digest())
    whole = key.sign(signature + COMMENT.encode())
    return (
        f"untrusted comment: invented\n{b64encode(kind + key_id + signature).decode()}\n"
        f"trusted comment: {comment}\n{b64encode(whole).decode()}\n"
    )


def check(tmp_path: Path, signature: str, key: str | None = None, data: bytes = DATA) -> None:
    (tmp_path / "gii.tar.zst").write_bytes(data)
    (tmp_path / "gii.tar.zst.minisig").write_text(signature)
    read = Signature.read(tmp_path / "gii.tar.zst.minisig")
    proof = Proof(None, read, PublicKey.read(write_key() if key is None else key))
    proof.check_file(tmp_path / "gii.tar.zst")
    proof.check(data, "gii.tar.zst")


def test_a_good_signature_is_taken_with_the_key_or_its_file(tmp_path: Path) -> None:
    check(tmp_path, write_signature())
    (tmp_path / "firm.pub").write_text(f"untrusted comment: key\n{write_key()}\n")
    check(tmp_path, write_signature(), str(tmp_path / "firm.pub"))


def test_the_key_of_minisign_s_own_releases_is_read() -> None:
    key = PublicKey.read("RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3")
    assert len(b64decode("RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3")) == 42
    assert key.key_id == bytes.fromhex("1fe8b442180f62e7")


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        (write_signature(DATA + b"!"), "does not bear the signature"),
        (write_signature(key=OTHER), "does not bear the signature"),
        (write_signature(key_id=b"somebody"), "of another key"),
        (write_signature(comment="file:other"), "does not bear the signature"),
        (write_signature(kind=b"Ed"), "of the old kind"),
        (write_signature(kind=b"XX"), "of the old kind"),
        (write_signature()[:-30], "no whole signature"),
        ("\n".join(write_signature().splitlines()[:2]), "no whole signature"),
        (write_signature().replace("trusted comment: t", "comment: t"), "no whole signature"),
        ("", "no whole signature"),
    ],
)
def test_any_other_signature_is_refused(tmp_path: Path, signature: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        check(tmp_path, signature)


@pytest.mark.parametrize("key", ["", "RW", write_key()[:-4], "x" * 56, "firm.pub", "\0"])
def test_what_is_no_key_is_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(SourceError, match="none of minisign"):
        check(tmp_path, write_signature(), key)


def test_only_the_file_with_that_hash_is_read(tmp_path: Path) -> None:
    path = tmp_path / "gii.tar.zst"
    path.write_bytes(DATA)
    digest = sha256(DATA).hexdigest()
    Proof(digest).check_file(path)
    Proof(digest.upper()).check(DATA, "gii")
    for other in (DATA[:-1], DATA + b"\0", b""):
        path.write_bytes(other)
        with pytest.raises(SourceError, match="nothing of it was read"):
            Proof(digest).check_file(path)
    for place in (tmp_path, tmp_path / "missing"):
        with pytest.raises(SourceError, match="is no file"):
            Proof(digest).check_file(place)


def test_what_was_fetched_is_refused_before_it_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Downloader, "fetch", lambda *_: Fetched(DATA, None, None, ""))
    wanted = origin.Origin(
        "http://127.0.0.1:9/gii.tar.zst", (), everything=False, roots=(), cache=tmp_path,
        proof=Proof("0" * 64),
    )  # fmt: skip
    with pytest.raises(SourceError, match="nothing of it was read"):
        origin.find(wanted, Downloader(), Heard())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", ["hash", "signature"])
def test_the_command_builds_nothing_of_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    source, signature = tmp_path / "gii.tar.zst", tmp_path / "gii.minisig"
    source.write_bytes(DATA)
    signature.write_text(write_signature(DATA + b"!"))
    monkeypatch.setenv("FUNDSTELLE_DATA", str(tmp_path / "data"))
    given = {
        "hash": ["--sha256", "0" * 64],
        "signature": ["--signature", str(signature), "--public-key", write_key()],
    }[wrong]
    result = CliRunner().invoke(cli, ["ingest", "--source", str(source), *given])
    assert isinstance(result.exception, SourceError), result.output
    assert "nothing of it was read" in str(result.exception)
    assert not list((tmp_path / "data").glob("builds/*"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sha256", "0" * 64], "go with --source"),
        (["--source", "x", "--sha256", "0" * 63], "64 hexadecimal digits"),
        (["--source", "x", "--public-key", "RW"], "goes with --public-key"),
        (["--source", "x", "--signature", "missing"], "does not exist"),
    ],
)
def test_half_of_a_proof_is_a_usage_error(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(cli, ["ingest", *arguments])
    assert result.exit_code == 2
    assert message in result.output
