"""Setting up and removing second factors: an authenticator app, passkeys."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.people.people import SignInFailed
from fundstelle.accounts.people.second_factors import TotpOffer
from fundstelle.errors import AccountsError, InvalidInput, NotFound
from fundstelle.portal import recovery
from fundstelle.portal.frame.duty import SET_UP
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import AFTER_FACTOR, Visit
from fundstelle.portal.join import explain_choice

_OFFER = "totp"  # the sealed secret, in the session
_CHALLENGE = "new_passkey"


def build_routes(pages: Pages) -> list[Route]:
    """The pages of second factors."""
    return [
        pages.route(SET_UP, show_choice),
        pages.route("/account/totp", show_totp),
        pages.route("/account/totp.svg", draw_totp),
        pages.route("/account/totp", confirm_totp, Needs.FRESH, ("POST",)),
        pages.route("/account/totp/remove", remove_totp, Needs.FRESH, ("POST",)),
        pages.route("/account/passkeys/new", show_passkey),
        pages.route("/account/passkeys/new", add_passkey, Needs.FRESH, ("POST",)),
        pages.route(
            "/account/passkeys/{passkey_id}/remove", remove_passkey, Needs.FRESH, ("POST",)
        ),
    ]


def show_choice(visit: Visit) -> Response:
    """What somebody may set up whom the rules ask for a second factor; then they go on."""
    factors = visit.services.second_factors
    if factors.has_any(visit.person):
        return visit.redirect(visit.next_path)
    assert visit.session is not None
    visit.services.sessions.put(visit.session.id, {AFTER_FACTOR: visit.keep_next()})
    return visit.render("second_factor.html", may_have_passkeys=factors.passkeys.are_possible)


@contextmanager
def _noting(visit: Visit, event: str, kind: str) -> Iterator[None]:
    """One transaction for what changes within the block and its line."""
    with visit.services.audit.together() as note:
        yield
        note(event, visit.person.id, visit.person.id, kind=kind)


def show_totp(visit: Visit) -> Response:
    """A secret for the app, as a drawing and as text."""
    if visit.person.has_totp:
        return visit.redirect("/account")
    ask = visit.ask_first()
    if ask is not None:
        return ask
    offer = _find_offer(visit)
    if offer is None:
        offer = visit.services.second_factors.offer_totp(visit.person.email)
        assert visit.session is not None
        visit.services.sessions.put(visit.session.id, {_OFFER: offer.sealed})
    return _render_totp(visit, offer, {})


def _find_offer(visit: Visit) -> TotpOffer | None:
    sealed = visit.session.data.get(_OFFER) if visit.session else None
    if not isinstance(sealed, str):
        return None
    try:
        return visit.services.second_factors.reopen_totp(sealed, visit.person.email)
    except AccountsError:
        return None


def _render_totp(
    visit: Visit, offer: TotpOffer, errors: Mapping[str, object], status: int = 200
) -> Response:
    groups = [offer.secret[at : at + 4] for at in range(0, len(offer.secret), 4)]
    return visit.render("totp.html", status=status, errors=errors, secret=" ".join(groups))


def draw_totp(visit: Visit) -> Response:
    """The QR code as a file of its own, so that the page needs no inline style.

    Raises:
        NotFound: nothing is being set up.
    """
    offer = _find_offer(visit)
    if offer is None or not visit.is_fresh:
        raise NotFound("there is no such picture")
    headers = {
        "Cache-Control": "no-store",
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    }
    return visit.finish(Response(offer.draw(), media_type="image/svg+xml", headers=headers))


def confirm_totp(visit: Visit) -> Response:
    """The app's first code: from now on it is asked for."""
    offer = _find_offer(visit)
    if offer is None or visit.person.has_totp:
        return visit.redirect("/account/totp")
    try:
        with visit.changing_session() as note:
            user = visit.services.second_factors.confirm_totp(
                visit.person.id, offer.sealed, visit.form.get("code", ""), visit.person.mark
            )
            user = visit.services.sessions.end_all(user.id, mark=user.mark)
            visit.begin_session(user.id, mark=user.mark, note=note)
            codes = visit.services.second_factors.recovery.begin(user.id, user.mark)
            note("factor_added", user.id, user.id, kind="app")
        visit.user = user
        visit.remember_device(user)
    except InvalidInput:
        return _render_totp(visit, offer, {"code": visit.t("sign_in.code_wrong")}, 422)
    except SignInFailed:  # who signs in with what has just been changed
        return visit.redirect("/sign-in")
    return recovery.show_codes(visit, codes) if codes else visit.redirect("/account?done=totp")


def remove_totp(visit: Visit) -> Response:
    """Ask for no code any more."""
    if visit.person.has_totp:  # else there is nothing to remove, and nothing for the log
        with _noting(visit, "factor_removed", "app"):
            visit.services.second_factors.remove_totp(visit.person.id)
    return visit.redirect("/account?done=totp_removed")


def show_passkey(visit: Visit) -> Response:
    """A form that has the browser make a passkey.

    Raises:
        NotFound: browsers make none for this address.
    """
    passkeys = visit.services.second_factors.passkeys
    if not passkeys.are_possible:
        raise NotFound("there is no such page")
    return visit.ask_first() or _render_passkey(visit, {})


def _render_passkey(visit: Visit, errors: Mapping[str, object], status: int = 200) -> Response:
    ceremony = visit.services.second_factors.passkeys.begin_registration(visit.person)
    assert visit.session is not None
    visit.services.sessions.put(visit.session.id, {_CHALLENGE: ceremony.challenge})
    return visit.render(
        "passkey_new.html",
        status=status,
        errors=errors,
        options=ceremony.options,
        name=visit.form.get("name", visit.agent),
    )


def add_passkey(visit: Visit) -> Response:
    """Keep the passkey that the device has made."""
    assert visit.session is not None
    challenge = visit.services.sessions.take(visit.session.id, _CHALLENGE)
    factors = visit.services.second_factors
    user = visit.person
    try:
        with _noting(visit, "factor_added", "passkey"):
            factors.passkeys.register(
                user.id,
                challenge if isinstance(challenge, str) else "",
                visit.form.get("answer", ""),
                visit.form.get("name", ""),
                user.mark,
            )
            visit.services.sessions.unconfirm_others(user.id, visit.session.id)
            codes = factors.recovery.begin(user.id, user.mark)
    except SignInFailed:  # who signs in with what has just been changed
        return visit.redirect("/sign-in")
    except InvalidInput as error:
        if error.field == "name":
            return _render_passkey(visit, explain_choice(visit, error), 422)
        return _render_passkey(visit, {"name": visit.t("account.passkey_wrong")}, 422)
    return recovery.show_codes(visit, codes) if codes else visit.redirect("/account?done=passkey")


def remove_passkey(visit: Visit) -> Response:
    """Forget a passkey; the device may keep its half."""
    with _noting(visit, "factor_removed", "passkey"):
        visit.services.second_factors.passkeys.remove(
            visit.person.id, visit.request.path_params["passkey_id"]
        )
    return visit.redirect("/account?done=passkey_removed")
