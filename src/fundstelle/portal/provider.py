"""Signing in at the firm's identity provider: there, and back again."""

from typing import Any
from urllib.parse import quote

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.audit.log import SYSTEM, Record
from fundstelle.accounts.people.identities import SignedIn
from fundstelle.accounts.people.identity_provider import (
    IdentityProvider,
    IdentityRefused,
    ProvenIdentity,
    SignInRequest,
)
from fundstelle.accounts.people.people import SignInFailed
from fundstelle.accounts.secrets import hash_secret
from fundstelle.errors import InvalidInput, NotFound, SourceError
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.query import read_choice, read_text
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.gate.gate import Kind
from fundstelle.portal.sign_in import TOLD, let_in, record_refusal, render_sign_in

START = "/sign-in/provider"
DONE = "/sign-in/provider/done"

_KEPT = "provider"  # the question, in the session
_PURPOSES = ("sign_in", "confirm", "connect")


def build_routes(pages: Pages) -> list[Route]:
    """The way to the provider and back."""
    return [
        pages.route(START, start, Needs.NOBODY, kind=Kind.PROVIDER),
        pages.route(DONE, finish, Needs.NOBODY, kind=Kind.PROVIDER),
    ]


def _require_provider(visit: Visit) -> IdentityProvider:
    """The provider.

    Raises:
        NotFound: there is none, so there is no such page.
    """
    provider = visit.services.identities.provider
    if provider is None:
        raise NotFound("there is no such page")
    return provider


def start(visit: Visit) -> Response:
    """Send somebody to the provider.

    A plain address and not a form: our policy lets no form's answer lead to another host. Another
    site may start this too, so what it does for somebody signed in waits for a click of ours.
    """
    provider = _require_provider(visit)
    purpose = read_choice(visit, "for", _PURPOSES, "sign_in")
    is_ours = visit.request.headers.get("sec-fetch-site", "same-origin") == "same-origin"
    if purpose != "sign_in" and not (visit.user and is_ours):
        return visit.redirect("/sign-in")
    if purpose == "sign_in" and visit.user is not None:
        return visit.redirect(visit.next_path)
    if purpose == "connect" and (ask := visit.ask_first()) is not None:
        return ask
    try:
        address, question = provider.begin(fresh=purpose == "confirm")
    except SourceError:
        return _refuse(visit, purpose, "unreachable")
    session = visit.session or visit.begin_session(None)
    link = read_text(visit, "link")
    kept = {
        "question": question.to_data(),
        "for": purpose,
        "next": visit.keep_next(),
        "link": hash_secret(link).hex() if link else "",
    }
    visit.services.sessions.put(session.id, {_KEPT: kept})
    return visit.leave(address)


def finish(visit: Visit) -> Response:
    """Back from the provider."""
    provider = _require_provider(visit)
    kept = visit.services.sessions.take(visit.session.id, _KEPT) if visit.session else None
    if not isinstance(kept, dict):
        return visit.redirect("/sign-in")
    purpose = str(kept["for"])
    try:
        proven = provider.finish(
            SignInRequest(**kept["question"]), dict(visit.request.query_params)
        )
        return _act(visit, purpose, proven, kept)
    except IdentityRefused as refused:
        return _refuse(visit, purpose, refused.reason)
    except SourceError:
        return _refuse(visit, purpose, "unreachable")


def _act(visit: Visit, purpose: str, proven: ProvenIdentity, kept: dict[str, Any]) -> Response:
    """Do what they went there for.

    Raises:
        IdentityRefused: it is not theirs to do.
    """
    identities = visit.services.identities
    path = visit.find_next(kept["next"])
    if purpose == "sign_in":
        may_join = visit.services.policies.read().open_sign_up
        link = bytes.fromhex(kept["link"]) or None
        with visit.services.audit.together() as note:
            signed_in = identities.sign_in(proven, may_join=may_join, link=link)
            _note(note, signed_in)
        # The provider asks for its own second factor; ours would be a third.
        return let_in(visit, signed_in.user, "provider", path)
    if visit.user is None:
        return visit.redirect("/sign-in")
    if purpose == "confirm":
        with visit.services.audit.together() as note:
            signed_in = identities.confirm(visit.user.id, proven)
            _note(note, signed_in)
        return let_in(visit, signed_in.user, "provider", path)
    if not visit.may_send:  # another way in is as delicate as another factor
        return visit.redirect("/sign-in/confirm?next=/account")
    try:
        assert visit.session is not None
        with visit.services.audit.together() as note:
            identities.connect(visit.user.id, proven, visit.session.id, visit.user.mark)
            note("identity_connected", visit.user.id, visit.user.id)
    except SignInFailed:  # while the provider was asked
        return visit.redirect("/sign-in")
    except InvalidInput:
        raise IdentityRefused("other") from None
    return visit.redirect("/account?done=connected")


def _note(note: Record, signed_in: SignedIn) -> None:
    """What it has changed: a line each, in the transaction that changes it."""
    user = signed_in.user
    if signed_in.is_new:
        note("person_joined", user.id, user.id, method="provider")
    if signed_in.old_role != user.role:
        note(f"person_{user.role}", SYSTEM, user.id, method="provider")


def _refuse(visit: Visit, purpose: str, reason: str) -> Response:
    record_refusal(visit, f"provider: {reason}", visit.user.id if visit.user else "")
    told = reason if reason in TOLD else "failed"
    if purpose == "connect":
        return visit.redirect(f"/account?problem={told}")
    if purpose == "confirm":
        return visit.redirect(f"/sign-in/confirm?problem={told}&next={quote(visit.next_path)}")
    return render_sign_in(visit, {}, 403, problem=told)
