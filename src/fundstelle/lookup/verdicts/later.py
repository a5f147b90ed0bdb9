"""A citation that names a day on which nobody has seen the law yet: ``§ 433 BGB 2099``."""

from fundstelle.citations.laws.versions import AS_OF, UNTIL
from fundstelle.lookup.answers import ProvisionHit, Resolution
from fundstelle.lookup.dating.days import find_last_look, find_stand
from fundstelle.lookup.library import Library
from fundstelle.lookup.reading.years import Meaning, read_meaning, read_year


def tell_later(library: Library, resolution: Resolution, hit: ProvisionHit) -> str:
    """That its text is of before the day that the citation itself names; else nothing."""
    if len(resolution.targets) != 1 or hit.fassung.in_force_until is not None:
        return ""
    version = getattr(resolution.targets[0], "version", None) or ""
    year = read_year(version)
    is_time = year is not None and read_meaning(hit.statute, year) is Meaning.TIME
    if not version.startswith((AS_OF, UNTIL)) and not is_time:
        return ""
    stand = find_stand(hit.statute, hit.fassung.stand)
    if resolution.on <= stand:
        return ""
    law, on, seen = hit.statute.abbreviation, resolution.on.isoformat(), stand.isoformat()
    if find_last_look(library.store.manifest, hit.statute, hit.fassung.stand) is None:
        return f"{law}: the text is that of {seen}; later changes are not in it."
    return f"{law} was last seen on {seen}; changes up to {on} are not known here."
