"""Routes for pages: sessions, rights and cross-site checks stand here, once for all of them."""

import hmac
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePosixPath
from time import time
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fundstelle.portal.services import Services
from fundstelle.portal.texts import LANGUAGES, choose_language
from fundstelle.portal.visits import LANGUAGE_COOKIE, Handler, Visit, session_cookie

FRESH_S = 600  # within which somebody must have shown who they are, for what is delicate

_MOST_FORM_BYTES = 64 * 1024
_MOST_FIELDS = 100


class Needs(Enum):
    """Who may see a page."""

    NOBODY = "nobody"
    PERSON = "person"
    FRESH = "fresh"  # a person who has signed in, or confirmed it, within ``FRESH_S``
    ADMIN = "admin"


class FormTooLarge(Exception):
    """The form is larger than any of ours."""


class Pages:
    """Makes routes out of handlers, which are plain functions and run in threads."""

    def __init__(self, services: Services, clock: Callable[[], float] = time) -> None:
        self._services = services
        self._clock = clock
        self._cookie = session_cookie(secure=services.settings.base_url.startswith("https:"))
        self.environment = build_environment()

    def route(
        self,
        path: str,
        handler: Handler,
        needs: Needs = Needs.PERSON,
        methods: Sequence[str] = ("GET",),
    ) -> Route:
        """A route to ``handler`` for those who may."""

        async def endpoint(request: Request) -> Response:
            try:
                form = await _read_form(request) if request.method == "POST" else {}
            except FormTooLarge:
                return Response("The form is too large.", 413, media_type="text/plain")
            return await run_in_threadpool(self._answer, request, form, handler, needs)

        endpoint_: Callable[[Request], Awaitable[Response]] = endpoint
        return Route(path, endpoint_, methods=list(methods))

    def visit(self, request: Request) -> Visit:
        """The visit, with its session and its language; no form is read."""
        visit = Visit(request, self._services, self.environment, "en")
        cookie = request.cookies.get(self._cookie)
        visit.session = self._services.sessions.find(cookie) if cookie else None
        if visit.session is not None and visit.session.user_id is not None:
            visit.user = self._services.people.find(visit.session.user_id)
            if visit.user is None or visit.user.disabled is not None:
                visit.end_session()
        chosen = (
            request.query_params.get("lang"),
            visit.user.language if visit.user else None,
            request.cookies.get(LANGUAGE_COOKIE),
        )
        if visit.user and chosen[0] in LANGUAGES and chosen[0] != visit.user.language:
            self._services.people.set_language(visit.user.id, str(chosen[0]))
        accepted = request.headers.get("accept-language", "")
        visit.language = next((one for one in chosen if one in LANGUAGES), None) or choose_language(
            accepted
        )
        return visit

    def _answer(
        self, request: Request, form: dict[str, str], handler: Handler, needs: Needs
    ) -> Response:
        visit = self.visit(request)
        visit.form = form
        if request.method == "POST" and not _is_own_form(request, visit, form):
            return visit.render("problem.html", status=403, title="problem.form", code=403)
        if needs is not Needs.NOBODY and visit.user is None:
            return visit.require_sign_in()
        if needs is Needs.ADMIN and visit.person.role != "admin":
            return visit.render("problem.html", status=403, title="problem.admin", code=403)
        if needs in {Needs.FRESH, Needs.ADMIN} and not self._is_fresh(visit, request.method):
            return visit.redirect(f"/sign-in/confirm?next={_get_return(request)}")
        return handler(visit)

    def _is_fresh(self, visit: Visit, method: str) -> bool:
        """Reading asks for nothing; a change asks for somebody who has just shown who they are."""
        if method != "POST":
            return True
        confirmed = visit.session.confirmed if visit.session else None
        return confirmed is not None and self._clock() - confirmed.timestamp() < FRESH_S


def build_environment() -> Environment:
    """Templates, escaped always; an unknown name is an error and never an empty place."""
    environment = Environment(
        loader=PackageLoader("fundstelle.portal"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["asset"] = {path.name: _stamp(path.name) for path in _list_assets()}
    environment.globals["languages"] = LANGUAGES
    return environment


def _list_assets() -> list[PurePosixPath]:
    folder = files("fundstelle.portal").joinpath("static")
    return [PurePosixPath(one.name) for one in folder.iterdir() if one.is_file()]


def _stamp(name: str) -> str:
    """The address of a file, which changes with its content."""
    data = files("fundstelle.portal").joinpath("static", name).read_bytes()
    return f"/static/{name}?v={sha256(data).hexdigest()[:12]}"


async def _read_form(request: Request) -> dict[str, str]:
    """Text fields; the first of a name counts.

    Raises:
        FormTooLarge: more bytes or fields than any of our forms has.
    """
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > _MOST_FORM_BYTES:
            raise FormTooLarge
        request.state.parts = [*getattr(request.state, "parts", []), part]
    request._body = b"".join(getattr(request.state, "parts", []))  # noqa: SLF001 read once, above
    form = await request.form(max_files=0, max_fields=_MOST_FIELDS)
    found: dict[str, str] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            found.setdefault(name, value)
    return found


def _is_own_form(request: Request, visit: Visit, form: dict[str, str]) -> bool:
    """Whether a form comes from a page of ours, and of this session."""
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in {"same-origin", "none"}:
        return False
    origin = request.headers.get("origin")
    if origin not in {None, "null"} and urlsplit(origin or "").netloc != request.headers.get(
        "host"
    ):
        return False
    if visit.session is None:
        return False
    return hmac.compare_digest(form.get("csrf", "").encode(), visit.session.csrf.encode())


def _get_return(request: Request) -> str:
    """Where to go after confirming: the page of the form, for the form itself is lost."""
    return urlsplit(request.headers.get("referer", "")).path or request.url.path
