"""Addresses of the Federal Law Gazette, which stand for a Fundstelle and a place in the law."""

import re
from typing import NamedTuple

from fundstelle.law.citations import GazetteCitation, PathStep

# Source: NeuRIS, "eli/bund/bgbl-1/2001/s3138" (page) and ".../2024/107" (number of the act);
# behind it the day, version and language of a text, and the place in it:
# ".../2024-01-01/1/deu/regelungstext-1/hauptteil-1_para-5_abs-2"
_ELI = re.compile(
    r"(?:https?://\S*?/)?eli/bund/bgbl-(?P<part>[12])/(?P<year>\d{4})/(?:s|nr)?(?P<page>\d+)"
    r"(?:/(?P<on>\d{4}-\d\d-\d\d))?(?:/\d{1,3})?(?:/deu)?(?:/regelungstext-\d+)?"
    r"(?:[/#](?P<place>[a-z]+-[\w.-]+))?(?:\.(?:xml|html|pdf))?/?",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"(?:(?:hauptteil|buch|teil|kapitel|abschnitt|uabschnitt|titel|utitel)-[a-z]?\d+[a-z]*_)*"
    r"(?P<unit>para|art)-z?(?P<number>\d+[a-z]*)(?:_abs-z?(?P<absatz>\d+[a-z]*))?"
)


class Eli(NamedTuple):
    """A Fundstelle and what its ELI names in the law: provision, path and day (ISO)."""

    gazette: GazetteCitation
    unit: str | None = None
    number: str | None = None
    path: tuple[PathStep, ...] = ()
    on: str | None = None


def read_eli(written: str) -> Eli | None:
    """What a German ELI names; ``None`` if a part of it does not read."""
    found = _ELI.fullmatch(written)
    place = _PLACE.fullmatch(found["place"]) if found and found["place"] else None
    if found is None or (found["place"] and place is None):
        return None
    gazette = GazetteCitation("BGBl.", found["year"], "I" * int(found["part"]), found["page"])
    if place is None:
        return Eli(gazette, on=found["on"])
    path = (PathStep("abs", place["absatz"]),) if place["absatz"] else ()
    unit = "§" if place["unit"] == "para" else "Art"
    return Eli(gazette, unit, place["number"], path, found["on"])
