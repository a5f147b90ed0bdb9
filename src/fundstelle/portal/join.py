"""One-time links: the first admin, invitations, new passwords; and signing up where it is open."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.people.passwords import LEAST_CHARS
from fundstelle.accounts.people.people import OneTimeLink, SignInFailed, User
from fundstelle.errors import InvalidInput, NotFound
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.sign_in import explain, go_on, let_in

_FIELDS = ("email", "name")


def build_routes(pages: Pages) -> list[Route]:
    """The pages of joining."""
    return [
        pages.route("/join/{secret}", show_link, Needs.NOBODY),
        pages.route("/join/{secret}", use_link, Needs.NOBODY, ("POST",)),
        pages.route("/sign-up", show_sign_up, Needs.NOBODY),
        pages.route("/sign-up", sign_up, Needs.NOBODY, ("POST",)),
    ]


def explain_choice(visit: Visit, error: InvalidInput) -> dict[str, object]:
    """What is wrong with address, name or password, beside its field."""
    field = error.field or "password"
    reason = error.allowed_values[0] if error.allowed_values else "wrong"
    return {field: visit.t(f"join.{field}_{reason}", least=LEAST_CHARS)}


def show_link(visit: Visit) -> Response:
    """What the link is for, and a form to use it."""
    link = visit.services.people.find_link(visit.request.path_params["secret"])
    return _show_gone(visit) if link is None else _render(visit, link, {})


def _show_gone(visit: Visit) -> Response:
    return visit.render("join_gone.html", status=404)


def _render(
    visit: Visit, link: OneTimeLink, errors: Mapping[str, object], status: int = 200
) -> Response:
    values = {field: visit.form.get(field, "") for field in _FIELDS}
    return visit.render(
        "join.html",
        status=status,
        link=link,
        purpose=link.purpose,
        errors=errors,
        values=values,
        least=LEAST_CHARS,
        has_provider=link.purpose == "invitation"
        and visit.services.identities.provider is not None,
        secret=visit.request.path_params["secret"],
    )


def use_link(visit: Visit) -> Response:
    """Make the account, or set the password; then the person is signed in."""
    secret = visit.request.path_params["secret"]
    people = visit.services.people
    link = people.find_link(secret)
    if link is None:
        return _show_gone(visit)
    form = visit.form
    try:
        user = people.accept(
            secret,
            form.get("name", ""),
            form.get("password", ""),
            form.get("email", ""),
            _noting(visit, link.purpose),
        )
    except NotFound:
        return _show_gone(visit)
    except InvalidInput as error:
        return _render(visit, link, explain_choice(visit, error), 422)
    if link.purpose == "password":
        return go_on(visit, user, "link")
    return _welcome(visit, user)


@contextmanager
def _noting(visit: Visit, purpose: str) -> Iterator[Callable[[User], None]]:
    """One transaction for what a link, or signing up, does and its line; takes whose it is."""
    with visit.services.audit.together() as note:

        def tell(user: User) -> None:
            if purpose == "password":
                note("password_changed", user.id, user.id, method="link")
            else:
                note("person_joined", user.id, user.id, method=purpose)

        yield tell


def _welcome(visit: Visit, user: User) -> Response:
    """The first page of somebody new: the keys, which say what to do."""
    if user.language is None:
        visit.services.people.set_language(user.id, visit.language)
    return let_in(visit, user, "link", "/keys")


def show_sign_up(visit: Visit) -> Response:
    """A form for a new account, where the server's rules allow it."""
    _require_open(visit)
    return _render_sign_up(visit, {})


def _require_open(visit: Visit) -> None:
    """Pretend there is no such page where nobody may sign up.

    Raises:
        NotFound: the rules do not allow it.
    """
    if not visit.services.policies.read().open_sign_up:
        raise NotFound("there is no such page")


def _render_sign_up(visit: Visit, errors: Mapping[str, object], status: int = 200) -> Response:
    return visit.render(
        "join.html",
        status=status,
        link=None,
        purpose="sign_up",
        errors=errors,
        values={field: visit.form.get(field, "") for field in _FIELDS},
        least=LEAST_CHARS,
        has_provider=False,
        secret="",
    )


def sign_up(visit: Visit) -> Response:
    """Make a member's account."""
    _require_open(visit)
    form = visit.form
    try:
        user = visit.services.people.sign_up(
            form.get("email", ""),
            form.get("name", ""),
            form.get("password", ""),
            visit.address,
            _noting(visit, "sign_up"),
        )
    except InvalidInput as error:
        return _render_sign_up(visit, explain_choice(visit, error), 422)
    except SignInFailed as failed:
        return explain(visit, _render_sign_up, "email", "sign_in.wrong", failed)
    return _welcome(visit, user)
