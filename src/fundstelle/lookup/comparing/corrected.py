"""Whether a quote has the words of the Official Journal or those of a corrigendum."""

from collections.abc import Iterator, Sequence

from fundstelle.law.corrigenda import AppliedCorrection, read_correction
from fundstelle.lookup.answers import Hit, ProvisionHit
from fundstelle.lookup.comparing.folding import fold

_AROUND = 2  # words before those that differ, which tell the place


def say_which_wording(hits: Sequence[Hit], quote: str) -> Iterator[str]:
    """A sentence for each correction of these texts on which the quote tells its side."""
    words = f" {fold(quote)} "
    for hit in hits:
        notes = hit.fassung.notes if isinstance(hit, ProvisionHit) else ()
        for correction in filter(None, map(read_correction, notes)):
            before, after = (f" {fold(part)} " for part in find_difference(correction))
            if after in words:
                yield f"The quote has the words as corrected by {correction.source}."
            elif before in words:
                yield (
                    "The quote has the words of the Official Journal before the corrigendum"
                    f" {correction.source}, by which it must read: {after.strip()}"
                )


def find_difference(correction: AppliedCorrection) -> tuple[str, str]:
    """The words that differ on both sides, with some around them."""
    old, new = correction.old.split(), correction.new.split()
    shorter = min(len(old), len(new))
    same = 0
    while same < shorter and old[same] == new[same]:
        same += 1
    last = 0
    while last < shorter - same and old[-1 - last] == new[-1 - last]:
        last += 1
    is_replaced = same + last < shorter  # else a word was put in or taken out between two
    start, after = max(0, same - _AROUND), last if is_replaced else max(0, last - 1)
    return (
        " ".join(old[start : len(old) - after]),
        " ".join(new[start : len(new) - after]),
    )
