"""Requests that no browser of good will sends: where they lead, and what their answers carry."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from lxml.html import document_fromstring
from sqlalchemy import func, select
from starlette.requests import Request
from starlette.routing import Mount, Route

from fundstelle.accounts.database.schema_people import sessions
from fundstelle.portal.frame.addresses import (
    MOST_CHARS,
    is_own,
    write_in_language,
    write_next,
    write_own,
)
from fundstelle.portal.frame.visits import read_language
from tests.integration.sites.law_site import Browser, Site, open_law_site
from tests.integration.sites.oauth_server import BASE

NORM = "/n/de/demog/1"
ELSEWHERE = (
    "//evil.example",
    "//evil.example/x",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    "/%09/evil.example",
    "/%0a/evil.example",
    "/%2f/evil.example",
    "/%2F%2Fevil.example",
    "/%5cevil.example",
    "/%5C/evil.example",
    "/%252f/evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/a/..//evil.example",
    "/%2e%2e//evil.example",
    "https://evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "evil.example",
    "@evil.example",
    "/\u2044evil.example",
    "/ü",
    "/\x00",
    "/%00",
    "",
    "/" + "a" * 9_000,
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "strict-transport-security": "max-age=31536000",
}
PUBLIC = {
    *("/", "/search", "/laws", "/changes.atom"),
    *("/n/{norm_id:path}", "/n/{norm_id:path}/decisions"),
    *("/d/{decision_id:path}", "/d/{decision_id:path}/decisions"),
}
SHARED = {
    "/connect/connector.json",
    "/connect/connector-oauth.json",
    "/connect/fundstelle.mcpb",
    "/llms.txt",
}
VALUES = {"norm_id": "de/demog/1", "client": "curl"}
DIGITS = "9" * 5_000


@pytest.fixture(scope="module")
def site(demonstration_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all of these: none changes what the others see."""
    folder = tmp_path_factory.mktemp("accounts")
    with open_law_site(demonstration_data, folder, pages_per_minute="0") as opened:
        yield opened


def list_routes(site: Site) -> list[Route]:
    routes = [route for route in site.app.routes if isinstance(route, Route)]
    assert [route.path for route in site.app.routes if isinstance(route, Mount)] == ["/static"]
    assert len(routes) > 70
    return routes


def write_path(route: Route) -> str:
    return re.sub(r"\{(\w+)(?::path)?\}", lambda name: VALUES.get(name[1], "x"), route.path)


def count_sessions(site: Site) -> int:
    with site.services.people._store.read() as connection:
        count: int = connection.execute(select(func.count()).select_from(sessions)).scalar_one()
        return count


@pytest.mark.parametrize("address", ELSEWHERE)
def test_no_other_host_is_taken_for_a_page_of_ours(address: str) -> None:
    assert not is_own(address)


@pytest.mark.parametrize(
    "address",
    ["/", "/keys", "/n/a?b=//c&d=%2F%0a", "/oauth/consent?request=a-_", "/%C3%BC"],
)
def test_pages_of_ours_are_ours(address: str) -> None:
    assert is_own(address)


@pytest.mark.parametrize("path", ["//evil.example", "/\\evil.example", "/ü\n", "/a?b#c", "/%2f/a"])
def test_the_address_of_a_request_leads_back_to_it_or_to_the_start(path: str) -> None:
    for query in (b"", b"a=%0d%0a&b=\xff\xfe", b"lang=de&lang=en", b"&" * 300):
        assert is_own(write_own(path, query)) or write_own(path, query) == "/"
        assert is_own(write_in_language(path, query, "de"))


@pytest.mark.parametrize("address", ELSEWHERE)
def test_no_redirect_leads_elsewhere(site: Site, address: str) -> None:
    person = site.visit(site.member)
    for page in ("/sign-in", "/sign-in/provider"):
        answer = person.http.get(page, params={"next": address})
        assert answer.headers.get("location", "/keys") in {"/keys", "/sign-in"}
    shown = person.http.get("/sign-in/confirm", params={"next": address})
    if shown.status_code == 200:
        fields = document_fromstring(shown.text).xpath("//input[@name='next']/@value")
        assert set(fields) == {"/keys"}
    token = dict(re.findall(r'name="(csrf)" value="(\w+)"', person.get("/keys").text))
    sent = (
        person.http.post(
            "/keys/new", data={**token, "next": address}, headers={"Referer": "https://x" + address}
        )
        if address.isascii() and address.isprintable()
        else None
    )
    if sent is not None:
        assert is_own(sent.headers.get("location", "/keys"))
    out = person.http.post("/sign-out", data={**token, "next": address})
    assert out.headers.get("location", "/") in {"/", "/keys"}


@pytest.mark.parametrize("path", ["/keys", "/account", "/usage", "/admin", "/oauth/consent"])
@pytest.mark.parametrize("length", [2_700, 2_740, 6_000, 8_000])
def test_an_address_too_long_to_come_back_to_is_left_out(
    site: Site, path: str, length: int
) -> None:
    answer = site.visit().get(f"{path}?a={'=' * length}")
    assert answer.status_code == 303
    assert answer.headers["location"].split("?")[0] == "/sign-in"
    assert len(answer.headers["location"]) <= MOST_CHARS


def test_what_leads_on_is_always_an_address_of_ours() -> None:
    for length in (10, 2_700, 2_740, 8_000):
        own = "/" + "=" * length
        address = write_next("/sign-in/confirm", own)
        assert is_own(address)
        assert address in {"/sign-in/confirm", f"/sign-in/confirm?next=%2F{'%3D' * length}"}


@pytest.mark.parametrize("path", ["//evil.example/x", "/%5Cevil.example", "/%2F%2Fevil.example/y"])
def test_the_language_link_stays_here(site: Site, path: str) -> None:
    for browser in (site.visit(), site.visit(site.member)):
        answer = browser.http.get(f"{BASE}{path}?lang=en")
        assert answer.status_code == 404
        for link in document_fromstring(answer.text).xpath("//header//a/@href"):
            assert is_own(link)


def test_no_answer_takes_the_host_that_a_request_names(site: Site) -> None:
    person = site.visit(site.member)
    for path in ("/keys/", "/sign-in/", "/n/", "/static", "/oauth/token/", "/nothing", "/keys"):
        for browser in (person, site.visit()):
            answer = browser.http.get(path, headers={"Host": "evil.example"})
            assert "evil.example" not in answer.text
            assert answer.headers.get("location", "/").startswith("/")
            assert answer.status_code != 307
    for host in ("[::1", "a b", "x:99999999", "evil.example/..//"):
        assert person.http.get(NORM, headers={"Host": host}).status_code < 500


def walk(site: Site, browser: Browser) -> Iterator[tuple[Route, str, httpx.Response]]:
    for route in list_routes(site):
        for method in sorted(route.methods or ()):
            yield route, method, browser.http(method, write_path(route))


def test_every_answer_of_every_route_carries_its_headers(site: Site) -> None:
    """Personal pages, exports, errors and redirects are kept nowhere; only what is public is."""
    stranger, admin = site.visit(), site.visit(site.admin)
    kept: set[str] = set()
    for browser in (stranger, admin):
        for route, method, answer in walk(site, browser):
            where = f"{method} {route.path}: {answer.status_code}"
            assert answer.status_code < 500, where
            assert HEADERS.items() <= dict(answer.headers).items(), where
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy, where
            assert "frame-ancestors 'none'" in policy, where
            if answer.headers["cache-control"] == "no-store":
                continue
            assert answer.headers["cache-control"].startswith("public"), where
            assert "set-cookie" not in answer.headers, where
            assert route.path in PUBLIC | SHARED or route.path.startswith(
                ("/.well-known/", "/oauth/jwks")
            ), where
            assert route.path not in PUBLIC or browser is stranger, where
            kept.add(route.path)
        if browser is stranger:
            assert len(browser.http.cookies) <= 1  # of the sign-in page
    assert kept >= PUBLIC


def test_only_pages_with_a_form_begin_a_session(site: Site) -> None:
    before = count_sessions(site)
    for path in ("/", NORM, "/search?q=Recht", "/nothing", "/n/x", "/static/x", "/join/x", "/keys"):
        for method in ("GET", "HEAD", "POST", "PUT", "OPTIONS", "PROPFIND"):
            answer = site.visit().http(method, path)
            assert "set-cookie" not in answer.headers, (method, path)
    assert count_sessions(site) == before
    assert "set-cookie" in site.visit().get("/sign-in").headers
    assert count_sessions(site) == before + 1


def test_a_page_that_sets_a_cookie_is_kept_nowhere(site: Site) -> None:
    answer = site.visit().get("/?lang=de")
    assert "set-cookie" in answer.headers
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_other_methods_are_refused_by_name(site: Site, method: str) -> None:
    for path in (NORM, "/sign-in", "/keys/new", "/admin/audit.jsonl", "/static/fundstelle.js"):
        answer = site.visit(site.admin).http(method, path)
        assert answer.status_code == 405
        assert "GET" in answer.headers.get("allow", "GET")
    assert "POST" in site.visit().http(method, "/sign-in").headers["allow"]


@pytest.mark.parametrize(
    "query",
    [
        *(f"page={page}" for page in (DIGITS, "-1", "٣", "%D9%A3", "1e9", "0x1", "", "²", "%00")),
        *("q=%00", "q=%ff", "q=%ed%a0%80", "q=" + "a" * 9_000, "q=" + "%F0%9F%92%A9" * 300),
        *("q", "q[]=a", "&" * 5_000, "lang=" + "d" * 5_000, "lang=de%00", "q=a" * 3_000),
        *("client=" + DIGITS, "done=%00", "next=" + "/" * 9_000, "verify=" + DIGITS),
        *("request=" + DIGITS, "before=" + DIGITS, "after=" + DIGITS, "a=b" * 9_000),
    ],
)
def test_odd_queries_are_clamped_or_refused(site: Site, query: str) -> None:
    person = site.visit(site.admin)
    for path in ("/search", NORM, "/keys/new", "/admin/audit", "/sign-in", "/oauth/consent"):
        for language in ("de;q=nan, en;q=" + DIGITS, ",;" * 3_000, "*" * 5_000):
            headers = {"Accept-Language": language}
            answer = person.http.get(f"{path}?{query}", headers=headers)
            assert answer.status_code < 500, path


@pytest.mark.parametrize(
    "tail",
    [
        *("../../etc/passwd", "%2e%2e/%2e%2e/etc", "..%2f..%2fetc", "%00", "de/bgb%00", "%ff%fe"),
        *("a" * 8_000, "a/" * 4_000, "%F0%9F%92%A9", "%ed%a0%80", "'; DROP TABLE norms;--"),
        *("de/demog/" + DIGITS, "%0d%0aSet-Cookie:x=y", "~" * 500, "\\..\\..", "?#", "a" * 10_000),
    ],
)
def test_odd_ids_name_nothing(site: Site, tail: str) -> None:
    person = site.visit(site.admin)
    for head in ("/n/", "/d/", "/static/", "/keys/", "/admin/people/", "/join/", "/connect/"):
        answer = person.http.get(BASE + head + tail)
        assert answer.status_code in {303, 400, 404, 405, 414}, head
        assert "Set-Cookie" not in answer.headers.get("location", "")
    for path in ("/keys/{}/rotate", "/admin/people/{}", "/apps/{}/end"):
        assert person.http.get(BASE + path.format(tail)).status_code < 500


def post(browser: Browser, path: str, content: Any, kind: str) -> httpx.Response:
    return browser.http.post(path, content=content, headers={"Content-Type": kind})


FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=x"


def write_parts(number: int, more: str = "") -> bytes:
    part = f'--x\r\nContent-Disposition: form-data; name="a"{more}\r\n\r\n1\r\n'
    return (part * number + "--x--\r\n").encode()


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"a=" + b"1" * 70_000, FORM, 413),
        (b"email=" + b"%CD%84" * 6_001, FORM, 413),
        (b"a=1&" * 200, FORM, 400),
        (b"a=%00", FORM, 400),
        (b"%00=a", FORM, 400),
        (b"a=\xff\xfe", FORM, 400),
        (b"a=%ff", FORM, 400),
        (b"a=%ed%a0%80", FORM, 400),
        (write_parts(1), PARTS, 415),
        (write_parts(500), PARTS, 415),
        (write_parts(500, '; filename="f"'), PARTS, 415),
        (write_parts(1), PARTS + "; charset=unicode_escape", 415),
        (b"{}", "application/json", 415),
        (b"a=1", "", 415),
        (b"\0" * 60_000, "multipart/form-data", 415),
        (b"", FORM, 403),
    ],
)
def test_forms_that_no_page_of_ours_sends_are_refused_unparsed(
    site: Site, content: bytes, kind: str, status: int
) -> None:
    person = site.visit(site.admin)
    for path in ("/sign-in", "/keys/new", "/admin/limits", "/sign-out", "/oauth/consent"):
        answer = post(person, path, content, kind)
        assert answer.status_code == status, path
        assert "</html>" in answer.text
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("page", "path", "field", "number"),
    [
        (page, path, field, number)
        for (page, path, field), number in itertools.product(
            (
                ("/keys/new", "/keys/new", "expiry"),
                ("/keys/new", "/keys/new", "date"),
                ("/admin/limits", "/admin/limits", "key_days"),
                ("/admin/people/{id}", "/admin/people/{id}/limits", "rate_per_minute"),
                ("/admin/people/{id}", "/admin/people/{id}/limits", "calls_per_month"),
            ),
            (DIGITS, "٣", "²", "-1", "1e5", "9999-12-31", "0001-01-01", "0000-00-00", "NaN"),
        )
    ],
)
def test_odd_numbers_and_days_in_forms_are_refused_beside_their_field(
    site: Site, page: str, path: str, field: str, number: str
) -> None:
    person = site.visit(site.admin)
    page, path = page.format(id=site.member), path.format(id=site.member)
    fields = {"name": "a", "expiry": "date" if field == "date" else "90", field: number}
    answer = person.send(path, page, **fields)
    assert answer.status_code in ({200, 303, 422} if number == "9999-12-31" else {303, 422})


@pytest.mark.parametrize("origin", ["http://[", "https://law.test:x", "http://law.test", "a" * 9])
def test_a_form_from_an_odd_origin_does_not_count(site: Site, origin: str) -> None:
    person = site.visit(site.member)
    token = dict(re.findall(r'name="(csrf)" value="(\w+)"', person.get("/keys").text))
    headers = {"Origin": origin, "Referer": "https://["}
    assert person.http.post("/sign-out", data=token, headers=headers).status_code == 403
    assert person.http.post("/sign-out", data=token, headers={"Referer": "x:["}).status_code == 303


def test_a_program_is_refused_in_json_and_a_person_by_a_page(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(type(site.services.authorization), "give_token", fail)
    browser = site.visit()
    failed = browser.http.post("/oauth/token", data={"grant_type": "x"})
    assert (failed.status_code, failed.json()) == (500, {"error": "server_error"})
    odd = browser.http.post("/oauth/token?a=%00", data={"grant_type": "x"})
    assert (odd.status_code, odd.json()) == (400, {"error": "invalid_request"})
    for path in ("/oauth/consent?a=%00", "/oauth/authorize?a=%00"):
        assert "</html>" in browser.get(path).text


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        (b"", None),
        (b"lang=de", "de"),
        (b"q=lang=de", None),
        (b"slang=de", None),
        (b"q=%41&lang=en&lang=de&x", "de"),
        (b"lang=deu", None),
    ],
)
def test_the_language_is_read_from_an_address_as_it_was_sent(
    query: bytes, asked: str | None
) -> None:
    scope = {"type": "http", "path": "/", "query_string": query, "headers": []}
    assert read_language(Request(scope)) == asked
    elsewhere = write_in_language("/n/de", query, "de").partition("?")[2].encode()
    assert read_language(Request({**scope, "query_string": elsewhere})) == "de"


def test_another_language_keeps_the_rest_of_an_address() -> None:
    address = write_in_language("/search", b"q=%C3%A4+b&lang=en&&page=2", "de")
    assert address == "/search?q=%C3%A4+b&page=2&lang=de"


def test_a_refusal_decodes_nothing_of_an_address(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decode(_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Request, "query_params", property(decode))
    answer = site.visit().get("/nothing?q=" + "%41" * 1_000 + "&lang=de")
    assert answer.status_code == 404
    assert '<html lang="de">' in answer.text
