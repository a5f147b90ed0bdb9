"""Feeds of what changed, for whoever wants to be told: of all laws, or of one (RFC 4287).

A feed says what was seen: the day of an entry is that of a look, of an EU act's version, or, where
something says so, the first in force. Its entity tag is that of the build, so that a reader which
comes back every hour is told in a few bytes that there is nothing new.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256

from starlette.responses import Response

from fundstelle.law.norms import Statute
from fundstelle.lookup.addresses import norm_path
from fundstelle.lookup.dating.changed_laws import DayOfChange, list_newest_changes
from fundstelle.lookup.library import Library
from fundstelle.portal.frame.visits import Visit

MOST_ENTRIES = 100
_NAMED = 20  # provisions of an entry
_MEDIA_TYPE = "application/atom+xml"
_PUBLIC = "public, max-age=300"
_NO_CONTROL = {code: None for code in range(32) if code not in {9, 10, 13}}  # none is in XML


@dataclass(frozen=True, slots=True)
class Entry:
    """What changed in a law on one day, as a feed tells it."""

    address: str
    statute: Statute
    day: date
    kind: str  # seen, new, version, in_force
    names: Sequence[str]
    count: int


def show_changes(visit: Visit, library: Library) -> Response:
    """The newest changes of all laws."""
    return _answer(visit, library, None)


def show_changes_of_law(visit: Visit, library: Library) -> Response:
    """The newest changes of one law; a page tells that there is no such law."""
    statute = library.store.statutes.get(visit.request.path_params["statute_id"])
    if statute is None:
        return visit.render("problem.html", status=404, title="problem.missing", code=404)
    return _answer(visit, library, statute)


def _answer(visit: Visit, library: Library, statute: Statute | None) -> Response:
    base_url, today = visit.services.settings.base_url, datetime.now(UTC).date()
    wanted = statute.statute_id if statute is not None else None
    changes = list_newest_changes(library, today, MOST_ENTRIES, wanted)
    release = library.store.manifest.release
    newest = changes[0].day.isoformat() if changes else ""  # a version may begin by itself
    state = f"{release} {newest} {visit.language} {base_url} {wanted}"
    tag = f'"{sha256(state.encode()).hexdigest()[:32]}"'
    headers = {
        "ETag": tag,
        "Cache-Control": "no-store" if visit.user else _PUBLIC,
        "Vary": "Accept-Language, Cookie",
        "Content-Language": visit.language,
    }
    if _is_known(visit.request.headers.get("if-none-match", ""), tag):
        return visit.finish(Response(status_code=304, headers=headers))
    path = "/changes.atom" if statute is None else f"{norm_path(statute.statute_id)}/changes.atom"
    text = visit.environment.get_template("changes.atom.xml").render(
        t=visit.t,
        language=visit.language,
        address=base_url + path,
        page=base_url + (norm_path(statute.statute_id) if statute is not None else "/"),
        statute=statute,
        updated=_write_moment(changes[0].day if changes else library.store.manifest.stand),
        entries=[_describe(library, base_url, change) for change in changes],
        moment=_write_moment,
        day=visit.day,
    )
    body = text.translate(_NO_CONTROL)
    return visit.finish(Response(body, media_type=_MEDIA_TYPE, headers=headers))


def _is_known(sent: str, tag: str) -> bool:
    """Whether one of the tags that were sent is this one, compared weakly (RFC 9110, 13.1.2)."""
    tags = {each.strip().removeprefix("W/") for each in sent[:8_192].split(",")}
    return tag in tags or "*" in tags


def _write_moment(day: date) -> str:
    """The beginning of a day: at which hour of it somebody looked is not held."""
    return f"{day.isoformat()}T00:00:00Z"


def _describe(library: Library, base_url: str, change: DayOfChange) -> Entry:
    """An entry; its page compares the law with the day before, which is also its name."""
    statute, day = change.statute, change.day
    before = day - timedelta(days=1)
    path = norm_path(statute.statute_id, day)
    norms = library.store.get_norms_by_ordinal(change.ordinals[:_NAMED])
    kind = "version" if not statute.has_looks else "new" if change.is_new else "seen"
    return Entry(
        base_url + (path if change.is_new else f"{path}&compare_to={before.isoformat()}"),
        statute,
        day,
        "in_force" if change.is_exact else kind,
        [] if change.is_new else [norm.label for norm in norms],
        len(change.ordinals),
    )
