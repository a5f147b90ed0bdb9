"""Which file becomes which statute: ids from headers, versions by document number, duplicates."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from fundstelle.citations.names import choose_abbreviation, is_kept_by_hand
from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import StatuteHeader
from fundstelle.ingest.snapshots import SpooledFile, SpooledSnapshot
from fundstelle.law.identifiers import build_statute_id


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file with the header read from it; ``snapshot`` is its place in the series."""

    snapshot: int
    file: SpooledFile
    header: StatuteHeader


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a statute; ``first_seen`` if it is known not to have been there before."""

    snapshot: int
    file: SpooledFile
    first_seen: bool


@dataclass(frozen=True, slots=True)
class PlannedStatute:
    """A statute with its id and its versions, oldest first."""

    statute_id: str
    abbreviation: str
    listed: bool
    versions: tuple[Version, ...]

    @property
    def size(self) -> int:
        """Bytes of XML."""
        return sum(version.file.length for version in self.versions)


def plan(
    snapshots: Sequence[SpooledSnapshot], candidates: Sequence[Candidate]
) -> tuple[list[PlannedStatute], list[Rejected]]:
    """Give every statute its id, in id order; the second file of one law in a snapshot goes.

    ``candidates`` come in the order of snapshot and name.
    """
    kept, rejected = _drop_duplicates(candidates)
    by_law: dict[str, list[Candidate]] = {}
    for candidate in kept:
        by_law.setdefault(candidate.header.publisher_id, []).append(candidate)
    removed = frozenset(chain.from_iterable(snapshot.removed for snapshot in snapshots))
    drafts = [_draft(history, snapshots, removed) for history in by_law.values()]
    return sorted(_name(drafts), key=lambda statute: statute.statute_id), rejected


@dataclass(frozen=True, slots=True)
class _Draft:
    """A statute before it has its name."""

    header: StatuteHeader  # of the newest version
    listed: bool
    versions: tuple[Version, ...]

    @property
    def rank(self) -> tuple[bool, bool, str, str]:
        """Who keeps a contested name.

        Listed before unlisted, laws that lawyers cite by it before others, then newer, then by
        number.
        """
        issued = self.header.issued_on.isoformat() if self.header.issued_on else ""
        newer_first = "".join(chr(0x7F - ord(digit)) for digit in issued)
        cited = is_kept_by_hand(self.header.abbreviations_juris)
        return (not self.listed, not cited, newer_first or "~", self.header.publisher_id)


def _drop_duplicates(
    candidates: Sequence[Candidate],
) -> tuple[list[Candidate], list[Rejected]]:
    seen: dict[tuple[int, str], str] = {}
    kept, rejected = [], []
    for candidate in sorted(candidates, key=lambda c: (c.snapshot, not c.file.listed, c.file.name)):
        key = (candidate.snapshot, candidate.header.publisher_id)
        if key in seen:
            reason = f"it is the same law ({candidate.header.publisher_id}) as {seen[key]}"
            rejected.append(Rejected(candidate.file.name, reason))
        else:
            seen[key] = candidate.file.name
            kept.append(candidate)
    return kept, rejected


def _draft(
    history: Sequence[Candidate], snapshots: Sequence[SpooledSnapshot], removed: frozenset[str]
) -> _Draft:
    newest = history[-1]
    versions = tuple(
        Version(c.snapshot, c.file, not place and _is_new(c, snapshots))
        for place, c in enumerate(history)
    )
    listed = newest.file.listed and newest.header.publisher_id not in removed
    return _Draft(newest.header, listed, versions)


def _is_new(candidate: Candidate, snapshots: Sequence[SpooledSnapshot]) -> bool:
    """Whether an earlier snapshot proves that the law was not there yet."""
    snapshot = snapshots[candidate.snapshot]
    if candidate.header.publisher_id in snapshot.added:
        return True
    before = [s.contents for s in snapshots[: candidate.snapshot] if s.contents is not None]
    return bool(before) and candidate.file.slug not in before[-1]


def _name(drafts: Sequence[_Draft]) -> list[PlannedStatute]:
    """The canonical abbreviation; where laws share one, all but the first get their year added."""
    taken: set[str] = set()
    named = []
    for draft in sorted(drafts, key=lambda draft: draft.rank):
        header = draft.header
        base = choose_abbreviation(
            header.abbreviations_juris, header.abbreviation_official, header.title
        )
        for abbreviation in _alternatives(base, header):
            statute_id = build_statute_id(abbreviation)
            if statute_id not in taken:
                break
        taken.add(statute_id)
        named.append(PlannedStatute(statute_id, abbreviation, draft.listed, draft.versions))
    return named


def _alternatives(base: str, header: StatuteHeader) -> Sequence[str]:
    year = f"{base} {header.issued_on.year}" if header.issued_on else base
    # The document number is unique, so the last one is always free.
    return (base, year, f"{year} {header.publisher_id}")
