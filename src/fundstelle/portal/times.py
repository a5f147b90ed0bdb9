"""What a law or a norm was on other days: its texts, two of them side by side, what changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from fundstelle.law.norms import Fassung, Norm, Statute, choose_read_day, set_back
from fundstelle.lookup.addresses import norm_path
from fundstelle.lookup.context.changes import Change, compare
from fundstelle.lookup.context.law_changes import LawComparison, compare_law
from fundstelle.lookup.dating.days import Days, describe_days, find_floor
from fundstelle.lookup.dating.on_day import Standing, find_text
from fundstelle.lookup.library import Library
from fundstelle.portal.frame.query import Unreadable, read_day
from fundstelle.portal.frame.visits import Visit
from fundstelle.tools.answers.law_changes import find_gap

_MOST_TEXTS = 50  # of a norm in the margin of its page, the newest
_OLDER_NAME = "day"  # of as_of, in addresses that were given out before


@dataclass(frozen=True, slots=True)
class TextOfDays:
    """One text of a norm: its days, its page, and the page that compares it with the one before."""

    days: Days
    path: str
    compared: str | None


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of one side; ``is_other``: they are not in the other side."""

    text: str
    is_other: bool


@dataclass(frozen=True, slots=True)
class Row:
    """An Absatz that differs, whole on both sides; a side may be empty."""

    segment: str
    before: Sequence[Piece]
    after: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Synopsis:
    """Two texts of a norm side by side; ``None`` where none was in force."""

    first: date
    last: date
    texts: tuple[Fassung | None, Fassung | None]
    titles: tuple[str | None, str | None]
    rows: Sequence[Row]
    total: int


def read_as_of(visit: Visit) -> date | None:
    """The day that is asked for.

    Raises:
        Unreadable: it is none, or there are two of them.
    """
    day, older = read_day(visit, "as_of"), read_day(visit, _OLDER_NAME)
    if day is not None and older not in {None, day}:
        raise Unreadable(_OLDER_NAME, "several")
    return day or older


def read_days(visit: Visit) -> tuple[date, date] | None:
    """The two days to compare, the earlier one first; ``as_of`` left out is today.

    Raises:
        Unreadable: one of them is no day.
    """
    other = read_day(visit, "compare_to")
    if other is None:
        return None
    first, last = sorted((other, read_as_of(visit) or datetime.now(UTC).date()))
    return first, last


def list_texts(library: Library, statute: Statute, norm: Norm) -> list[TextOfDays]:
    """The texts of a norm, newest first; one alone is none to choose from."""
    heads = library.store.list_fassungen(norm.norm_id)
    if len(heads) < 2:
        return []
    days = describe_days(library.store.manifest, statute, heads)
    texts = []
    for place in reversed(range(len(heads))):
        on = heads[place].in_force_from or find_floor(library, statute)
        older = heads[place - 1] if place else None
        before = choose_read_day(older.stand, older.in_force_from) if older else None
        compared = f"{norm_path(norm.norm_id, on)}&compare_to={before}" if before else None
        texts.append(TextOfDays(days[place], norm_path(norm.norm_id, on), compared))
    return texts[:_MOST_TEXTS]


def compare_texts(
    library: Library, statute: Statute, norm: Norm, days: tuple[date, date]
) -> Synopsis | None:
    """A norm on two days; ``None`` where the corpus does not speak for one of them."""
    first, last = days
    read = [find_text(library, statute, norm.norm_id, day) for day in days]
    if any(each.standing is Standing.OUTSIDE for each in read):
        return None
    older, newer = (each.fassung for each in read)
    found = compare(older, newer)
    rows = [_describe(change) for change in found.changes]
    titles = _find_title(norm, older), _find_title(norm, newer)
    return Synopsis(first, last, (older, newer), titles, rows, found.total)


def _find_title(norm: Norm, fassung: Fassung | None) -> str | None:
    return set_back(norm, fassung).title if fassung is not None else None


def _describe(change: Change) -> Row:
    gone = [(each.before_at, each.before) for each in change.words if each.before]
    come = [(each.after_at, each.after) for each in change.words if each.after]
    is_whole = not change.words  # then all of it is another text
    return Row(
        change.segment,
        tuple(_cut(change.before, gone, is_other=is_whole)),
        tuple(_cut(change.after, come, is_other=is_whole)),
    )


def _cut(text: str, marked: Sequence[tuple[int, str]], *, is_other: bool) -> Iterator[Piece]:
    """A text in pieces, those that are marked apart from the others."""
    at = 0
    for start, words in marked:
        if start > at:
            yield Piece(text[at:start], is_other=is_other)
        yield Piece(words, is_other=True)
        at = start + len(words)
    if at < len(text):
        yield Piece(text[at:], is_other=is_other)


def compare_contents(
    library: Library, statute: Statute, days: tuple[date, date]
) -> LawComparison | None:
    """What changed in a law; ``None`` where nobody looked at it between the days."""
    first, last = days
    if first < find_floor(library, statute):
        return None
    found = compare_law(library, statute, first, last)
    is_known = find_gap(library, statute, statute.abbreviation, days) is None
    return found if found.changes or is_known else None


def find_to_come(library: Library, statute: Statute, today: date) -> date | None:
    """The first day after today for which other texts of a law are held."""
    later = _list_days_of_change(library, statute, today)
    if today < statute.newest_from:
        later.append(statute.newest_from)
    return min(later, default=None)


def is_of_other_texts(library: Library, statute: Statute, on: date) -> bool:
    """Whether the contents on a day are not those of the newest texts."""
    if on < find_floor(library, statute):
        return False
    return on < statute.newest_from or bool(_list_days_of_change(library, statute, on))


def _list_days_of_change(library: Library, statute: Statute, after: date) -> list[date]:
    if after == date.max:
        return []
    changed = library.store.list_changed(after + timedelta(days=1), date.max)
    return [one.day for one in changed if one.statute_id == statute.statute_id]
