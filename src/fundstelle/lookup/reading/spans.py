"""Ranges: ``§§ 823 bis 826``, ``§§ 823 ff.``, ``§§ 145 f.`` against a law's own contents."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from fundstelle.corpus.store import CorpusStore, OutlineEntry
from fundstelle.law.citations import NormCitation
from fundstelle.law.identifiers import number_key, to_id
from fundstelle.law.norms import Norm, NormKind
from fundstelle.lookup.reading.numbers import KINDS, find_numbered

_NUMBERED = (NormKind.SECTION, NormKind.ARTICLE)
_LONGEST = 1_000  # provisions looked at
_NEXT = 2  # the provision and the one behind it: "f."
_SEVERAL = 3  # "ff." is more than one behind it


def list_span(
    store: CorpusStore,
    statute_id: str,
    number: str,
    target: NormCitation,
    limit: int,
) -> tuple[list[Norm], int]:
    """The first ``limit`` provisions of a range and how many it has; ends may be missing.

    ``f.`` is the section and the next; ``ff.`` goes on to the end of their heading, and has at
    least two behind the first.
    """
    first = find_numbered(store, statute_id, number, target.unit)
    if first is None and target.number_end is None:
        return [], 0
    if first is None:
        first = store.find_neighbours(statute_id, number, KINDS.get(target.unit or ""))[1]
    if first is None:
        return [], 0
    if target.number_end is None:
        return _list_following(store, first, target.follow or "ff", limit)
    if target.unit not in KINDS:
        end = find_numbered(
            store, statute_id, to_id(f"{target.unit} {target.number_end}"), target.unit
        )
        # of annexes, which are counted in many ways, no end is made up
        return ([], 0) if end is None else list_between(store, first, end, "", limit)
    last = find_numbered(store, statute_id, target.number_end, target.unit)
    last = last or store.find_neighbours(statute_id, target.number_end, first.kind)[0]
    if last is None or last.position < first.position:
        return [], 0
    highest = number_key(target.number_end)
    inside = [
        entry for entry in _list(store, first, last.position) if number_key(entry.number) <= highest
    ]
    return _read(store, inside[:limit]), len(inside)


def list_between(
    store: CorpusStore, first: Norm, last: Norm | None, follow: str, limit: int
) -> tuple[list[Norm], int]:
    """As ``list_span``, by the order of an act whose ids are not made of bare numbers.

    Without ``last`` those that ``follow``.
    """
    if last is None:
        return _list_following(store, first, follow, limit)
    inside = [entry for entry in _list(store, first, last.position) if entry.kind is first.kind]
    return _read(store, inside[:limit]), len(inside)


def _list_following(
    store: CorpusStore, first: Norm, follow: str, limit: int
) -> tuple[list[Norm], int]:
    after = _list(store, first, first.position + _LONGEST)
    same = after[:_NEXT]
    if follow != "f":
        places = [one.place for one in _slice(store, first, first.position)]
        same = [one for one in after if one.place in places]
        if len(same) < _SEVERAL:  # the heading ends before the subject does
            same = after[:_SEVERAL]
    return _read(store, same[:limit]), len(same)


def _list(store: CorpusStore, first: Norm, last_position: int) -> list[OutlineEntry]:
    last = min(last_position, first.position + _LONGEST)
    return [
        entry
        for entry in _slice(store, first, last)
        if entry.kind in _NUMBERED or entry.kind is first.kind
    ]


def _slice(store: CorpusStore, first: Norm, last_position: int) -> Sequence[OutlineEntry]:
    outline = store.list_outline(first.statute_id)
    begin = bisect_left(outline, first.position, key=_get_position)
    return outline[begin : bisect_right(outline, last_position, key=_get_position)]


def _get_position(entry: OutlineEntry) -> int:
    return entry.position


def _read(store: CorpusStore, entries: Sequence[OutlineEntry]) -> list[Norm]:
    return store.get_norms_by_ordinal([entry.ordinal for entry in entries])
