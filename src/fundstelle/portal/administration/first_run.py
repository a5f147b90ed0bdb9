"""The first steps of a server: a list for admins on the start page, ticked by what is there."""

from dataclasses import dataclass
from datetime import datetime

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.backup.trace import read_trace
from fundstelle.errors import NotFound
from fundstelle.lookup.library import Library
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import BY_PROVIDER, Visit

AWAY = "/admin/first-run/away"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its text by ``key``, where it is done, and when that was, if this is known."""

    key: str
    path: str
    is_done: bool
    when: datetime | None = None


def build_routes(pages: Pages) -> list[Route]:
    """The form that puts the list away. Nothing delicate: who is signed in may send it."""
    return [pages.route(AWAY, put_away, Needs.PERSON, ("POST",))]


def put_away(visit: Visit) -> Response:
    """Show the list to no admin any more.

    Raises:
        NotFound: the person is no admin.
    """
    if visit.person.role != "admin":
        raise NotFound("there is no such page")
    visit.services.policies.put_away()
    return visit.redirect("/")


def list_steps(visit: Visit, library: Library | None) -> tuple[Step, ...]:
    """The steps as they are now; none for whoever is no admin, or where they were put away."""
    services, user = visit.services, visit.user
    if user is None or user.role != "admin" or services.policies.is_put_away():
        return ()
    by_provider = visit.session is not None and bool(visit.session.data.get(BY_PROVIDER))
    manifest = library.store.manifest if library else None
    is_current = (
        manifest is not None
        and not manifest.demonstration
        and not any(one.problem for one in manifest.sources)
    )
    backup = read_trace(services.settings.data)
    return (
        Step("account", "/account", is_done=True, when=user.created),
        Step("factor", "/account", services.second_factors.has_any(user) or by_provider),
        Step("invite", "/admin#invite", _has_company(visit)),
        Step("connect", "/connect", _has_client(visit)),
        Step("corpus", "/admin/corpus", is_current, manifest.built_at if manifest else None),
        Step("backup", "/admin/corpus#backup", backup is not None, backup),
    )


def _has_company(visit: Visit) -> bool:
    services = visit.services
    return len(services.people.list()) > 1 or bool(services.invitations.list())


def _has_client(visit: Visit) -> bool:
    """Whether a key has been used, or an app was let in."""
    services = visit.services
    used = (key for key in services.keys.list() if key.last_used is not None)
    return next(used, None) is not None or bool(services.grants.list())
