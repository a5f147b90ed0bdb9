"""Redirect addresses: what may be registered, what matches, what a page may send to."""

import pytest

from fundstelle.accounts.oauth.redirect_uris import MOST_REDIRECT_URIS, check_redirect_uris
from fundstelle.errors import InvalidArgument
from fundstelle.oauth.redirects import (
    build_form_target,
    extend,
    find_host,
    is_registered,
    leads_to_this_computer,
)


@pytest.mark.parametrize(
    "uri",
    [
        "https://claude.ai/api/mcp/auth_callback",
        "https://example.com:8443/cb?tenant=1",
        "http://127.0.0.1/callback",
        "http://127.0.0.1:33418",
        "http://localhost:8787/callback",
        "http://[::1]:9/cb",
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://global.consent.azure-apim.net/redirect/crd5f-law-5f1a2b",
    ],
)
def test_these_may_be_registered(uri: str) -> None:
    assert check_redirect_uris([uri]) == (uri,)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "/callback",
        "https://",
        "https:///cb",
        "https://example.com:/cb",
        "http://example.com/cb",
        "http://10.0.0.1/cb",
        "http://localhost.example.com/cb",
        "https://example.com/cb#",
        "https://example.com/cb#x",
        "https://user@example.com/cb",
        "https://user:pass@example.com/cb",
        "https://example.com\\@evil.example/cb",
        "https://example.com/a b",
        "https://example.com/\n",
        "https://*.example.com/cb",
        "https://a;script-src.example/cb",
        "https://a'b.example/cb",
        "https://exämple.com/cb",
        "https://example.com:99999/cb",
        "https://[::1/cb",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "vscode://x/cb",
        "cursor:",
        "https://example.com/" + "a" * 2000,
        17,
        None,
    ],
)
def test_these_may_not(uri: object) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_redirect_uris([uri])
    assert caught.value.field == "redirect_uris"


@pytest.mark.parametrize("scheme", ["javascript", "data", "file"])
def test_no_setting_allows_a_scheme_that_runs_or_reads(scheme: str) -> None:
    with pytest.raises(InvalidArgument):
        check_redirect_uris([f"{scheme}:x"], [scheme])


def test_another_private_scheme_is_a_setting() -> None:
    assert check_redirect_uris(["vscode://x/cb"], ["vscode"])


def test_a_client_has_only_so_many() -> None:
    uris = [f"https://example.com/{n}" for n in range(MOST_REDIRECT_URIS + 1)]
    assert check_redirect_uris(uris[:-1])
    with pytest.raises(InvalidArgument):
        check_redirect_uris(uris)


@pytest.mark.parametrize(
    ("asked", "registered"),
    [
        ("https://a.example/cb", "https://a.example/cb"),
        ("https://a.example/cb?x=1", "https://a.example/cb?x=1"),
        ("http://127.0.0.1:51234/callback", "http://127.0.0.1/callback"),
        ("http://127.0.0.1:51234/callback", "http://127.0.0.1:33418/callback"),
        ("http://localhost/callback", "http://localhost:1/callback"),
        ("http://[::1]:5/cb", "http://[::1]/cb"),
        ("http://127.0.0.1:5/", "http://127.0.0.1"),
        ("cursor://a/cb", "cursor://a/cb"),
    ],
)
def test_these_match(asked: str, registered: str) -> None:
    assert is_registered(asked, ["https://other.example/", registered])


@pytest.mark.parametrize(
    ("asked", "registered"),
    [
        ("https://a.example/cb/", "https://a.example/cb"),
        ("https://a.example/cb?x=1", "https://a.example/cb"),
        ("https://a.example:444/cb", "https://a.example/cb"),
        ("https://A.example/cb", "https://a.example/cb"),
        ("https://a.example/cb/../x", "https://a.example/x"),
        ("http://a.example/cb", "https://a.example/cb"),
        ("http://localhost:5/cb", "http://127.0.0.1/cb"),
        ("http://127.0.0.1:5/cb2", "http://127.0.0.1/cb"),
        ("http://127.0.0.1:5/cb?x", "http://127.0.0.1/cb"),
        ("http://127.0.0.1:5/cb#x", "http://127.0.0.1/cb"),
        ("http://x@127.0.0.1:5/cb", "http://127.0.0.1/cb"),
        ("http://127.0.0.1:x/cb", "http://127.0.0.1/cb"),
        ("https://127.0.0.1:5/cb", "https://127.0.0.1/cb"),
        ("cursor://b/cb", "cursor://a/cb"),
        ("", ""),
    ],
)
def test_these_do_not(asked: str, registered: str) -> None:
    assert not is_registered(asked, [registered])


@pytest.mark.parametrize(
    ("uri", "host", "target", "local"),
    [
        ("https://claude.ai/cb", "claude.ai", "https://claude.ai", False),
        ("https://a.example:8443/cb", "a.example", "https://a.example:8443", False),
        ("http://127.0.0.1:5/cb", "127.0.0.1", "http://127.0.0.1:5", True),
        ("http://[::1]:5/cb", "::1", "http:", True),
        ("cursor://anysphere/cb", "cursor:", "cursor:", True),
    ],
)
def test_the_page_names_who_gets_the_answer(uri: str, host: str, target: str, local: bool) -> None:
    assert (find_host(uri), build_form_target(uri), leads_to_this_computer(uri)) == (
        host,
        target,
        local,
    )


def test_parameters_are_added_to_those_that_are_there() -> None:
    assert extend("https://a.example/cb?x=1", {"code": "c&d", "state": None}) == (
        "https://a.example/cb?x=1&code=c%26d"
    )
    assert extend("https://a.example/cb", {"error": "e"}) == "https://a.example/cb?error=e"
