"""A search cluster is asked over TLS and with a password, or it is said what it refuses."""

import logging
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast
from urllib.parse import quote

import pytest
from cryptography import x509

from fundstelle.errors import SearchUnavailable, SettingsError
from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.cluster import Cluster
from tests.integration.services.authority import Authority
from tests.integration.services.tls_publisher import Publisher

PASSWORD = "@/:p%C3 äß€"


class Plain:
    """In place of TLS: answers in the clear, as a server does that knows none."""

    def wrap_socket(self, connection: socket.socket, **_: bool) -> ssl.SSLSocket:
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        connection.close()
        raise OSError("no TLS")


Open = Callable[[Path, Path | None], Cluster]


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "authority")


@pytest.fixture
def served() -> Iterator[list[Publisher]]:
    publishers: list[Publisher] = []
    yield publishers
    for one in publishers:
        one.close()


@pytest.fixture
def open_cluster(served: list[Publisher]) -> Open:
    def open_it(certificate: Path, ca: Path | None) -> Cluster:
        """A cluster of one node that shows that certificate, asked by who trusts that file."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        served.append(node := Publisher(context))
        node.say(b"{}")
        port = node.socket.getsockname()[1]
        trusted = f"?ca={quote(str(ca))}" if ca else ""
        secret = quote(PASSWORD, safe="")
        address = f"opensearchs://someone:{secret}@127.0.0.1:{port}/{trusted}"
        return Cluster(ClusterAddress.parse(address))

    return open_it


def test_a_password_is_sent_in_utf_8_to_whom_the_authority_vouches_for(
    authority: Authority, open_cluster: Open, served: list[Publisher]
) -> None:
    cluster = open_cluster(authority.sign("good"), authority.file)
    assert cluster.work("GET", "/") == {}
    sent = b64encode(f"someone:{PASSWORD}".encode())
    assert b"authorization: basic " + sent.lower() in served[0].asked[0].lower()
    assert sent in served[0].asked[0]


@pytest.mark.parametrize(
    ("case", "said", "advice"),
    [
        ("stranger", "not signed by an authority that is trusted", "as ca="),
        ("nobody", "not signed by an authority that is trusted", "as ca="),
        ("expired", "has expired", "renew it"),
        ("other name", "one of another name", "by a name that it has"),
        ("plain", "no TLS came about", "a port that takes it"),
        ("refused", "does not take the user and the password (status 401)", "percent-encoded"),
        ("forbidden", "status 403", "what the user of FUNDSTELLE_SEARCH may do"),
    ],
)
def test_what_is_refused_is_said_with_what_to_do(  # noqa: PLR0917 fixtures
    tmp_path: Path,
    authority: Authority,
    open_cluster: Open,
    served: list[Publisher],
    caplog: pytest.LogCaptureFixture,
    case: str,
    said: str,
    advice: str,
) -> None:
    certificate, trusted = authority.sign("good"), authority.file
    if case == "stranger":
        trusted = Authority(tmp_path, "stranger").file
    elif case == "expired":
        certificate = authority.sign("expired", days=-1)
    elif case == "other name":
        certificate = authority.sign("other", x509.DNSName("search.example"))
    cluster = open_cluster(certificate, None if case == "nobody" else trusted)
    if case in {"refused", "forbidden"}:
        served[0].say(b"{}", "401 Unauthorized" if case == "refused" else "403 Forbidden")
    elif case == "plain":
        served[0].context = cast("ssl.SSLContext", Plain())
    with caplog.at_level(logging.DEBUG):
        with pytest.raises(SearchUnavailable) as worked:
            cluster.work("GET", "/")
        for _ in range(2):
            with pytest.raises(SearchUnavailable) as asked:
                cluster.ask("GET", "/", left_s=30.0)
    assert said in str(worked.value)
    assert advice in str(worked.value)
    assert said in str(asked.value)
    assert "FUNDSTELLE" not in str(asked.value)  # whoever searches has no settings
    (line,) = [one for one in caplog.messages if "does not answer" in one]
    assert said in line
    assert advice in line
    secret = b64encode(f"someone:{PASSWORD}".encode()).decode()
    for each in (PASSWORD, quote(PASSWORD, safe=""), secret):
        assert each not in f"{worked.value!r} {asked.value!r} {caplog.text}"


def test_certificates_that_cannot_be_read_are_a_setting_that_is_wrong(
    tmp_path: Path, authority: Authority, open_cluster: Open
) -> None:
    certificate = authority.sign("good")
    file = tmp_path / "no-certificate.pem"
    file.write_text("nothing")
    for ca in (tmp_path / "absent.pem", file):
        with pytest.raises(SettingsError, match=ca.name) as error:
            open_cluster(certificate, ca)
        assert PASSWORD not in str(error.value)
