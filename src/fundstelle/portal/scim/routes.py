"""The addresses of SCIM: one bearer token, JSON within bounds, and no session or cookie."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.limits.places import Full
from fundstelle.net.networks import find_neighbourhood
from fundstelle.portal.frame.pages import Pages, find_address
from fundstelle.portal.frame.services import Services
from fundstelle.portal.gate.gate import Kind, TooMany
from fundstelle.portal.scim.messages import Json, ScimError, describe_server
from fundstelle.portal.scim.people import ACTOR, Directory
from fundstelle.portal.scim.schemas import get_schema, get_type, list_schemas, list_types

BASE = "/scim/v2"

_MOST_BYTES = 64 * 1024
_TYPE = "application/scim+json"
_SCHEME = "bearer "
_AGAIN = {"Retry-After": "1"}
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="scim"'}

Action = Callable[[Directory, Request, Json], Json | None]


def build_routes(pages: Pages, services: Services) -> list[Route]:
    """Users, groups, and what the server can."""
    base = services.settings.base_url + BASE
    directory = Directory(services, base)
    one, role = "/Users/{id}", "/Groups/{id}"
    table: tuple[tuple[str, str, HTTPStatus, Action], ...] = (
        ("GET", "/ServiceProviderConfig", HTTPStatus.OK, lambda *_: describe_server(base)),
        ("GET", "/ResourceTypes", HTTPStatus.OK, lambda _, r, __: list_types(r.query_params, base)),
        ("GET", "/ResourceTypes/{id}", HTTPStatus.OK, lambda _, r, __: get_type(_id(r), base)),
        ("GET", "/Schemas", HTTPStatus.OK, lambda _, r, __: list_schemas(r.query_params, base)),
        ("GET", "/Schemas/{id}", HTTPStatus.OK, lambda _, r, __: get_schema(_id(r), base)),
        ("GET", "/Users", HTTPStatus.OK, lambda d, r, _: d.list_users(r.query_params)),
        ("POST", "/Users", HTTPStatus.CREATED, lambda d, _, body: d.create_user(body)),
        ("GET", one, HTTPStatus.OK, lambda d, r, _: d.get_user(_id(r))),
        ("PUT", one, HTTPStatus.OK, lambda d, r, body: d.replace_user(_id(r), body)),
        ("PATCH", one, HTTPStatus.OK, lambda d, r, body: d.patch_user(_id(r), body)),
        ("DELETE", one, HTTPStatus.NO_CONTENT, lambda d, r, _: d.delete_user(_id(r))),
        ("GET", "/Groups", HTTPStatus.OK, lambda d, r, _: d.list_groups(r.query_params)),
        ("GET", role, HTTPStatus.OK, lambda d, r, _: d.get_group(_id(r))),
        ("PATCH", role, HTTPStatus.OK, lambda d, r, body: d.patch_group(_id(r), body)),
    )
    return [
        _route(pages, services, method, path, partial(_answer, directory, action, status))
        for method, path, status, action in table
    ]


def _id(request: Request) -> str:
    return str(request.path_params["id"])


def _route(
    pages: Pages,
    services: Services,
    method: str,
    path: str,
    answer: Callable[[Request, Json], Response],
) -> Route:
    async def endpoint(request: Request) -> Response:
        try:
            return await admit(request)
        except Full:
            return _say(ScimError(503, "too many requests at once"), _AGAIN)

    async def admit(request: Request) -> Response:
        address = find_address(request)
        scheme = request.headers.get("authorization", "")
        token = scheme[len(_SCHEME) :] if scheme.lower().startswith(_SCHEME) else ""
        wait = pages.gate.look(Kind.OWN, address)
        if wait is not None and services.provisioning.has_differed(token):
            raise TooMany(wait)  # it is asked for no more; the directory may have this network, too
        is_ours = await pages.gate.make(
            Kind.OWN, lambda: services.provisioning.matches(token), find_neighbourhood(address)
        )
        if not is_ours:
            # A token cannot be guessed; whoever tries is counted as any stranger.
            if (wait := pages.gate.take(Kind.OWN, address)) is not None:
                raise TooMany(wait)
            return _say(ScimError(401, "a token is needed"), _CHALLENGE)
        try:
            body = await _read(request) if method in {"POST", "PUT", "PATCH"} else {}
        except ScimError as error:
            return _say(error)

        def act() -> Response:
            # A body may come long after its head; the token may have ended meanwhile.
            if not services.provisioning.matches(token):
                return _say(ScimError(401, "a token is needed"), _CHALLENGE)
            return answer(request, body)

        return await pages.gate.make(Kind.OWN, act, ACTOR)

    return Route(BASE + path, endpoint, methods=[method])


async def _read(request: Request) -> Json:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > _MOST_BYTES:
            raise ScimError(413, f"a request has {_MOST_BYTES} bytes at most")
    try:
        read = orjson.loads(body)
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise ScimError(400, "the body is a JSON object", "invalidSyntax")
    return read


def _answer(
    directory: Directory, action: Action, status: HTTPStatus, request: Request, body: Json
) -> Response:
    try:
        said = action(directory, request, body)
    except ScimError as error:
        return _say(error)
    if said is None:
        return Response(status_code=status)
    headers = {"Location": said["meta"]["location"]} if status == HTTPStatus.CREATED else {}
    return Response(orjson.dumps(said), status, headers, _TYPE)


def _say(error: ScimError, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(error.describe()), error.status, headers, _TYPE)
