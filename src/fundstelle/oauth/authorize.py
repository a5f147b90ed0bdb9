"""The authorization endpoint without its page: what is asked, and what becomes of it.

RFC 6749 §4.1, RFC 7636, RFC 8707, RFC 9207. Whoever cannot be trusted with a redirect gets a
page; every other answer, errors too, goes back to the client with ``iss``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from fundstelle.accounts.database.schema_oauth import CLIENT_ID_CHARS
from fundstelle.accounts.oauth.authorizations import Asked, Authorizations
from fundstelle.accounts.oauth.clients import DOCUMENT, Client
from fundstelle.oauth import pkce
from fundstelle.oauth.client_documents import load_built_in
from fundstelle.oauth.documents import SCOPE, SCOPES, list_resources
from fundstelle.oauth.redirects import (
    build_form_target,
    extend,
    find_host,
    is_registered,
    leads_to_this_computer,
)

MOST_STATE_CHARS = 4096


@dataclass(frozen=True, slots=True)
class Pending:
    """A request that waits for a person, as the consent page shows it."""

    secret: str = field(repr=False)
    client: Client
    redirect_uri: str
    scope: str

    @property
    def host(self) -> str:
        """Who vouches for the client: the host of its document, or where the answer goes."""
        if self.client.kind == DOCUMENT:
            return urlsplit(self.client.id).netloc
        return find_host(self.redirect_uri)

    @property
    def target(self) -> str:
        """Where the answer goes."""
        return find_host(self.redirect_uri)

    @property
    def is_verified(self) -> bool:
        """Whether this version knows both the client and this redirect address."""
        known = load_built_in().get(self.client.id)
        return known is not None and is_registered(self.redirect_uri, known.redirect_uris)

    @property
    def is_local(self) -> bool:
        """Whether a program on the person's own computer gets the answer."""
        return leads_to_this_computer(self.redirect_uri)

    @property
    def form_target(self) -> str:
        """What the page's ``form-action`` must name."""
        return build_form_target(self.redirect_uri)


@dataclass(frozen=True, slots=True)
class Problem:
    """A request that is refused. ``redirect`` = where to send the browser, ``None`` = a page."""

    error: str
    description: str
    redirect: str | None = None


class Authorize:
    """Takes requests for authorization.

    Args:
        issuer: of every answer.
        find_client: the client of an id, which a sender asks for.
        pending: where requests are kept.
    """

    def __init__(
        self,
        issuer: str,
        find_client: Callable[[str, str], Client | None],
        pending: Authorizations,
    ) -> None:
        self._issuer = issuer
        self._resources = list_resources(issuer)
        self._find_client = find_client
        self._pending = pending

    def begin(self, parameters: Iterable[tuple[str, str]], sender: str) -> Pending | Problem:
        """Check a request of a sender and keep it for the person to decide."""
        pairs = list(parameters)
        given = dict(pairs)
        repeated = find_repeated(pairs)
        if repeated & {"client_id", "redirect_uri"}:
            return Problem("invalid_request", "a parameter is repeated")
        client_id = given.get("client_id", "")
        known = 0 < len(client_id) <= CLIENT_ID_CHARS and self._find_client(client_id, sender)
        if not known:
            return Problem("invalid_client", "the client is unknown")
        redirect_uri = given.get("redirect_uri", "")
        if not is_registered(redirect_uri, known.redirect_uris):
            return Problem("invalid_redirect_uri", "the redirect address is not registered")
        state = given.get("state")
        if repeated or (state is not None and not _is_state(state)):
            state = state if state is not None and _is_state(state) else None
            return self._refuse(redirect_uri, state, "invalid_request", "a parameter is malformed")
        if (wrong := self._find_mistake(given, known)) is not None:
            return self._refuse(redirect_uri, state, *wrong)
        asked = Asked(
            client_id=client_id,
            redirect_uri=redirect_uri,
            state=state,
            challenge=given["code_challenge"],
            scope=_choose_scope(given.get("scope")),
            resource=find_resource(given.get("resource"), self._resources) or self._resources[0],
        )
        return Pending(self._pending.begin(asked), known, redirect_uri, asked.scope)

    def find(self, secret: str, sender: str) -> Pending | None:
        """A request that still waits, for whoever asks."""
        asked = self._pending.find(secret)
        client = None if asked is None else self._find_client(asked.client_id, sender)
        if asked is None or client is None:
            return None
        if not is_registered(asked.redirect_uri, client.redirect_uris):
            return None  # it was taken from the client meanwhile
        return Pending(secret, client, asked.redirect_uri, asked.scope)

    def allow(self, pending: Pending, user_id: str) -> tuple[str, str, tuple[str, ...]] | None:
        """The address with the code, the grant's id, and those of grants that it displaces.

        Returns:
            ``None`` if it waits no longer.
        """
        asked = self._pending.find(pending.secret)
        if asked is None:
            return None
        allowed = self._pending.allow(
            pending.secret, asked, user_id, pending.client.name, pending.host
        )
        if allowed is None:
            return None
        code, grant_id, displaced = allowed
        return self._answer(asked.redirect_uri, asked.state, {"code": code}), grant_id, displaced

    def deny(self, pending: Pending) -> str | None:
        """The address that says no; ``None`` if it waits no longer."""
        asked = self._pending.find(pending.secret)
        if asked is None or not self._pending.deny(pending.secret):
            return None
        answer = {"error": "access_denied", "error_description": "the person has said no"}
        return self._answer(asked.redirect_uri, asked.state, answer)

    def _find_mistake(self, given: Mapping[str, str], client: Client) -> tuple[str, str] | None:
        """The first rule that the request breaks: error and description."""
        response_type = given.get("response_type", "")
        grant_types = client.document.get("grant_types", ["authorization_code"])
        scope = set(given.get("scope", "").split())
        rules = (
            (response_type != "", "invalid_request", "response_type is missing"),
            (
                response_type == "code",
                "unsupported_response_type",
                "response_type must be code",
            ),
            (
                given.get("response_mode", "query") == "query",
                "invalid_request",
                "response_mode must be query",
            ),
            (
                "authorization_code" in grant_types,
                "unauthorized_client",
                "the client did not register for codes",
            ),
            (
                given.get("code_challenge_method") == pkce.METHOD,
                "invalid_request",
                f"code_challenge_method must be {pkce.METHOD}",
            ),
            (
                pkce.is_challenge(given.get("code_challenge", "")),
                "invalid_request",
                "code_challenge is missing or malformed",
            ),
            (
                find_resource(given.get("resource"), self._resources) is not None,
                "invalid_target",
                "the resource is not of this server",
            ),
            (not scope or scope & set(SCOPES), "invalid_scope", f"the scope is {SCOPE}"),
        )
        return next(((error, text) for holds, error, text in rules if not holds), None)

    def _refuse(
        self, redirect_uri: str, state: str | None, error: str, description: str
    ) -> Problem:
        answer = {"error": error, "error_description": description}
        return Problem(error, description, self._answer(redirect_uri, state, answer))

    def _answer(self, redirect_uri: str, state: str | None, answer: Mapping[str, str]) -> str:
        return extend(redirect_uri, {**answer, "state": state, "iss": self._issuer})


def find_repeated(pairs: Iterable[tuple[str, str]]) -> set[str]:
    """Parameters that are there twice (RFC 6749 §3.1), but the same resource may be (RFC 8707)."""
    seen: dict[str, str] = {}
    repeated = set()
    for name, value in pairs:
        if name in seen and (name != "resource" or seen[name] != value):
            repeated.add(name)
        seen[name] = value
    return repeated


def find_resource(asked: str | None, ours: Sequence[str]) -> str | None:
    """The resource of ours that is meant, ``None`` if none is; who names none means the first."""
    if asked is None:
        return ours[0]
    scheme, colon, rest = asked.partition("://")
    host, slash, path = rest.removesuffix("/").partition("/")
    tidied = f"{scheme.lower()}{colon}{host.lower()}{slash}{path}"
    return tidied if tidied in ours else None


def _is_state(state: str) -> bool:
    return len(state) <= MOST_STATE_CHARS and state.isprintable()


def _choose_scope(asked: str | None) -> str:
    """What is granted: reading always, refreshing without the person if it is asked for."""
    words = (asked or "").split()
    return " ".join(scope for scope in SCOPES if scope == SCOPE or scope in words)
