"""The invented laws and decisions, as the command line builds them."""

from pathlib import Path

from fundstelle.ingest.sources import demonstration
from fundstelle.search.engines.tantivy import TantivyEngine
from tests.integration.corpora.building import build


def build_invented(data: Path) -> None:
    """Fill the folder *data*."""
    snapshots = demonstration.open_snapshots()
    build(data, [*snapshots, demonstration.open_decisions()], engine=TantivyEngine())
