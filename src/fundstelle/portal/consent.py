"""The consent page: a client asks, the person reads who it is and what it wants, and decides.

Always shown, never skipped: silent consent is how a client gets what another one was allowed.
"""

from hashlib import sha256
from urllib.parse import quote

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.errors import NotFound
from fundstelle.oauth.authorize import Pending, Problem
from fundstelle.oauth.documents import AUTHORIZE
from fundstelle.oauth.errors import OAuthError
from fundstelle.oauth.redirects import find_host
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import Visit

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
    """A page, always: whoever registers a client must not borrow our address to lead people on.

    Somebody who is signed in may send the client its answer, with a click and knowing where to;
    others sign in first (RFC 9700 §4.11.2).
    """
    text = _TEXTS.get(problem.error, "consent.wrong")
    if problem.redirect is None:
        return _render_problem(visit, text, problem.error)
    return _render_problem(
        visit,
        text,
        problem.error,
        description=problem.description,
        host=find_host(problem.redirect),
        answer=problem.redirect if visit.user is not None else "",
    )


def _render_problem(
    visit: Visit, text: str, error: str, status: int = 400, **answer: str
) -> Response:
    answer = {"description": "", "host": "", "answer": "", **answer}
    sign_in = f"/sign-in?next={quote(visit.own_address, safe='')}"
    return visit.render(
        "oauth_error.html", status=status, text=text, error=error, sign_in=sign_in, **answer
    )


def show(visit: Visit) -> Response:
    """Who asks, for what, and in whose name."""
    secret = visit.request.query_params.get("request", "")
    pending = visit.services.authorization.find_pending(secret, visit.address)
    if pending is None:
        return _render_problem(visit, "consent.expired", "expired")
    # What is allowed here lasts as long as a key: it is as delicate to give.
    ask = visit.ask_first()
    if ask is not None:
        return ask
    _note_shown(visit, secret)
    return visit.render("consent.html", form_action=pending.form_target, pending=pending)


def decide(visit: Visit) -> Response:
    """Send the browser back to the client with the answer.

    The request must have been shown in this session: nobody decides what another one was asked.
    """
    secret = visit.form.get("request", "")
    decision = visit.form.get("decision")
    if decision == "allow" and not visit.may_send:
        back = quote(f"{CONSENT}?request={secret}", safe="")
        return visit.redirect(f"/sign-in/confirm?next={back}")
    if decision not in {"allow", "deny"} or not _take_shown(visit, secret):
        return _render_problem(visit, "consent.expired", "expired", 403)
    try:
        target = visit.services.authorization.decide(
            secret, visit.person, visit.address, allowed=decision == "allow"
        )
    except NotFound:
        return _render_problem(visit, "consent.expired", "expired")
    return visit.leave(target)


def _name(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def _note_shown(visit: Visit, secret: str) -> None:
    assert visit.session is not None
    visit.services.sessions.enlist(visit.session.id, _SHOWN, _name(secret), _MOST_SHOWN)


def _take_shown(visit: Visit, secret: str) -> bool:
    assert visit.session is not None
    return visit.services.sessions.strike(visit.session.id, _SHOWN, _name(secret))
