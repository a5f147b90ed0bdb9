"""What a source must not do unsaid: take the decisions or EU acts of the live build away.

A collection takes the place of what the live build holds of its kind. One that is empty or cut
short is most likely a download that failed or a volume that is not mounted.
"""

from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.errors import CorpusError, SourceError
from fundstelle.ingest import labelled
from fundstelle.ingest.collections import NAMES, Collection
from fundstelle.ingest.harvest import Harvest, Reading

_LEAST_KEPT = 0.5  # of as many as the live build has; publishers take single ones back
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
            f"{collection.files.name} holds no document of {NAMES[collection.source_type]}: fetch"
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


def require_successors(data_dir: Path, harvest: Harvest, *, demonstration: bool) -> None:
    """See that no collection takes the place of one that is live with less than half of it.

    Raises:
        CorpusError: one would.
    """
    live = _read_live(data_dir)
    if live is None or live.demonstration != demonstration:
        return
    for state in live.sources:
        kind = state.source_type
        found = len(harvest.ids.get(kind, ()))
        if kind in harvest.replaced and found < state.items * _LEAST_KEPT:
            raise CorpusError(
                f"the source holds {found or 'no'} documents of {state.name} that can be used, and"
                f" the live build has {state.items}: mend the source, take the collection away to"
                " keep them, or leave them out by --fresh"
            )


def _read_live(data_dir: Path) -> Manifest | None:
    release = builds.read_pointer(data_dir)
    try:
        return builds.read_manifest(builds.get_folder(data_dir, release)) if release else None
    except CorpusError:
        return None  # series.find_start says why
