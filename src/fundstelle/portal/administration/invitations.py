"""Invitations: made, renewed, withdrawn. A link is shown once, to whoever made it."""

from contextlib import suppress

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.errors import InvalidInput
from fundstelle.portal.administration.people import render_people
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import FormSent, Visit


def build_routes(pages: Pages) -> list[Route]:
    """The forms of invitations."""
    post = ("POST",)
    return [
        pages.route("/admin/people/invite", invite, Needs.ADMIN, post),
        pages.route("/admin/people/withdraw", withdraw, Needs.ADMIN, post),
    ]


def invite(visit: Visit) -> Response:
    """Make a link for an address and show it; one that was made for it before is worthless.

    The answer may be loaded anew without making another one.
    """
    form = visit.form
    role = form.get("role", "member")
    try:
        with visit.making_once() as note:
            secret = visit.services.people.invite(form.get("email", ""), role, visit.person.id)
            note("person_invited", visit.person.id, role)
    except FormSent:
        return visit.redirect("/admin#invitations")
    except InvalidInput as error:
        return render_people(visit, {error.field or "email": visit.t("admin.email_wrong")}, form)
    return render_people(visit, {}, {}, f"{visit.services.settings.base_url}/join/{secret}")


def withdraw(visit: Visit) -> Response:
    """End an invitation that nobody has accepted."""
    email = visit.form.get("email", "")
    with suppress(InvalidInput), visit.services.audit.together() as note:  # of no address
        if visit.services.invitations.withdraw(email):  # else the log has it
            note("invitation_withdrawn", visit.person.id)
    return visit.redirect("/admin#invitations")
