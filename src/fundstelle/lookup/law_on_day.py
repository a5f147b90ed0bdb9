"""A law as a whole and a day: the law, or why it is not the one that is meant."""

from fundstelle.law.norms import Statute
from fundstelle.lookup.answers import LawHit, Miss
from fundstelle.lookup.misses.editions import older_law
from fundstelle.lookup.texts import LookupRequest
from fundstelle.lookup.whole import warn_of_law


def read_law(question: LookupRequest, statute: Statute) -> LawHit | Miss:
    """The law that is named without a provision."""
    if question.older:
        return older_law(question.written, statute)
    return LawHit(statute, warn_of_law(question.library, statute))
