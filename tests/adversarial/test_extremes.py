"""Numbers, days, depths and letters that nobody sends: never a fault of the server, on any path."""

import http.client
from collections.abc import Iterator
from urllib.parse import quote

import orjson
import pytest

from tests.adversarial.attacker import HOST, build_head, call, exchange, get
from tests.adversarial.conftest import Target

pytestmark = pytest.mark.e2e

NUMBER = "9" * 5_000
DEEP = "[" * 300 + "]" * 300
WORDS = (
    *(NUMBER, "-" + NUMBER, "1e999", "9999-12-31", "0001-01-01", "0000-00-00", "10000-01-01"),
    *("\0", "%", "%zz", "%c0%ae%c0%ae/", "../../etc/passwd", "\u202e", "\u0301" * 500, "²", "٣"),
    *("//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", DEEP),
    *('"><script>', "{{7*7}}", "' or 1=1 --", "a\r\nSet-Cookie: a=b", "\U0001f600" * 200),
)
PAGES = (
    *("/", "/search?q={}", "/search?q=a&page={}", "/n/{}", "/n/de/bgb/{}", "/d/{}", "/join/{}"),
    *("/sign-in?next={}", "/sign-in?lang={}", "/sign-in?problem={}", "/sign-in/confirm?next={}"),
    *("/sign-in/provider?for={}", "/sign-in/provider/done?state={}&code={}", "/sign-up?next={}"),
    *("/oauth/authorize?client_id={}", "/oauth/authorize?request={}&max_age={}&resource={}"),
    *("/oauth/consent?request={}", "/connect/{}", "/keys/new?client={}", "/keys/{}/rotate"),
    *("/apps/{}/end", "/admin/people/{}", "/usage.csv?from={}", "/admin/audit?from={}"),
    *("/.well-known/{}", "/static/{}", "/{}", "/metrics?{}", "/healthz?{}", "/readyz/{}"),
)
FORMS = (
    *("/sign-in", "/sign-in/code", "/sign-in/passkey", "/sign-in/confirm", "/sign-up", "/sign-out"),
    *("/join/{}", "/keys/{}/revoke", "/oauth/consent", "/admin/limits", "/admin/people/{}/limits"),
)
FORM = "application/x-www-form-urlencoded"


def _iter_statuses(target: Target, requests: Iterator[tuple[str, str, bytes]]) -> Iterator[int]:
    connection = http.client.HTTPConnection(HOST, target.port, timeout=30)
    for method, path, body in requests:
        connection.putrequest(method, path)
        connection.putheader("Content-Type", FORM)
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        answer.read()
        yield answer.status
    connection.close()


@pytest.mark.parametrize("page", PAGES)
def test_no_address_is_a_fault_of_the_server(target: Target, page: str) -> None:
    requests = (("GET", page.replace("{}", quote(word, safe="")[:12_000]), b"") for word in WORDS)
    # 503: the pool of the public pages may be full, which is said so
    assert all(s < 500 or s == 503 for s in _iter_statuses(target, requests))


@pytest.mark.parametrize("form", FORMS)
def test_no_form_is_a_fault_of_the_server(target: Target, form: str) -> None:
    names = ("csrf", "email", "password", "code", "next", "name", "date", "days", "rate", "client")
    requests = (
        (
            "POST",
            form.replace("{}", quote(word, safe="")[:12_000]),
            "&".join(f"{name}={quote(word, safe='')}" for name in names).encode(),
        )
        for word in WORDS
    )
    assert all(status < 500 for status in _iter_statuses(target, requests))


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke"])
def test_no_field_of_oauth_is_a_fault_of_the_server(target: Target, path: str) -> None:
    names = ("grant_type", "code", "client_id", "redirect_uri", "refresh_token", "token", "scope")
    types = ("authorization_code", "refresh_token")
    bodies = [
        "&".join([f"grant_type={kind}", *(f"{name}={quote(word)}" for name in names[1:])])
        for word in WORDS
        for kind in types
    ]
    requests = (("POST", path, body.encode()) for body in bodies)
    assert all(400 <= status < 500 for status in _iter_statuses(target, requests))


@pytest.mark.parametrize(
    "value",
    [NUMBER, "1e999", "NaN", DEEP, '{"a":' * 300 + "1" + "}" * 300, '"\\ud800"', '"\\u0000"', "-0"],
)
def test_no_registration_is_a_fault_of_the_server(target: Target, value: str) -> None:
    for name in ("redirect_uris", "client_name", "jwks", "grant_types", "scope", "x"):
        given = f'{{"redirect_uris":["https://a.example/b"],"{name}":{value}}}'.encode()
        head = build_head(
            target.port,
            "/oauth/register",
            content_type="application/json",
            content_length=str(len(given)),
            connection="close",
        )
        assert exchange(target.port, head, b"\r\n", given).status in {201, 400, 429}


@pytest.mark.parametrize("value", [NUMBER, "-" + NUMBER, "1e400", "NaN", "Infinity", DEEP, "01"])
@pytest.mark.parametrize(
    "body",
    [
        '{"jsonrpc":"2.0","id":VALUE,"method":"ping"}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","params":VALUE}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":VALUE}}',
        (
            '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"legal_search",'
            '"arguments":{"query":"Kauf","top_k":VALUE}}}'
        ),
        '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":VALUE}}',
        '[{"jsonrpc":"2.0","id":1,"method":"ping","params":VALUE}]',
    ],
)
def test_json_that_nobody_can_mean_is_refused(target: Target, body: str, value: str) -> None:
    answer = call(target.port, target.key, body.replace("VALUE", value).encode())
    assert answer.status == 400
    assert answer.json["error"]["code"] == -32700


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        ('"citation":"§ 1 MusterG","max_chars":99999999999999999999', {"INVALID_ARGUMENT"}),
        ('"citation":"§ 1 MusterG","max_chars":1.5', {"INVALID_ARGUMENT"}),
        ('"citation":"§ 1 MusterG","as_of":"0000-00-00"', {"INVALID_ARGUMENT"}),
        ('"citation":"§ 1 MusterG","as_of":"9999-12-32"', {"INVALID_ARGUMENT"}),
        ('"citation":1,"citation":"§ 1 MusterG","max_chars":0', {"INVALID_ARGUMENT"}),
        ('"citation":"' + NUMBER + '"', {"INVALID_ARGUMENT"}),
    ],
)
def test_an_argument_that_nobody_can_mean_is_named(
    target: Target, arguments: str, codes: set[str]
) -> None:
    message = (
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"legal_lookup",'
        f'"arguments":{{{arguments}}}}}}}'
    )
    result = call(target.port, target.key, message.encode()).json["result"]
    assert orjson.loads(result["content"][0]["text"])["error"]["code"] in codes


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost:80:90", "localhost:abc", "a@localhost"]
)
@pytest.mark.parametrize(
    "path", ["/", "/mcp", "/sign-in", "/n/", "/static", "/oauth/token", "/keys/"]
)
def test_no_other_host_is_served_nor_redirected_to(target: Target, path: str, host: str) -> None:
    answer = get(target.port, path, host=host)
    assert answer.status == 421
    assert "location" not in answer.headers
    assert "evil" not in answer.body.decode()


def test_the_host_of_a_whole_address_counts(target: Target) -> None:
    """RFC 9112 §3.2.2: whatever ``Host`` says beside it."""
    own = f"127.0.0.1:{target.port}"
    for address, status in (
        (f"http://{own}", 200),
        ("http://evil.example", 421),
        (f"http://{own}@evil.example", 421),
        (f"http://evil.example@{own}", 421),
    ):
        assert get(target.port, f"{address}/laws", host=own).status == status, address


@pytest.mark.parametrize("path", ["/sign-in/", "/keys/", "/oauth/token/", "/mcp/", "/static"])
def test_a_slash_too_many_is_not_redirected(target: Target, path: str) -> None:
    answer = get(target.port, path)
    assert answer.status in {404, 405}
    assert "location" not in answer.headers


def test_probes_ask_by_address(target: Target) -> None:
    assert get(target.port, "/healthz", host="10.1.2.3:8000").status == 200
    assert get(target.port, "/readyz", host="10.1.2.3:8000").status == 200
