"""Deletes from a target the releases that nobody is to fetch any more, and what they alone hold.

First go the records of releases, each in one step, then the chunks that no record names which lies
there then. So whatever moment it is ended at, every release that has a record is whole, and the
next attempt finds what is left over.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.travel.shipment import is_release
from fundstelle.corpus.travel.target import (
    LIVE,
    NEXT,
    OBJECTS,
    RELEASES,
    Target,
    name_record,
    read_release,
    read_shipment,
)
from fundstelle.errors import CorpusError

GRACE_S = 86_400
"""How long a chunk stays that no record names: a push that is under way writes its record last, and
one that broke off goes on with what it has sent."""

_CHUNK = re.compile(
    r"(?P<sha256>[0-9a-f]{64})|\.[0-9a-f]{64}-\d+-[0-9a-f]{8}"
)  # or of a killed push


@dataclass(slots=True)
class Freed:
    """What was deleted of chunks."""

    chunks: int = 0
    size: int = 0  # bytes


def prune(
    data_dir: Path,
    target: Target,
    keep: int,
    now: float,
    tell: Callable[[str], object] = lambda _: None,
) -> Freed:
    """Delete all but the live release, the one that is next, and the ``keep`` that came last.

    No push from the same data folder is under way meanwhile. One from another machine is spared by
    ``GRACE_S`` as far as it has sent its chunks itself.

    Args:
        data_dir: from which builds are pushed.
        target: where they lie.
        keep: how many; those that were pushed last, again or for the first time.
        now: seconds since 1970.
        tell: told each release whose record is deleted.

    Raises:
        CorpusError: a push is under way, the target cannot be asked, or the record of a release
            that is kept cannot be read: then nothing is deleted. Or something cannot be deleted.
    """
    with builds.lock(data_dir, "build"):
        for release in _choose(target, keep):
            if release not in _read_pointers(target):  # made live meanwhile, from elsewhere
                target.delete(name_record(release))
                tell(release)
        return _sweep(target, now)


def _choose(target: Target, keep: int) -> list[str]:
    """The releases to delete; the others can be read, and chunks can be listed."""
    held = sorted(_list_releases(target), reverse=True)
    if not held:
        raise CorpusError(
            f"no release lies at {target.address}, so nothing is deleted; see that it is the target"
            " that 'fundstelle build push' sends to"
        )
    kept = {release for _, release in held[:keep]} | _read_pointers(target)
    for release in kept:
        read_shipment(target, release)
    next(target.iter_held(OBJECTS), None)
    return [release for _, release in reversed(held) if release not in kept]


def _list_releases(target: Target) -> Iterator[tuple[float, str]]:
    """When each came, and its name."""
    for one in target.iter_held(RELEASES):
        release = one.name.removeprefix(f"{RELEASES}/").removesuffix(".json")
        if is_release(release) and one.name == name_record(release):
            yield one.modified, release


def _read_pointers(target: Target) -> set[str]:
    return {found for name in (LIVE, NEXT) if (found := read_release(target, name)) is not None}


def _sweep(target: Target, now: float) -> Freed:
    """Delete the chunks that no record names. In memory are the hashes of those that are named."""
    named = {
        bytes.fromhex(chunk)
        for _, release in list(_list_releases(target))
        for file in read_shipment(target, release).files
        for chunk in file.chunks
    }
    freed = Freed()
    for one in target.iter_held(OBJECTS):
        found = _CHUNK.fullmatch(one.name.removeprefix(f"{OBJECTS}/"))
        if found is None or now - one.modified < GRACE_S:
            continue
        if found["sha256"] is None or bytes.fromhex(found["sha256"]) not in named:
            target.delete(one.name)
            freed.chunks += 1
            freed.size += one.size
    return freed
