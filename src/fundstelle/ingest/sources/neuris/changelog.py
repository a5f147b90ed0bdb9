"""What the federal legal information system has changed since a day.

A law is read whole as soon as one of its expressions has changed or is gone, since each of them
bounds the one before. A text that was still to come is read on its day, though nothing changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from fundstelle.errors import SourceError
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.sources.adapter import Followed, HeldEdition, Order
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.neuris.portal import (
    Fetching,
    ServiceFiles,
    fetch_all,
    forget,
    note_owed,
)
from fundstelle.ingest.sources.neuris.service import (
    CASE_LAW,
    LEGISLATION,
    Changes,
    Service,
    ask_changes,
    get_work,
    list_expressions,
    name_decision,
    split_owed,
)

_MOST_LAWS = 5_000  # in one look; more is for a person to ask for
_MOST_DECISIONS = 20_000


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a look at the changelogs brought."""

    files: ServiceFiles | None
    asked: int
    problems: tuple[str, ...]


def follow(
    order: Order,
    held: Sequence[HeldEdition],
    client: Downloader,
    progress: Progress,
    now: datetime | None = None,
) -> Followed:
    """The laws and decisions that the changelogs name, those that are owed, and what is gone.

    Raises:
        SourceError: a changelog is not to be had, or names so much that somebody should ask for
            it by hand.
    """
    moment = now or datetime.now(UTC)
    gathered = gather(order, held, client, progress, moment)
    files = gathered.files
    new = len(files.held) + len(files.archives) if files is not None else 0
    there = {get_work(one.name) for one in files.held} if files is not None else set()
    gone = tuple(one for one in files.withdrawn if one not in there) if files is not None else ()
    return Followed(files, gathered.asked, new, gathered.problems, gone)


def gather(
    order: Order,
    held: Sequence[HeldEdition],
    client: Downloader,
    progress: Progress,
    moment: datetime,
) -> Gathered:
    """As ``follow``."""
    service = Service.open(order, client)
    since = order.since or date.min.replace(year=1970)
    laws = ask_changes(service, LEGISLATION, since, moment)
    decisions = ask_changes(service, CASE_LAW, since, moment)
    fetching = Fetching(service, moment, progress)
    if laws.all_changed or decisions.all_changed:
        progress.note(f"{service.address} says that all of it was rebuilt: all is read again")
        return _gather_all(fetching, held, (*laws.unread, *decisions.unread))
    return _gather_changed(fetching, laws, decisions)


def _gather_all(fetching: Fetching, held: Sequence[HeldEdition], unread: Sequence[str]) -> Gathered:
    files = fetch_all(fetching)
    problems = _tell(files, unread)
    if not files.archives and held:  # an archive names its laws only when it is read
        there = {get_work(one.name) for one in files.held}
        there |= {get_work(entry.name.removeprefix("neuris/")) for entry in files.missing}
        gone = sorted({one.slug for one in held} - there)
        for work in gone:
            fetching.progress.note(f"{work} is no longer there")
        files = replace(files, withdrawn=tuple(gone))
    return Gathered(files, len(files.held) + len(files.missing) + len(files.archives), problems)


def _gather_changed(fetching: Fetching, laws: Changes, decisions: Changes) -> Gathered:
    service, today = fetching.service, fetching.moment.date()
    owed = service.read_owed()
    owed_works, owed_decisions = split_owed(owed.missing)
    due = {work for work, day in owed.coming.items() if day <= today}
    works = sorted({*map(get_work, (*laws.changed, *laws.deleted)), *owed_works, *due})
    numbers = list(dict.fromkeys((*decisions.changed, *sorted(owed_decisions))))
    gone_decisions = [one for one in decisions.deleted if one not in decisions.changed]
    wanted = [one for one in numbers if one not in gone_decisions]
    count = len(wanted) + len(gone_decisions)
    if len(works) > _MOST_LAWS or count > _MOST_DECISIONS:
        raise SourceError(
            f"{service.address} names {len(works):,} laws and {count:,} decisions as changed;"
            " fetch all with 'fundstelle ingest --add'"
        )
    forget(service, (*laws.changed, *decisions.changed))
    gone, failed = _take_laws(fetching, works, laws)
    fetching.take([name_decision(number) for number in wanted], "decisions")
    for name in (*gone, *gone_decisions):
        fetching.progress.note(f"{name} was taken back by its publisher")
    files = fetching.finish((*gone, *gone_decisions))
    files = note_owed(files)
    problems = (*_tell(files, (*laws.unread, *decisions.unread)), *failed)
    is_empty = not (files.held or files.withdrawn)
    if is_empty:  # and nothing to build
        files.settle()
    return Gathered(None if is_empty else files, len(works) + len(wanted), problems)


def _take_laws(
    fetching: Fetching, works: Sequence[str], changes: Changes
) -> tuple[list[str], list[str]]:
    """Fetch laws whole; those of which something was taken back, and what failed.

    A law of which one text fails to come is left as it is held: without that text, another one
    would seem to go on over its days.
    """
    there = {
        work: [
            one
            for one in list_expressions(fetching.service, work)
            if one.name not in changes.deleted
        ]
        for work in works
    }
    came = fetching.take([one for texts in there.values() for one in texts], "texts of laws")
    deleted = {get_work(one) for one in changes.deleted}
    gone: list[str] = []
    failed: list[str] = []
    for work, texts in there.items():
        if not came.issuperset(one.name for one in texts):
            fetching.held = [one for one in fetching.held if get_work(one.name) != work]
            failed.append(f"{work}: not all of its texts came; what is held of it stays")
        elif work in deleted:
            gone.append(work)
        elif not texts:
            failed.append(f"{work}: it is named as changed, and no text of it is listed")
    return gone, failed


def _tell(files: ServiceFiles, unread: Sequence[str]) -> tuple[str, ...]:
    return (
        *(f"{entry.name}: {entry.problem}" for entry in files.missing),
        *(f"{written!r} is no document that is known here" for written in unread),
    )
