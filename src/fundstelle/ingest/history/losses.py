"""What a source must not do unsaid: take the law or decisions of the live build away.

A collection takes the place of what the live build holds of its kind. One that is empty or cut
short is most likely a download that failed or a volume that is not mounted. A publisher that takes
most of its documents back has most likely lost them for an hour.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import Manifest, Rejected
from fundstelle.corpus.opening import open_whole
from fundstelle.errors import CorpusError, SourceError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.harvest import Harvest, Reading, list_groups
from fundstelle.ingest.history.looks import Dated, is_demonstration
from fundstelle.ingest.history.plan import is_full
from fundstelle.ingest.history.series import Start
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.ranking import labelled
from fundstelle.ingest.records import Withdrawn
from fundstelle.ingest.sources import registry
from fundstelle.law.sources import Kind, Source

_LEAST_KEPT = 0.5  # of as many as the live build has; publishers take single ones back
_GROUP = 3  # decisions of one court or publisher; fewer may be taken back
_MOST_WITHDRAWN = 0.3  # of the laws, or of the decisions, that are held of a publisher
_FEW_WITHDRAWN = 3  # of a small selection all may be taken back
_MOST_REJECTED = 0.1  # collections are small and of many publishers; laws have a stricter share


def check_collections(harvest: Harvest, *, allow_rejects: bool) -> None:
    """See that what was read of each collection is what somebody may have meant to give.

    Collections that only add to what is held are not asked: they take nothing away.

    Raises:
        SourceError: one of them holds nothing.
        CorpusError: more than 10 % of one cannot be used, and that is not allowed.
    """
    for reading in harvest.readings:
        if reading.collection.adds:
            continue
        if not reading.documents and not reading.rejected:
            _require_sentences(reading.collection)
        elif not allow_rejects:
            _check_share(reading)


def _require_sentences(collection: Collection) -> None:
    if not labelled.has_sentences(collection):
        raise SourceError(
            f"{collection.files.name} holds no document of {collection.source.name}: fetch"
            " it again, or take it away"
        )


def _check_share(reading: Reading) -> None:
    name, rejected = reading.collection.files.name, reading.rejected
    total = reading.documents + len(rejected)
    if len(rejected) > total * _MOST_REJECTED:
        first = rejected[0]
        raise CorpusError(
            f"{len(rejected)} of {total} documents of {name} cannot be used, more than 10 % (the"
            f" first: {first.name}: {first.reason}); mend the source, or build without them by"
            " --allow-rejects"
        )


def require_official_law(data_dir: Path, snapshots: Sequence[Dated]) -> None:
    """See that invented law does not take the place of official law.

    Raises:
        SourceError: it would.
    """
    live = read_live(data_dir)
    if live is not None and not live.demonstration and any(map(is_demonstration, snapshots)):
        raise SourceError(
            "the source is the invented demonstration, and official law is live: it stays; another"
            " data folder (FUNDSTELLE_DATA) takes the demonstration"
        )


def require_successors(
    data_dir: Path, harvest: Harvest, progress: Progress, *, demonstration: bool
) -> None:
    """See that no collection takes the place of one that is live with less than half of it.

    Where a source has nothing but decisions, each publisher and each court is asked for alone,
    since all of one may be few of all. What is fewer than before is said. Nor does an act go back
    to an older text: of what is only added such a one is left out of ``harvest``.

    Raises:
        CorpusError: one would.
    """
    live = read_live(data_dir)
    if live is None or live.demonstration != demonstration:
        return
    if harvest.stands:
        _keep_newer_acts(data_dir, live, harvest)
    for state in live.sources:
        kind = state.source_type
        if kind not in harvest.replaced:
            continue
        _require_most(state.name, state.items, len(harvest.ids.get(kind, ())), progress)
        source = registry.find(kind)
        if source is not None and Kind.STATUTES not in source.kinds:
            for group, count in sorted(_count_groups(data_dir, live, source).items()):
                if count >= _GROUP:
                    name = f"{state.name} ({group})"
                    _require_most(name, count, len(harvest.groups.get(group, ())), progress)


def require_few_withdrawn(data_dir: Path, withdrawn: set[Withdrawn] | frozenset[Withdrawn]) -> None:
    """See that no publisher takes back most of what the live build holds of it.

    A service whose list is empty or just being rebuilt says so of all. ``withdrawn`` is without
    what was read anew.

    Raises:
        SourceError: one does.
    """
    live = read_live(data_dir) if withdrawn else None
    if live is None:
        return
    held: Counter[tuple[str, str]] = Counter()  # by source and kind
    gone: Counter[tuple[str, str]] = Counter()
    with _open(data_dir, live) as store:
        statutes = store.statutes.values() if store is not None else ()
        decisions = store.decisions.iter_all() if store is not None else ()
        names = chain(
            ((s.source_type, "laws", s.publisher_id) for s in statutes if s.listed),
            (
                (place.source_type, "decisions", place.publisher_id)
                for decision in decisions
                for place in decision.sources
            ),
        )
        for source_type, kind, number in names:
            held[source_type, kind] += 1
            gone[source_type, kind] += Withdrawn(source_type, number) in withdrawn
    for (source_type, kind), count in sorted(gone.items()):
        before = held[source_type, kind]
        if count > max(before * _MOST_WITHDRAWN, _FEW_WITHDRAWN):
            source = registry.find(source_type)
            raise SourceError(
                f"{source.name if source else source_type} takes back {count:,} of the {before:,}"
                f" {kind} that are held of it; nothing was changed: see whether its service is"
                " whole, and run the command again later, or begin anew with 'fundstelle ingest"
                " --fresh'"
            )


def require_laws(data_dir: Path, start: Start) -> None:
    """See that most laws of the live build stay, whether it is gone on from or replaced.

    Raises:
        CorpusError: a table of contents names less than half of those that are listed, or a source
            that takes the live build's place holds less than half of them.
    """
    _require_contents(start)
    live = read_live(data_dir) if start.live is None and start.snapshots else None
    is_invented = any(snapshot.demonstration for snapshot in start.snapshots)
    if live is None or live.demonstration != is_invented:
        return
    with _open(data_dir, live) as store:
        statutes = store.statutes.values() if store is not None else ()
        own = (s for s in statutes if s.source_type == registry.FEDERAL_LAW.source_type)
        held = {s.slug: s.abbreviation for s in own if s.listed}
    found = {file.slug for snapshot in start.snapshots for file in snapshot.files}
    newest = next((one for one in reversed(start.snapshots) if is_full(one)), None)
    removed = held.keys() - (newest.contents or ()) if newest is not None else frozenset()
    lost = [name for slug, name in sorted(held.items()) if slug not in found | removed]
    if lost or len(found) < len(held) * _LEAST_KEPT:
        more = f" ({', '.join(lost[:3])}{' …' if len(lost) > 3 else ''})" if lost else ""
        raise CorpusError(
            f"the source holds {len(found)} laws and would take the place of a build with"
            f" {len(held)}; {len(lost)} of them{more} would be lost: give one of a later day, which"
            " goes on from it, or begin anew with --fresh"
        )


def _require_contents(start: Start) -> None:
    newest = next((one for one in reversed(start.snapshots) if is_full(one)), None)
    if start.live is None or newest is None or newest.contents is None:
        return
    held = start.live.known.statutes.values()
    listed = {statute.slug for statute in held if statute.listed}
    named = len(listed & newest.contents)
    if named < len(listed) * _LEAST_KEPT:
        raise CorpusError(
            f"the table of contents of {newest.name} names {named} of the {len(listed)} laws that"
            " are listed in the live build; the others would count as removed: fetch it again, or"
            " begin anew with --fresh"
        )


def _keep_newer_acts(data_dir: Path, live: Manifest, harvest: Harvest) -> None:
    """See that no act goes back: its newest text may be the file that could not be read.

    Of what is added to a source such an act is left out, and said; the others go on.

    Raises:
        CorpusError: one of a source that takes the place of what is held would.
    """
    with _open(data_dir, live) as store:
        held = store.statutes.values() if store is not None else ()
        older = [
            (statute, harvest.stands[statute.statute_id])
            for statute in held
            if harvest.stands.get(statute.statute_id, statute.stand) < statute.stand
            and Withdrawn(statute.source_type, statute.publisher_id) not in harvest.withdrawn
        ]
    refused = []
    for statute, stand in older:
        said = f"of {stand.isoformat()}, live: {statute.stand.isoformat()}"
        if statute.source_type in harvest.replaced:
            refused.append(f"{statute.abbreviation} ({said})")
        else:
            reason = (
                f"only an older text of {statute.abbreviation} came ({said}): what is held stays"
            )
            harvest.leave_out(statute.statute_id, Rejected(statute.publisher_id, reason))
    if refused:
        more = f" and {len(refused) - 3} more" if len(refused) > 3 else ""
        raise CorpusError(
            f"the source has only an older text of {', '.join(refused[:3])}{more}: mend the source,"
            " or take the older text by --fresh"
        )


def _require_most(name: str, held: int, found: int, progress: Progress) -> None:
    if found < held * _LEAST_KEPT:
        raise CorpusError(
            f"the source holds {found or 'no'} documents of {name} that can be used, and"
            f" the live build has {held}: mend the source, take the collection away to"
            " keep them, or leave them out by --fresh"
        )
    if found < held:
        progress.note(f"{found} documents of {name} take the place of {held}")


def _count_groups(data_dir: Path, live: Manifest, source: Source) -> Counter[str]:
    """How many decisions of the live build that came with a source each publisher and court gave.

    None where the build does not open.
    """
    with _open(data_dir, live) as store:
        decisions = store.decisions.iter_all() if store is not None else ()
        name = source.source_type
        own = (one for one in decisions if name in registry.list_sources_of(one))
        return Counter(group for one in own for group in list_groups(one))


@contextmanager
def _open(data_dir: Path, live: Manifest) -> Iterator[WholeStore | None]:
    """The live build's store; ``None`` where it cannot be read: series.find_start says why.

    Of one that another version has made ``other_version`` sees that all comes again.
    """
    if builds.tell_other_version(live) is not None:
        yield None
        return
    try:
        store = open_whole(builds.get_folder(data_dir, live.release) / builds.DATABASE)
    except CorpusError:
        yield None
        return
    try:
        yield store
    finally:
        store.close()


def read_live(data_dir: Path) -> Manifest | None:
    """What the live build says of itself; ``None`` if there is none, or it cannot be read."""
    release = builds.get_live(data_dir)
    try:
        return builds.read_manifest(builds.get_folder(data_dir, release)) if release else None
    except CorpusError:
        return None  # series.find_start says why
