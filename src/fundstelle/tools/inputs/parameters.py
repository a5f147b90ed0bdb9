"""Parameters that several tools share, and the values of the filters."""

from collections.abc import Iterable
from dataclasses import replace

from fundstelle.law.decisions import DecisionType
from fundstelle.law.lands import JURISDICTIONS
from fundstelle.lookup.holdings import count_holdings
from fundstelle.lookup.library import Library
from fundstelle.tools.inputs.arguments import Parameter

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
    "Day whose law is meant; left out: today.",
    "2026-01-01",
)
LANGUAGE = Parameter(
    "language",
    "choice",
    "Language of texts; where there is no English one the German comes.",
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
    "Only there: de = German federation, eu = EU, int = EGMR, de_by … = a Land.",
    "de",
    choices=JURISDICTIONS,
    is_filter=True,
)
DOCUMENT_KIND = Parameter(
    "document_kind",
    "choice",
    "Only this kind; regulation = Verordnung, German or EU.",
    "statute",
    choices=DOCUMENT_KINDS,
    is_filter=True,
)
COURT = Parameter(
    "court",
    "choice",
    "Only decisions of this court, or of another that facets name.",
    "BGH",
    choices=COURTS,
    is_filter=True,
    is_open=True,
)
DECISION_TYPE = Parameter(
    "decision_type",
    "choice",
    "Only decisions of this type.",
    "urteil",
    choices=DECISION_TYPES,
    is_filter=True,
)
CORPUS_RELEASE = Parameter(
    "corpus_release",
    "text",
    "That of the page before: a change is told.",
    "65c8d774c50331ba",
)
DATE_FROM = Parameter("date_from", "day", "First day, inclusive.", "2020-01-01")
DATE_TO = Parameter("date_to", "day", "Last day, inclusive.", "2025-12-31")


def list_courts(library: Library) -> tuple[str, ...]:
    """The values of the filter: the highest courts, and all of which a decision is held.

    Which those are a key that reaches no decisions is not told.
    """
    return tuple(dict.fromkeys((*COURTS, *library.decisions.count_by_court())))


def fit(parameters: Iterable[Parameter], library: Library) -> tuple[Parameter, ...]:
    """The parameters of a tool, its filters with the values that something is held under.

    The others are read all the same: a search inside them finds nothing and says why. Of a corpus
    without laws all values are told: definitions are written from one.
    """
    selections = [selection for source in library.sources for selection in source.selections]
    holdings = count_holdings(library)

    def limit(parameter: Parameter) -> Parameter:
        if not parameter.is_filter or parameter.kind != "choice":
            return parameter
        choices = parameter.choices
        if parameter is SOURCE_TYPE:
            choices = tuple(selection.value for selection in selections)
        counts = holdings[parameter.name]
        held = tuple(one for one in choices if counts[one]) if library.store.statutes else choices
        if parameter is COURT:
            choices = list_courts(library)
        example = parameter.example if parameter.example in held else next(iter(held), "none held")
        described = parameter.description
        if parameter is SOURCE_TYPE:
            said = [f"{one.value} = {one.words}" for one in selections if one.value in held]
            described = f"{described}: {', '.join(said)}."
        return replace(
            parameter, description=described, example=example, choices=choices, offered=held
        )

    return tuple(map(limit, parameters))
