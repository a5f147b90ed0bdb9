"""What a build says of itself: release, sources, Stand, counts, rejected files."""

from dataclasses import asdict, dataclass
from datetime import date, datetime
from hashlib import sha256
from typing import Any

import orjson

from fundstelle.corpus.fields import build_known
from fundstelle.errors import CorpusError, quote_error

FILE_NAME = "manifest.json"
MOST_BYTES = 64 << 20  # that of all there is has 0.1 MB


@dataclass(frozen=True, slots=True)
class SnapshotState:
    """One snapshot of a source."""

    name: str  # "gii-xml.tar.zst"
    stand: date
    sha256: str  # over the names and contents of its files, in order
    items: int
    # of what it says is listed, new and gone; "none", or empty in builds that did not note it
    lists: str = ""


@dataclass(frozen=True, slots=True, order=True)
class OwedDocument:
    """A document that a publisher has and a build lacks: each update asks for it again.

    Attributes:
        name: as its publisher has it.
        due: the first day on which it is asked for, ISO; empty = at once.
    """

    name: str
    due: str = ""


@dataclass(frozen=True, slots=True)
class SourceState:
    """One source as it went into the build, the snapshots before it included."""

    name: str  # "Gesetze im Internet"
    source_type: str  # of ``law.sources.Source``
    url: str
    stand: date
    items: int
    sha256: str  # of its snapshot; of several, over their hashes in order
    retrieved_at: datetime  # when the files were fetched (mtime of an archive), UTC
    complete: bool  # False: only some laws were asked for, or the source is a sample
    known_gaps: tuple[str, ...] = ()
    snapshots: tuple[SnapshotState, ...] = ()  # oldest first
    # slugs that the publisher's table of contents names and no snapshot held; None = not known
    missing: tuple[str, ...] | None = None
    # a later attempt that failed, and why: what is held is the last good state
    last_attempt: datetime | None = None
    problem: str | None = None
    # the last look at all that its publisher has changed; of what was carried in, whose files may
    # be far older than their times, the publisher's newest document; None = neither is known
    known_until: date | None = None
    # what could not be had, or is still to come: nobody lists it as changed again
    owed: tuple[OwedDocument, ...] = ()

    @property
    def held_until(self) -> date:
        """Up to which day at least all that its publisher has changed is held."""
        return self.known_until or min(self.stand, self.retrieved_at.date())

    def __hash__(self) -> int:
        """Of what tells it from others: a source may have hundreds of snapshots."""
        return hash((self.source_type, self.sha256, self.stand))


@dataclass(frozen=True, slots=True)
class Rejected:
    """A file that could not be used, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class FileState:
    """One file of a build as it was written."""

    name: str  # relative to the build's folder, with /
    size: int  # bytes
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A build's description, stored as ``manifest.json`` beside its files.

    ``release`` is the first 16 hex digits of ``sha256``, which covers what the build holds (not
    when or where it was made), so the same input gives the same release. ``files`` is no part of
    it: two indexes of the same content may differ in their bytes.
    """

    release: str
    sha256: str
    stand: date
    archive_floor: date  # oldest day the build can speak for
    built_at: datetime
    schema_version: int
    statutes: int
    norms: int  # provisions, headings not counted
    fassungen: int
    references: int
    characters: int  # of stored text
    sources: tuple[SourceState, ...]
    rejected: tuple[Rejected, ...]
    decisions: int = 0
    citings: int = 0  # citations in decisions
    demonstration: bool = False  # True: invented law, "kein geltendes Recht"
    # every file beside the manifest, by name; None = made before hashes were kept
    files: tuple[FileState, ...] | None = None
    # of the Merkle tree over its texts (docs/proof.md); None = made before there was one
    root: str | None = None
    leaves: int = 0
    key: str | None = None  # the operator's public key, and what it signed of root and leaves
    signature: str | None = None
    # hashes of the program that made it, and of the names and norms of laws that its decisions were
    # read with; None = made before an update took readings over (docs/adr/0035)
    program: str | None = None
    laws: str | None = None


def release_hash(manifest: Manifest, content: str) -> str:
    """The hash that names a release: what it holds and what it claims, not when it was made."""
    claims = [content, manifest.schema_version, manifest.stand, manifest.archive_floor]
    claims += [manifest.demonstration]
    claims += [(s.name, s.source_type, s.stand, s.complete) for s in manifest.sources]
    if manifest.root is not None:  # so that a build without a tree is not taken for one with it
        claims += [manifest.root, manifest.leaves]
    return sha256(repr([str(claim) for claim in claims]).encode()).hexdigest()


def dump_manifest(manifest: Manifest) -> bytes:
    """The manifest as ``manifest.json`` holds it: UTF-8, indented."""
    return orjson.dumps(asdict(manifest), option=orjson.OPT_INDENT_2) + b"\n"


def load_manifest(data: bytes, name: str) -> Manifest:
    """The inverse of ``dump_manifest``; ``name`` is what an error calls it.

    Raises:
        CorpusError: it is not a manifest of this version.
    """
    try:
        return _read(orjson.loads(data))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CorpusError(
            f"{name} is damaged or of another version ({quote_error(error)}); build the corpus"
            " again with 'fundstelle ingest'"
        ) from error


def _read(fields: dict[str, Any]) -> Manifest:
    for name in ("stand", "archive_floor"):
        fields[name] = date.fromisoformat(fields[name])
    fields["built_at"] = datetime.fromisoformat(fields["built_at"])
    fields["sources"] = tuple(_read_source(source) for source in fields["sources"])
    fields["rejected"] = tuple(build_known(Rejected, one) for one in fields["rejected"])
    files = fields.get("files")
    fields["files"] = None if files is None else tuple(build_known(FileState, one) for one in files)
    return build_known(Manifest, fields)


def _read_source(fields: dict[str, Any]) -> SourceState:
    fields["stand"] = date.fromisoformat(fields["stand"])
    fields["retrieved_at"] = datetime.fromisoformat(fields["retrieved_at"])
    known_until = fields.get("known_until")
    fields["known_until"] = date.fromisoformat(known_until) if known_until else None
    fields["known_gaps"] = tuple(fields["known_gaps"])
    fields["snapshots"] = tuple(map(_read_snapshot, fields.get("snapshots", ())))
    attempt = fields.get("last_attempt")
    fields["last_attempt"] = datetime.fromisoformat(attempt) if attempt else None
    fields["owed"] = tuple(build_known(OwedDocument, one) for one in fields.get("owed", ()))
    missing = fields.get("missing")
    fields["missing"] = None if missing is None else tuple(missing)
    return build_known(SourceState, fields)


def _read_snapshot(fields: dict[str, Any]) -> SnapshotState:
    fields["stand"] = date.fromisoformat(fields["stand"])
    return build_known(SnapshotState, fields)
