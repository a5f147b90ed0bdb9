"""The portal as one ASGI application: all pages, the static files, and the authorization server."""

from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fundstelle.errors import AccountsError, NotFound
from fundstelle.oauth import build_routes
from fundstelle.portal import (
    account,
    admin,
    admin_people,
    apps,
    connect,
    consent,
    factors,
    join,
    keys,
    provider,
    public,
    sign_in,
    usage,
)
from fundstelle.portal.pages import Pages
from fundstelle.portal.services import Services

_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
_HSTS = (b"strict-transport-security", b"max-age=31536000")


class _Headers:
    """Headers that every answer carries."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._headers = [*_HEADERS, *([_HSTS] if secure else [])]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        await self._app(scope, receive, send_with)


def build_site(services: Services) -> Starlette:
    """Everything of the server that is neither ``/mcp`` nor for the operator's probes."""
    pages = Pages(services)

    def show_problem(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 503
        status = 404 if isinstance(error, NotFound) else status
        if request.url.path.startswith(("/.well-known/", "/oauth/")):
            return JSONResponse({"error": "not_found"}, status)
        title = "problem.missing" if status == 404 else "problem.other"
        visit = pages.visit(request)
        return visit.render("problem.html", status=status, title=title, code=status)

    return Starlette(
        routes=[
            *build_routes(services.authorization),
            *consent.build_routes(pages),
            *sign_in.build_routes(pages),
            *provider.build_routes(pages),
            *join.build_routes(pages),
            *account.build_routes(pages),
            *factors.build_routes(pages),
            *keys.build_routes(pages),
            *connect.build_routes(pages),
            *apps.build_routes(pages),
            *usage.build_routes(pages),
            *admin.build_routes(pages),
            *admin_people.build_routes(pages),
            *public.build_routes(pages),
            Mount("/static", _Assets(directory=str(files("fundstelle.portal") / "static"))),
        ],
        middleware=[Middleware(_Headers, secure=services.settings.base_url.startswith("https:"))],
        exception_handlers=dict.fromkeys((HTTPException, NotFound, AccountsError), show_problem),
    )


class _Assets(StaticFiles):
    """Files whose address changes with their content, so they are kept for good."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
