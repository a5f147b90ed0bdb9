"""Signing in, after the password: the app's code, or a recovery code in its place."""

from collections.abc import Mapping
from time import time

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.people.people import SignInFailed
from fundstelle.accounts.people.sessions import PENDING
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.recovery import note_recovery
from fundstelle.portal.sign_in import AND, explain, let_in, record_failure

_PENDING_S = 600


def build_routes(pages: Pages) -> list[Route]:
    """The page that asks for it."""
    return [
        pages.route("/sign-in/code", show_code, Needs.NOBODY),
        pages.route("/sign-in/code", check_code, Needs.NOBODY, ("POST",)),
    ]


def _find_pending(visit: Visit) -> Mapping[str, object] | None:
    pending = visit.session.data.get(PENDING) if visit.session else None
    if not isinstance(pending, dict) or not 0 <= time() - pending["since"] < _PENDING_S:
        return None
    return pending


def show_code(visit: Visit) -> Response:
    """Ask for the code of the authenticator app."""
    if _find_pending(visit) is None:
        return visit.redirect("/sign-in")
    return _render_code(visit, {})


def _render_code(visit: Visit, errors: Mapping[str, object], status: int = 200) -> Response:
    by_recovery = "recovery" in visit.request.query_params or "recovery" in visit.form
    return visit.render("sign_in_code.html", status=status, errors=errors, by_recovery=by_recovery)


def check_code(visit: Visit) -> Response:
    """Check the code, and let the person in."""
    pending = _find_pending(visit)
    if pending is None:
        return visit.redirect("/sign-in")
    user_id = str(pending["user"])
    user = visit.services.people.find(user_id)
    if user is None or user.mark != pending.get("mark"):
        return visit.redirect("/sign-in")  # the password that was shown holds no more
    try:
        shown = visit.services.second_factors.check_code(
            user_id, visit.form.get("code", ""), visit.address, device=visit.device
        )
    except SignInFailed as failed:
        record_failure(visit, failed, "code", user_id)
        return explain(visit, _render_code, "code", "sign_in.code_wrong", failed)
    note_recovery(visit, user_id, shown)
    method = f"{pending['method']}{AND}{shown}"
    return let_in(visit, user, method, visit.find_next(pending["next"]))
