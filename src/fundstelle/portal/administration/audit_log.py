"""The audit log: lines as sentences, by kind, person and day, page by page; and whole, to keep."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import chain, islice
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from fundstelle.accounts.audit.chain import UNREAD
from fundstelle.accounts.audit.events import AT_MOST, CALL, UNKNOWN
from fundstelle.accounts.audit.log import SYSTEM, AuditLine, Wanted
from fundstelle.accounts.audit.ownership import Owned
from fundstelle.accounts.people.people import User
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.query import (
    Unreadable,
    read_choice,
    read_day,
    read_number,
    read_text,
)
from fundstelle.portal.frame.texts import load_texts
from fundstelle.portal.frame.visits import Visit

_LINES = 100  # on a page
_LINES_AT_ONCE = 200  # of a download, about 80 KB
_KINDS = {"events": False, "calls": True, "all": None}
_PERSON = "usr_"  # the beginning of ids of people
_SWEPT = ("key_", "grant_")  # of ids whose rows are deleted some time after their end


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
    log = visit.services.audit
    wanted, asked = _read_wanted(visit, "events")
    found = log.find_newest(wanted, _LINES, read_number(visit, "before", 0))
    is_asked = bool(read_choice(visit, "verify", ("1",)))
    problem = log.verify().problem if is_asked else None
    names = _Names(visit)
    return visit.render(
        "admin_audit.html",
        lines=[names.tell(line) for line in found.lines],
        older="" if found.before is None else urlencode({**asked, "before": found.before}),
        asked=asked,
        part=urlencode(asked),
        kinds=tuple(_KINDS),
        people=_list_people(visit, names, asked["person"]),
        problem=problem,
        verified=is_asked and problem is None,
    )


def _list_people(visit: Visit, names: "_Names", asked: str) -> list[tuple[str, str]]:
    """To choose from; whoever is asked for and is no longer there, too."""
    people = [(user.id, names.call(user.id)) for user in visit.services.people.list()]
    is_gone = asked and asked not in {id_ for id_, _ in people}
    return [*people, (asked, names.call(asked))] if is_gone else people


def _read_wanted(visit: Visit, usual: str) -> tuple[Wanted, dict[str, str]]:
    """What the address asks for; of no kind in particular, the usual one.

    Raises:
        Unreadable: something of it cannot be read, or the last day is before the first.
    """
    kind = read_choice(visit, "kind", _KINDS, usual)
    first, last = read_day(visit, "since"), read_day(visit, "until")
    if first is not None and last is not None and first > last:
        raise Unreadable("since", "reversed", last=visit.day(last))
    person = read_text(visit, "person")
    zone = ZoneInfo(visit.services.settings.time_zone)
    ids, spans = _list_ids(visit, person) if person else (None, {})
    wanted = Wanted(
        _KINDS[kind],
        ids,
        spans,
        None if first is None else datetime.combine(_bound(first), time(), zone),
        None if last is None else datetime.combine(_bound(last) + timedelta(days=1), time(), zone),
    )
    asked = {
        "kind": kind,
        "person": person,
        "since": "" if first is None else first.isoformat(),
        "until": "" if last is None else last.isoformat(),
    }
    return wanted, asked


def _bound(day: date) -> date:
    """No line is older or newer; a zone may move a day by one."""
    return min(max(day, date(2, 1, 1)), date(date.max.year - 1, 12, 31))


def _list_ids(
    visit: Visit, user_id: str
) -> tuple[frozenset[str], Mapping[str, Sequence[tuple[int, int | None]]]]:
    """A person and all that they have used: keys and apps, of those swept what the log has.

    Keys that were taken over come apart, with the lines from which on, or before which, they were
    theirs. Of whoever was never there nothing is found: none of it is theirs.
    """
    if not user_id.startswith(_PERSON):
        return frozenset(), {}
    services = visit.services
    owned = services.audit.find_owned(user_id)
    spans = {
        id_: [(one.since, one.until) for one in held]
        for id_, held in owned.items()
        if any(one.since or one.until is not None for one in held)
    }
    keys = (key.id for key in services.keys.list(user_id))
    grants = (grant.id for grant in services.grants.list(user_id))
    return frozenset({user_id, *owned, *keys, *grants} - spans.keys()), spans


def name_people(people: Iterable[User]) -> dict[str, str]:
    """What each is called, by id; where several are called alike, with the address."""
    listed = list(people)
    often = Counter(user.name.casefold() for user in listed)
    return {
        user.id: user.name if often[user.name.casefold()] == 1 else f"{user.name}, {user.email}"
        for user in listed
    }


class _Names:
    """What people call the ids that stand in the log."""

    def __init__(self, visit: Visit) -> None:
        services = visit.services
        self._visit = visit
        self._owned: Mapping[str, Sequence[Owned]] | None = None
        self._bare: dict[str, str] = {}  # of keys: their names without their owners
        owners = name_people(services.people.list())
        clients = {client.id: client.name for client in services.clients.list()}
        self._names = {SYSTEM: self._say("audit.system"), "nobody": self._say("audit.nobody")}
        self._names |= {"scim": self._say("audit.scim"), "": "–"}
        self._names |= clients | owners
        for key in services.keys.list():
            name, owner = key.name, owners.get(key.user_id or "", "")
            self._bare[key.id] = self._say("audit.key", name=name)
            self._names[key.id] = self._own(self._bare[key.id], owner)
        for grant in services.grants.list():
            name = clients.get(grant.client_id, grant.client_id)
            self._names[grant.id] = self._own(name, owners.get(grant.user_id, ""))

    @staticmethod
    def _own(name: str, owner: str) -> str:
        return f"{name} ({owner})" if owner else name

    def _say(self, key: str, **values: str) -> str:
        """A text that is not escaped yet: the page does that, once."""
        return load_texts()[self._visit.language][key].format(**values)

    def _read_owned(self) -> Mapping[str, Sequence[Owned]]:
        """What the log remembers of owners; it is read for that where it is needed, and once."""
        if self._owned is None:
            self._owned = self._visit.services.audit.find_owned()
            for id_, held in self._owned.items():
                client = held[-1].client and self._names.get(held[-1].client, held[-1].client)
                name = client or self._say("audit.key", name=id_)
                self._bare.setdefault(id_, name)
                self._names.setdefault(id_, self._own(name, self._name_owner(held[-1])))
        return self._owned

    def _name_owner(self, owned: Owned) -> str:
        is_persons = owned.owner.startswith(_PERSON)  # the command line makes nobody's keys
        return self._names.get(owned.owner, "") if is_persons else ""

    def call(self, id_: str, number: int | None = None) -> str:
        """The name of an id, as it was when a line was written; the log names nobody who is gone.

        Whoever takes a key over has not done what was done with it before.
        """
        if id_.startswith(_SWEPT) and (id_ not in self._names or id_ in self._bare):
            held = self._read_owned().get(id_, ())
            if len(held) > 1 and number is not None:
                then = next((one for one in held if one.covers(number)), None)
                if then is not None and then is not held[-1]:
                    return self._own(self._bare[id_], self.call(then.owner))
        gone = self._say("audit.gone", id=id_) if id_.startswith(_PERSON) else id_
        return self._names.get(id_, gone)

    def tell(self, line: AuditLine) -> Sentence:
        """A line as a sentence; of an event that has none its name, and whom it is about."""
        key = f"audit.{line.event}"
        for detail in _LESS_SURE:  # a line that says less than others of its event
            key += f".{detail}" if line.details.get(detail) is True else ""
        actor, about = self.call(line.actor, line.number), self.call(line.object, line.number)
        if key not in load_texts()[self._visit.language]:
            return Sentence(line.number, line.time, f"{line.event}: {actor}, {about}", line.event)
        if line.event == CALL:
            about = line.object
        values = {name: str(line.details.get(name, "")) for name in ("before", "after")}
        count = _read_count(line.details)
        values["changes"] = self._tell_changes(line.details.get("changed"))
        text = self._say(key, actor=actor, about=about, count=count, **values)
        return Sentence(line.number, line.time, text, line.event)

    def _tell_changes(self, changed: object) -> str:
        """Which rules were changed, from what to what; empty of a line that does not say it."""
        if not isinstance(changed, dict):
            return ""
        texts = load_texts()[self._visit.language]
        told = []
        for name, ends in changed.items():
            named = texts.get(f"audit.rule_{name}", str(name))
            before, after = (self._tell_value(dict(ends).get(end)) for end in ("before", "after"))
            told.append(f"{named}: {before} → {after}")
        return f" ({'; '.join(told)})" if told else ""

    def _tell_value(self, value: object) -> str:
        if isinstance(value, bool):
            return self._say("audit.yes" if value else "audit.no")
        return self._say("audit.default") if value is None else str(value)


_LESS_SURE = (UNREAD, AT_MOST, UNKNOWN)


def _read_count(details: Mapping[str, object]) -> str:
    found = (details.get(name) for name in ("attempts", "count", "calls", "lines", "left"))
    return next((str(one) for one in found if isinstance(one, int)), "")


def download_audit(visit: Visit) -> Response:
    """The log, or what is asked for of it, as JSON lines, sent while it is read.

    It may be larger than memory. What was left out cannot be told from it: only the whole log can
    be checked by its hashes.
    """
    wanted, asked = _read_wanted(visit, "all")
    is_whole = not any(asked[name] for name in ("person", "since", "until"))
    is_whole = is_whole and asked["kind"] == "all"
    lines = visit.services.audit.export_lines(wanted=None if is_whole else wanted)
    first = b"".join(islice(lines, _LINES_AT_ONCE))  # a database that is away is no half answer
    name = "audit.jsonl" if is_whole else "audit-part.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    sent = chain([first], _join(lines)) if first else ()
    return StreamingResponse(sent, media_type="application/jsonl", headers=headers)


def _join(lines: Iterator[bytes]) -> Iterator[bytes]:
    while part := b"".join(islice(lines, _LINES_AT_ONCE)):
        yield part
