"""Whether a program has called yet: what the page of a program waits for after its instructions."""

from dataclasses import dataclass

from markupsafe import Markup
from starlette.responses import JSONResponse, Response

from fundstelle.accounts.keys.api_keys import MOST_ENDED
from fundstelle.portal.connecting.guide import Guide
from fundstelle.portal.connecting.guides import find_guide
from fundstelle.portal.frame.visits import Visit

_DAYS = 365


@dataclass(frozen=True, slots=True)
class Arrival:
    """What a person's keys and apps for one program have done."""

    text: str | Markup
    came: bool


def name_guide(guide: Guide, visit: Visit) -> str | Markup:
    """What the page calls a program; the last has no name of its own."""
    return visit.t("connect.other") if guide.slug == "other" else guide.title


def find_arrival(guide: Guide, title: str | Markup, visit: Visit) -> Arrival:
    """The calls of the person's keys that were made for a program, and of it signed in by OAuth."""
    services, person = visit.services, visit.person
    keys = services.keys.list(person.id, MOST_ENDED)
    used = {key.id: key.last_used for key in keys if key.client == guide.slug}
    for grant in services.grants.list_live(person.id):
        if guide.is_called(grant.client_name):
            used[grant.id] = grant.last_used
    counted = services.usage.count_each(used, _DAYS)
    calls = sum(counted[credential] for credential in used)
    if calls:
        return Arrival(visit.t("connect.came", client=title, calls=calls), came=True)
    if any(used.values()):
        return Arrival(visit.t("connect.knocked", client=title), came=False)
    return Arrival(visit.t("connect.waiting", client=title), came=False)


def tell_arrival(visit: Visit) -> Response:
    """The same for the page that asks again and again."""
    guide = find_guide(visit.request.path_params["client"])
    if guide is None:
        return JSONResponse({"error": "not_found"}, 404)
    arrival = find_arrival(guide, name_guide(guide, visit), visit)
    text = arrival.text
    return JSONResponse(
        {
            "came": arrival.came,
            "text": text.unescape() if isinstance(text, Markup) else text,  # it is no page
        }
    )
