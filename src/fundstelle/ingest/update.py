"""Staying fresh: every source of the live build is looked at, and what is new goes into the next.

```text
look      federal law: every law that is listed, asked for only if it changed; kept as a look
          collections: what the publisher lists as changed since the last good look
build     one, from the live build and the looks behind its Stand
report    of each source what was new, what failed, and of which day its last good state is
```

A source that fails leaves what is held of it. A look that was kept, and not built, is built by the
next update.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest, Rejected, SourceState
from fundstelle.corpus.opening import open_whole
from fundstelle.corpus.rows import SCHEMA_VERSION
from fundstelle.corpus.updates import LOOKS, REPORT, Outcome, Report, dump_report, read_report
from fundstelle.errors import CorpusError, NoCorpus, SourceError
from fundstelle.ingest.build.gathering import BuildOptions, Built
from fundstelle.ingest.build.pipeline import build_corpus
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.days import find_day
from fundstelle.ingest.held_laws import reading_held
from fundstelle.ingest.history.looks import Dated, LawHistory
from fundstelle.ingest.history.losses import require_few_withdrawn
from fundstelle.ingest.history.series import list_series
from fundstelle.ingest.outcomes import (
    LOOK_FILE,
    explain,
    fail,
    tell_rejected,
    tell_unread,
    write_problem,
)
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.records import Withdrawn
from fundstelle.ingest.sources import registry
from fundstelle.ingest.sources.adapter import HeldEdition, Order
from fundstelle.ingest.sources.dip.follow import Record
from fundstelle.ingest.sources.dip.service import NAME, SOURCE_TYPE, Parliament
from fundstelle.ingest.sources.files.download import Downloader, write_whole
from fundstelle.ingest.sources.gii.kept import KeptLooks
from fundstelle.ingest.sources.gii.kept_files import HeldLaw, KeptFiles
from fundstelle.ingest.sources.gii.official_site import LastLook, look
from fundstelle.law.norms import NormKind, NormStatus
from fundstelle.search.index import SearchEngine

_PROVISIONS = frozenset({NormKind.SECTION, NormKind.ARTICLE, NormKind.ANNEX})
_CLOCKS_DIFFER = timedelta(days=1)
_OVERLAP = timedelta(days=2)  # what a publisher lists late on the day of the last look


@dataclass(frozen=True, slots=True)
class Updating:
    """Where things are, and with what they are fetched and built."""

    data: Path
    addresses: Mapping[str, str]  # of services elsewhere than at the source's own, by source_type
    client: Downloader
    engine: SearchEngine
    options: BuildOptions = field(default_factory=BuildOptions)
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    parliament: Parliament | None = None  # None = its record is not followed

    def get_address(self, source: registry.SnapshotSource | registry.CollectionSource) -> str:
        """Where a source is asked, without a slash at its end."""
        return self.addresses.get(source.source_type, source.url).rstrip("/")


def update(updating: Updating, progress: Progress) -> Report:
    """Bring every source of the live build up to date.

    A build that does not come about is told in the report; the live build is as it was.

    Raises:
        NoCorpus: there is none to bring up to date.
        CorpusError: the live build is of another version or of invented law, is damaged, or
            another update or ingestion runs.
    """
    with builds.lock(updating.data, "update"):
        begun_at = updating.clock()
        live = _read_live(updating.data)
        rejected = _list_untold(updating, live)
        _distrust(updating, rejected)
        found: list[Dated | Collection] = []
        outcomes: list[Outcome] = []
        for state in live.sources:
            outcome, brought = _look_at(updating, live, state, begun_at, progress)
            outcomes.append(outcome)
            found += brought
        of_parliament = _ask_parliament(updating, live, begun_at, progress)
        release, record = live.release, Record(updating.data)
        if found or record.is_waiting():
            try:
                going_on = replace(updating, options=replace(updating.options, base=live.release))
                built = _build(going_on, found, outcomes, begun_at, progress)
            except Exception as error:  # noqa: BLE001 whatever it is, the report says that it failed
                problem = explain(error, "the build")
                progress.note(problem)
                outcomes = [fail(one, problem) for one in outcomes]
                of_parliament = [fail(one, problem) for one in of_parliament]
            else:
                release = built.manifest.release
                outcomes = [tell_unread(one, built.unread) for one in outcomes]
                record.mark_built()
                rejected |= set(built.rejected)
                _distrust(updating, rejected)
        outcomes = tell_rejected(outcomes, rejected)
        stands = _take_stands(updating.data, outcomes)
        short = tuple(one.shorten() for one in (*stands, *of_parliament))
        report = Report(begun_at, release, short)
        write_whole(updating.data / REPORT, dump_report(report))
        return report


def open_kept_looks(data: Path, url: str) -> KeptLooks:
    """The looks at federal law that updates have kept."""
    return KeptLooks(data / LOOKS / registry.FEDERAL_LAW.cache, url)


def _read_live(data: Path) -> Manifest:
    release = builds.get_live(data)
    if release is None:
        raise NoCorpus(f"there is no corpus in {data} yet; build one with 'fundstelle ingest'")
    live = builds.read_manifest(builds.get_folder(data, release))
    if live.schema_version != SCHEMA_VERSION:
        raise CorpusError(
            "the live build is of another version of Fundstelle: build it again with 'fundstelle"
            " ingest', then update"
        )
    if live.demonstration:
        raise CorpusError(
            "the live build is of invented law: build official law with 'fundstelle ingest', then"
            " update"
        )
    return live


def _look_at(
    updating: Updating, live: Manifest, state: SourceState, now: datetime, progress: Progress
) -> tuple[Outcome, Sequence[Dated | Collection]]:
    source = registry.find(state.source_type)
    before = Outcome(state.source_type, state.name, stand=state.stand)
    try:
        if isinstance(source, registry.SnapshotSource):
            return _look_at_laws(updating, live, state, now, progress)
        if isinstance(source, registry.CollectionSource):
            return _look_at_documents(updating, source, state, live, now, progress)
    except CorpusError:  # the live build cannot be read: that is no source's fault
        raise
    except Exception as error:  # noqa: BLE001 a publisher may fail us in any way: the others are asked
        problem = explain(error, state.name)
        progress.note(f"{state.name}: {problem}")
        return fail(before, problem), ()
    return fail(before, "no adapter of this version knows this source"), ()


def _look_at_laws(
    updating: Updating, live: Manifest, state: SourceState, now: datetime, progress: Progress
) -> tuple[Outcome, Sequence[Dated | Collection]]:
    """All laws that are listed, or those that are held where only some were asked for."""
    address = updating.get_address(registry.FEDERAL_LAW)
    kept = open_kept_looks(updating.data, address + "/")
    laws = _list_laws(updating.data, live)
    listed = {slug: law.number for slug, law in laws.items() if law.listed}
    names = tuple(sorted(listed)) if state.missing is None else None
    outcome = Outcome(state.source_type, state.name, stand=state.stand)
    built = max(one.stand for one in list_series(state))
    today = find_day(now)
    if built > today + _CLOCKS_DIFFER:
        raise SourceError(
            f"the build is of {built.isoformat()}, a day still to come: this machine's clock is or"
            " was wrong; set it, then build anew with 'fundstelle ingest --fresh'"
        )
    past = [day for day in kept.list_days() if day <= today + _CLOCKS_DIFFER]
    if today > max([built, *past]):  # one look a day
        order = Order(updating.data / "cache" / registry.FEDERAL_LAW.cache, address, names)
        with reading_held(updating.data, live) as held:
            last = LastLook(kept, listed, built, held)
            taken = look(order, updating.client, progress, last, updating.clock)
        outcome = replace(
            outcome,
            asked=taken.asked,
            new=len(taken.new),
            problems=tuple(map(write_problem, taken.problems)),
        )
    elif today == max(past, default=None):  # a second run says what the first one could not have
        missed = tuple(f"{slug}: it could not be had today" for slug in kept.read_unread(today))
        outcome = replace(outcome, problems=missed)
    files = KeptFiles(kept, built, laws)
    if any(day > built for day in kept.list_days()):
        return outcome, (LawHistory(files, goes_on=True, partial=names is not None),)
    if other := files.list_other():
        waiting = (
            f"of {len(other)} laws this build has another text than the newest look found; the"
            " next look brings it"
        )
        outcome = replace(outcome, problems=(*outcome.problems, waiting))
    return outcome, ()


@dataclass(frozen=True, slots=True)
class _Law(HeldLaw):
    """A law of the live build; ``listed`` as its statute has it."""

    listed: bool


def _list_laws(data: Path, live: Manifest) -> Mapping[str, _Law]:
    """The federal laws by slug; of two that had one address that which is listed."""
    with closing(open_whole(builds.get_folder(data, live.release) / builds.DATABASE)) as store:
        statutes = sorted(store.statutes.values(), key=lambda statute: statute.listed)
    federal = registry.FEDERAL_LAW.source_type
    return {
        s.slug: _Law(s.publisher_id, s.fingerprint, s.listed)
        for s in statutes
        if s.source_type == federal
    }


def _list_untold(updating: Updating, live: Manifest) -> set[Rejected]:
    """What the live build could not use of the looks, where its update ended before it said so."""
    report = read_report(updating.data)
    if report is not None and report.release == live.release:
        return set()
    looks = open_kept_looks(updating.data, updating.get_address(registry.FEDERAL_LAW))
    looked = {
        one: _find_kept(looks.folder, one.name)
        for one in live.rejected
        if LOOK_FILE.fullmatch(one.name)
    }
    if not looked:
        return set()
    listed = looks.read_list()
    return {one for one, path in looked.items() if path.is_file() or listed.has(path)}


def _find_kept(folder: Path, name: str) -> Path:
    """Where a look keeps the file that a build calls ``<slug>/<number>/<day>.xml``."""
    slug, _, rest = name.partition("/")
    return folder / slug / f"{PurePosixPath(rest).stem}.zip"


def _distrust(updating: Updating, rejected: Iterable[Rejected]) -> None:
    """What a build could not use of the looks is compared anew at the next one."""
    slugs = {one.name.partition("/")[0] for one in rejected if LOOK_FILE.fullmatch(one.name)}
    if slugs:
        open_kept_looks(updating.data, updating.get_address(registry.FEDERAL_LAW)).distrust(slugs)


def _find_since(state: SourceState, now: datetime) -> date:
    """From when on changes are asked for.

    A look by a clock that was ahead says nothing of when it was: changes are asked for since the
    newest document that is held.
    """
    held = state.held_until
    if held > (now + _CLOCKS_DIFFER).date():
        held = min(state.stand, now.date())
    return max(held, date.min + _OVERLAP) - _OVERLAP


def _require_clock(updating: Updating, address: str) -> None:
    """See that this machine's clock is the publisher's, give or take a day.

    Raises:
        SourceError: it is not: what came would count as of a day that it is not of.
    """
    told, now = updating.client.told.get(urlsplit(address).netloc), updating.clock()
    if told is not None and abs(told - now) > _CLOCKS_DIFFER:
        raise SourceError(
            f"{address} answers on {told.date().isoformat()}, and this machine's clock says"
            f" {now.date().isoformat()}: set it, then run the command again"
        )


def _look_at_documents(  # noqa: PLR0913, PLR0917 what is looked at, from what state on, when
    updating: Updating,
    source: registry.CollectionSource,
    state: SourceState,
    live: Manifest,
    now: datetime,
    progress: Progress,
) -> tuple[Outcome, Sequence[Dated | Collection]]:
    """What its publisher says has changed since the last good look."""
    outcome = Outcome(state.source_type, state.name, stand=state.stand)
    follow = source.adapter().follow
    if follow is None:
        return fail(outcome, "its publisher lists no changes; ingest its files anew"), ()
    order = Order(
        updating.data / "cache" / source.cache,
        updating.get_address(source),
        since=_find_since(state, now),
        kept=updating.data / LOOKS / source.cache,
        owed=state.owed,
    )
    held = _list_held(updating.data, live, source)
    followed = follow(order, held, updating.client, progress, now)
    _require_clock(updating, order.address)
    gone = frozenset(Withdrawn(source.source_type, number) for number in followed.withdrawn)
    require_few_withdrawn(updating.data, gone)
    outcome = replace(
        outcome,
        asked=followed.asked,
        new=followed.new,
        problems=tuple(map(write_problem, followed.problems)),
    )
    if followed.files is None:
        return outcome, ()
    editions = frozenset((statute.slug, statute.language) for statute in held)
    found = Collection(source, followed.files, adds=True, held=editions, looked_on=now.date())
    return outcome, (found,)


def _ask_parliament(
    updating: Updating, live: Manifest, now: datetime, progress: Progress
) -> list[Outcome]:
    """What parliament's record says of acts, where it is followed; it gives days and no texts."""
    if updating.parliament is None:
        return []
    outcome, floor = Outcome(SOURCE_TYPE, NAME), live.archive_floor
    try:
        record = Record(updating.data)
        read = record.follow(updating.parliament, updating.client, floor, now, progress)
        _require_clock(updating, updating.parliament.address)
    except Exception as error:  # noqa: BLE001 as of any other publisher
        problem = explain(error, NAME)
        progress.note(f"{NAME}: {problem}")
        return [fail(outcome, problem)]
    return [replace(outcome, asked=read.asked, new=read.new, stand=find_day(now))]


def _list_held(
    data: Path, live: Manifest, source: registry.CollectionSource
) -> Sequence[HeldEdition]:
    """The statutes of a source in the live build."""
    with closing(open_whole(builds.get_folder(data, live.release) / builds.DATABASE)) as store:
        return [
            HeldEdition(
                statute.slug,
                statute.language,
                statute.stand,
                sum(
                    norm.kind in _PROVISIONS and norm.status is NormStatus.IN_FORCE
                    for norm in store.list_norms(statute.statute_id)
                ),
                statute.read_by,
            )
            for statute in store.statutes.values()
            if statute.source_type == source.source_type
        ]


def _build(
    updating: Updating,
    found: Sequence[Dated | Collection],
    outcomes: Sequence[Outcome],
    now: datetime,
    progress: Progress,
) -> Built:
    failed = {one.source_type: one.problem for one in outcomes if one.problem}
    # what is of no use is told one by one, and does not keep the rest from being built
    again = Record(updating.data).is_waiting()
    options = replace(updating.options, now=now, failed=failed, allow_rejects=True, again=again)
    return build_corpus(found, updating.data, updating.engine, options, progress)


def _take_stands(data: Path, outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Each outcome with the Stand that its source now has."""
    live = _read_live(data)
    stands = {state.source_type: state.stand for state in live.sources}
    return tuple(replace(one, stand=stands.get(one.source_type, one.stand)) for one in outcomes)
