"""What changed in a law between two days: which of its provisions have another text, or none.

What a provision said on a day is what a lookup of it says (``lookup.texts.read_units``).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256

from fundstelle.corpus.store import FassungHead
from fundstelle.law.norms import Norm, NormKind, NormStatus, Statute
from fundstelle.lookup.dating.application import find_entry
from fundstelle.lookup.dating.commencement import find_commencement
from fundstelle.lookup.dating.days import Days, describe_days
from fundstelle.lookup.dating.on_day import is_only
from fundstelle.lookup.library import Library

KINDS = ("changed", "new", "repealed", "renumbered")

_EMPTY = sha256(b"").hexdigest()


@dataclass(frozen=True, slots=True)
class NormChange:
    """A provision that is not on the later day what it was on the earlier one.

    ``norm`` is headed as on the later day, of what is ``repealed`` as on the earlier. What is
    ``renumbered`` has the very words that ``was`` had under another number. ``days`` are those of
    the text of the later day; of what has none, ``first_seen`` is the look that showed so.
    ``held_from`` is the first day that the new state is read for.
    """

    norm: Norm
    kind: str
    days: Days
    held_from: date | None = None
    was: Norm | None = None


@dataclass(frozen=True, slots=True)
class LawComparison:
    """The changes in the order of the law.

    Where one of the days lies between two looks, or two dated versions: how many ``changes`` may
    have come before the earlier day, and how many provisions were other ones after the later day
    and may have been so on it.
    """

    changes: Sequence[NormChange]
    perhaps_before: int
    perhaps_more: int


@dataclass(frozen=True, slots=True)
class _History:
    """The texts of one provision, oldest first."""

    norm: Norm
    heads: Sequence[FassungHead]
    begins: date | None  # of the whole law, by its own words
    enters: date | None  # before which nothing of an act is in force

    def find(self, on: date) -> FassungHead | None:
        """The text in force on that day; the corpus must speak for the day."""
        held = self.find_held(on)
        if self.enters is not None and on < self.enters:
            return None
        if self.begins is not None and on < self.begins and len(self.heads) == 1:
            return None
        if self.begins is not None and self.begins <= on and is_only(self.heads):
            held = self.heads[0]
        return held if held is not None and held.status is NormStatus.IN_FORCE else None

    def find_held(self, on: date) -> FassungHead | None:
        """What is held for that day, be it that there is no text."""
        return next((head for head in reversed(self.heads) if _holds(head, on)), None)


@dataclass(slots=True)
class _Days:
    """What is known on two days of the provisions of a law."""

    first: dict[str, FassungHead] = field(default_factory=dict)
    last: dict[str, FassungHead] = field(default_factory=dict)


def compare_law(library: Library, statute: Statute, first: date, last: date) -> LawComparison:
    """The provisions that differ between two days, for both of which the corpus speaks."""
    store = library.store
    heads = store.list_heads(statute.statute_id)
    begins, enters = find_commencement(library, statute), find_entry(statute)
    histories = {
        norm.norm_id: _History(norm, heads[norm.norm_id], begins, enters)
        for norm in store.list_norms(statute.statute_id)
        if _has_text(norm, heads.get(norm.norm_id, ()))
    }
    known = _Days()
    for norm_id, history in histories.items():
        for day, texts in (first, known.first), (last, known.last):
            text = history.find(day)
            if text is not None:
                texts[norm_id] = text
    older, newer = _list_named(library, statute, first), _list_named(library, statute, last)
    moved = _find_moved(known)
    gone = set(moved.values())
    changes = []
    for norm_id, history in histories.items():
        before, after = known.first.get(norm_id), known.last.get(norm_id)
        if norm_id in moved and after is not None:
            change = NormChange(newer[norm_id], "renumbered", Days(after.stand))
            change = replace(change, was=older[moved[norm_id]])
        elif after is None:
            if before is None or norm_id in gone:  # said where its words stand now
                continue
            change = NormChange(older[norm_id], "repealed", Days(before.stand))
        elif before is None:
            change = NormChange(newer[norm_id], "new", Days(after.stand))
        elif (
            before.text_sha256 != after.text_sha256
            or older[norm_id].title != newer[norm_id].title  # one of them may have had none
        ):
            change = NormChange(newer[norm_id], "changed", Days(after.stand))
        else:
            continue
        changes.append(_date(library, statute, history, change, last))
    return LawComparison(
        changes,
        sum(_is_unsure(library, statute, histories[each.norm.norm_id], first) for each in changes),
        sum(_is_unsure(library, statute, each, last) for each in histories.values()),
    )


def _has_text(norm: Norm, heads: Sequence[FassungHead]) -> bool:
    """A heading without words of its own is no provision."""
    if norm.kind is NormKind.HEADING:
        return any(head.text_sha256 != _EMPTY for head in heads)
    return bool(heads)


def _holds(head: FassungHead, on: date) -> bool:
    """Whether a text is read for that day; an open end lies after every day, the last one too."""
    has_begun = head.in_force_from is None or head.in_force_from <= on
    return has_begun and (head.in_force_until is None or on < head.in_force_until)


def _list_named(library: Library, statute: Statute, on: date) -> Mapping[str, Norm]:
    """The provisions headed as on that day."""
    store, statute_id = library.store, statute.statute_id
    is_newest = on >= statute.newest_from
    norms = store.list_norms(statute_id) if is_newest else store.list_norms_on(statute_id, on)
    return {norm.norm_id: norm for norm in norms}


def _find_moved(known: _Days) -> dict[str, str]:
    """What stands under another number on the later day: its id, and the id that it had.

    Only the very same words, which one provision alone has on either day, are taken for the same.
    """
    older, newer = (
        {digest: ids[0] for digest, ids in _group(texts).items() if len(ids) == 1}
        for texts in (known.first, known.last)
    )
    return {
        newer[digest]: norm_id
        for digest, norm_id in older.items()
        if digest != _EMPTY and newer.get(digest, norm_id) != norm_id
    }


def _group(texts: Mapping[str, FassungHead]) -> Mapping[str, Sequence[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for norm_id, head in texts.items():
        groups[head.text_sha256].append(norm_id)
    return groups


def _date(
    library: Library, statute: Statute, history: _History, change: NormChange, last: date
) -> NormChange:
    """With what is known of the day on which it came."""
    heads = history.heads
    days = describe_days(library.store.manifest, statute, heads)
    state = history.find_held(last)
    if history.begins is not None and is_only(heads):
        return replace(
            change,
            days=replace(days[0], valid_from=history.begins, basis="text"),
            held_from=history.begins,
        )
    if state is not None:
        place = heads.index(state)
        return replace(change, days=days[place], held_from=state.in_force_from)
    place = max(at for at, head in enumerate(heads) if (head.in_force_from or date.min) <= last)
    ended = days[place]
    gone = Days(ended.stand)
    if ended.valid_to is not None:
        gone = Days(ended.stand, valid_from=ended.valid_to, basis=ended.basis)
    elif ended.first_seen is not None or ended.valid_from is not None:  # looks are known of it
        gone = Days(ended.stand, first_seen=ended.gone_on, not_seen_before=ended.stand)
    return replace(change, days=gone, held_from=heads[place].in_force_until)


def _is_unsure(library: Library, statute: Statute, history: _History, on: date) -> bool:
    """Whether the state after a day is another, and nothing tells that it was not so on it."""
    heads = history.heads
    held = history.find_held(on)
    if held is not None:
        return held.in_force_until is not None and held.stand < on
    if (heads[-1].in_force_from or date.min) <= on:
        return False
    days = describe_days(library.store.manifest, statute, heads)
    return any(
        each.first_seen is not None
        and each.not_seen_before is not None
        and each.not_seen_before < on < each.first_seen
        for each in days
    )
