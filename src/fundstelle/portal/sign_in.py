"""Signing in and out: password, passkey; and showing again who one is."""

from collections.abc import Callable, Mapping
from math import ceil
from time import time
from typing import Any
from urllib.parse import quote

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.guessing.limits import PROOF
from fundstelle.accounts.people.people import SignInFailed, User
from fundstelle.net.networks import find_network
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.query import read_choice
from fundstelle.portal.frame.visits import BY_PROVIDER, Visit
from fundstelle.portal.recovery import note_recovery

# What the pages can say of an identity provider's answer; other reasons stand in the log.
TOLD = ("unknown", "taken", "disabled", "email", "denied", "unreachable", "other", "failed")
PASSKEY = "passkey"  # the challenge, in the session

_BOTH = frozenset(("passkey", "provider"))  # both factors at once, or as good as
AND = "+"  # before what else somebody has shown: a code, a recovery code


def build_routes(pages: Pages) -> list[Route]:
    """The pages of signing in."""
    return [
        pages.route("/sign-in", show_sign_in, Needs.NOBODY),
        pages.route("/sign-in", sign_in, Needs.NOBODY, ("POST",)),
        pages.route("/sign-in/passkey", use_passkey, Needs.NOBODY, ("POST",)),
        pages.route("/sign-in/confirm", show_confirm),
        pages.route("/sign-in/confirm", confirm, Needs.PERSON, ("POST",)),
        pages.route("/sign-out", sign_out, Needs.NOBODY, ("POST",)),
    ]


def show_sign_in(visit: Visit) -> Response:
    """Ask for address and password, or offer what else there is."""
    if visit.user is not None:
        return visit.redirect(visit.next_path)
    return render_sign_in(visit, {})


def render_sign_in(
    visit: Visit, errors: Mapping[str, object], status: int = 200, problem: str = ""
) -> Response:
    """The page of signing in, with what was wrong before."""
    return visit.render(
        "sign_in.html",
        status=status,
        errors=errors,
        problem=problem,
        email=visit.form.get("email", ""),
        next_path=visit.next_path,
        passkey=offer_passkey(visit),
        has_provider=visit.services.identities.provider is not None,
        may_sign_up=visit.services.policies.read().open_sign_up,
    )


def offer_passkey(visit: Visit) -> str:
    """What the browser is to ask the person's device, as JSON; empty where it cannot."""
    passkeys = visit.services.second_factors.passkeys
    if not passkeys.are_possible:
        return ""
    ceremony = passkeys.begin_authentication()
    session = visit.session or visit.begin_session(None)
    visit.services.sessions.put(session.id, {PASSKEY: ceremony.challenge})
    return ceremony.options


def sign_in(visit: Visit) -> Response:
    """Check address and password."""
    email = visit.form.get("email", "")
    try:
        user = visit.services.people.check_password(
            email, visit.form.get("password", ""), visit.address, device=visit.device
        )
    except SignInFailed as failed:
        known = visit.services.people.find_by_email(email)
        record_failure(visit, failed, "password", known.id if known else "")
        return explain(visit, render_sign_in, "password", "sign_in.wrong", failed)
    return go_on(visit, user, "password")


def go_on(visit: Visit, user: User, method: str) -> Response:
    """After the password: ask for the code of those who have an app, let the others in."""
    if user.has_totp:
        pending = {
            "user": user.id,
            "since": time(),
            "next": visit.keep_next(),
            "method": method,
            "mark": user.mark,
        }
        visit.begin_session(None, pending=pending)
        return visit.redirect("/sign-in/code")
    return let_in(visit, user, method, visit.next_path)


def let_in(visit: Visit, user: User, method: str, path: str) -> Response:
    """A new session for somebody who has shown who they are, and a browser known from now on.

    Whoever has a passkey and shows a password alone is in, and is asked for the passkey before
    anything delicate.
    """
    is_all = method in _BOTH or AND in method
    is_confirmed: bool | None = is_all
    if not is_all and not visit.services.second_factors.has_any(user):
        is_confirmed = _is_password_all(visit)
    try:
        proven: dict[str, Any] = {BY_PROVIDER: time()} if method == "provider" else {}
        visit.begin_session(user.id, is_confirmed=is_confirmed, mark=user.mark, **proven)
    except SignInFailed:
        return visit.redirect("/sign-in")
    visit.remember_device(user)
    visit.services.people.note_sign_in(user.id)
    visit.services.audit.record("sign_in", user.id, user.id, method=method)
    return visit.redirect(path)


def _is_password_all(visit: Visit) -> bool | None:
    """Of somebody who had no passkey when last asked; ``None`` = one may be added this moment."""
    return None if visit.services.second_factors.passkeys.are_possible else True


def explain(
    visit: Visit,
    render: Callable[[Visit, Mapping[str, object], int], Response],
    field: str,
    text: str,
    failed: SignInFailed,
) -> Response:
    """The page again, with what was wrong beside its field, or how long to wait."""
    if failed.retry_after is None:
        return render(visit, {field: visit.t(text)}, 422)
    seconds = ceil(failed.retry_after)
    wait = f"{seconds} s" if seconds < 120 else f"{ceil(seconds / 60)} min"
    answer = render(visit, {field: visit.t("sign_in.wait", wait=wait)}, 429)
    answer.headers["Retry-After"] = str(seconds)
    return answer


def record_failure(visit: Visit, failed: SignInFailed, method: str, user_id: str = "") -> None:
    """A line in the log, save for attempts that are counted instead.

    An address that nobody has is not written down.
    """
    if failed.is_counted:
        return
    event = "sign_in_failed" if failed.retry_after is None else "sign_in_blocked"
    visit.services.audit.record(event, "nobody", user_id, method=method)


def record_refusal(visit: Visit, method: str, user_id: str = "") -> None:
    """The same where nothing can be guessed and nobody waits: of many, the first are written."""
    network = find_network(visit.address)
    blocked = visit.services.throttle.take((PROOF, network), about=user_id)
    record_failure(visit, SignInFailed(blocked), method, user_id)


def use_passkey(visit: Visit) -> Response:
    """Check a passkey; for somebody who is signed in, it shows again who they are."""
    render = render_sign_in if visit.user is None else _render_confirm
    try:
        user = _check_passkey(visit)
    except SignInFailed as failed:
        record_refusal(visit, "passkey", visit.user.id if visit.user else "")
        return explain(visit, render, "use-passkey", "sign_in.passkey_wrong", failed)
    return let_in(visit, user, "passkey", visit.next_path)


def _check_passkey(visit: Visit) -> User:
    """Whose passkey has answered this session's challenge.

    Raises:
        SignInFailed: nobody's, or another's than the one of the person who is signed in.
    """
    challenge = visit.services.sessions.take(visit.session.id, PASSKEY) if visit.session else None
    user = visit.services.second_factors.passkeys.authenticate(
        challenge if isinstance(challenge, str) else "", visit.form.get("answer", "")
    )
    if visit.user is not None and user.id != visit.user.id:
        raise SignInFailed
    return user


def show_confirm(visit: Visit) -> Response:
    """Ask again who it is, before something delicate."""
    return _render_confirm(visit, {})


def _render_confirm(visit: Visit, errors: Mapping[str, object], status: int = 200) -> Response:
    user = visit.person
    provider = visit.services.identities.provider
    has_passkey = visit.services.second_factors.has_passkey(user)
    return visit.render(
        "sign_in_confirm.html",
        status=status,
        errors=errors,
        next_path=visit.next_path,
        by_password=_may_confirm_by_password(visit),
        code=_name_code(visit),
        passkey=offer_passkey(visit) if has_passkey else "",
        has_provider=provider is not None and bool(visit.services.identities.list(user.id)),
        next_quoted=quote(visit.next_path, safe=""),
        problem=find_problem(visit),
    )


def _may_confirm_by_password(visit: Visit) -> bool:
    """A password alone does not confirm who has more to show; with a code it does."""
    user = visit.person
    has_passkey = visit.services.second_factors.has_passkey(user)
    return user.has_password and (bool(_name_code(visit)) or not has_passkey)


def _name_code(visit: Visit) -> str:
    """The text for the code that is asked for beside the password; empty if there is none.

    Whoever has a passkey alone may have lost it, and show a recovery code in its place.
    """
    factors, user = visit.services.second_factors, visit.person
    if user.has_totp:
        return "sign_in.code_either"
    has_codes = factors.has_passkey(user) and factors.recovery.count(user.id)
    return "sign_in.code_recovery" if has_codes else ""


def find_problem(visit: Visit) -> str:
    """What went wrong at the identity provider, as one of the words we have a text for."""
    return read_choice(visit, "problem", TOLD)


def confirm(visit: Visit) -> Response:
    """Check password and code of the person who is signed in."""
    user, form = visit.person, visit.form
    assert visit.session is not None
    if not _may_confirm_by_password(visit):
        errors = {"use-passkey": visit.t("sign_in.confirm_passkey")}
        return _render_confirm(visit, errors, 422)
    proof = {"session_id": visit.session.id}
    field = method = "password"
    needs_code = bool(_name_code(visit))
    try:
        user = visit.services.people.check_password(
            user.email, form.get("password", ""), visit.address, **proof
        )
        if needs_code or user.has_totp:
            field = "code"
            shown = visit.services.second_factors.check_code(
                user.id, form.get("code", ""), visit.address, **proof
            )
            note_recovery(visit, user.id, shown)
            method = f"password{AND}{shown}"
    except SignInFailed as failed:
        record_failure(visit, failed, field, user.id)
        text = "sign_in.confirm_wrong" if field == "password" else "sign_in.code_wrong"
        return explain(visit, _render_confirm, field, text, failed)
    is_confirmed = True if AND in method else _is_password_all(visit)
    try:
        visit.begin_session(user.id, is_confirmed=is_confirmed, mark=user.mark)
    except SignInFailed:
        return visit.redirect("/sign-in")
    visit.remember_device(user)
    visit.services.audit.record("sign_in", user.id, user.id, method=method, again=True)
    return visit.redirect(visit.next_path)


def sign_out(visit: Visit) -> Response:
    """End the session."""
    if visit.user is not None:
        visit.services.audit.record("sign_out", visit.user.id, visit.user.id)
    visit.end_session()
    return visit.redirect(visit.next_path if visit.form.get("next") else "/")
