"""Which file becomes which statute: ids from headers, versions by document number, duplicates."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from fundstelle.citations.laws.names import choose_abbreviation, is_kept_by_hand
from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.history.sightings import (
    Candidate,
    Owners,
    Series,
    Version,
    follow_addresses,
)
from fundstelle.ingest.history.snapshots import SpooledSnapshot
from fundstelle.ingest.records import StatuteHeader
from fundstelle.law.identifiers import build_statute_id
from fundstelle.law.norms import Statute

_NORM_BYTES = 2_000  # of a norm in the live build, about


@dataclass(frozen=True, slots=True)
class Known:
    """What the live build holds, where a build goes on from it."""

    statutes: Mapping[str, Statute] = field(default_factory=dict)  # by publisher_id
    contents: frozenset[str] | None = None  # slugs of its newest table of contents


@dataclass(frozen=True, slots=True)
class PlannedStatute:
    """A statute with its id and its versions, oldest first."""

    statute_id: str
    abbreviation: str
    listed: bool
    versions: tuple[Version, ...]
    carried: int | None = None  # norms the live build holds of it; None = it does not have it
    carried_id: str | None = None  # its id there
    confirmed: date | None = None  # the last look that found it as the live build has it

    @property
    def size(self) -> int:
        """Bytes to be read, about."""
        carried = (self.carried or 0) * _NORM_BYTES
        return carried + sum(version.file.length for version in self.versions)


def plan(
    snapshots: Sequence[SpooledSnapshot],
    candidates: Sequence[Candidate],
    known: Known | None = None,
    unread: Iterable[tuple[int, str]] = (),
) -> tuple[list[PlannedStatute], list[Rejected]]:
    """Give every statute its id, in id order.

    Of several files of one law in a snapshot that counts which was built last.

    ``candidates`` come in the order of snapshot and name; ``unread`` are places of snapshots and
    slugs of files whose headers are of no use. A statute that the live build holds
    stays if no file names it. Ids are those that one build of all snapshots would give: who is
    called "BSIG" changes on the day on which another law of that name takes its place.
    """
    known = known or Known()
    kept, rejected = _drop_duplicates(candidates)
    series = Series(snapshots, unread, _list_owners(known, kept))
    shown: dict[str, list[Candidate]] = {}
    for candidate in kept:
        shown.setdefault(candidate.header.publisher_id, []).append(candidate)
    by_law = {number: follow_addresses(history, series) for number, history in shown.items()}
    drafts = [
        _carry(statute, by_law.pop(publisher_id, []), series)
        for publisher_id, statute in known.statutes.items()
    ]
    drafts += [_draft(history, series, known) for history in by_law.values()]
    return sorted(_name(drafts), key=lambda statute: statute.statute_id), rejected


def is_full(snapshot: SpooledSnapshot) -> bool:
    """Whether a law that the snapshot lacks has left the publisher's table of contents."""
    return snapshot.contents is not None and not snapshot.partial


@dataclass(frozen=True, slots=True)
class _Draft:
    """A statute before it has its name."""

    header: StatuteHeader  # of the newest version
    listed: bool
    versions: tuple[Version, ...]
    carried: Statute | None = None  # as the live build has it
    confirmed: date | None = None

    @property
    def rank(self) -> tuple[bool, bool, str, str]:
        """Who keeps a contested name.

        Listed before unlisted, laws that lawyers cite by it before others, then newer, then by
        number.
        """
        issued = self.header.issued_on.isoformat() if self.header.issued_on else ""
        newer_first = "".join(chr(0x7F - ord(digit)) for digit in issued)
        cited = is_kept_by_hand(self.header.abbreviation_juris)
        return (not self.listed, not cited, newer_first or "~", self.header.publisher_id)


def _drop_duplicates(
    candidates: Sequence[Candidate],
) -> tuple[list[Candidate], list[Rejected]]:
    seen: dict[tuple[int, str], str] = {}
    kept, rejected = [], []
    # of one name the later one counts, as it does where an archive is unpacked
    by_name = sorted(candidates, key=lambda c: (c.file.name, -c.file.offset))
    newest_first = sorted(by_name, key=lambda c: c.file.built, reverse=True)
    for candidate in sorted(newest_first, key=lambda c: (c.snapshot, not c.file.listed)):
        key = (candidate.snapshot, candidate.header.publisher_id)
        if not candidate.header.publisher_id:  # all without one would be one law
            reason = "it has no document number (doknr), and so no law that it belongs to"
            rejected.append(Rejected(candidate.file.name, reason))
        elif key in seen:
            reason = f"it is the same law ({candidate.header.publisher_id}) as {seen[key]}"
            rejected.append(Rejected(candidate.file.name, reason))
        else:
            seen[key] = candidate.file.name
            kept.append(candidate)
    return kept, rejected


def _list_owners(known: Known, candidates: Iterable[Candidate]) -> Mapping[str, Sequence[Owners]]:
    """Of each address its owners, oldest first."""
    places: dict[str, dict[int, set[str]]] = {}
    for number, statute in known.statutes.items():
        if statute.listed:
            places.setdefault(statute.slug, {}).setdefault(-1, set()).add(number)
    for one in candidates:
        if one.file.listed:
            held = places.setdefault(one.file.slug, {}).setdefault(one.snapshot, set())
            held.add(one.header.publisher_id)
    return {
        slug: [Owners(place, frozenset(numbers)) for place, numbers in sorted(held.items())]
        for slug, held in places.items()
    }


def _carry(statute: Statute, history: Sequence[Candidate], series: Series) -> _Draft:
    versions = _follow(history, series, ())
    listed = _is_listed(statute.publisher_id, versions, series, statute)
    header = history[-1].header if history else _read_header(statute)
    confirmed = series.find_last_seen(statute.publisher_id, statute.slug, -1, versions)
    return _Draft(header, listed, versions, statute, confirmed)


def _read_header(statute: Statute) -> StatuteHeader:
    """The header of the file that was read: the first of the abbreviations stood there."""
    return StatuteHeader(
        slug=statute.slug,
        publisher_id=statute.publisher_id,
        abbreviation_juris=next(iter(statute.abbreviations_juris), ""),
        abbreviation_official=statute.abbreviation_official,
        title=statute.title,
        issued_on=statute.issued_on,
    )


def _draft(history: Sequence[Candidate], series: Series, known: Known) -> _Draft:
    header = history[-1].header
    new = [n for n, one in enumerate(history[:1]) if _is_new(one, series.snapshots, known.contents)]
    versions = _follow(history, series, new)
    return _Draft(header, _is_listed(header.publisher_id, versions, series), versions)


def _follow(
    history: Sequence[Candidate], series: Series, new: Sequence[int]
) -> tuple[Version, ...]:
    """Each version with the last look that found it."""
    versions: list[Version] = []
    for place, one in reversed(list(enumerate(history))):
        number, slug = one.header.publisher_id, one.file.slug
        last = series.find_last_seen(number, slug, one.snapshot, versions)
        day = series.snapshots[one.snapshot].day
        versions.insert(0, Version(one.snapshot, one.file, place in new, last or day))
    return tuple(versions)


def _is_listed(
    publisher_id: str,
    versions: Sequence[Version],
    series: Series,
    before: Statute | None = None,
) -> bool:
    """What the newest snapshot that speaks of the law says; one without it may be a selection.

    A law whose address is listed is, unless that has come to be another law's.
    """
    files = {version.snapshot: version.file for version in versions}
    listed, slug = (before.listed, before.slug) if before else (True, "")
    for number, snapshot in enumerate(series.snapshots):
        file = files.get(number)
        if file is not None:
            listed, slug = file.listed, file.slug
        elif slug and is_full(snapshot):
            is_own = series.is_own(publisher_id, slug, number)
            listed = slug in (snapshot.contents or ()) and is_own
        if publisher_id in snapshot.removed:
            listed = False
    return listed


def _is_new(
    candidate: Candidate, snapshots: Sequence[SpooledSnapshot], contents: frozenset[str] | None
) -> bool:
    """Whether an earlier look proves that the law was not there yet: ``contents`` is of the build.

    What a table of contents named without its file was there, since when is not known.
    """
    snapshot, before = snapshots[candidate.snapshot], snapshots[: candidate.snapshot]
    if candidate.header.publisher_id in snapshot.added:
        return True
    for earlier in before:
        contents = contents if earlier.contents is None else earlier.contents
    if contents is not None:
        return candidate.file.slug not in contents
    # the first look of such a series shows every law there was
    return snapshot.changes_only and any(earlier.changes_only for earlier in before)


def _name(drafts: Sequence[_Draft]) -> list[PlannedStatute]:
    """The canonical abbreviation; where it is taken, the year is added."""
    named = []
    taken: set[str] = set()
    for draft in sorted(drafts, key=lambda draft: draft.rank):
        header = draft.header
        base = choose_abbreviation(
            header.abbreviation_juris, header.abbreviation_official, header.title
        )
        for abbreviation in _alternatives(base, header):
            statute_id = build_statute_id(abbreviation)
            if statute_id not in taken:
                break
        taken.add(statute_id)
        held = draft.carried
        named.append(
            PlannedStatute(
                *(statute_id, abbreviation, draft.listed, draft.versions),
                carried=held.norm_count if held else None,
                carried_id=held.statute_id if held else None,
                confirmed=draft.confirmed,
            )
        )
    return named


def _alternatives(base: str, header: StatuteHeader) -> Sequence[str]:
    year = f"{base} {header.issued_on.year}" if header.issued_on else base
    # The document number is unique, so the last one is always free.
    return (base, year, f"{year} {header.publisher_id}")
