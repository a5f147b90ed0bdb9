"""The server: everybody's keys, clients, rules, signing keys, the corpus."""

from collections.abc import Mapping
from datetime import UTC, datetime

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.keys.api_keys import MOST_ENDED
from fundstelle.accounts.policies import KEY_DAYS, Policy, RulesChanged
from fundstelle.accounts.secrets import create_secret
from fundstelle.backup.trace import read_trace
from fundstelle.corpus import builds, updates
from fundstelle.errors import CorpusError, InvalidInput
from fundstelle.portal import keys
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.query import read_choice
from fundstelle.portal.frame.visits import FormSent, Visit
from fundstelle.portal.holdings import count_held, describe_sources

_CLIENTS = 100  # that registered themselves, on a page
_MOST_MISSING = 2_000  # laws that are named
_MOST_REJECTED = 500  # files of a build, of which one in a hundred may be so
_MOST_PROBLEMS = 50  # of one source in the report of an update


def build_routes(pages: Pages) -> list[Route]:
    """The pages of administration."""
    shown = (
        ("/admin/keys", show_keys),
        ("/admin/clients", show_clients),
        ("/admin/limits", show_limits),
        ("/admin/signing", show_signing_keys),
        ("/admin/corpus", show_corpus),
    )
    sent = (
        ("/admin/keys/{key_id}/revoke", revoke_key),
        ("/admin/clients", create_client),
        ("/admin/clients/{client_id}/redirects", change_redirects),
        ("/admin/clients/{client_id}/revoke", revoke_client),
        ("/admin/limits", change_limits),
        ("/admin/signing", rotate_signing_key),
    )
    return [
        *(pages.route(path, handler, Needs.ADMIN) for path, handler in shown),
        *(pages.route(path, handler, Needs.ADMIN, ("POST",)) for path, handler in sent),
    ]


def show_keys(visit: Visit) -> Response:
    """All keys, those of the command line included."""
    owners = {user.id: user.name for user in visit.services.people.list()}
    rows = keys.describe(visit, visit.services.keys.list(most_ended=MOST_ENDED))
    return visit.render("admin_keys.html", rows=rows, owners=owners, most=MOST_ENDED)


def revoke_key(visit: Visit) -> Response:
    """End anybody's key."""
    key_id = visit.request.path_params["key_id"]
    with visit.services.audit.together() as note:
        if visit.services.keys.revoke(key_id):  # else it ended before, and the log has it
            note("key_revoked", visit.person.id, key_id)
    return visit.redirect("/admin/keys")


def show_clients(visit: Visit) -> Response:
    """Registered clients, and a form for a confidential one."""
    return _render_clients(visit, {})


def _render_clients(
    visit: Visit, errors: Mapping[str, object], created: tuple[str, str] | None = None
) -> Response:
    return visit.render(
        "admin_clients.html",
        status=422 if errors else 200,
        clients=visit.services.clients.list(_CLIENTS),
        most=_CLIENTS,
        errors=errors,
        created=created,
        once=create_secret(),
    )


def create_client(visit: Visit) -> Response:
    """A confidential client, such as the enterprise connector's; its secret is shown once.

    The same form sent again makes no other one.
    """
    uris = visit.form.get("redirect_uris", "").split()
    try:
        with visit.making_once() as note:
            client_id, secret = visit.services.clients.create_confidential(
                visit.form.get("name", "").strip(), uris
            )
            note("client_registered", visit.person.id, client_id)
    except FormSent:
        return visit.redirect("/admin/clients")
    except InvalidInput as error:
        return _render_clients(visit, {error.field or "name": visit.t("admin.client_wrong")})
    return _render_clients(visit, {}, (client_id, secret))


def change_redirects(visit: Visit) -> Response:
    """New redirect addresses of a confidential client."""
    client_id = visit.request.path_params["client_id"]
    uris = visit.form.get("redirect_uris", "").split()
    try:
        with visit.services.audit.together() as note:
            visit.services.clients.set_redirects(client_id, uris)
            note("client_changed", visit.person.id, client_id)
    except InvalidInput:
        return _render_clients(visit, {"redirect_uris": visit.t("admin.client_wrong")})
    return visit.redirect("/admin/clients")


def revoke_client(visit: Visit) -> Response:
    """End a client and every grant it holds."""
    client_id = visit.request.path_params["client_id"]
    grants = visit.services.grants
    with visit.services.audit.together() as note:
        grants.revoke_all(client_id=client_id, reason="admin")
        visit.services.clients.revoke(client_id)
        grants.revoke_all(client_id=client_id, reason="admin")  # given in between
        note("client_revoked", visit.person.id, client_id)
    return visit.redirect("/admin/clients")


def show_limits(visit: Visit) -> Response:
    """The rules that hold for everybody."""
    return render_limits(visit, {})


def render_limits(
    visit: Visit, errors: Mapping[str, object], *, is_stale: bool = False
) -> Response:
    """The same, with what is wrong with a form of it."""
    done = bool(read_choice(visit, "done", ("saved",)))
    return visit.render(
        "admin_limits.html",
        status=409 if is_stale else 422 if errors else 200,
        is_stale=is_stale,
        errors=errors,
        policy=visit.services.policies.read(),
        settings=visit.services.settings,
        days=KEY_DAYS,
        done=done,
    )


def change_limits(visit: Visit) -> Response:
    """Save the rules."""
    form = visit.form
    days = {str(one): one for one in (0, *KEY_DAYS)}.get(form.get("key_days", "0"))
    if days is None:  # of an older page, or of a form made by hand
        return visit.render("problem.html", status=422, title="problem.form", code=422)
    policy = Policy(
        key_days=days,
        open_sign_up=form.get("open_sign_up") == "on",
        public_pages=form.get("public_pages") == "on",
        second_factor=form.get("second_factor") == "on",
    )
    try:
        with visit.services.audit.together() as note:
            changed = visit.services.policies.write(policy, form.get("made_of", ""))
            if changed:
                note("limits_changed", visit.person.id, " ".join(changed), changed=changed)
    except RulesChanged:
        return render_limits(visit, {}, is_stale=True)
    return visit.redirect("/admin/limits?done=saved")


def show_signing_keys(visit: Visit) -> Response:
    """The keys that tokens are signed with."""
    return visit.render("admin_signing.html", keys=visit.services.authorization.signing_keys.list())


def rotate_signing_key(visit: Visit) -> Response:
    """Publish the next key; it signs once every client has seen it."""
    with visit.services.audit.together() as note:
        kid = visit.services.authorization.signing_keys.rotate()
        note("signing_key_rotated", visit.person.id, kid)
    return visit.redirect("/admin/signing")


def show_corpus(visit: Visit) -> Response:
    """The builds, the sources of the live one, their Stand and last update."""
    data = visit.services.settings.data
    active = builds.read_pointer(data)
    try:
        built = builds.list_builds(data)
        live = builds.read_manifest(builds.get_folder(data, active)) if active else None
    except CorpusError:
        built, live = [], None
    sources = describe_sources(live, datetime.now(UTC).date()) if live else []
    with visit.services.library() as library:
        missing = library.store.missing.laws if library else ()
        counted = count_held(library) if library else None
    return visit.render(
        "admin_corpus.html",
        builds=built,
        active=active,
        live=live,
        sources=sources,
        missing=missing[:_MOST_MISSING],
        missing_count=len(missing),
        held=counted,
        rejected=live.rejected[:_MOST_REJECTED] if live else (),
        update=updates.read_report(data),
        most_problems=_MOST_PROBLEMS,
        backup=read_trace(data),
    )
