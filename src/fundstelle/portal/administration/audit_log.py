"""The audit log: lines as sentences, by kind, person and day, page by page; and whole, to keep."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import chain, islice
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from fundstelle.accounts.audit.events import CALL
from fundstelle.accounts.audit.log import SYSTEM, AuditLine, Wanted
from fundstelle.portal.frame.forms import read_number
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.texts import load_texts
from fundstelle.portal.frame.visits import Visit

_LINES = 100  # on a page
_LINES_AT_ONCE = 200  # of a download, about 80 KB
_KINDS = {"events": False, "calls": True, "all": None}
_MOST_NUMBER = 2**62
_PERSON = "usr_"  # the beginning of ids of people


@dataclass(frozen=True, slots=True)
class Sentence:
    """A line as people read it."""

    number: int
    time: datetime
    text: str
    event: str


def build_routes(pages: Pages) -> list[Route]:
    """The page and the download."""
    return [
        pages.route("/admin/audit", show_audit, Needs.ADMIN),
        pages.route("/admin/audit.jsonl", download_audit, Needs.ADMIN),
    ]


def show_audit(visit: Visit) -> Response:
    """The newest lines of those that are asked for, and whether the chain is whole."""
    log, query = visit.services.audit, visit.request.query_params
    wanted, asked = _read_wanted(visit)
    found = log.find_newest(wanted, _LINES, read_number(query.get("before", ""), _MOST_NUMBER))
    is_asked = bool(query.get("verify"))
    problem = log.verify().problem if is_asked else None
    names = _Names(visit)
    return visit.render(
        "admin_audit.html",
        lines=[names.tell(line) for line in found.lines],
        older="" if found.before is None else urlencode({**asked, "before": found.before}),
        asked=asked,
        query=urlencode(asked),
        kinds=tuple(_KINDS),
        people=[(user.id, user.name) for user in visit.services.people.list()],
        problem=problem,
        verified=is_asked and problem is None,
    )


def _read_wanted(visit: Visit) -> tuple[Wanted, dict[str, str]]:
    """What the address asks for; what cannot be read is as if it was not there."""
    query = visit.request.query_params
    kind = query.get("kind", "")
    kind = kind if kind in _KINDS else "events"
    first, last = (_read_day(query.get(name, "")) for name in ("since", "until"))
    person = visit.services.people.find(query.get("person", ""))
    zone = ZoneInfo(visit.services.settings.time_zone)
    wanted = Wanted(
        _KINDS[kind],
        None if person is None else _list_ids(visit, person.id),
        None if first is None else datetime.combine(first, time(), zone),
        None if last is None else datetime.combine(last + timedelta(days=1), time(), zone),
    )
    asked = {
        "kind": kind,
        "person": "" if person is None else person.id,
        "since": "" if first is None else first.isoformat(),
        "until": "" if last is None else last.isoformat(),
    }
    return wanted, asked


def _read_day(written: str) -> date | None:
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return None
    return day if 1 < day.year < date.max.year else None  # a zone may move it by a day


def _list_ids(visit: Visit, user_id: str) -> frozenset[str]:
    """A person and all that they have used: keys and apps, ended ones too while they are kept."""
    services = visit.services
    keys = (key.id for key in services.keys.list(user_id))
    return frozenset({user_id, *keys, *(grant.id for grant in services.grants.list(user_id))})


class _Names:
    """What people call the ids that stand in the log."""

    def __init__(self, visit: Visit) -> None:
        services = visit.services
        self._visit = visit
        owners = {user.id: user.name for user in services.people.list()}
        clients = {client.id: client.name for client in services.clients.list()}
        self._names = {SYSTEM: str(visit.t("audit.system")), "nobody": str(visit.t("audit.nobody"))}
        self._names["scim"] = str(visit.t("audit.scim"))
        self._names |= clients | owners
        for key in services.keys.list():
            name, owner = key.name, owners.get(key.user_id or "", "")
            self._names[key.id] = self._own(str(visit.t("audit.key", name=name)), owner)
        for grant in services.grants.list():
            name = clients.get(grant.client_id, grant.client_id)
            self._names[grant.id] = self._own(name, owners.get(grant.user_id, ""))

    @staticmethod
    def _own(name: str, owner: str) -> str:
        return f"{name} ({owner})" if owner else name

    def _call(self, id_: str) -> str:
        """The name of an id; the log says for good that somebody did it, but not who."""
        gone = str(self._visit.t("audit.gone", id=id_)) if id_.startswith(_PERSON) else id_
        return self._names.get(id_, gone)

    def tell(self, line: AuditLine) -> Sentence:
        """A line as a sentence; of an event that has none its name, and whom it is about."""
        key = f"audit.{line.event}"
        actor, about = self._call(line.actor), self._call(line.object)
        if key not in load_texts()[self._visit.language]:
            return Sentence(line.number, line.time, f"{line.event}: {actor}, {about}", line.event)
        if line.event == CALL:
            about = line.object
        text = self._visit.t(key, actor=actor, about=about, count=_read_count(line.details))
        return Sentence(line.number, line.time, str(text), line.event)


def _read_count(details: Mapping[str, object]) -> str:
    found = (details.get(name) for name in ("attempts", "count", "calls", "lines", "left"))
    return next((str(one) for one in found if isinstance(one, int)), "")


def download_audit(visit: Visit) -> Response:
    """The log, or what is asked for of it, as JSON lines, sent while it is read.

    It may be larger than memory. What was left out cannot be told from it: only the whole log can
    be checked by its hashes.
    """
    wanted, _ = _read_wanted(visit)
    is_whole = not visit.request.query_params
    lines = visit.services.audit.export_lines(wanted=None if is_whole else wanted)
    first = b"".join(islice(lines, _LINES_AT_ONCE))  # a database that is away is no half answer
    name = "audit.jsonl" if is_whole else "audit-part.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    sent = chain([first], _join(lines)) if first else ()
    return StreamingResponse(sent, media_type="application/jsonl", headers=headers)


def _join(lines: Iterator[bytes]) -> Iterator[bytes]:
    while part := b"".join(islice(lines, _LINES_AT_ONCE)):
        yield part
