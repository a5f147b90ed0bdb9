"""Which looks found a law as it was: addresses, whose files they give, and what was listed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from fundstelle.ingest.history.snapshots import SpooledFile, SpooledSnapshot
from fundstelle.ingest.records import StatuteHeader


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file with the header read from it; ``snapshot`` is its place in the series."""

    snapshot: int
    file: SpooledFile
    header: StatuteHeader


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a statute; ``first_seen`` if it is known not to have been there before.

    ``last_seen`` is the last look that found it so.
    """

    snapshot: int
    file: SpooledFile
    first_seen: bool
    last_seen: date


class Owners(NamedTuple):
    """Whose files an address gives from the place of a look on."""

    place: int  # -1: before the first
    numbers: frozenset[str]


class Series:
    """The looks of a build, oldest first, and which of them found a law as it was before."""

    def __init__(
        self,
        snapshots: Sequence[SpooledSnapshot],
        unread: Iterable[tuple[int, str]] = (),
        owners: Mapping[str, Sequence[Owners]] = MappingProxyType({}),
    ) -> None:
        self.snapshots = snapshots
        self._owners = owners  # by slug
        # By slug, where a new text could not be read: from there on nothing is known of the law.
        self._unusable: dict[str, list[int]] = {}
        for place, slug in sorted({*unread, *_list_unusable(snapshots)}):
            self._unusable.setdefault(slug, []).append(place)
        # Of each look, what its own table of contents lists, else the next one: a law that this
        # lacks may have left before the look. Behind the last table the last one counts.
        self._listed: list[frozenset[str] | None] = []
        tables = [one.contents for one in snapshots if one.contents is not None]
        last = tables[-1] if tables else None
        for snapshot in reversed(snapshots):
            own = snapshot.contents if snapshot.listed_then else None
            self._listed.insert(0, last if own is None else own)
            last = last if snapshot.contents is None else snapshot.contents

    def find_last_seen(
        self, publisher_id: str, slug: str, after: int, later: Sequence[Version]
    ) -> date | None:
        """The last look behind the place ``after`` and before ``later`` that found it unchanged."""
        ends = later[0].snapshot if later else len(self.snapshots)
        ends = next((one for one in self._unusable.get(slug, ()) if after < one < ends), ends)
        for place in range(ends - 1, after, -1):
            if self._has_found(publisher_id, slug, place):
                return self.snapshots[place].day
        return None

    def is_own(self, publisher_id: str, slug: str, place: int) -> bool:
        """Whether an address gave no other law's file at a look, as far as is known."""
        owners = [one for one in self._owners.get(slug, ()) if one.place <= place]
        return not owners or publisher_id in owners[-1].numbers

    def lists(self, slug: str, place: int) -> bool:
        """Whether an address was listed at a look, as far as is known."""
        listed = self._listed[place]
        return listed is None or slug in listed

    def shows(self, one: Candidate, place: int) -> bool:
        """Whether a later look found a file as it was, at its address, without naming it."""
        slug = one.file.slug
        is_usable = not any(one.snapshot < n <= place for n in self._unusable.get(slug, ()))
        return is_usable and self._shows(one.header.publisher_id, slug, place)

    def _has_found(self, publisher_id: str, slug: str, place: int) -> bool:
        confirmed = self.snapshots[place].confirmed
        return publisher_id in confirmed or self._shows(publisher_id, slug, place)

    def _shows(self, publisher_id: str, slug: str, place: int) -> bool:
        snapshot, listed = self.snapshots[place], self._listed[place]
        is_shown = snapshot.changes_only and slug not in snapshot.unread
        return is_shown and slug in (listed or ()) and self.is_own(publisher_id, slug, place)


def follow_addresses(history: Sequence[Candidate], series: Series) -> list[Candidate]:
    """A law's files with those of an earlier address where the publisher went back to that.

    The look that finds the newest address gone and an earlier one listed names no file: there the
    law is as it was.
    """
    if len({one.file.slug for one in history}) == 1:
        return list(history)
    named = {one.snapshot: one for one in history}
    followed: list[Candidate] = []
    newest: dict[str, Candidate] = {}
    for place in range(history[0].snapshot, len(series.snapshots)):
        one = named.get(place)
        if one is None and not series.lists(followed[-1].file.slug, place):
            earlier = sorted(newest.values(), key=lambda each: each.snapshot, reverse=True)
            one = next((each for each in earlier if _is_back(each, place, series)), None)
        if one is not None:
            newest[one.file.slug] = one
            followed.append(replace(one, snapshot=place))
    return followed


def _is_back(one: Candidate, place: int, series: Series) -> bool:
    then, now = series.snapshots[one.snapshot], series.snapshots[place]
    return then.spool == now.spool and series.shows(one, place)


def _list_unusable(snapshots: Sequence[SpooledSnapshot]) -> Iterator[tuple[int, str]]:
    for place, snapshot in enumerate(snapshots):
        yield from ((place, slug) for slug in snapshot.unusable)
