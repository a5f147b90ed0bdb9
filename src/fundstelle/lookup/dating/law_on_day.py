"""A law as a whole and a day: the law, or why it is not the one that is meant."""

from fundstelle.law.norms import Statute
from fundstelle.lookup.answers import LawHit, Miss
from fundstelle.lookup.dating.application import find_entry, say_entry
from fundstelle.lookup.dating.commencement import find_commencement
from fundstelle.lookup.dating.days import find_floor
from fundstelle.lookup.misses import other_days
from fundstelle.lookup.misses.editions import older_law
from fundstelle.lookup.texts import LookupRequest
from fundstelle.lookup.whole import warn_of_law


def read_law(question: LookupRequest, statute: Statute) -> LawHit | Miss:
    """The law that is named without a provision, on a day that the corpus speaks for.

    As ``on_day.find_text`` has it of a provision, but for what a law's notes say of its texts.
    """
    library, written, on = question.library, question.written, question.on
    if question.older:
        return older_law(written, statute)
    entry = find_entry(statute)
    if entry is not None and on < entry:
        return other_days.law_not_yet_in_force(written, statute, entry, on, say_entry(statute))
    floor = find_floor(library, statute)
    if on < floor:
        return other_days.law_before_archive(written, statute, on, floor)
    begins = find_commencement(library, statute)
    if begins is not None and on < begins:
        return other_days.law_not_yet_in_force(written, statute, begins, on)
    return LawHit(statute, warn_of_law(library, statute, on))
