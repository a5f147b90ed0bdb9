"""Connected apps: who holds a grant of the person's, and ending one."""

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.oauth.grants import Grant
from fundstelle.errors import NotFound
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.query import read_choice
from fundstelle.portal.frame.visits import Visit


def build_routes(pages: Pages) -> list[Route]:
    """The pages of connected apps."""
    return [
        pages.route("/apps", show_apps),
        pages.route("/apps/{grant_id}/end", show_end),
        pages.route("/apps/{grant_id}/end", end_grant, Needs.PERSON, ("POST",)),
    ]


def show_apps(visit: Visit) -> Response:
    """Live grants, the newest first."""
    grants = visit.services.grants.list_live(visit.person.id)
    calls = visit.services.usage.count_each(one.id for one in grants)
    done = bool(read_choice(visit, "done", ("ended",)))
    return visit.render("apps.html", grants=grants, calls=calls, done=done)


def show_end(visit: Visit) -> Response:
    """Ask before an app is cut off."""
    return visit.render("app_end.html", grant=_find_own(visit))


def end_grant(visit: Visit) -> Response:
    """Revoke the grant: its tokens are refused from the next request on."""
    grant = _find_own(visit)
    with visit.services.audit.together() as note:
        if visit.services.grants.revoke(grant.id, "person"):  # else the log has it
            note("grant_revoked", visit.person.id, grant.id, reason="person")
    return visit.redirect("/apps?done=ended")


def _find_own(visit: Visit) -> Grant:
    wanted = visit.request.path_params["grant_id"]
    for grant in visit.services.grants.list_live(visit.person.id):
        if grant.id == wanted:
            return grant
    raise NotFound("there is no such app")
