"""Recovery codes: shown once, as a list and as a text file, and renewed by their person."""

from collections.abc import Sequence
from urllib.parse import quote

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.people.people import SignInFailed
from fundstelle.accounts.people.second_factors import RECOVERY
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.texts import load_texts
from fundstelle.portal.frame.visits import AFTER_FACTOR, FormSent, Visit

FILE = "fundstelle-recovery-codes.txt"


def build_routes(pages: Pages) -> list[Route]:
    """The form that renews them."""
    return [pages.route("/account/recovery", renew, Needs.FRESH, ("POST",))]


def renew(visit: Visit) -> Response:
    """Ten new codes for somebody who has a second factor; the answer shows them once."""
    factors, user = visit.services.second_factors, visit.person
    if not factors.has_any(user):
        return visit.redirect("/account#recovery")
    try:
        with visit.making_once() as note:
            codes = factors.recovery.renew(user.id, user.mark)
            note("recovery_renewed", user.id, user.id)
    except FormSent:
        return visit.redirect("/account#recovery")
    except SignInFailed:  # who signs in with what has just been changed
        return visit.redirect("/sign-in")
    return show_codes(visit, codes)


def note_recovery(visit: Visit, user_id: str, shown: str) -> None:
    """A line for a code that was used up, and how many are left; none for a code of the app."""
    if shown == RECOVERY:
        left = visit.services.second_factors.recovery.count(user_id)
        visit.services.audit.record("recovery_code_used", user_id, user_id, left=left)


def show_codes(visit: Visit, codes: Sequence[str]) -> Response:
    """The page of codes that were just made, which no other page can show.

    The file is in the address of its link: no request asks for it, and nothing is kept for one.
    """
    url = visit.services.settings.base_url
    lead = load_texts()[visit.language]["recovery.file_lead"]  # of a text file, not of a page
    lead = lead.format(url=url, email=visit.person.email)
    text = "\r\n".join((lead, "", *codes, ""))
    address = f"data:text/plain;charset=utf-8,{quote(text, safe='')}"
    assert visit.session is not None
    waiting = visit.services.sessions.take(visit.session.id, AFTER_FACTOR)
    after = "/account" if waiting is None else visit.find_next(waiting)
    return visit.render("recovery_once.html", codes=codes, address=address, file=FILE, after=after)
