"""References that name a document by its number: dockets, ECLI, CELEX, gazettes."""

import re
from dataclasses import dataclass

from fundstelle.law.citations import DecisionCitation, EuCitation, GazetteCitation, Target

_CELEX = re.compile(r"(?:CELEX:? ?)?(\d{5}[A-Z]{1,2}\d{3,4})(?:\(\d+\))?", re.IGNORECASE)
_ECLI = re.compile(r"ECLI:[A-Z]{2}:[\w.:]+|EU:[CTF]:\d{4}:\d+", re.IGNORECASE)
_COURT = re.compile(
    r"\b(BVerfG|BGH|BVerwG|BAG|BFH|BSG|BPatG|EuGH|EuG|EGMR|KG|BayObLG"
    r"|(?:OLG|LG|AG|LAG|ArbG|LSG|SG|OVG|VGH|VG|FG)(?: [A-ZÄÖÜ][\wäöüß-]+)*)\b"
)
_DOCKET = re.compile(
    r"\b((?:[A-Z] )?(?:\d{1,3}|[IVX]{1,5}[a-z]?)? ?(?:[A-Z][A-Za-z]{0,4})(?: ?\([A-Za-z]+\))?"
    r" \d{1,5}[./]\d{2,4}(?: [A-Z]{1,2})?|[CTF][-‑–]\d{1,4}/\d{2,4}(?: [A-Z]{1,4})?)(?![\w/])"
)
_GAZETTE = re.compile(
    r"(?P<name>R?BGBl)\.? ?(?:(?P<part>I{1,3}) )?(?P<year>\d{4}) ?(?P<later>I{1,3})?,? "
    r"?(?:S\.?|Nr\.?) ?(?P<page>\d+)"
)
_ELI = re.compile(
    r".*eli/bund/bgbl-(?P<part>[12])/(?P<year>\d{4})/(?:s|nr)?(?P<page>\d+)\b.*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read, and what was changed to read it, in words."""

    targets: tuple[Target, ...]
    normalised: tuple[str, ...] = ()


def read_identifier(written: str) -> Reading | None:
    """A document's number that stands alone, or beside its court."""
    target = _read_act(written) or _read_gazette(written) or _read_decision(written)
    return Reading((target,)) if target is not None else None


def _read_act(written: str) -> EuCitation | None:
    celex = _CELEX.fullmatch(written)
    return EuCitation(celex[1].upper()) if celex else None


def _read_gazette(written: str) -> GazetteCitation | None:
    found = _GAZETTE.fullmatch(written)
    if found:
        part = found["part"] or found["later"]
        return GazetteCitation(f"{found['name']}.", found["year"], part, found["page"])
    eli = _ELI.fullmatch(written)
    if eli:
        return GazetteCitation("BGBl.", eli["year"], "I" * int(eli["part"]), eli["page"])
    return None


def _read_decision(written: str) -> DecisionCitation | None:
    if _ECLI.fullmatch(written):
        return DecisionCitation(ecli=written.upper())
    if "§" in written:
        return None
    docket = _DOCKET.search(written)
    court = _COURT.search(written)
    if docket is None:
        return None
    return DecisionCitation(court=court[1] if court else None, docket=docket[1].strip())
