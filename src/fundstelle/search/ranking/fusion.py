"""Several rankings made one."""

from collections.abc import Iterable, Sequence

# Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009), take 60. With so few rankings
# that buries what one of them has first and the others do not know (docs/search.md).
_DEPTH = 5


def fuse(rankings: Iterable[tuple[float, Sequence[int]]]) -> list[tuple[int, float]]:
    """Documents with their fused score, best first, then by number.

    Each ranking comes with its weight; a document scores ``weight / (5 + rank)`` in each.
    """
    scores: dict[int, float] = {}
    for weight, ranking in rankings:
        for rank, document in enumerate(ranking, 1):
            scores[document] = scores.get(document, 0.0) + weight / (_DEPTH + rank)
    return sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
