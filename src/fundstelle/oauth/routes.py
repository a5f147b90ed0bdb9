"""The addresses of the authorization server that programs call; the consent page is a portal's."""

import logging
import math
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.complaints import Complaints
from fundstelle.accounts.limits.places import Full, Places
from fundstelle.errors import AccountsError, AccountsUnavailable
from fundstelle.net.networks import find_network
from fundstelle.oauth import documents
from fundstelle.oauth.authorize import find_repeated
from fundstelle.oauth.errors import OAuthError, invalid_request
from fundstelle.oauth.registration import MOST_BYTES
from fundstelle.oauth.server import AuthorizationServer

MOST_FORM_BYTES = 32 * 1024
_MOST_FIELDS = 50
_MOST_ESCAPES = 2_000  # each costs as much to read as hundreds of letters
_AT_ONCE = 1_000
_AT_ONCE_OF_A_SENDER = 12  # of the framework's forty threads
_CORS = {"Access-Control-Allow-Origin": "*"}
_PREFLIGHT = {
    **_CORS,
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
    "Access-Control-Max-Age": "86400",
}
_KEEP = {**_CORS, "Cache-Control": "public, max-age=300"}
_NO_STORE = {**_CORS, "Cache-Control": "no-store", "Pragma": "no-cache"}
_FORM = "application/x-www-form-urlencoded"

_complaints = Complaints(logging.getLogger(__name__))

Handler = Callable[[Request, bytes], Response]
Answer = Callable[[Request, bytes], Awaitable[Response]]


def build_routes(server: AuthorizationServer) -> list[Route]:
    """The metadata documents, keys, registration, tokens and revocation."""
    described = documents.describe_server(server.base_url)
    places = Places(_AT_ONCE, _AT_ONCE_OF_A_SENDER)

    def publish(_request: Request, _body: bytes) -> Response:
        return _json(server.signing_keys.publish(), 200, _KEEP)

    def register(request: Request, body: bytes) -> Response:
        return _json(server.register(body, _find_address(request)), 201, _NO_STORE)

    def give_token(request: Request, body: bytes) -> Response:
        form = read_form(request, body)
        header = request.headers.get("authorization")
        return _json(server.give_token(form, header, _find_address(request)), 200, _NO_STORE)

    def revoke(request: Request, body: bytes) -> Response:
        form = read_form(request, body)
        server.revoke(form, request.headers.get("authorization"), _find_address(request))
        return Response(b"", 200, _NO_STORE)

    def work(path: str, method: str, handler: Handler, most_bytes: int = 0) -> Route:
        return _route(path, method, _in_thread(handler, places), most_bytes)

    return [
        *(
            _route(path, "GET", _give(documents.describe_resource(server.base_url, resource)))
            for path, resource in documents.RESOURCE_PATHS.items()
        ),
        *(_route(path, "GET", _give(described)) for path in documents.SERVER_PATHS),
        work(documents.JWKS, "GET", publish),
        work(documents.REGISTER, "POST", register, MOST_BYTES),
        work(documents.TOKEN, "POST", give_token, MOST_FORM_BYTES),
        work(documents.REVOKE, "POST", revoke, MOST_FORM_BYTES),
        _route("/.well-known/{rest:path}", "GET", _give({"error": "not_found"}, 404)),
    ]


def read_form(request: Request, body: bytes) -> Mapping[str, str]:
    """The fields of a form, each once (RFC 6749 §3.2).

    Raises:
        OAuthError: it is no form, or a field is repeated.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _FORM:
        raise invalid_request(f"the content type must be {_FORM}")
    if body.count(b"%") > _MOST_ESCAPES:
        raise invalid_request("the form is too long")
    try:
        pairs = parse_qsl(
            body.decode("utf-8"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError:
        raise invalid_request("the form cannot be read") from None
    if find_repeated(pairs):
        raise invalid_request("a parameter is repeated")
    if any("\0" in value for _, value in pairs):
        raise invalid_request("a parameter is malformed")
    return dict(pairs)


def _give(document: Mapping[str, Any], status: int = 200) -> Answer:
    body = orjson.dumps(document)
    headers = _KEEP if status == 200 else _CORS

    async def answer(_request: Request, _body: bytes) -> Response:
        return Response(body, status, headers, "application/json")

    return answer


def _in_thread(handler: Handler, places: Places) -> Answer:
    """What ``handler`` answers, from a thread; a network has its share of the threads."""

    async def answer(request: Request, body: bytes) -> Response:
        try:
            with places.hold(find_network(_find_address(request))):
                return await run_in_threadpool(handler, request, body)
        except Full:
            raise OAuthError(
                "temporarily_unavailable",
                "too many at once; try again in a moment",
                503,
                retry_after_s=1,
            ) from None

    return answer


def _route(path: str, method: str, answer: Answer, most_bytes: int = 0) -> Route:
    """A route that any page may call, without the person's cookies."""

    async def endpoint(request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(b"", 204, _PREFLIGHT)
        try:
            body = await _read_body(request, most_bytes) if request.method == "POST" else b""
            return await answer(request, body)
        except OAuthError as error:
            return _refuse(error)
        except ClientDisconnect:
            return Response(b"", 400)
        except AccountsError as error:
            if not isinstance(error, AccountsUnavailable):  # that the store says itself
                _complaints.add(error.code, f"the authorization server cannot answer: {error}")
            return _refuse(
                OAuthError("temporarily_unavailable", "try again in a moment", 503, retry_after_s=5)
            )

    return Route(path, endpoint, methods=[method, "OPTIONS"])


async def _read_body(request: Request, most_bytes: int) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most_bytes:
            raise OAuthError("invalid_request", f"at most {most_bytes} bytes", 413)
    return bytes(body)


def _refuse(error: OAuthError) -> Response:
    headers = dict(_NO_STORE)
    if error.by_header:
        headers["WWW-Authenticate"] = 'Basic realm="Fundstelle", charset="UTF-8"'
    if error.retry_after_s is not None:
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after_s)))
    body = {"error": error.error, "error_description": error.description}
    return _json(body, error.status, headers)


def _json(content: Mapping[str, Any], status: int, headers: Mapping[str, str]) -> Response:
    return Response(orjson.dumps(content), status, headers, "application/json")


def _find_address(request: Request) -> str:
    return request.client.host if request.client else ""
