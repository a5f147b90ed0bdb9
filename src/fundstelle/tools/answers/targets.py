"""What was understood of a citation, as the tools show it."""

from typing import Annotated, TypedDict, cast

from fundstelle.law.citations import EuCitation, NormCitation, Target
from fundstelle.lookup.parts.units import format_steps


class ShownTarget(TypedDict, total=False):
    """One target of a citation; the fields of its kind that it names."""

    law: Annotated[str, "Law as understood."]
    celex: Annotated[str, "CELEX number of an EU act."]
    unit: Annotated[str, "§, Art, Anlage …"]
    number: Annotated[str, "Number of the section; of a printed paper, its own."]
    number_end: Annotated[str, "Last number of a range."]
    follow: Annotated[str, "f or ff."]
    path: Annotated[str, "Part below the section."]
    version: Annotated[str, "Version named: aF, nF, a year."]
    court: Annotated[str, "Court of a decision, or named with a page."]
    docket: Annotated[str, "Aktenzeichen of a decision."]
    issued_on: Annotated[str, "Day of a decision, YYYY-MM-DD."]
    ecli: Annotated[str, "ECLI of a decision."]
    gazette: Annotated[str, "Gazette: BGBl."]
    year: Annotated[str, "Year of a gazette."]
    part: Annotated[str, "Part of a gazette."]
    page: Annotated[str, "Page of a gazette, collection or journal."]
    reporter: Annotated[str, "Collection or journal."]
    volume: Annotated[str, "Its volume or year."]
    kind: Annotated[str, "Kind of printed paper: BT-Drs."]


def describe_target(target: Target) -> ShownTarget:
    """What was understood, without what was not named."""
    said = {name: getattr(target, name) for name in target.__slots__}
    if isinstance(target, NormCitation | EuCitation):
        said["path"] = format_steps(target.path)
    return cast("ShownTarget", {name: value for name, value in said.items() if value})
