"""Where the rules ask everybody for a second factor: whoever owes it is led to it first."""

from time import time

from starlette.responses import Response

from fundstelle.accounts.people.sessions import LONGEST, Session
from fundstelle.portal.frame.addresses import write_next
from fundstelle.portal.frame.visits import BY_PROVIDER, Visit

SET_UP = "/account/second-factor"

# Setting one up, showing who one is, and leaving.
_OPEN = frozenset((SET_UP, "/account/totp", "/account/totp.svg", "/account/passkeys/new"))
_OPEN_BELOW = ("/sign-in", "/sign-out", "/join/", "/sign-up")


def ask_second_factor(visit: Visit, back: str) -> Response | None:
    """Lead somebody who is signed in to the factor that they owe; ``None`` if they owe none.

    Whoever has none sets one up. Whoever has one has shown it in this session or shows it now,
    since a password alone begins one for people with a passkey. Whoever came by the identity
    provider has shown there what the firm asks for, for as long as a session lasts: not anew each
    time that they show their password.

    Args:
        visit: of whom.
        back: the page to come back to.
    """
    session, user = visit.session, visit.user
    if session is None or user is None:
        return None
    if visit.path in _OPEN or visit.path.startswith(_OPEN_BELOW):
        return None
    if _came_by_provider(session) or not visit.services.policies.read().second_factor:
        return None
    if not visit.services.second_factors.has_any(user):
        return visit.redirect(write_next(SET_UP, back))
    if session.confirmed is None:
        return visit.redirect(write_next("/sign-in/confirm", back))
    return None


def _came_by_provider(session: Session) -> bool:
    came = session.data.get(BY_PROVIDER)
    return isinstance(came, float | int) and time() - came < LONGEST.total_seconds()
