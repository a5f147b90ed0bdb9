"""Provisioning (SCIM): the token that the firm's directory shows, made and ended by admins."""

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.secrets import create_secret
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import FormSent, Visit
from fundstelle.portal.scim.routes import BASE

PATH = "/admin/provisioning"


def build_routes(pages: Pages) -> list[Route]:
    """The page and its two forms."""
    return [
        pages.route(PATH, show, Needs.ADMIN),
        pages.route(PATH, create, Needs.ADMIN, ("POST",)),
        pages.route(f"{PATH}/end", end, Needs.ADMIN, ("POST",)),
    ]


def show(visit: Visit) -> Response:
    """Whether there is a token, and where the directory finds the server."""
    return _render(visit)


def _render(visit: Visit, token: str = "") -> Response:
    return visit.render(
        "admin_provisioning.html",
        exists=visit.services.provisioning.exists(),
        address=visit.services.settings.base_url + BASE,
        token=token,
        once=create_secret(),
        path=PATH,
    )


def create(visit: Visit) -> Response:
    """A new token in the place of the one there is; shown once."""
    try:
        with visit.making_once() as note:
            token = visit.services.provisioning.create()
            note("scim_token_created", visit.person.id)
    except FormSent:
        return visit.redirect(PATH)
    return _render(visit, token)


def end(visit: Visit) -> Response:
    """Refuse the directory from now on."""
    if visit.services.provisioning.exists():
        within = visit.services.audit.recording("scim_token_ended", visit.person.id)
        visit.services.provisioning.end(within)
    return visit.redirect(PATH)
