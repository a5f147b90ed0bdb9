"""After an upgrade: what takes the place of a live build that another version has made.

Such a build cannot be looked into, and nothing of it is carried over. What it holds is known by its
manifest alone, which names its looks and sources and no law, so all of these are to come again.
"""

from collections.abc import Sequence
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest, SnapshotState, SourceState
from fundstelle.errors import CorpusError
from fundstelle.ingest.harvest import Harvest
from fundstelle.ingest.history.losses import read_live
from fundstelle.ingest.history.series import Start, is_of, list_series
from fundstelle.ingest.sources import registry


def find_other_version(data_dir: Path) -> str | None:
    """Why nothing may be begun in the place of the live build, if another version has made it.

    It is what an operator is told where the sources that it was made of are not at hand.
    """
    live = _read_other_version(data_dir)
    if live is None:
        return None
    return _tell_lacking(live, [_describe(state, list_series(state)) for state in live.sources])


def require_all_again(data_dir: Path, start: Start, harvest: Harvest) -> None:
    """See that what takes the place of a build of another version was made of all its sources.

    That a source has about as many documents as before ``losses`` sees to.

    Raises:
        CorpusError: a look at federal law is lacking, or a source.
    """
    live = _read_other_version(data_dir)
    if live is None:
        return
    lacking: list[str] = []
    for state in live.sources:
        if state.source_type == registry.FEDERAL_LAW.source_type:
            series = list_series(state)
            gone = [one for one in series if not any(is_of(one, s) for s in start.snapshots)]
            lacking += [_describe(state, gone)] if gone else []
        elif state.items and state.source_type not in harvest.replaced:
            lacking.append(_describe(state, ()))
    if lacking:
        raise CorpusError(_tell_lacking(live, lacking))


def _read_other_version(data_dir: Path) -> Manifest | None:
    """What the live build says of itself, if it is of official law and another version made it."""
    live = read_live(data_dir)
    is_other = live is not None and builds.tell_other_version(live) is not None
    return live if live is not None and is_other and not live.demonstration else None


def _describe(state: SourceState, looks: Sequence[SnapshotState]) -> str:
    """What there is of a source: of federal law the looks, else how many documents."""
    if state.source_type != registry.FEDERAL_LAW.source_type:
        return f"{state.items:,} documents of {state.name}"
    first, last = looks[0].stand.isoformat(), looks[-1].stand.isoformat()
    return f"{state.name} of {first}" + (f" to {last} ({len(looks)} looks)" if first < last else "")


def _tell_lacking(live: Manifest, lacking: Sequence[str]) -> str:
    return (
        f"the live build {live.release} cannot be gone on from: {builds.tell_other_version(live)}."
        f" In its place the source would lack {', '.join(lacking)}. Name one that has all of it"
        " (--source), go back to the other version, or begin anew with 'fundstelle ingest --fresh',"
        " which takes less, and add the rest to that (--decisions, --celex, --add; 'fundstelle"
        " update' brings the looks that are kept from the source's day on)"
    )
