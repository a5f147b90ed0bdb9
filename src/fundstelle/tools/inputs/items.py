"""One citation of several in a call."""

from datetime import date

from fundstelle.lookup.allowance import Allowance
from fundstelle.lookup.answers import Resolution
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses.reasons import not_parseable
from fundstelle.lookup.resolve import resolve
from fundstelle.tools.answers.norms import LONGEST_CITATION


def resolve_item(
    library: Library, written: str, on: date, language: str, allowance: Allowance
) -> Resolution:
    """As ``resolve``, within what all may take; one too long is a miss, and spoils no other."""
    if len(written) > LONGEST_CITATION:
        return Resolution(written[:80] + "…", (), (not_parseable(written),), 1, on)
    resolution = resolve(library, written, on, language, most=allowance.most)
    allowance.note(resolution)
    return resolution
