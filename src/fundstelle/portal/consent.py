"""The consent page: a client asks, the person reads who it is and what it wants, and decides.

Always shown, never skipped: silent consent is how a client gets what another one was allowed.
"""

from hashlib import sha256

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.errors import NotFound
from fundstelle.oauth.authorize import Pending, Problem
from fundstelle.oauth.documents import AUTHORIZE
from fundstelle.oauth.errors import OAuthError
from fundstelle.portal.pages import Needs, Pages
from fundstelle.portal.visits import Visit

CONSENT = "/oauth/consent"

_SHOWN = "consents"  # requests that this session has been shown
_MOST_SHOWN = 20
# Every other refusal is the client's fault, and is told the same way.
_TEXTS = {"invalid_client": "consent.client", "invalid_redirect_uri": "consent.redirect"}


def build_routes(pages: Pages) -> list[Route]:
    """The authorization endpoint and its page."""
    return [
        pages.route(AUTHORIZE, begin, Needs.NOBODY),
        pages.route(CONSENT, show),
        pages.route(CONSENT, decide, Needs.PERSON, ("POST",)),
    ]


def begin(visit: Visit) -> Response:
    """Keep the request; from here on the browser carries its random name alone."""
    try:
        asked = visit.services.authorization.begin(
            visit.request.query_params.multi_items(), visit.address
        )
    except OAuthError as error:
        response = _render_problem(visit, "consent.busy", error.error, error.status)
        response.headers["Retry-After"] = str(round(error.retry_after_s or 1))
        return response
    if isinstance(asked, Pending):
        return visit.redirect(f"{CONSENT}?request={asked.secret}")
    return _refuse(visit, asked)


def _refuse(visit: Visit, problem: Problem) -> Response:
    """Only a redirect address that was registered is ever redirected to."""
    if problem.redirect is not None:
        return visit.redirect(problem.redirect)
    return _render_problem(visit, _TEXTS.get(problem.error, "consent.wrong"), problem.error)


def _render_problem(visit: Visit, text: str, error: str, status: int = 400) -> Response:
    return visit.render("oauth_error.html", status=status, text=text, error=error)


def show(visit: Visit) -> Response:
    """Who asks, for what, and in whose name."""
    secret = visit.request.query_params.get("request", "")
    pending = visit.services.authorization.find_pending(secret)
    if pending is None:
        return _render_problem(visit, "consent.expired", "expired")
    _note_shown(visit, secret)
    return visit.render("consent.html", form_action=pending.form_target, pending=pending)


def decide(visit: Visit) -> Response:
    """Send the browser back to the client with the answer.

    The request must have been shown in this session: nobody decides what another one was asked.
    """
    secret = visit.form.get("request", "")
    decision = visit.form.get("decision")
    if decision not in {"allow", "deny"} or not _take_shown(visit, secret):
        return _render_problem(visit, "consent.expired", "expired", 403)
    try:
        target = visit.services.authorization.decide(
            secret, visit.person, allowed=decision == "allow"
        )
    except NotFound:
        return _render_problem(visit, "consent.expired", "expired")
    return visit.redirect(target)


def _name(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def _note_shown(visit: Visit, secret: str) -> None:
    assert visit.session is not None
    data = visit.session.data
    shown = [one for one in data.get(_SHOWN, []) if one != _name(secret)]
    visit.services.sessions.put(
        visit.session.id, {**data, _SHOWN: [*shown[1 - _MOST_SHOWN :], _name(secret)]}
    )


def _take_shown(visit: Visit, secret: str) -> bool:
    assert visit.session is not None
    data = visit.session.data
    shown = list(data.get(_SHOWN, []))
    if _name(secret) not in shown:
        return False
    shown.remove(_name(secret))
    visit.services.sessions.put(visit.session.id, {**data, _SHOWN: shown})
    return True
