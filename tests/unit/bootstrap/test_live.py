"""What the pages search by is what the tools search by."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.settings import Settings


@pytest.mark.parametrize(("embedder", "by_meaning"), [("student", True), ("off", False)])
def test_without_an_embedder_pages_do_not_search_by_meaning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedder: str, *, by_meaning: bool
) -> None:
    asked: list[dict[str, Any]] = []
    engine = SimpleNamespace(open=lambda _folder, **given: asked.append({"meaning": True, **given}))
    monkeypatch.setattr("fundstelle.bootstrap.live.build_engine", lambda _settings: engine)
    monkeypatch.setattr("fundstelle.bootstrap.live.LiveCorpus", SimpleNamespace)
    monkeypatch.setattr("fundstelle.corpus.builds.get_folder", lambda data, _release: data)
    environ = {"FUNDSTELLE_DATA": str(tmp_path), "FUNDSTELLE_EMBEDDER": embedder}
    live: Any = build_live_corpus(Settings.from_env(environ))
    manifest = SimpleNamespace(release="0123456789abcdef")
    live.open_index(SimpleNamespace(store=SimpleNamespace(manifest=manifest)))
    assert asked == [{"meaning": by_meaning}]
