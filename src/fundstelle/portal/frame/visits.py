"""One visit of a page: who asks, in which language, with which form; and the answer."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from babel.dates import format_date, format_datetime, get_timezone, get_timezone_name
from babel.numbers import format_decimal
from jinja2 import Environment
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from fundstelle import __version__
from fundstelle.accounts.audit.log import SYSTEM, Record
from fundstelle.accounts.guessing.devices import LIFE_S
from fundstelle.accounts.logo import Logo
from fundstelle.accounts.people.people import User
from fundstelle.accounts.people.sessions import Session
from fundstelle.errors import AccountsError
from fundstelle.portal.frame.addresses import is_own, write_in_language, write_next, write_own
from fundstelle.portal.frame.cookies import LANGUAGE, device_cookie, session_cookie
from fundstelle.portal.frame.services import Services
from fundstelle.portal.frame.texts import LANGUAGES, choose_language, load_texts

AFTER_FACTOR = "after_factor"  # where somebody goes on who sets one up, sealed
BY_PROVIDER = "by_provider"  # in the session of whoever came by the identity provider

_HOME = "/keys"
_MOST_KEPT = 2_000  # characters of a path
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
_YEAR_S = 31_536_000
# How long ago somebody must have shown who they are, for what is delicate: to send a form, and to
# begin one, so that there is time to fill it in.
_FRESH_TO_SEND = timedelta(minutes=10)
_FRESH_TO_BEGIN = timedelta(minutes=8)
_CLOCKS_DIFFER = timedelta(minutes=1)
_LASTING = frozenset((BY_PROVIDER, AFTER_FACTOR))  # in a session that takes another's place
_USED = "used_forms"  # of this session
_ONCE_CHARS = 43  # of a secret of ours
_MOST_USED = 50
_LOCALES = {"de": "de", "en": "en_GB"}  # of dates: day before month, 24 hours
_BROWSER = re.compile(r"(Firefox|Edg|Chrome|Safari)/")
_LANGUAGE = re.compile(rb"(?:^|&)lang=([a-z]{2})(?=&|$)")
_SYSTEMS = ("Windows", "Mac OS", "Android", "iPhone", "Linux")


class FormSent(Exception):
    """A form that makes something once was sent before."""


@dataclass(slots=True)
class Visit:
    """A request as the handlers see it."""

    request: Request
    services: Services
    environment: Environment
    language: str
    session: Session | None = None
    user: User | None = None
    form: Mapping[str, str] = field(default_factory=dict)
    count: Callable[[], None] | None = None  # what a form's session costs a stranger
    _cookie: str | None = None  # a session that began during this visit
    _forgotten: bool = False
    is_open: bool | None = None  # whether strangers may read the law; None = not asked yet
    logos: Sequence[Logo] | None = None  # the firm's, at most one; None = not asked yet
    _device: str | None = None  # the cookie of a device that is known from now on

    @property
    def person(self) -> User:
        """Who is signed in; only for pages that need somebody."""
        assert self.user is not None
        return self.user

    @property
    def may_read(self) -> bool:
        """Whether the pages of law are open to whoever asks; read once a visit."""
        if self.user is not None:
            return True
        if self.is_open is None:
            self.is_open = self.services.policies.read().public_pages
        return self.is_open

    @property
    def logo(self) -> Logo | None:
        """What the head shows of the firm; nothing while the database is away."""
        if self.logos is None:
            try:
                found = self.services.logos.find()
            except AccountsError:
                found = None
            self.logos = () if found is None else (found,)
        return next(iter(self.logos), None)

    @property
    def address(self) -> str:
        """Where the request comes from, for throttles; never shown, never logged."""
        return self.request.client.host if self.request.client else ""

    @property
    def device(self) -> str:
        """The cookie by which this browser is known; empty if nobody has signed in here yet."""
        return self.request.cookies.get(device_cookie(secure=self._is_secure), "")

    @property
    def _is_secure(self) -> bool:
        return self.services.settings.base_url.startswith("https:")

    def remember_device(self, user: User) -> None:
        """Know this browser from now on: this person has signed in here."""
        self._device = self.services.devices.issue(user.known_as, self.device)

    @property
    def is_fresh(self) -> bool:
        """Whether the person has shown who they are lately enough to begin a delicate form."""
        return self._was_confirmed_within(_FRESH_TO_BEGIN)

    @property
    def may_send(self) -> bool:
        """Whether that is lately enough to send one."""
        return self._was_confirmed_within(_FRESH_TO_SEND)

    def _was_confirmed_within(self, span: timedelta) -> bool:
        confirmed = self.session.confirmed if self.session else None
        # One in the future is of a clock that was set back since; servers may differ a little.
        return confirmed is not None and -_CLOCKS_DIFFER < datetime.now(UTC) - confirmed < span

    @property
    def agent(self) -> str:
        """The browser and its system in two words, for the list of sessions."""
        header = self.request.headers.get("user-agent", "")
        browser = _BROWSER.search(header)
        system = next((name for name in _SYSTEMS if name in header), "")
        name = {"Edg": "Edge"}.get(browser[1], browser[1]) if browser else "Browser"
        return f"{name}, {system}" if system else name

    @property
    def path(self) -> str:
        """The path of this page, decoded."""
        path: str = self.request.scope["path"]
        return path

    def switch_language(self, language: str) -> str:
        """The address of this page in another language."""
        return write_in_language(self.path, self.request.scope["query_string"], language)

    @property
    def next_path(self) -> str:
        """Where the person wanted to go: a path of this server, ``/keys`` if none is named."""
        wanted = self.form.get("next") or self.request.query_params.get("next", "")
        return wanted if is_own(wanted) else _HOME

    def keep_next(self) -> str:
        """The same for a session to keep: sealed, for the path may name what waits for consent.

        Strangers have sessions, too: a path that is longer than any page's is not kept.
        """
        path = self.next_path
        return self.services.sessions.seal(path if len(path) <= _MOST_KEPT else "/")

    def find_next(self, kept: object) -> str:
        """Where the person wanted to go, as a session has kept it."""
        wanted = self.services.sessions.unseal(kept)
        return wanted if is_own(wanted) else _HOME

    def t(self, key: str, /, **values: object) -> str | Markup:
        """A text in the visit's language, with its values put in, escaped."""
        text = load_texts()[self.language][key]
        return Markup(escape(text)).format(**values) if values else text  # noqa: S704 escaped

    def begin_session(
        self,
        user_id: str | None,
        *,
        is_confirmed: bool | None = True,
        mark: str | None = None,
        note: Record | None = None,
        **data: Any,
    ) -> Session:
        """A new session in the place of the one there was.

        Args:
            user_id: whose; ``None`` = nobody's yet.
            is_confirmed: they have shown all that they have; without it nothing delicate is done;
                ``None`` = if they have no passkey by now.
            mark: of the person, as it was when they showed it.
            note: of the transaction that it is part of; ``None`` = it has one of its own.
            data: small things for the next page.

        Raises:
            SignInFailed: what they have shown holds no more.
            TooMany: strangers of this network have begun so many that this one has to wait.
        """
        if self.session is not None:
            if user_id is not None and self.session.user_id == user_id:
                data = {
                    name: self.session.data[name] for name in _LASTING & {*self.session.data}
                } | data
            self.services.sessions.end(self.session.id)
        elif user_id is None and self.count is not None:
            self.count()
        self._cookie, self.session = self.services.sessions.start(
            user_id, self.agent, data, is_confirmed=is_confirmed, mark=mark
        )
        if user_id and self.session.displaced:
            ended = list(self.session.displaced)
            (note or self.services.audit.record)("sessions_ended", SYSTEM, user_id, ended=ended)
        self.user = self.services.people.find(user_id) if user_id else None
        return self.session

    def end_session(self) -> None:
        """Sign out."""
        if self.session is not None:
            self.services.sessions.end(self.session.id)
        self.session = self.user = None
        self._forgotten = True

    @contextmanager
    def changing_session(self) -> Iterator[Record]:
        """One transaction with its lines; a session that begins within it is one if that holds."""
        held = self.session, self.user, self._cookie, self._forgotten
        try:
            with self.services.audit.together() as note:
                yield note
        except BaseException:
            self.session, self.user, self._cookie, self._forgotten = held
            raise

    @contextmanager
    def making_once(self) -> Iterator[Record]:
        """One transaction, with its lines, for what a form makes and its answer shows once.

        The form has a field ``once`` with a secret of its own, since that page may be loaded anew.
        That it was sent is part of the transaction: what could not be made was not shown.

        Raises:
            FormSent: it was sent before, and nothing is made.
        """
        once = self.form.get("once", "")[:_ONCE_CHARS]
        if self.session is None or not once or once in self.session.data.get(_USED, ()):
            raise FormSent
        with self.services.audit.together() as note:
            yield note
            # Last, for the order of locks: of the same form sent twice at once, one is undone.
            if not self.services.sessions.enlist(self.session.id, _USED, once, _MOST_USED):
                raise FormSent

    def render(
        self,
        template: str,
        *,
        status: int = 200,
        form_action: str = "",
        cache: str = "no-store",
        **context: Any,
    ) -> Response:
        """A page. ``form_action`` names further targets that a form's answer may redirect to."""
        html = self.environment.get_template(template).render(
            visit=self,
            house=self.services.settings,
            version=__version__,
            t=self.t,
            csrf=_FormToken(self),
            day=self.day,
            moment=self.moment,
            number=self.number,
            **context,
        )
        policy = _POLICY + (f" {form_action}" if form_action else "")
        response = HTMLResponse(html, status, {"Content-Security-Policy": policy})
        response.headers["Cache-Control"] = cache
        response.headers["Content-Language"] = self.language
        return self.finish(response)

    def redirect(self, path: str) -> Response:
        """Go on to another page of ours (303, so that the form is not sent again).

        Raises:
            ValueError: it is none of ours; ``leave`` is for those.
        """
        if not is_own(path):
            raise ValueError
        return self.finish(RedirectResponse(path, 303))

    def leave(self, address: str) -> Response:
        """Go to another server: a client that is registered, the identity provider."""
        return self.finish(RedirectResponse(address, 303))

    @property
    def own_address(self) -> str:
        """Path and query of this page, to come back to."""
        return write_own(self.path, self.request.scope["query_string"])

    def ask_first(self) -> Response | None:
        """Ask who it is before a form is filled in, not after; ``None`` if that is known."""
        if self.is_fresh:
            return None
        return self.redirect(write_next("/sign-in/confirm", self.own_address))

    def require_sign_in(self) -> Response:
        """Off to the sign-in page, and back here after it."""
        return self.redirect(write_next("/sign-in", self.own_address))

    def finish(self, response: Response) -> Response:
        """Set what the visit changed of the cookies."""
        secure = self._is_secure
        name = session_cookie(secure=secure)
        if self._cookie is not None:
            response.set_cookie(
                name, self._cookie, path="/", secure=secure, httponly=True, samesite="lax"
            )
        elif self._forgotten:
            response.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="lax")
        if self._device is not None:
            response.set_cookie(
                device_cookie(secure=secure),
                self._device,
                LIFE_S,
                path="/",
                secure=secure,
                httponly=True,
                samesite="strict",
            )
        if read_language(self.request) == self.language:
            response.set_cookie(
                LANGUAGE, self.language, _YEAR_S, path="/", secure=secure, samesite="lax"
            )
        return response

    def day(self, when: date | None) -> str:
        """A date as readers write it; a dash for none."""
        return "–" if when is None else format_date(when, "medium", _LOCALES[self.language])

    def moment(self, when: datetime | None) -> str:
        """Date and time with their zone, the same in all languages; a dash for none."""
        if when is None:
            return "–"
        zone = get_timezone(self.services.settings.time_zone)
        local = when.astimezone(zone)
        locale = _LOCALES[self.language]
        written = format_datetime(local, "medium", tzinfo=zone, locale=locale)
        return f"{written} {get_timezone_name(local, 'short', locale=locale)}"

    def number(self, value: float) -> str:
        """A number with its thousands set apart."""
        return format_decimal(value, locale=self.language)


class _FormToken:
    """The token of a form. A session begins where one is written, and on no other page."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit

    def __html__(self) -> str:
        session = self._visit.session or self._visit.begin_session(None)
        return str(escape(session.csrf))


Handler = Callable[[Visit], Response]


def read_language(request: Request) -> str | None:
    """The ``lang`` of an address, read without decoding the rest, which may be long."""
    query: bytes = request.scope["query_string"]
    if b"lang=" not in query:
        return None
    found = _LANGUAGE.findall(query)
    return found[-1].decode() if found else None


def find_language(request: Request, preferred: str | None = None) -> str:
    """The language of a page: as asked for, as the person has chosen, as the browser says."""
    chosen = (
        read_language(request),
        preferred,
        request.cookies.get(LANGUAGE),
    )
    accepted = request.headers.get("accept-language", "")
    return next((one for one in chosen if one in LANGUAGES), None) or choose_language(accepted)
