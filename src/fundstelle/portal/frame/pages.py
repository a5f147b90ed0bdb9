"""Routes for pages: sessions, rights and cross-site checks stand here, once for all of them."""

import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePosixPath

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.limits.places import Full
from fundstelle.net.networks import find_neighbourhood
from fundstelle.portal.frame import query
from fundstelle.portal.frame.addresses import read_referer, write_next, write_own
from fundstelle.portal.frame.cookies import session_cookie
from fundstelle.portal.frame.duty import ask_second_factor
from fundstelle.portal.frame.forms import FormLimits, FormRefused, read_form
from fundstelle.portal.frame.refusals import Refusals
from fundstelle.portal.frame.services import Services
from fundstelle.portal.frame.texts import LANGUAGES
from fundstelle.portal.frame.visits import Handler, Visit, find_language, read_language
from fundstelle.portal.gate.gate import Gate, Kind, TooMany
from fundstelle.portal.reasons import tell

RETRY_S = 5  # when the queue of a kind of page may be shorter


class Needs(Enum):
    """Who may see a page."""

    NOBODY = "nobody"
    PERSON = "person"
    FRESH = "fresh"  # a person; to send a form, one who has just shown who they are
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why there is no such answer: the status, the page's text, when to come back."""

    status: int
    title: str
    wait_s: float | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


class Pages:
    """Makes routes out of handlers, which are plain functions and run in threads."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._cookie = session_cookie(secure=services.settings.base_url.startswith("https:"))
        self.environment = build_environment()
        self.gate = Gate(services.settings.pages_per_minute)
        self.refusals = Refusals(services, self.environment)

    def route(  # noqa: PLR0913 - whatever is apart from the usual
        self,
        path: str,
        handler: Handler,
        needs: Needs = Needs.PERSON,
        methods: Sequence[str] = ("GET",),
        *,
        kind: Kind = Kind.OWN,
        limits: FormLimits | None = None,
    ) -> Route:
        """A route to ``handler`` for those who may; its form keeps to ``limits``."""

        async def endpoint(request: Request) -> Response:
            person = self._find_person(request)
            wait = None
            is_form = request.method == "POST"
            if person is not None and is_form:
                wait = self.gate.take_form(person)
            elif person is None and (kind is not Kind.OWN or (limits and limits.file_bytes)):
                wait = self.gate.take(kind, find_address(request))
            if wait is not None:
                return self.refusals.give(request, 429, "problem.crowded", wait)
            try:
                form = await read_form(request, limits or FormLimits()) if is_form else {}
            except FormRefused as refused:
                return self.refusals.give(request, refused.status, "problem.form_wrong")
            page = partial(self._answer, request, form, handler, needs)
            try:
                return await self._make(kind, page, request)
            except Full:
                return self.refusals.give(request, 503, "problem.busy", RETRY_S)

        return Route(path, endpoint, methods=list(methods))

    def _find_person(self, request: Request) -> str | None:
        """Who seems to be signed in, before anything is computed; ``None`` = a stranger."""
        cookie = request.cookies.get(self._cookie)
        return None if cookie is None else self.gate.signed_in.find(cookie)

    def is_anonymous(self, request: Request) -> bool:
        """Whether nobody can be signed in, so that no session need be looked for."""
        return self._cookie not in request.cookies

    async def _make(self, kind: Kind, page: Callable[[], Response], request: Request) -> Response:
        person = self._find_person(request)
        sender = person or find_neighbourhood(find_address(request))
        return await self.gate.make(kind, page, sender, is_stranger=person is None)

    async def show_problem(self, request: Request, problem: Problem) -> Response:
        """A problem as somebody sees it who may be signed in.

        Raises:
            Full: too many pages are under way for whoever asks.
        """

        def show() -> Response:
            return self.visit(request).render(
                "problem.html", status=problem.status, title=problem.title, code=problem.status
            )

        return await self._make(Kind.OWN, show, request)

    def visit(self, request: Request) -> Visit:
        """The visit, with its session and its language; no form is read."""
        visit = Visit(request, self._services, self.environment, "en")
        visit.count = partial(self._count_session, request)
        cookie = request.cookies.get(self._cookie)
        visit.session = self._services.sessions.find(cookie) if cookie else None
        if visit.session is not None and visit.session.user_id is not None:
            visit.user = self._services.people.find(visit.session.user_id)
            if visit.user is None or visit.user.disabled is not None:
                visit.end_session()
        if cookie:
            self.gate.note(cookie, visit.user.id if visit.user else None)
        asked = read_language(request)
        if visit.user and asked in LANGUAGES and asked != visit.user.language:
            self._services.people.set_language(visit.user.id, asked)
        visit.language = find_language(request, visit.user.language if visit.user else None)
        return visit

    def _count_session(self, request: Request) -> None:
        wait = self.gate.take(Kind.OWN, find_address(request))
        if wait is not None:
            raise TooMany(wait)

    def _answer(
        self,
        request: Request,
        form: dict[str, str],
        handler: Handler,
        needs: Needs,
    ) -> Response:
        visit = self.visit(request)
        visit.form = form
        is_change = request.method == "POST"
        if is_change and not self._is_own_form(request, visit):
            title = "problem.form" if visit.user is not None else "problem.form_out"
            return visit.render("problem.html", status=403, title=title, code=403)
        if needs is not Needs.NOBODY and visit.user is None:
            return visit.require_sign_in()
        back = _get_return(request) if is_change else visit.own_address
        if (duty := ask_second_factor(visit, back)) is not None:
            return duty
        if needs is Needs.ADMIN and visit.person.role != "admin":
            return visit.render("problem.html", status=403, title="problem.admin", code=403)
        if is_change and needs in {Needs.FRESH, Needs.ADMIN} and not visit.may_send:
            return visit.redirect(write_next("/sign-in/confirm", _get_return(request)))
        return query.answer(visit, handler)

    def _is_own_form(self, request: Request, visit: Visit) -> bool:
        """Whether a form comes from a page of ours, and of this session.

        A proxy may pass on a Host of its own: the public address counts as ours too.
        """
        site = request.headers.get("sec-fetch-site")
        if site is not None and site not in {"same-origin", "none"}:
            return False
        ours = self._services.settings.base_url
        here = f"{ours.partition(':')[0]}://{request.headers.get('host')}"
        if request.headers.get("origin", "null") not in {"null", ours, here}:
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
    environment.globals["tell"] = tell
    return environment


def _list_assets() -> list[PurePosixPath]:
    folder = files("fundstelle.portal").joinpath("static")
    return [PurePosixPath(one.name) for one in folder.iterdir() if one.is_file()]


def _stamp(name: str) -> str:
    """The address of a file, which changes with its content."""
    data = files("fundstelle.portal").joinpath("static", name).read_bytes()
    return f"/static/{name}?v={sha256(data).hexdigest()[:12]}"


def _get_return(request: Request) -> str:
    """Where to go after confirming: the page of the form, for the form itself is lost."""
    own = write_own(request.scope["path"])
    return read_referer(request.headers.get("referer", ""), own)


def find_address(request: Request) -> str:
    """Where a request comes from; empty if its socket has no addresses."""
    return request.client.host if request.client else ""
