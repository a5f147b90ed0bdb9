"""A cluster behind TLS and a password: asked as one without, or refused in words."""

import logging
import os
import signal
import subprocess
from array import array
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from fundstelle.errors import SearchUnavailable, SettingsError
from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.engine import ClusterIndex, OpenSearchEngine
from fundstelle.search.index import SearchRequest
from fundstelle.search.ranking.priors import write_priors
from tests.e2e.server import FUNDSTELLE
from tests.integration.corpora.laws import write_snapshot
from tests.integration.search.test_search_index import DOCUMENTS, number
from tests.scale.search.front import PASSWORD, USER, Front, start_front
from tests.scale.search.nodes import Node, NoNodes, start_nodes, wait_until

QUERIES = ("Drachen", "Drachen halten", "Höhle", "Steuer auf Horte", "Nirgendwort")
REFUSED = {
    # which certificate is shown, whose is trusted, the password; what is said, what to do
    "another authority": ("good", "stranger", PASSWORD, "not signed by", "ca="),
    "no authority": ("good", "", PASSWORD, "not signed by", "ca="),
    "an old certificate": ("old", "ca", PASSWORD, "has expired", "renew it"),
    "another name": ("other", "ca", PASSWORD, "one of another name", "name that it has"),
    "no TLS": ("plain", "ca", PASSWORD, "no TLS came about", "a port that takes it"),
    "another password": ("good", "ca", "guessed-wrong", "status 401", "percent-encoded"),
}


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    try:
        with start_nodes(tmp_path_factory.mktemp("node"), 1) as nodes:
            yield nodes.nodes[0]
    except NoNodes as error:
        error.tell()


@pytest.fixture(scope="module")
def front(node: Node, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    with start_front(tmp_path_factory.mktemp("front"), node.port) as started:
        yield started


def write_address(
    front: Front, shown: str = "good", trusted: str = "ca", password: str = PASSWORD, **more: str
) -> str:
    """As the setting has it."""
    options = {"prefix": "tls", "ca": str(getattr(front, trusted)) if trusted else "", **more}
    written = "&".join(f"{name}={quote(value)}" for name, value in options.items() if value)
    secret = quote(password, safe="")
    return f"opensearchs://{USER}:{secret}@127.0.0.1:{front.ports[shown]}/?{written}"


def build(engine: OpenSearchEngine, folder: Path) -> ClusterIndex:
    folder.mkdir()
    engine.build(number(DOCUMENTS), folder)
    write_priors(array("f", [1.0] * len(DOCUMENTS)), folder)
    return engine.open(folder)


def test_what_is_built_and_found_is_the_same_as_without(
    node: Node, front: Front, tmp_path: Path
) -> None:
    patient = "timeout_ms=1800"
    plain = OpenSearchEngine.at(f"opensearch://127.0.0.1:{node.port}/?prefix=plain&{patient}")
    secure = OpenSearchEngine.at(f"{write_address(front)}&{patient}")
    ours, theirs = build(plain, tmp_path / "plain"), build(secure, tmp_path / "secure")
    for query in QUERIES:
        request = SearchRequest(query, facets=True)
        expected, found = ours.search(request), theirs.search(request)
        assert (found.hits, found.total, found.facets) == (
            expected.hits,
            expected.total,
            expected.facets,
        )
    assert theirs.search(SearchRequest("Drachen")).hits
    assert secure.settle(tmp_path / "secure", [tmp_path / "secure"]) == []


@pytest.mark.parametrize("case", REFUSED)
def test_whom_the_cluster_is_not_or_does_not_take_is_said_with_what_to_do(
    front: Front, tmp_path: Path, caplog: pytest.LogCaptureFixture, case: str
) -> None:
    shown, trusted, password, said, advice = REFUSED[case]
    folder = tmp_path / "index"
    build(OpenSearchEngine.at(write_address(front)), folder)
    engine = OpenSearchEngine.at(write_address(front, shown, trusted, password))
    with caplog.at_level(logging.DEBUG), pytest.raises(SearchUnavailable) as refused:
        engine.build(number(DOCUMENTS), folder)
    assert said in str(refused.value)
    assert advice in str(refused.value)
    index = engine.open(folder)
    caplog.clear()
    with caplog.at_level(logging.DEBUG):
        for _ in range(2):
            with pytest.raises(SearchUnavailable) as asked:
                index.search(SearchRequest("Drachen"))
            assert said in str(asked.value)
            assert "FUNDSTELLE" not in str(asked.value)  # a client has no settings
    (line,) = [one for one in caplog.messages if "does not answer" in one]
    assert said in line
    assert advice in line
    seen = f"{refused.value!r} {asked.value!r} {caplog.text} {front.log.read_text()}"
    for secret in (password, PASSWORD):
        sent = b64encode(f"{USER}:{secret}".encode()).decode()
        assert not [one for one in (secret, quote(secret, safe=""), sent) if one in seen]


def test_a_command_says_what_is_refused_and_no_password(front: Front, tmp_path: Path) -> None:
    source = write_snapshot(tmp_path / "gii", laws=1)
    settings = {"FUNDSTELLE_DATA": str(tmp_path / "data"), "FUNDSTELLE_EMBEDDER": "off"}
    address = write_address(front, password="guessed-wrong")
    done = subprocess.run(
        [FUNDSTELLE, "ingest", "--source", str(source)],
        env={**os.environ, **settings, "FUNDSTELLE_SEARCH": address},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "does not take the user and the password (status 401)" in said
    assert "Traceback" not in said
    assert "guessed-wrong" not in said


def test_a_node_that_hangs_behind_it_is_given_up_in_its_time(
    node: Node, front: Front, tmp_path: Path
) -> None:
    folder = tmp_path / "index"
    build(OpenSearchEngine.at(write_address(front)), folder)
    index = OpenSearchEngine.at(write_address(front, timeout_ms="300")).open(folder)
    node.send(signal.SIGSTOP)
    try:
        wait_until(lambda: node.ask("GET", "/") is None)  # all its threads have stopped
        with pytest.raises(SearchUnavailable, match="ConnectionTimeout"):
            index.search(SearchRequest("Drachen"))
    finally:
        node.send(signal.SIGCONT)


def test_certificates_that_cannot_be_read_are_a_setting_that_is_wrong(
    front: Front, tmp_path: Path
) -> None:
    file = tmp_path / "no-certificate.pem"
    file.write_text("nothing")
    for ca in (tmp_path / "absent.pem", file):
        address = write_address(front, trusted="", ca=str(ca))
        with pytest.raises(SettingsError, match=ca.name) as error:
            OpenSearchEngine.at(address).cluster.work("GET", "/")
        assert PASSWORD not in str(error.value)


def test_the_address_says_nothing_of_its_password(front: Front) -> None:
    address = ClusterAddress.parse(write_address(front))
    assert (address.user, address.password) == (USER, PASSWORD)
    assert PASSWORD not in repr(address)
