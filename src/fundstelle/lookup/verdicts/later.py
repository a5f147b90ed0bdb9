"""A citation that names a day on which nobody has seen the law yet: ``§ 433 BGB 2099``."""

from fundstelle.citations.laws.versions import AS_OF, UNTIL
from fundstelle.lookup.answers import ProvisionHit, Resolution
from fundstelle.lookup.dating.days import find_stand
from fundstelle.lookup.reading.years import bears, read_year


def tell_later(resolution: Resolution, hit: ProvisionHit) -> str:
    """That its text was last seen before the day that the citation itself names; else nothing."""
    if len(resolution.targets) != 1 or hit.fassung.in_force_until is not None:
        return ""
    version = getattr(resolution.targets[0], "version", None) or ""
    year = read_year(version)
    if not version.startswith((AS_OF, UNTIL)) and (year is None or bears(hit.statute, year)):
        return ""
    stand = find_stand(hit.statute, hit.fassung)
    if resolution.on <= stand:
        return ""
    law, on = hit.statute.abbreviation, resolution.on.isoformat()
    return f"{law} was last seen on {stand.isoformat()}; changes up to {on} are not known here."
