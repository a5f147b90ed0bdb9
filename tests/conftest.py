"""What tests of several kinds share: all of federal law, built once."""

from pathlib import Path

import pytest

from fundstelle.settings import Settings
from tests.e2e.server import SHARED_CORPUS, run_fundstelle

ARCHIVE = SHARED_CORPUS / "gii-xml.tar.zst"


@pytest.fixture(scope="session")
def whole_corpus(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The archive of all federal law as the real command builds it; takes about two minutes."""
    if not ARCHIVE.exists():
        pytest.skip("../shared/corpus/gii-xml.tar.zst is absent")
    data: Path = tmp_path_factory.mktemp("whole") / "data"
    run_fundstelle(data, "ingest", "--source", str(ARCHIVE))
    return Settings.from_env({"FUNDSTELLE_DATA": str(data)})
