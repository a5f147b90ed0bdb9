"""Parameters that several tools share, and the values of the filters."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fundstelle.law.decisions import DecisionType
from fundstelle.law.lands import JURISDICTIONS
from fundstelle.law.sources import Source
from fundstelle.tools.arguments import Parameter

DOCUMENT_KINDS = (
    *("statute", "regulation", "directive", "decision"),
    *("guidance", "explanatory_memorandum"),
)
COURTS = ("BGH", "BVerfG", "BAG", "BFH", "BSG", "BVerwG", "BPatG", "EuGH", "EuG")
DECISION_TYPES = tuple(kind.value for kind in DecisionType)
LANGUAGES = ("de", "en")
RESPONSE_FORMATS = ("concise", "detailed")

AS_OF = Parameter(
    "as_of",
    "day",
    "Day whose law is meant; left out: today. Echoed back.",
    "2026-01-01",
)
LANGUAGE = Parameter(
    "language",
    "choice",
    "Language of texts; where there is no English text the German one comes with a warning.",
    "de",
    default="de",
    choices=LANGUAGES,
)
RESPONSE_FORMAT = Parameter(
    "response_format",
    "choice",
    "How much to return.",
    "concise",
    default="concise",
    choices=RESPONSE_FORMATS,
)
SOURCE_TYPE = Parameter(
    "source_type",
    "choice",
    "Only this source",  # its values are those of the sources: fit
    None,
    is_filter=True,
)
JURISDICTION = Parameter(
    "jurisdiction",
    "choice",
    "Only this jurisdiction: de = German federation, eu = European Union, de_by … = a Land.",
    "de",
    choices=JURISDICTIONS,
    is_filter=True,
)
DOCUMENT_KIND = Parameter(
    "document_kind",
    "choice",
    "Only this kind of document; regulation is a Verordnung, German or EU.",
    "statute",
    choices=DOCUMENT_KINDS,
    is_filter=True,
)
COURT = Parameter(
    "court",
    "choice",
    "Only decisions of this court.",
    "BGH",
    choices=COURTS,
    is_filter=True,
)
DECISION_TYPE = Parameter(
    "decision_type",
    "choice",
    "Only decisions of this type.",
    "urteil",
    choices=DECISION_TYPES,
    is_filter=True,
)
DATE_FROM = Parameter("date_from", "day", "First day, inclusive.", "2020-01-01")
DATE_TO = Parameter("date_to", "day", "Last day, inclusive.", "2025-12-31")


def fit(parameters: Iterable[Parameter], sources: Sequence[Source]) -> tuple[Parameter, ...]:
    """The parameters of a tool, its filter by source with a value for each thing there is."""
    selections = [selection for source in sources for selection in source.selections]
    values = tuple(selection.value for selection in selections)
    said = ", ".join(f"{selection.value} = {selection.words}" for selection in selections)
    by_source = replace(
        SOURCE_TYPE,
        description=f"{SOURCE_TYPE.description}: {said}.",
        example=next(iter(values), None),
        choices=values,
    )
    return tuple(by_source if each is SOURCE_TYPE else each for each in parameters)
