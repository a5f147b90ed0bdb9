"""A key's calls by tool and day, for its owner and for admins; and keys that end soon."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.keys.records import ApiKey
from fundstelle.errors import NotFound
from fundstelle.portal.frame.pages import Pages
from fundstelle.portal.frame.visits import Visit

SOON = timedelta(days=14)  # before its end somebody is told of a key of theirs

_DAYS = 30


def build_routes(pages: Pages) -> list[Route]:
    """The page of a key's calls."""
    return [pages.route("/keys/{key_id}/usage", show_usage)]


def list_expiring(visit: Visit) -> list[ApiKey]:
    """The keys of whoever is signed in that end within two weeks, the first to end first."""
    if visit.user is None:
        return []
    now = datetime.now(UTC)
    ends = [
        (key.expires, key)
        for key in visit.services.keys.list(visit.user.id, 0)
        if key.expires and now < key.expires <= now + SOON and not (key.revoked or key.replaced_by)
    ]
    return [key for _, key in sorted(ends, key=lambda one: one[0])]


def show_usage(visit: Visit) -> Response:
    """The last thirty days of a key, a column for each tool that was called.

    Raises:
        NotFound: there is no such key, or it is another's and the person is no admin.
    """
    key = visit.services.keys.get(visit.request.path_params["key_id"])
    if key.user_id != visit.person.id and visit.person.role != "admin":
        raise NotFound("there is no such key")
    days = visit.services.usage.by_tool(key.id, _DAYS)
    tools = sum(days.values(), Counter())
    return visit.render(
        "key_usage.html",
        key=key,
        tools=tools.most_common(),
        total=tools.total(),
        days=sorted(days.items(), reverse=True),
    )
