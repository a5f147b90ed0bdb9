"""A norm as a whole in its text of a day, with what is to be said beside it."""

from datetime import date

from fundstelle.law.norms import Fassung, Norm, NormKind, Statute, set_back
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.dating.application import warn_of_application
from fundstelle.lookup.dating.between_looks import warn_of_gap
from fundstelle.lookup.dating.commencement import warn_of_commencement
from fundstelle.lookup.dating.days import find_floor
from fundstelle.lookup.dating.ends import warn_of_end
from fundstelle.lookup.dating.lacking import Lack, find_lack
from fundstelle.lookup.dating.readings import warn_of_readings
from fundstelle.lookup.dating.unchanged import find_named_change, say_named_change
from fundstelle.lookup.library import Library
from fundstelle.lookup.reading.land_names import say_land_laws
from fundstelle.lookup.sources import say_when_seen


def build_hit(
    library: Library, statute: Statute, norm: Norm, fassung: Fassung, on: date
) -> ProvisionHit:
    """A norm as a whole in its text of that day, with what is to be said of it."""
    named = find_named_change(statute, fassung, find_floor(library, statute), on)
    warnings = (
        *warn_of_law(library, statute, on),
        *warn_of_application(statute, on),
        *warn_of_text(library, statute, norm, fassung, on),
    )
    return ProvisionHit(
        statute,
        set_back(norm, fassung),
        fassung,
        norm.citation,
        0,
        len(fassung.text),
        warnings=warnings,
        named_change=named,
    )


def warn_of_text(
    library: Library, statute: Statute, norm: Norm, fassung: Fassung, on: date
) -> tuple[str, ...]:
    """What is to be said of this text for that day, and not of all texts of its law."""
    floor = find_floor(library, statute)
    named = find_named_change(statute, fassung, floor, on)
    return (
        *([say_named_change(statute, named, floor, on)] if named else []),
        *warn_of_gap(library, statute, fassung, on),
        *warn_of_commencement(library, statute, fassung, on),
        *_warn_of_empty(norm, fassung),
    )


def warn_of_law(library: Library, statute: Statute, on: date, *others: date) -> tuple[str, ...]:
    """What is to be said of a law in its texts of a day, or several, whatever is asked of it.

    Sentences if they are not complete, if the law has ended by what is known here, if the publisher
    no longer lists it, or if the newest look did not bring it; of several days also, if programs
    read their texts that may differ.
    """
    days = on, *others
    lacks = dict.fromkeys(_say_lack(statute, on) for on in days)
    readings = warn_of_readings(statute, min(days), max(days))
    ends = warn_of_end(library, statute, max(days))
    return (*filter(None, lacks), *readings, *ends, *_warn_of_looks(library, statute))


def _say_lack(statute: Statute, on: date) -> str | None:
    lack, law = find_lack(statute, on), statute.abbreviation
    if lack is None:
        return None
    newest = lack.is_newest
    if lack.kind is Lack.EXCERPT:
        held = f"Only parts of {law}" if newest else f"Of {on.isoformat()} only parts of {law}"
        return f"{held} are held here, and they may be abridged."
    text = f"newest text of {law}" if newest else f"text of {law} for {on.isoformat()}"
    return (
        f"Parts of the {text} could not be read: provisions may be missing here, or be those of an"
        " older text."
    )


def _warn_of_looks(library: Library, statute: Statute) -> tuple[str, ...]:
    if statute.listed:
        seen = say_when_seen(library.store.manifest, statute)
        return tuple(filter(None, (say_land_laws(statute), seen)))
    gone = (
        f"{statute.abbreviation} has been removed from the publisher's table of contents; whether"
        " it is still in force is not known here."
    )
    return (gone,)


def _warn_of_empty(norm: Norm, fassung: Fassung) -> tuple[str, ...]:
    """A sentence where there are no words to give, and no note of the publisher tells why."""
    if norm.kind is NormKind.HEADING:
        below = f"{norm.citation} is a heading; the table of contents lists what stands below it."
        return (below,)
    if fassung.text or fassung.notes:
        return ()
    return (f"The publisher shows the heading of {norm.citation} alone, without a text.",)
