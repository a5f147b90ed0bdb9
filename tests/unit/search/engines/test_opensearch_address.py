from pathlib import Path

import pytest

from fundstelle.errors import SettingsError
from fundstelle.search.engines.opensearch.address import ClusterAddress


def test_an_address_says_all_there_is_to_know() -> None:
    text = (
        "opensearchs://dorothea:p%40ss%2F@a.example:9201,b.example/"
        "?ca=/etc/ca.pem&timeout_ms=900&prefix=kanzlei&shards=3&replicas=1"
    )
    assert ClusterAddress.parse(text) == ClusterAddress(
        hosts=(("a.example", 9201), ("b.example", 9200)),
        is_encrypted=True,
        user="dorothea",
        password="p@ss/",
        ca=Path("/etc/ca.pem"),
        timeout_s=0.9,
        prefix="kanzlei",
        shards=3,
        replicas=1,
    )


def test_a_bare_address_is_one_node_without_tls() -> None:
    address = ClusterAddress.parse("opensearch://127.0.0.1")
    assert (address.hosts, address.is_encrypted, address.user) == (
        (("127.0.0.1", 9200),),
        False,
        "",
    )


@pytest.mark.parametrize(
    "wrong",
    [
        "http://geheim@host",
        "opensearch://",
        "opensearch://geheim@",
        "opensearch://geheim@host:x",
        "opensearch://geheim@host,",
        "opensearch://geheim@host/index",
        "opensearch://geheim@host/?verify=off",
        "opensearch://geheim@host/?timeout_ms=60000",
        "opensearch://geheim@host/?prefix=a-b",
        "opensearch://geheim@host/?prefix=A",
        "opensearch://geheim@host/?shards=0",
        "opensearch://geheim@host/?ca=a&ca=b",
    ],
)
def test_what_is_none_is_refused_and_never_repeated(wrong: str) -> None:
    with pytest.raises(SettingsError) as raised:
        ClusterAddress.parse(wrong)
    assert "geheim" not in str(raised.value)


def test_a_password_is_shown_nowhere() -> None:
    assert "geheim" not in repr(ClusterAddress.parse("opensearch://user:geheim@host"))
