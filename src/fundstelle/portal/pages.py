"""Routes for pages: sessions, rights and cross-site checks stand here, once for all of them."""

import hmac
from collections.abc import Sequence
from enum import Enum
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fundstelle.portal.services import Services
from fundstelle.portal.texts import LANGUAGES, choose_language
from fundstelle.portal.visits import LANGUAGE_COOKIE, Handler, Visit, session_cookie

_MOST_FORM_BYTES = 64 * 1024
_MOST_FIELDS = 100


class Needs(Enum):
    """Who may see a page."""

    NOBODY = "nobody"
    PERSON = "person"
    FRESH = "fresh"  # a person; to send a form, one who has just shown who they are
    ADMIN = "admin"


class FormTooLarge(Exception):
    """The form is larger than any of ours."""


class Pages:
    """Makes routes out of handlers, which are plain functions and run in threads."""

    def __init__(self, services: Services) -> None:
        self._services = services
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

        return Route(path, endpoint, methods=list(methods))

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
        is_change = request.method == "POST"
        if is_change and not self._is_own_form(request, visit):
            return visit.render("problem.html", status=403, title="problem.form", code=403)
        if needs is not Needs.NOBODY and visit.user is None:
            return visit.require_sign_in()
        if needs is Needs.ADMIN and visit.person.role != "admin":
            return visit.render("problem.html", status=403, title="problem.admin", code=403)
        if is_change and needs in {Needs.FRESH, Needs.ADMIN} and not visit.may_send:
            return visit.redirect(f"/sign-in/confirm?next={_get_return(request)}")
        return handler(visit)

    def _is_own_form(self, request: Request, visit: Visit) -> bool:
        """Whether a form comes from a page of ours, and of this session.

        A proxy may pass on a Host of its own: the public address counts as ours too.
        """
        site = request.headers.get("sec-fetch-site")
        if site is not None and site not in {"same-origin", "none"}:
            return False
        origin = request.headers.get("origin", "null")
        if origin not in {"null", self._services.settings.base_url} and urlsplit(
            origin
        ).netloc != request.headers.get("host"):
            return False
        if visit.session is None:
            return False
        sent = visit.form.get("csrf", "")
        return hmac.compare_digest(sent.encode(), visit.session.csrf.encode())


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
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > _MOST_FORM_BYTES:
            raise FormTooLarge
        parts.append(part)
    request._body = b"".join(parts)  # noqa: SLF001 the stream is read; form() reads it from here
    form = await request.form(max_files=0, max_fields=_MOST_FIELDS)
    found: dict[str, str] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            found.setdefault(name, value)
    return found


def _get_return(request: Request) -> str:
    """Where to go after confirming: the page of the form, for the form itself is lost."""
    return urlsplit(request.headers.get("referer", "")).path or request.url.path
