"""The portal as one ASGI application: all pages, the static files, and the authorization server."""

import logging
import math
from functools import partial
from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Mount, Route
from starlette.staticfiles import StaticFiles

from fundstelle.accounts.complaints import Complaints
from fundstelle.accounts.limits.places import Full
from fundstelle.errors import AccountsError, Busy, CorpusError, NotFound, SearchUnavailable
from fundstelle.oauth import build_routes
from fundstelle.oauth.documents import AUTHORIZE
from fundstelle.portal import (
    account,
    apps,
    check,
    codes,
    consent,
    factors,
    join,
    key_usage,
    keys,
    provider,
    recovery,
    sign_in,
    usage,
)
from fundstelle.portal.administration import (
    audit_log,
    deletion,
    endings,
    first_run,
    invitations,
    logo,
    people,
    provisioning,
    server,
)
from fundstelle.portal.connecting import connect
from fundstelle.portal.frame.envelope import Foreseen, Headers
from fundstelle.portal.frame.pages import Pages, Problem
from fundstelle.portal.frame.services import Services
from fundstelle.portal.gate.gate import TooMany
from fundstelle.portal.public import routes as public
from fundstelle.portal.scim import routes as scim

_RETRY_S = 5  # when a database that is away may be back

_log = logging.getLogger(__name__)


def build_site(services: Services) -> Starlette:
    """Everything of the server that is neither ``/mcp`` nor for the operator's probes."""
    pages = Pages(services)
    complaints = Complaints(_log)

    async def show_problem(request: Request, error: Exception) -> Response:
        problem = _read_problem(error)
        if isinstance(error, CorpusError):  # its own words may name what was asked for
            complaints.add(
                error.code,
                f"a page cannot be shown, since the corpus build is damaged ({error.code});"
                " 'fundstelle corpus verify' names the files",
            )
        if _is_for_programs(request):
            return JSONResponse(*_describe(problem))
        refuse = partial(pages.refusals.give, request, problem.status, problem.title)
        if problem.wait_s is not None or problem.status >= 500 or pages.is_anonymous(request):
            response = refuse(problem.wait_s)
        else:
            try:
                response = await pages.show_problem(request, problem)
            except (AccountsError, Full):
                response = refuse()
        response.headers.update(problem.headers)
        if problem.status == 405:
            response.headers["Allow"] = _list_methods(site, request)
        return response

    def refuse_unseen(request: Request, status: int, title: str) -> Response:
        if _is_for_programs(request):
            error = "server_error" if status >= 500 else "invalid_request"
            return JSONResponse({"error": error}, status)
        return pages.refusals.give(request, status, title)

    site = Starlette(
        routes=[
            *build_routes(services.authorization),
            *consent.build_routes(pages),
            *sign_in.build_routes(pages),
            *codes.build_routes(pages),
            *provider.build_routes(pages),
            *join.build_routes(pages),
            *account.build_routes(pages),
            *factors.build_routes(pages),
            *recovery.build_routes(pages),
            *keys.build_routes(pages),
            *key_usage.build_routes(pages),
            *connect.build_routes(pages),
            *apps.build_routes(pages),
            *usage.build_routes(pages),
            *server.build_routes(pages),
            *logo.build_routes(pages, services),
            *audit_log.build_routes(pages),
            *first_run.build_routes(pages),
            *invitations.build_routes(pages),
            *people.build_routes(pages),
            *provisioning.build_routes(pages),
            *scim.build_routes(pages, services),
            *deletion.build_routes(pages),
            *endings.build_routes(pages),  # whatever is below a person else
            *public.build_routes(pages),
            *check.build_routes(pages),
            Mount("/static", _Assets(directory=str(files("fundstelle.portal") / "static"))),
        ],
        middleware=[
            Middleware(Headers, secure=services.settings.base_url.startswith("https:")),
            Middleware(Foreseen, refuse=refuse_unseen),
        ],
        exception_handlers=dict.fromkeys(
            (HTTPException, NotFound, AccountsError, Busy, CorpusError, SearchUnavailable, TooMany),
            show_problem,
        ),
    )
    site.router.redirect_slashes = False  # it would send a form to whatever Host was named
    return site


def _is_for_programs(request: Request) -> bool:
    """Whether a program asks, which reads JSON; the authorization page is for people."""
    path = request.scope["path"]
    is_page = path in {AUTHORIZE, consent.CONSENT}
    return path.startswith(("/.well-known/", "/oauth/", "/scim/")) and not is_page


def _list_methods(site: Starlette, request: Request) -> str:
    """What may be done at an address; each method has a route of its own."""
    methods: set[str] = set()
    for route in site.routes:
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE:
            methods |= route.methods or set()
    return ", ".join(sorted(methods)) or "GET, HEAD"


def _read_problem(error: Exception) -> Problem:
    if isinstance(error, TooMany):
        return Problem(429, "problem.crowded", error.wait_s)
    if isinstance(error, Busy):
        return Problem(503, "problem.busy", error.retry_after_s)
    if isinstance(error, NotFound):
        return Problem(404, "problem.missing")
    if not isinstance(error, HTTPException):
        return Problem(503, "problem.other", _RETRY_S)
    title = "problem.missing" if error.status_code == 404 else "problem.address"
    return Problem(error.status_code, title, headers=dict(error.headers or {}))


def _describe(problem: Problem) -> tuple[dict[str, str], int, dict[str, str]]:
    """What programs are told: the error's code, the status, when to come back."""
    headers = dict(problem.headers)
    if problem.wait_s is not None:
        headers["Retry-After"] = str(math.ceil(problem.wait_s))
    error = "temporarily_unavailable" if problem.status in {429, 503} else "not_found"
    return {"error": error}, problem.status, headers


class _Assets(StaticFiles):
    """Files whose address changes with their content, so they are kept for good."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
