"""``legal_lookup_batch``: several citations at once, each with its text or its miss."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from fundstelle.errors import InvalidArgument
from fundstelle.lookup.answers import Hit, LawHit, Resolution
from fundstelle.lookup.library import Library
from fundstelle.lookup.quotes import check_quote
from fundstelle.lookup.resolve import resolve
from fundstelle.tools import _schema as s
from fundstelle.tools._arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools._norms import (
    build_law_answer,
    build_miss,
    build_norm,
    describe_stand,
    norm_properties,
)
from fundstelle.tools._parameters import AS_OF, LANGUAGE, RESPONSE_FORMAT
from fundstelle.tools._quotes import build_quote_check, quote_check_schema
from fundstelle.tools._render import LINKS, envelope_schema, hint, miss_schema, norm_link, result
from fundstelle.tools._spec import CallContext, JsonObject, Tool, ToolResult

NAME = "legal_lookup_batch"
PARAMETERS = (
    Parameter(
        "citations",
        "texts",
        "What to look up, each as in legal_lookup.",
        ["§ 280 Abs. 1 BGB", "§ 286 BGB", "Art. 1 Abs. 1 GG"],
        required=True,
        low=1,
        high=20,
        item_high=500,
    ),
    Parameter(
        "quotes",
        "texts",
        "Wordings to check, matched to citations by position; an empty text checks nothing.",
        ["Verletzt der Schuldner eine Pflicht", "", "Die Würde des Menschen ist unantastbar."],
        high=20,
        item_high=2_000,
    ),
    AS_OF,
    LANGUAGE,
    RESPONSE_FORMAT,
    Parameter(
        "max_chars",
        "number",
        "Most characters of text in all; longer texts end on a sentence and have next_offset.",
        24_000,
        default=24_000,
        low=500,
        high=60_000,
    ),
)
DESCRIPTION = (
    "Looks up to 20 citations up in one call and returns, in input order, for each the exact"
    " official text with Stand and source, or the reason why there is none; one bad item never"
    " spoils the others. Use it to check the citations and quotations of a draft (quotes), or to"
    " read several provisions at once."
    " Not for one citation (legal_lookup), not for questions in words (legal_search), not for the"
    " provisions around one (legal_get_context)."
    " Returns results[], each shaped like an answer of legal_lookup, and summary with counts. The"
    " texts share max_chars: about 7,000 tokens at most by default, up to double in detailed."
)
_LEAST_ROOM = 200  # below this a text would be a stump


@dataclass(slots=True)
class _Summary:
    found: int = 0
    not_found: int = 0
    repealed: int = 0
    ambiguous: int = 0
    quotes_verbatim: int = 0
    quotes_failed: int = 0
    hits: list[Hit] = field(default_factory=list)

    def render(self) -> dict[str, int]:
        names = ("found", "not_found", "repealed", "ambiguous", "quotes_verbatim", "quotes_failed")
        return {name: getattr(self, name) for name in names}


def handle(arguments: Mapping[str, Any], library: Library, today: date) -> ToolResult:
    """Look every item up."""
    citations: Sequence[str] = arguments["citations"]
    quotes = _match_quotes(citations, arguments["quotes"] or ())
    on = arguments["as_of"] or today
    summary = _Summary()
    resolutions = [resolve(library, written, on) for written in citations]
    shares = iter(_share_out(resolutions, arguments["max_chars"]))
    rows = [
        _answer_one(resolution, quote, arguments, library, shares, summary)
        for resolution, quote in zip(resolutions, quotes, strict=True)
    ]
    warnings = [*describe_stand(library, on, asked=arguments["as_of"] is not None)]
    if arguments["language"] == "en":
        warnings.append("There are no English texts here; the German ones are given.")
    norms = {hit.norm.norm_id: hit.norm for hit in summary.hits}
    return result(
        summary.found > 0,
        len(rows),
        len(rows),
        0,
        library.store.manifest.release,
        warnings=warnings,
        blocks=[norm_link(n.norm_id, n.citation, n.title) for n in norms.values()][:LINKS],
        as_of=on,
        results=rows,
        summary=summary.render(),
    )


def _match_quotes(citations: Sequence[str], quotes: Sequence[str]) -> list[str]:
    if len(quotes) > len(citations):
        raise InvalidArgument(
            f"quotes has {len(quotes)} entries for {len(citations)} citations; they are matched by"
            " position, use an empty text where there is nothing to check",
            field="quotes",
            example='["Verletzt der Schuldner eine Pflicht", ""]',
        )
    return [quote.strip() for quote in quotes] + [""] * (len(citations) - len(quotes))


def _share_out(resolutions: Sequence[Resolution], room: int) -> list[int]:
    """Characters for each text, in order: short ones whole, the long ones share what is left."""
    lengths = [hit.end - hit.start for each in resolutions for hit in each.hits]
    shares = [0] * len(lengths)
    shortest_first = sorted(range(len(lengths)), key=lengths.__getitem__)
    for place, index in enumerate(shortest_first):
        shares[index] = min(lengths[index], room // (len(lengths) - place))
        room -= shares[index]
    return shares


def _answer_one(  # noqa: PLR0913 - the state of one batch
    resolution: Resolution,
    quote: str,
    arguments: Mapping[str, Any],
    library: Library,
    shares: Iterator[int],
    summary: _Summary,
) -> dict[str, Any]:
    hits = resolution.hits
    first = hits[0] if hits else None
    row: dict[str, Any]
    if first is not None:
        row = _describe_hits(resolution, arguments, library, shares)
        summary.found += 1
        summary.hits += hits
    elif isinstance(outcome := resolution.outcomes[0], LawHit):
        row = {"found": True, "citation": resolution.written, "law": build_law_answer(outcome)}
        row["hint"] = hint("legal_get_toc", law_abbreviation=outcome.statute.statute_id)
        row["warnings"] = list(outcome.warnings)
        summary.found += 1
    else:
        row = _describe_miss(resolution, summary)
    if quote:
        check = check_quote(library, quote, first, resolution.on)
        row["quote_check"] = build_quote_check(check)
        summary.quotes_verbatim += check.status == "verbatim"
        summary.quotes_failed += check.status in {"partial", "not_found", "no_text"}
    return row


def _describe_hits(
    resolution: Resolution, arguments: Mapping[str, Any], library: Library, shares: Iterator[int]
) -> dict[str, Any]:
    detailed = arguments["response_format"] == "detailed"
    warnings = [*resolution.warnings]
    norms: list[dict[str, Any]] = []
    row: dict[str, Any] = {"found": True, "citation": resolution.written}
    for hit in resolution.hits:
        length = hit.end - hit.start
        share = next(shares)
        if share < min(_LEAST_ROOM, length):
            norms.append({"norm_id": hit.norm.norm_id, "citation": hit.citation})
            warnings.append(f"{hit.citation} comes without text: max_chars is spent.")
            continue
        norm, end = build_norm(hit, library, 0, share, detailed=detailed)
        norms.append(norm)
        warnings += (each for each in hit.warnings if each not in warnings)
        if end < length:
            warnings.append(f"{hit.citation} goes on: {end} of {length} characters are given.")
            if hit is resolution.hits[0]:
                row["next_offset"] = end
                row["hint"] = hint("legal_lookup", citation=resolution.written, offset=end)
    row["norm"] = norms[0]
    if len(norms) > 1:
        row["norms"] = norms
        row["total"] = resolution.total
    if resolution.normalised:
        row["normalised_from"] = resolution.written
        row["corrections"] = resolution.normalised
    if resolution.misses:
        row["misses"] = [build_miss(miss) for miss in resolution.misses]
    row["warnings"] = warnings
    return row


def _describe_miss(resolution: Resolution, summary: _Summary) -> dict[str, Any]:
    miss = resolution.misses[0]
    summary.not_found += 1
    summary.repealed += miss.status == "repealed"
    summary.ambiguous += miss.status == "ambiguous"
    row: dict[str, Any] = {"found": False, **build_miss(miss)}
    if miss.hint is not None:
        row["hint"] = hint(miss.hint.tool, **miss.hint.arguments)
    row["warnings"] = list(resolution.warnings)
    return row


def _build_output_schema() -> dict[str, Any]:
    norm = norm_properties()
    row = miss_schema() | {
        "found": s.flag("Whether this item was found."),
        "citation": s.text("The item as written."),
        "norm": s.record("The text; the first where there are several.", norm),
        "norms": s.array("Every unit of a range or list.", s.record("A unit.", norm)),
        "total": s.integer("Units meant by a range or list."),
        "law": s.record(
            "The law, where no section was cited.",
            {"norm_id": s.text("Id of the law."), "title": s.text("Official title.")},
        ),
        "normalised_from": s.text("The item as written, where it was corrected to read it."),
        "corrections": s.texts("What was corrected, in words."),
        "misses": s.array("Targets without text.", s.record("A miss.", miss_schema())),
        "next_offset": s.integer("Where legal_lookup goes on, if the text is cut."),
        "quote_check": quote_check_schema(),
        "warnings": s.texts("What to mind about this item."),
    }
    counts = {
        "found": s.integer("Items with a text or a law."),
        "not_found": s.integer("Items without, the next two included."),
        "repealed": s.integer("Items that are repealed."),
        "ambiguous": s.integer("Items that can mean several things."),
        "quotes_verbatim": s.integer("Quotes that stand there word for word."),
        "quotes_failed": s.integer("Quotes that do not stand there."),
    }
    return envelope_schema(
        as_of=s.day("The day meant."),
        results=s.array("One entry for each citation, in order.", s.record("An item.", row)),
        summary=s.record("Counts.", counts),
    )


def build_tool(library: Library, today: Callable[[], date]) -> Tool:
    """The tool over one build."""

    def call(arguments: JsonObject, _context: CallContext) -> ToolResult:
        return handle(read_arguments(PARAMETERS, arguments), library, today())

    return Tool(
        name=NAME,
        title="Look up several provisions",
        description=DESCRIPTION,
        input_schema=build_input_schema(PARAMETERS),
        output_schema=_build_output_schema(),
        call=call,
    )
