"""API keys: list, create, show once, rotate, revoke."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.accounts.keys.api_keys import LONGEST_LIFE, MOST_ENDED, ApiKey, find_end_of
from fundstelle.accounts.keys.reach import EVERYTHING, MOST_NETWORKS, Reach, read_reach
from fundstelle.accounts.names import NAME_CHARS, is_name, tidy_name
from fundstelle.accounts.policies import KEY_DAYS
from fundstelle.accounts.secrets import create_secret
from fundstelle.errors import InvalidInput, NotFound
from fundstelle.portal.connecting.connect import write_ways
from fundstelle.portal.connecting.guides import GUIDES, find_guide
from fundstelle.portal.frame.forms import read_number
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.query import read_choice
from fundstelle.portal.frame.visits import FormSent, Visit
from fundstelle.portal.key_usage import SOON, list_expiring
from fundstelle.tools.registry import TOOL_NAMES

_OVERLAPS = {
    "now": timedelta(),
    "hour": timedelta(hours=1),
    "day": timedelta(hours=24),
    "week": timedelta(days=7),
}
LIVE = frozenset({"live", "soon", "leaving"})
_DEFAULT_DAYS = 90
_MOST_DAYS = 9_999
_FIELDS = ("client", "name", "expiry", "date", "reach", "networks", "decisions")


@dataclass(frozen=True, slots=True)
class Row:
    """A key as the list shows it."""

    key: ApiKey
    state: str  # live, soon, leaving (replaced, and good for a while), expired, revoked, replaced
    calls: int  # in 30 days


def build_routes(pages: Pages) -> list[Route]:
    """The pages of keys."""
    return [
        pages.route("/keys", show_keys),
        pages.route("/keys/new", show_form),
        pages.route("/keys/new", create_key, Needs.FRESH, ("POST",)),
        pages.route("/keys/{key_id}/rotate", show_rotation),
        pages.route("/keys/{key_id}/rotate", rotate_key, Needs.FRESH, ("POST",)),
        pages.route("/keys/{key_id}/revoke", show_revocation),
        pages.route("/keys/{key_id}/revoke", revoke_key, Needs.FRESH, ("POST",)),
    ]


def show_keys(visit: Visit) -> Response:
    """The person's keys; ended ones stand below the live ones."""
    rows = describe(visit, visit.services.keys.list(visit.person.id, MOST_ENDED))
    live = [row for row in rows if row.state in LIVE]
    ended = [row for row in rows if row not in live]
    done = read_choice(visit, "done", ("revoked", "shown"))
    return visit.render(
        "keys.html",
        live=live,
        ended=ended,
        done=done,
        expiring=list_expiring(visit),
    )


def describe(visit: Visit, keys: Sequence[ApiKey]) -> list[Row]:
    """Keys with their state and their calls."""
    calls = visit.services.usage.count_each(key.id for key in keys)
    return [Row(key, _find_state(key), calls[key.id]) for key in keys]


def _find_state(key: ApiKey) -> str:
    now = datetime.now(UTC)
    if key.revoked is not None:
        return "replaced" if key.replaced_by else "revoked"
    if key.expires is not None and key.expires <= now:
        return "replaced" if key.replaced_by else "expired"
    if key.replaced_by:
        return "leaving"
    return "soon" if key.expires is not None and key.expires - now < SOON else "live"


def show_form(visit: Visit) -> Response:
    """What a new key is for, its name and its life."""
    client = find_guide(read_choice(visit, "client", [one.slug for one in GUIDES]))
    ask = visit.ask_first()
    if ask is not None:
        return ask
    days = _list_days(visit)
    values = {
        "client": client.slug if client else "",
        "name": _suggest_name(visit, client.title if client else ""),
        "expiry": str(_DEFAULT_DAYS if _DEFAULT_DAYS in days else days[0]),
        "date": "",
        "reach": "all",
        "networks": "",
        "decisions": "",
    }
    return _render_form(visit, values, {})


def _render_form(visit: Visit, values: Mapping[str, str], errors: Mapping[str, object]) -> Response:
    return visit.render(
        "key_new.html",
        status=422 if errors else 200,
        values=values,
        errors=errors,
        clients=GUIDES,
        days=_list_days(visit),
        may_stay=_may_stay(visit),
        once=create_secret(),
        tools=TOOL_NAMES,
    )


def _list_days(visit: Visit) -> list[int]:
    most = visit.services.policies.read().key_days
    return [days for days in KEY_DAYS if not most or days <= most] or [most]


def _may_stay(visit: Visit) -> bool:
    return _find_longest(visit) is None


def _find_longest(visit: Visit) -> timedelta | None:
    """How long a key may live by the rules in force; ``None`` = it need not expire."""
    days = visit.services.policies.read().key_days
    return timedelta(days=days) if days else None


def _suggest_name(visit: Visit, title: str) -> str:
    base = title or visit.t("keys.first_name")
    taken = {
        key.name for key in visit.services.keys.list(visit.person.id, MOST_ENDED) if not key.revoked
    }
    number = next(n for n in count(1) if (base if n == 1 else f"{base} {n}") not in taken)
    return str(base if number == 1 else f"{base} {number}")


def create_key(visit: Visit) -> Response:
    """Make the key and show it, this once: the same form sent again shows nothing."""
    form = visit.form
    errors: dict[str, object] = {}
    name = tidy_name(form.get("name", ""))
    if not is_name(name):
        errors["name"] = visit.t("keys.name_wrong", most=NAME_CHARS)
    expires = _read_expiry(visit, errors)
    reach = _read_reach(visit, errors)
    values = {field: form.get(field, "") for field in _FIELDS}
    values |= {name: "on" for name in TOOL_NAMES if form.get(name) == "on"}
    if errors:
        return _render_form(visit, values, errors)
    client = find_guide(form.get("client", ""))
    keys = visit.services.keys
    try:
        with visit.making_once() as note:
            slug = client.slug if client else None
            person = visit.person.id
            plain, key = keys.create(
                name, expires=expires, user_id=person, client=slug, reach=reach
            )
            note("key_created", visit.person.id, key.id)
    except FormSent:
        return visit.redirect("/keys?done=shown")
    except InvalidInput as error:
        if error.field != "keys":
            raise
        return _render_form(visit, values, {"name": _explain_too_many(visit)})
    return _show_once(visit, plain, key)


def _read_reach(visit: Visit, errors: dict[str, object]) -> Reach:
    """What the key shall be for: tools, networks it is used from, decisions or laws alone."""
    form = visit.form
    is_part = form.get("reach") == "some"
    tools = [name for name in TOOL_NAMES if not is_part or form.get(name) == "on"]
    try:
        networks = form.get("networks", "").replace(",", " ").split()
        decisions = form.get("decisions") != "none"
        return read_reach(tools, networks, TOOL_NAMES, decisions=decisions)
    except InvalidInput as error:
        if error.field == "tools":
            errors["reach"] = visit.t("keys.tools_wrong")
        else:
            errors["networks"] = visit.t("keys.networks_wrong", most=MOST_NETWORKS)
        return EVERYTHING


def _explain_too_many(visit: Visit) -> str:
    return visit.t("keys.too_many", most=visit.services.keys.most_of_a_person)


def _read_expiry(visit: Visit, errors: dict[str, object]) -> datetime | None:
    """The moment at which the key ends; ``None`` = never."""
    chosen = visit.form.get("expiry", "")
    now = datetime.now(UTC).replace(microsecond=0)
    if chosen == "never" and _may_stay(visit):
        return None
    days = read_number(chosen, _MOST_DAYS)
    if days is not None and days in _list_days(visit):
        return now + timedelta(days=days)
    if chosen == "date":
        most = visit.services.policies.read().key_days
        try:
            day = datetime.strptime(visit.form.get("date", ""), "%Y-%m-%d").replace(tzinfo=UTC)
            ends = find_end_of(day)
        except (ValueError, InvalidInput):
            errors["date"] = visit.t("keys.date_wrong")
            return None
        if ends <= now:
            errors["date"] = visit.t("keys.date_past")
        elif ends - now > LONGEST_LIFE:
            errors["date"] = visit.t("keys.date_wrong")
        elif most and ends > now + timedelta(days=most + 1):
            errors["date"] = visit.t("keys.date_late", days=most)
        # The last day that is allowed ends after the life that is allowed.
        return min(ends, now + timedelta(days=most)) if most else ends
    errors["expiry"] = visit.t("keys.expiry_wrong")
    return None


def _show_once(visit: Visit, plain: str, key: ApiKey) -> Response:
    client = find_guide(key.client or "")
    return visit.render(
        "key_once.html",
        plain=plain,
        key=key,
        client=client,
        ways=write_ways(client, visit, plain, with_key_only=True) if client else (),
        clients=GUIDES,
    )


def _find_own(visit: Visit) -> ApiKey:
    """The key of the address, if it is the person's; an admin's reach is the admin pages'.

    Raises:
        NotFound: it is not.
    """
    wanted = visit.request.path_params["key_id"]
    for key in visit.services.keys.list(visit.person.id, MOST_ENDED):
        if key.id == wanted:
            return key
    raise NotFound("there is no such key")


def show_rotation(visit: Visit) -> Response:
    """Ask when the old key shall end."""
    return _render_rotation(visit, _find_own(visit), {})


def _render_rotation(visit: Visit, key: ApiKey, errors: Mapping[str, object]) -> Response:
    status = 422 if errors else 200
    return visit.render(
        "key_rotate.html", status=status, key=key, once=create_secret(), errors=errors
    )


def rotate_key(visit: Visit) -> Response:
    """A new key in the place of the old one, shown once."""
    old = _find_own(visit)
    overlap = _OVERLAPS.get(visit.form.get("overlap", ""), timedelta())
    try:
        with visit.making_once() as note:
            plain, key = visit.services.keys.rotate(
                old.id, overlap, _find_longest(visit), visit.person.id
            )
            note("key_rotated", visit.person.id, old.id, replaced_by=key.id)
    except FormSent:
        return visit.redirect("/keys?done=shown")
    except InvalidInput as error:
        if error.field != "keys":
            return visit.redirect("/keys")
        return _render_rotation(visit, old, {"day": visit.t("keys.too_many_old")})
    return _show_once(visit, plain, key)


def show_revocation(visit: Visit) -> Response:
    """Ask for the key's name, so that none is ended by mistake."""
    return visit.render("key_revoke.html", key=_find_own(visit), errors={})


def revoke_key(visit: Visit) -> Response:
    """End the key for good."""
    key = _find_own(visit)
    if tidy_name(visit.form.get("name", "")) != tidy_name(key.name):
        errors = {"name": visit.t("keys.name_differs", name=key.name)}
        return visit.render("key_revoke.html", status=422, key=key, errors=errors)
    with visit.services.audit.together() as note:
        if visit.services.keys.revoke(key.id):  # else the log has it
            note("key_revoked", visit.person.id, key.id)
    return visit.redirect("/keys?done=revoked")
