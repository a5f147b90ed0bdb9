from dataclasses import replace
from typing import Any

import orjson
import pytest

from fundstelle.corpus.manifest import (
    FileState,
    OwedDocument,
    Rejected,
    dump_manifest,
    load_manifest,
)
from fundstelle.errors import CorpusError
from tests.unit.corpus.values import MANIFEST


def test_a_manifest_survives_its_file() -> None:
    assert load_manifest(dump_manifest(MANIFEST), "manifest.json") == MANIFEST


def test_what_a_later_version_adds_is_passed_over() -> None:
    def add(value: Any) -> Any:
        if isinstance(value, list):
            return [add(one) for one in value]
        if isinstance(value, dict):
            return {"to_come": [1], **{name: add(one) for name, one in value.items()}}
        return value

    owed = OwedDocument("invented/1", "2026-01-01")
    source = replace(MANIFEST.sources[0], owed=(owed,))
    file = FileState("corpus.sqlite", 1, "0" * 64)
    whole = replace(MANIFEST, sources=(source,), files=(file,), rejected=(Rejected("a", "b"),))
    written = orjson.dumps(add(orjson.loads(dump_manifest(whole))))
    assert load_manifest(written, "manifest.json") == whole


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"stand": 1}', b"\xff", b"null"])
def test_a_damaged_manifest_is_named(data: bytes) -> None:
    with pytest.raises(CorpusError, match=r"builds/x/manifest\.json is damaged"):
        load_manifest(data, "builds/x/manifest.json")
