"""What tests of several kinds share: all of federal law, and some of every source, built once."""

from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings

from fundstelle.settings import Settings
from tests.e2e.server import SHARED_CORPUS, run_fundstelle
from tests.support.every_source import build_every_source
from tests.support.hanging import (  # noqa: F401 pytest finds them here
    pytest_configure,
    pytest_runtest_call,
    pytest_runtest_protocol,
    pytest_runtest_setup,
    pytest_runtest_teardown,
    pytest_sessionfinish,
)
from tests.support.invented import build_invented
from tests.support.once import build_once, copy_once

# How long an example takes is the machine's affair; speed is measured in benches/.
hypothesis_settings.register_profile("unhurried", deadline=None)
hypothesis_settings.load_profile("unhurried")

ARCHIVE = SHARED_CORPUS / "gii-xml.tar.zst"


@pytest.fixture(scope="session")
def whole_corpus(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The archive of all federal law as the real command builds it; takes about two minutes."""
    if not ARCHIVE.exists():
        pytest.skip("../shared/corpus/gii-xml.tar.zst is absent")

    def build(folder: Path) -> None:
        run_fundstelle(folder, "ingest", "--source", str(ARCHIVE))

    data = build_once(tmp_path_factory, "whole", build)
    return Settings.from_env({"FUNDSTELLE_DATA": str(data)})


@pytest.fixture(scope="session")
def every_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of four laws, all decisions and all EU acts; read it, or work on a copy."""
    if not (SHARED_CORPUS / "decisions.tar.zst").exists():
        pytest.skip("the archives are not beside it")
    return build_every_source(tmp_path_factory)


@pytest.fixture(scope="session")
def invented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the invented laws and decisions; servers with accounts copy it."""
    return copy_once(tmp_path_factory, "invented", build_invented)
