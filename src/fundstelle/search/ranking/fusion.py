"""Several rankings made one."""

from collections.abc import Iterable, Sequence

# Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009), take 60. With so few rankings
# that buries what one of them has first and the others do not know (docs/search.md).
_DEPTH = 5
_PAGE = 10
_OWN = 3  # first hits of the question itself ...
_FALL = 2  # ... that fall by so many places at most


def fuse(rankings: Iterable[tuple[float, Sequence[int]]]) -> list[tuple[int, float]]:
    """Documents with their fused score, best first, then by number.

    Each ranking comes with its weight; a document scores ``weight / (5 + rank)`` in each.
    """
    scores: dict[int, float] = {}
    for weight, ranking in rankings:
        for rank, document in enumerate(ranking, 1):
            scores[document] = scores.get(document, 0.0) + weight / (_DEPTH + rank)
    return sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))


def keep_firsts(fused: Sequence[int], rankings: Sequence[Sequence[int]]) -> list[int]:
    """The fused order, but none of what must not be buried comes later than its place.

    What the question itself (the first of ``rankings``) has as its first hits falls by two places
    at most, and what any rephrasing has first is on the first page of ten.
    """
    own, *others = rankings
    latest = {ordinal: place + _FALL for place, ordinal in enumerate(own[:_OWN])}
    firsts = [ranking[0] for ranking in others if ranking]
    for count, ordinal in enumerate(dict.fromkeys(firsts)):
        latest.setdefault(ordinal, _PAGE - 1 - count)
    kept: list[int] = []
    waiting = dict.fromkeys(fused)
    for place in range(min(_PAGE, len(fused))):
        due = [one for one, last in latest.items() if last <= place and one in waiting]
        taken = min(due, key=latest.__getitem__) if due else next(iter(waiting))
        del waiting[taken]
        kept.append(taken)
    return [*kept, *waiting]
