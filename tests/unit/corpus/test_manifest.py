import pytest

from fundstelle.corpus.manifest import dump_manifest, load_manifest
from fundstelle.errors import CorpusError
from tests.unit.corpus.values import MANIFEST


def test_a_manifest_survives_its_file() -> None:
    assert load_manifest(dump_manifest(MANIFEST), "manifest.json") == MANIFEST


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"stand": 1}', b"\xff", b"null"])
def test_a_damaged_manifest_is_named(data: bytes) -> None:
    with pytest.raises(CorpusError, match=r"builds/x/manifest\.json is damaged"):
        load_manifest(data, "builds/x/manifest.json")
