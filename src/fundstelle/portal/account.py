"""A person's own account: name, language, password, sessions, identities."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.audit.log import Record
from fundstelle.accounts.people.passwords import LEAST_CHARS
from fundstelle.accounts.people.people import SignInFailed, User
from fundstelle.accounts.people.roster import Roster
from fundstelle.accounts.secrets import create_secret
from fundstelle.errors import InvalidInput, NotFound
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.query import read_choice
from fundstelle.portal.frame.texts import LANGUAGES
from fundstelle.portal.frame.visits import BY_PROVIDER, Visit
from fundstelle.portal.join import explain_choice
from fundstelle.portal.sign_in import explain, find_problem, record_failure

_DONE = (
    "saved",
    "password",
    "totp",
    "totp_removed",
    "passkey",
    "passkey_removed",
    "connected",
    "disconnected",
    "ended",
)


def build_routes(pages: Pages) -> list[Route]:
    """The pages of the account."""
    return [
        pages.route("/account", show_account),
        pages.route("/account/profile", change_profile, Needs.PERSON, ("POST",)),
        pages.route("/account/password", change_password, Needs.PERSON, ("POST",)),
        pages.route("/account/sessions/end", end_others, Needs.PERSON, ("POST",)),
        pages.route("/account/sessions/{session_id}/end", end_session, Needs.PERSON, ("POST",)),
        pages.route("/account/identities/end", disconnect, Needs.FRESH, ("POST",)),
    ]


def show_account(visit: Visit) -> Response:
    """Everything of the account on one page."""
    return _render(visit, {})


def _render(visit: Visit, errors: Mapping[str, object], status: int = 200) -> Response:
    user = visit.person
    factors = visit.services.second_factors
    done = read_choice(visit, "done", _DONE)
    return visit.render(
        "account.html",
        status=status,
        errors=errors,
        name=visit.form.get("name", user.name),
        least=LEAST_CHARS,
        sessions=visit.services.sessions.list(user.id),
        passkeys=factors.passkeys.list(user.id),
        recovery_left=factors.recovery.count(user.id),
        once=create_secret(),
        may_have_passkeys=factors.passkeys.are_possible,
        identities=visit.services.identities.list(user.id),
        has_provider=visit.services.identities.provider is not None,
        done=done,
        problem=find_problem(visit),
    )


def change_profile(visit: Visit) -> Response:
    """Save name and language."""
    people = visit.services.people
    language = visit.form.get("language", "")
    try:
        with visit.services.audit.together() as note:
            rename(people, note, visit.person.id, visit.person, visit.form.get("name", ""))
    except InvalidInput as error:
        return _render(visit, explain_choice(visit, error), 422)
    people.set_language(visit.person.id, language if language in LANGUAGES else None)
    return visit.redirect("/account?done=saved")


def rename(people: Roster, note: Record, actor: str, user: User, name: str) -> None:
    """Give a person another name, and note that they have one; the log holds neither.

    Raises:
        InvalidInput: it cannot be used.
    """
    if people.set_name(user.id, name) != user.name:
        note("profile_changed", actor, user.id)


def change_password(visit: Visit) -> Response:
    """A new password, for whoever knows the old one and has shown the rest; other sessions end."""
    user = visit.person
    assert visit.session is not None
    is_enough = user.has_password and not visit.services.second_factors.has_any(user)
    if not is_enough and not visit.may_send:
        return visit.redirect("/sign-in/confirm?next=/account")
    if user.has_password:
        try:
            user = visit.services.people.check_password(
                user.email,
                visit.form.get("current", ""),
                visit.address,
                session_id=visit.session.id,
            )
        except SignInFailed as failed:
            record_failure(visit, failed, "password", user.id)
            return explain(visit, _render, "current", "sign_in.confirm_wrong", failed)
    try:
        # The other proofs were shown some time ago, or not at all: not anew for ten minutes.
        anew = _begin_anew(visit, is_confirmed=None if is_enough else False)
        user = visit.services.people.set_password(
            user.id, visit.form.get("password", ""), user.mark, anew
        )
        visit.remember_device(user)
    except InvalidInput as error:
        return _render(visit, explain_choice(visit, error), 422)
    except SignInFailed:  # somebody else has just changed it
        return visit.redirect("/sign-in")
    return visit.redirect("/account?done=password")


@contextmanager
def _begin_anew(visit: Visit, *, is_confirmed: bool | None) -> Iterator[Any]:
    """One transaction for a new password, its line, and the session in the place of all others."""
    user_id = visit.person.id
    with visit.changing_session() as note, visit.services.audit.store.write() as connection:
        yield connection
        note("password_changed", user_id, user_id, method="account")
        visit.begin_session(user_id, is_confirmed=is_confirmed, note=note)


def end_session(visit: Visit) -> Response:
    """End one of the person's sessions.

    Raises:
        NotFound: they have none with this id.
    """
    wanted = visit.request.path_params["session_id"]
    sessions = visit.services.sessions
    if wanted not in {session.id for session in sessions.list(visit.person.id)}:
        raise NotFound("there is no such session")
    with visit.services.audit.together() as note:
        sessions.end(wanted)
        note("sessions_ended", visit.person.id, wanted)
    if visit.session is not None and wanted == visit.session.id:
        visit.end_session()
        return visit.redirect("/")
    return visit.redirect("/account?done=ended")


def end_others(visit: Visit) -> Response:
    """End all of the person's sessions but this one."""
    assert visit.session is not None
    sessions = visit.services.sessions
    others = [one.id for one in sessions.list(visit.person.id) if one.id != visit.session.id]
    with visit.services.audit.together() as note:
        sessions.end_all(visit.person.id, visit.session.id)
        if others:
            note("sessions_ended", visit.person.id, visit.person.id)
    return visit.redirect("/account?done=ended")


def disconnect(visit: Visit) -> Response:
    """Forget an identity at the provider; sessions that came by it are its no longer."""
    form, person, services = visit.form, visit.person, visit.services
    assert visit.session is not None
    try:
        with services.audit.together() as note:
            if services.identities.disconnect(
                person.id, form.get("issuer", ""), form.get("subject", "")
            ):
                services.sessions.take(visit.session.id, BY_PROVIDER)
                services.sessions.end_all(person.id, visit.session.id)
                note("identity_disconnected", person.id, person.id)
    except InvalidInput:
        return _render(visit, {"identities": visit.t("account.identity_last")}, 422)
    return visit.redirect("/account?done=disconnected")
