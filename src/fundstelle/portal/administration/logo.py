"""The firm's logo: sent and removed by an admin, shown to everybody."""

from base64 import b64decode
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.limits.places import Full
from fundstelle.accounts.logo import MOST_BYTES
from fundstelle.errors import InvalidInput, NotFound
from fundstelle.net.networks import find_neighbourhood
from fundstelle.portal.administration.server import render_limits
from fundstelle.portal.frame.forms import FormLimits
from fundstelle.portal.frame.pages import RETRY_S, Needs, Pages, find_address
from fundstelle.portal.frame.services import Services
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.gate.gate import Kind, TooMany

_FORM = FormLimits(size_bytes=MOST_BYTES + 64 * 1024, file_bytes=MOST_BYTES + 32 * 1024)
_HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
}


def build_routes(pages: Pages, services: Services) -> list[Route]:
    """The form's two answers, and the image, whose address changes with it."""

    async def show_logo(request: Request) -> Response:
        mark = request.path_params["mark"]
        image = services.logos.recall(mark)
        if image is None:  # another is asked of the database, as a stranger's page is
            address = find_address(request)
            if (wait := pages.gate.take(Kind.READ, address)) is not None:
                raise TooMany(wait)
            try:
                read = partial(services.logos.read, mark)
                image = await pages.gate.make(Kind.READ, read, find_neighbourhood(address))
            except Full:
                return pages.refusals.give(request, 503, "problem.busy", RETRY_S)
        if image is None:
            raise NotFound("there is no such image")
        return Response(image.data, headers=_HEADERS, media_type=image.kind)

    return [
        Route("/logo/{mark}", show_logo),
        pages.route("/admin/logo", change_logo, Needs.ADMIN, ("POST",), limits=_FORM),
        pages.route("/admin/logo/remove", remove_logo, Needs.ADMIN, ("POST",)),
    ]


def change_logo(visit: Visit) -> Response:
    """Show another logo."""
    try:
        image = b64decode(visit.form.get("logo", ""), validate=True)
    except ValueError:  # text in the place of a file
        image = b""
    try:
        with visit.services.audit.together() as note:
            visit.services.logos.write(visit.form.get("name", ""), image)
            note("logo_changed", visit.person.id)
    except InvalidInput as error:
        name = error.field or "logo"
        return render_limits(visit, {name: visit.t(f"admin.logo_wrong_{name}")})
    return visit.redirect("/admin/limits?done=saved")


def remove_logo(visit: Visit) -> Response:
    """Show none."""
    with visit.services.audit.together() as note:
        visit.services.logos.remove()
        note("logo_removed", visit.person.id)
    return visit.redirect("/admin/limits?done=saved")
