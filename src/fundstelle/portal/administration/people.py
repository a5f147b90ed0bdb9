"""People: who has an account, their limits, and help for those who have lost access."""

from collections.abc import Mapping
from datetime import UTC, datetime

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.people.people import User
from fundstelle.accounts.policies import RulesChanged, list_changes
from fundstelle.accounts.secrets import create_secret
from fundstelle.errors import NotFound
from fundstelle.portal.frame.forms import read_number
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.query import read_choice
from fundstelle.portal.frame.visits import FormSent, Visit

_LIMITS = {"rate_per_minute": 1_000_000, "calls_per_month": 1_000_000_000}


def build_routes(pages: Pages) -> list[Route]:
    """The pages of people."""
    post = ("POST",)
    return [
        pages.route("/admin", show_people, Needs.ADMIN),
        pages.route("/admin/people/{user_id}", show_person, Needs.ADMIN),
        pages.route("/admin/people/{user_id}/limits", change_limits, Needs.ADMIN, post),
        pages.route("/admin/people/{user_id}/password", create_link, Needs.ADMIN, post),
        pages.route("/admin/people/{user_id}/factors", reset_factors, Needs.ADMIN, post),
    ]


def show_people(visit: Visit) -> Response:
    """Everybody, with what may be done about them."""
    return render_people(visit, {}, {})


def render_people(
    visit: Visit, errors: Mapping[str, object], values: Mapping[str, str], link: str = ""
) -> Response:
    """The page of everybody, with a link that was just made."""
    return visit.render(
        "admin_people.html",
        status=422 if errors else 200,
        people=visit.services.people.list(),
        invitations=visit.services.invitations.list(),
        now=datetime.now(UTC),
        once=create_secret(),
        errors=errors,
        values=values,
        link=link,
    )


def find_person(visit: Visit) -> User:
    """The person of the address.

    Raises:
        NotFound: there is none.
    """
    user = visit.services.people.find(visit.request.path_params["user_id"])
    if user is None:
        raise NotFound("there is no such person")
    return user


def show_person(visit: Visit) -> Response:
    """One person: their limits and this month's calls."""
    user = find_person(visit)
    values = {name: _show(getattr(user, name)) for name in _LIMITS}
    return _render_person(visit, user, values, {})


def _show(limit: int | None) -> str:
    return "" if limit is None else str(limit)


def _mark(limits: Mapping[str, int | None]) -> str:
    """What a form keeps of the limits that it was made of, to tell whether they still hold."""
    return " ".join(f"{name}={_show(limits.get(name))}" for name in _LIMITS)


def _compare(visit: Visit, before: Mapping[str, int | None]) -> None:
    """See that a form was made of these limits.

    Raises:
        RulesChanged: it was made before somebody changed them.
    """
    if visit.form.get("made_of") != _mark(before):
        raise RulesChanged


def _render_person(  # noqa: PLR0913, PLR0917 -- whatever its forms have led to
    visit: Visit,
    user: User,
    values: Mapping[str, str],
    errors: Mapping[str, object],
    link: str = "",
    is_stale: bool = False,
) -> Response:
    now = _mark({name: getattr(user, name) for name in _LIMITS})
    return visit.render(
        "admin_person.html",
        status=409 if is_stale else 422 if errors else 200,
        is_stale=is_stale,
        # beside what was typed stands what it was typed over
        made_of=visit.form.get("made_of", now) if errors else now,
        user=user,
        values=values,
        errors=errors,
        link=link,
        once=create_secret(),
        month=visit.services.usage.calls_this_month(user.id),
        keys=[key for key in visit.services.keys.list(user.id, 0) if key.revoked is None],
        grants=visit.services.grants.list_live(user.id),
        done=bool(read_choice(visit, "done", ("saved",))),
    )


def change_limits(visit: Visit) -> Response:
    """Limits of a person's seat; an empty field is the server's default, 0 is no limit."""
    user = find_person(visit)
    errors: dict[str, object] = {}
    limits: dict[str, int | None] = {}
    for name, most in _LIMITS.items():
        text = visit.form.get(name, "").strip()
        limits[name] = read_number(text, most)
        if text and limits[name] is None:
            errors[name] = visit.t("admin.limit_wrong", most=visit.number(most))
    if errors:
        return _render_person(visit, user, visit.form, errors)
    try:
        with visit.services.audit.together() as note:
            before = visit.services.people.set_limits(user.id, **limits)
            _compare(visit, before)
            if changed := list_changes(before, limits):
                note("person_limits", visit.person.id, user.id, changed=changed)
    except RulesChanged:
        values = {name: _show(getattr(user, name)) for name in _LIMITS}
        return _render_person(visit, user, values, {}, is_stale=True)
    visit.services.keys.read_again()
    return visit.redirect(f"/admin/people/{user.id}?done=saved")


def create_link(visit: Visit) -> Response:
    """A link for a new password, shown once; using it ends all sessions of the person."""
    user = find_person(visit)
    try:
        with visit.making_once() as note:
            secret = visit.services.people.create_password_link(user.id, visit.person.id)
            note("password_link_created", visit.person.id, user.id)
    except FormSent:  # loaded anew: the link goes on
        return visit.redirect(f"/admin/people/{user.id}")
    link = f"{visit.services.settings.base_url}/join/{secret}"
    values = {name: _show(getattr(user, name)) for name in _LIMITS}
    return _render_person(visit, user, values, {}, link)


def reset_factors(visit: Visit) -> Response:
    """Remove app and passkeys of somebody who has lost them."""
    user = find_person(visit)
    factors = visit.services.second_factors
    if factors.has_any(user):
        factors.reset(
            user.id, visit.services.audit.recording("factors_reset", visit.person.id, user.id)
        )
    return visit.redirect(f"/admin/people/{user.id}?done=saved")
