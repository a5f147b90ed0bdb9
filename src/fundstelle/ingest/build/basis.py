"""What the readings of decisions depend on: where it is the same, they are those of the live build.

What a decision cites is told by its words, by the program that reads them, and by the laws that are
held: what they are called, and which norms they have. Of all of it a build keeps a hash.
"""

import hashlib
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.soundness.check import check_part
from fundstelle.corpus.soundness.record import find_recorded
from fundstelle.ingest.build.workers import HeldIndex
from fundstelle.ingest.graph.taken import keep_names
from fundstelle.ingest.harvest import Harvest
from fundstelle.ingest.history.carry import Held
from fundstelle.ingest.history.series import Live
from fundstelle.ingest.program import PACKAGE, hash_files
from fundstelle.ingest.progress import Progress
from fundstelle.law.norms import Statute


@dataclass(frozen=True, slots=True)
class Basis:
    """What readings were made with; two hashes of 64 hex digits."""

    program: str
    laws: str


@cache
def hash_program() -> str:
    """SHA-256 of every file of the package, and of what runs it."""
    return hash_files(PACKAGE.rglob("*"), sys.version)


def hash_laws(store: WholeStore) -> str:
    """SHA-256 of what citations are read and resolved with: names of laws, ids of norms."""
    digest = hashlib.sha256()
    for statute_id, statute in store.statutes.items():
        digest.update(repr(_keep_names(statute)).encode())
        digest.update(repr(sorted(store.list_numbers(statute_id))).encode())
    for table in (store.iter_ids(), store.iter_ranges()):
        for row in table:
            digest.update(repr(row).encode())
    return digest.hexdigest()


def _keep_names(statute: Statute) -> Statute:
    """A statute as ``keep_names`` leaves it, and whether its publisher lists it."""
    return replace(keep_names(statute), listed=statute.listed)


def is_same_program(manifest: Manifest) -> bool:
    """Whether the program that is running made a build."""
    return manifest.program == hash_program()


def find_unchanged(held: Held | None, harvest: Harvest) -> Held | None:
    """The live build, if all its decisions go into the next one just as they are stored there.

    So it is where no collection brings or takes back anything, and the same program stored them.
    """
    if held is None or not is_same_program(held.manifest):
        return None
    is_new = harvest.replaced or harvest.withdrawn or not harvest.decisions.is_empty
    return None if is_new else held


def find_index(
    held: Held | Live | None, unchanged: Held | None, progress: Progress
) -> HeldIndex | None:
    """The index of the live build, if the same program made it, so that parts may be taken over.

    ``unchanged`` is that build if all its decisions are.

    So it is where it is what was written, byte for byte, and no check has found the build damaged:
    what is taken over is what the next manifest vouches for. Else all of the index is made anew,
    and so is what was learnt beside it.
    """
    if held is None or not is_same_program(held.manifest):
        return None
    folder, release = held.database.parent, held.manifest.release
    damage = [*check_part(folder, builds.INDEX), *find_recorded(folder.parents[1], release)]
    if damage:
        progress.note(
            f"the live build {release} is damaged ({damage[0]}): of its search index and of what"
            " was learnt nothing is taken over, both are made anew"
        )
        return None
    index = held.database.with_name(builds.INDEX)
    return HeldIndex(index, held.database, has_same_decisions=unchanged is not None)


def find_before(live: Live | None) -> Path | None:
    """The database of the live build that is gone on from, if the same program read its texts."""
    if live is None or not is_same_program(live.manifest):
        return None
    return live.database


def find_basis(store: WholeStore) -> Basis:
    """What the decisions of a build are read with."""
    return Basis(hash_program(), hash_laws(store))


def can_take(basis: Basis, before: Manifest) -> bool:
    """Whether what the decisions of another build cite was read with the same."""
    return (before.program, before.laws) == (basis.program, basis.laws)
