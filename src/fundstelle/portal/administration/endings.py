"""What changes somebody's access: asked once more on a page that says what it does."""

from collections.abc import Callable

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.errors import InvalidInput, NotFound
from fundstelle.portal.administration.people import find_person, render_people
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import Visit

_ACTIONS = ("disable", "enable", "admin", "member")


def build_routes(pages: Pages) -> list[Route]:
    """A page and its form for each of them."""
    path = "/admin/people/{user_id}/{action}"
    return [
        pages.route(path, ask, Needs.ADMIN),
        pages.route(path, change_person, Needs.ADMIN, ("POST",)),
    ]


def ask(visit: Visit) -> Response:
    """What will happen to whom, with a button."""
    action = visit.request.path_params["action"]
    user = find_person(visit)
    if action not in _ACTIONS:
        raise NotFound("there is no such action")
    return visit.render(
        "admin_person_change.html",
        user=user,
        action=action,
        keys=[key for key in visit.services.keys.list(user.id, 0) if key.revoked is None],
        grants=visit.services.grants.list_live(user.id),
    )


def change_person(visit: Visit) -> Response:
    """Disable, enable, or change the role of a person."""
    user_id = visit.request.path_params["user_id"]
    action = visit.request.path_params["action"]
    people = visit.services.people
    admin = visit.person.id
    actions: dict[str, Callable[[], bool]] = {
        "disable": lambda: people.disable(user_id, admin),
        "enable": lambda: people.enable(user_id, admin),
        "admin": lambda: people.set_role(user_id, "admin", admin),
        "member": lambda: people.set_role(user_id, "member", admin),
    }
    if action not in actions:
        raise NotFound("there is no such action")
    try:
        with visit.services.audit.together() as note:
            if actions[action]():  # else it is so already: nothing for the log
                note(f"person_{action}", admin, user_id)
    except InvalidInput:
        return render_people(visit, {"people": visit.t("admin.last_admin")}, {})
    visit.services.keys.read_again()
    visit.services.grants.read_again()
    return visit.redirect("/admin")
