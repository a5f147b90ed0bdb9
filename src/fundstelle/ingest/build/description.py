"""What a build is made of, and what its manifest says of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import Manifest, Rejected, release_hash
from fundstelle.corpus.rows import SCHEMA_VERSION
from fundstelle.errors import CorpusError
from fundstelle.ingest.build.basis import Basis
from fundstelle.ingest.build.connection import Content
from fundstelle.ingest.harvest import Harvest
from fundstelle.ingest.history.carry import Held, describe_sources
from fundstelle.ingest.history.precedence import Precedence
from fundstelle.ingest.history.series import Start, describe_source


@dataclass(frozen=True, slots=True)
class Parts:
    """What a build is made of: laws, decisions and EU acts, and what the live build has beside."""

    start: Start
    harvest: Harvest
    held: Held | None
    records: Path | None = None  # of parliament, on the days of acts

    @property
    def live(self) -> Manifest | None:
        """Of the build that is gone on from."""
        return self.start.live.manifest if self.start.live else None

    @property
    def is_demonstration(self) -> bool:
        """Whether its laws are invented."""
        live = self.live
        return live.demonstration if live else any(s.demonstration for s in self.start.snapshots)


@dataclass(frozen=True, slots=True)
class Made:
    """A build that is written: of what, by what, and what was left out."""

    parts: Parts
    basis: Basis
    precedence: Precedence
    rejected: Sequence[Rejected]
    content: Content

    def describe(self, store: WholeStore, now: datetime) -> Manifest:
        """Its manifest; its files and who signed it are not yet known.

        Raises:
            CorpusError: its tree cannot be read.
        """
        parts, before, snapshots = self.parts, self.parts.live, self.parts.start.snapshots
        rejected = {*self.rejected, *(before.rejected if before else ())}
        tree = store.find_root()
        if tree is None:
            raise CorpusError("the tree of the texts cannot be read back; build again")
        beside = describe_sources(parts.harvest, parts.held, store, now)
        draft = Manifest(
            release="",
            sha256="",
            stand=max([*(s.day for s in snapshots), *([before.stand] if before else [])]),
            archive_floor=before.archive_floor if before else snapshots[0].day,
            built_at=now,
            schema_version=SCHEMA_VERSION,
            statutes=len(store.statutes),
            sources=(
                describe_source(parts.start, parts.harvest.failed, now),
                *self.precedence.describe(beside, store),
            ),
            rejected=tuple(sorted(rejected, key=lambda one: (one.name, one.reason))),
            demonstration=parts.is_demonstration,
            files=None,
            root=tree.root,
            leaves=tree.size,
            key=None,
            signature=None,
            program=self.basis.program,
            laws=self.basis.laws,
            **self.content.counts,
        )
        digest = release_hash(draft, self.content.sha256)
        return replace(draft, release=digest[:16], sha256=digest)
