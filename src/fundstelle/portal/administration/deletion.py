"""Deleting a person: asked with their name typed, and with what becomes of their keys."""

from collections.abc import Mapping

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.errors import InvalidInput
from fundstelle.portal.administration.people import find_person
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import Visit

_END, _TAKE = "end", "take"


def build_routes(pages: Pages) -> list[Route]:
    """The page and its form."""
    path = "/admin/people/{user_id}/delete"
    return [
        pages.route(path, ask, Needs.ADMIN),
        pages.route(path, delete_person, Needs.ADMIN, ("POST",)),
    ]


def ask(visit: Visit) -> Response:
    """What will be gone, what stays, and the field for the name."""
    return _render(visit, {})


def _render(visit: Visit, errors: Mapping[str, object]) -> Response:
    user = find_person(visit)
    held = visit.services.keys.list(user.id, 0)
    return visit.render(
        "admin_person_delete.html",
        status=422 if errors else 200,
        errors=errors,
        user=user,
        is_self=user.id == visit.person.id,
        keys=[key for key in held if key.revoked is None],
        grants=visit.services.grants.list_live(user.id),
        choice=visit.form.get("keys", _END),
    )


def delete_person(visit: Visit) -> Response:
    """Forget them. Nobody deletes themselves, so that an admin is always left who can."""
    user, admin = find_person(visit), visit.person
    choice = visit.form.get("keys", "")
    if user.id == admin.id:
        return _render(visit, {"name": visit.t("admin.delete_self")})
    if " ".join(visit.form.get("name", "").split()) != user.name:
        return _render(visit, {"name": visit.t("admin.delete_name_wrong")})
    if choice not in {_END, _TAKE}:
        return _render(visit, {"keys-end": visit.t("admin.delete_keys_wrong")})
    heir = admin.id if choice == _TAKE else None
    try:
        with visit.services.audit.together() as note:
            taken = visit.services.people.delete(user.id, heir, admin.id)
            note("person_deleted", admin.id, user.id, keys=choice)
            for key_id in taken:
                note("key_taken_over", admin.id, key_id, owner=user.id)
    except InvalidInput as error:
        field, text = (
            ("keys-end", "delete_keys_wrong") if error.field == "keys" else ("name", "last_admin")
        )
        return _render(visit, {field: visit.t(f"admin.{text}")})
    visit.services.keys.read_again()
    visit.services.grants.read_again()
    return visit.redirect("/admin")
