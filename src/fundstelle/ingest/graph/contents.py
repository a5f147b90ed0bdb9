"""Lines of a table of contents: a law that ends one line does not name the next one's provision.

"Artikel 4 | Änderung des Energiewirtschaftsgesetzes", and below it "Artikel 5 | …": read as running
text that is Artikel 5 of the law above it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fundstelle.law.citations import EuCitation, FoundCitation, NormCitation

_SIGNS = ("§", "Art", "Anlage")


def split_lines(found: Iterable[FoundCitation], law: str) -> Iterator[FoundCitation]:
    """The citations of the contents of ``law``; of two lines the law above and its own below."""
    for one in found:
        above, _, below = one.text.rpartition("\n")
        written, first = below.lstrip(), one.targets[0]
        unit = next((sign for sign in _SIGNS if written.startswith(sign)), None)
        if not above or unit is None or not isinstance(first, NormCitation | EuCitation):
            yield one
            continue
        named = replace(first, unit=None, number=None, number_end=None, follow=None, path=())
        yield replace(one, end=one.start + len(above), text=above, targets=(named,))
        own = tuple(
            NormCitation(law, unit, target.number, target.number_end, target.follow, target.path)
            for target in one.targets
            if isinstance(target, NormCitation | EuCitation)
        )
        start = one.end - len(written)
        yield replace(one, start=start, text=written, targets=own, inferred=True)
