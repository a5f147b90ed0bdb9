"""A build of four laws, all decisions and all EU acts of the archives."""

from pathlib import Path

import pytest

from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.sources.by_hand import find_collections, find_snapshots
from fundstelle.search.engines.tantivy import TantivyEngine
from tests.e2e.server import SHARED_CORPUS
from tests.integration.corpora.building import build
from tests.support.once import build_once

LAWS = ("ifg", "bgb", "gg", "vwgo")


def build_every_source(factory: pytest.TempPathFactory) -> Path:
    """The folder; it is everybody's."""

    def fill(folder: Path) -> None:
        laws = find_snapshots(SHARED_CORPUS / "gii-xml.tar.zst")
        sources: list[Snapshot | Collection] = [*laws, *find_collections(SHARED_CORPUS)]
        build(folder, sources, laws=LAWS, engine=TantivyEngine())

    return build_once(factory, "every-source", fill)
