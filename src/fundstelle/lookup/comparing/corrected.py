"""Whether a quote has the words of the Official Journal or those of a corrigendum."""

from collections.abc import Iterator, Sequence

from fundstelle.law.corrigenda import find_difference, read_correction
from fundstelle.lookup.answers import Hit, ProvisionHit
from fundstelle.lookup.comparing.folding import fold, limit_marks


def say_which_wording(hits: Sequence[Hit], quote: str) -> Iterator[str]:
    """A sentence for each correction of these texts on which the quote tells its side."""
    words = f" {fold(limit_marks(quote))} "
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
