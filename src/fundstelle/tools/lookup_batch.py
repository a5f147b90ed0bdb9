"""``legal_lookup_batch``: several citations at once, each with its text or its miss."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated, Any, NotRequired, TypedDict, cast

from fundstelle.errors import InvalidArgument
from fundstelle.lookup.allowance import Allowance
from fundstelle.lookup.answers import Hit, LawHit, Miss, Resolution
from fundstelle.lookup.comparing.corrected import say_which_wording
from fundstelle.lookup.comparing.effort import Effort, EffortSpent
from fundstelle.lookup.comparing.languages import choose_language
from fundstelle.lookup.comparing.quotes import check_quote, choose_unit
from fundstelle.lookup.library import Library
from fundstelle.lookup.provisions import MOST_TARGETS
from fundstelle.lookup.verdicts.beyond import say_unread, spare_unread
from fundstelle.lookup.verdicts.pending import warn_of_pending
from fundstelle.lookup.verdicts.quoted import say_joined
from fundstelle.lookup.withheld import tell_withheld
from fundstelle.tools.answers.envelope import envelope_schema, hint, result
from fundstelle.tools.answers.fitting import fit_rows
from fundstelle.tools.answers.going_on import go_on
from fundstelle.tools.answers.laws import NamedLaw, describe_named, warn_of_other_laws
from fundstelle.tools.answers.looks import warn_of_read
from fundstelle.tools.answers.misses import ListedMiss, ShownMiss, add_miss, build_hint, build_miss
from fundstelle.tools.answers.norms import (
    Details,
    build_links,
    build_unit,
    describe_stand,
    hint_at_footnotes,
    is_elsewhere,
    name_alone,
    set_day,
    warn_of_language,
    without_repeated,
    without_segments,
)
from fundstelle.tools.answers.quotes import IS_VERIFIED, ShownQuoteCheck, build_quote_check
from fundstelle.tools.answers.sizes import ENVELOPE_BYTES, Shares, count_most, share_out
from fundstelle.tools.answers.successors import NAMED, ShownSuccessor, list_shown
from fundstelle.tools.answers.units import ShownNorm
from fundstelle.tools.answers.verdicts import ShownVerdict
from fundstelle.tools.inputs.arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools.inputs.items import resolve_item
from fundstelle.tools.inputs.parameters import AS_OF, LANGUAGE, RESPONSE_FORMAT
from fundstelle.tools.spec import CallContext, JsonObject, Tool, ToolResult
from fundstelle.tools.verdicts import answer_citations, answer_draft

NAME = "legal_lookup_batch"
MAX_CHARS = 24_000
MOST = 20
MOST_JUDGED = 50
VERDICT = "verdict"
PARAMETERS = (
    Parameter(
        "citations",
        "texts",
        "What to look up, each as in legal_lookup.",
        ["§ 280 Abs. 1 BGB", "§ 286 BGB"],
        low=1,
        high=MOST_JUDGED,
    ),
    Parameter(
        "text",
        "text",
        "A draft instead: all it cites is judged, with what it quotes there.",
        "Nach § 823 BGB haftet er.",
        high=20_000,
    ),
    Parameter(
        "quotes",
        "texts",
        "Wordings to check, matched to citations by position; an empty text checks nothing.",
        ["Verletzt der Schuldner eine Pflicht", ""],
        high=MOST_JUDGED,
        item_high=2_000,
    ),
    AS_OF,
    LANGUAGE,
    replace(
        RESPONSE_FORMAT,
        description="verdict: no texts.",
        choices=(*RESPONSE_FORMAT.choices, VERDICT),
    ),
    Parameter(
        "max_chars",
        "number",
        "Most characters of text in all; longer texts end on a sentence and have next_offset.",
        MAX_CHARS,
        default=MAX_CHARS,
        low=500,
        high=60_000,
    ),
)
DESCRIPTION = (
    "Looks up to 20 citations up in one call and returns, in input order, for each the exact"
    " official text with Stand and source, or why there is none. With verdict: ok, wrong, repealed,"
    " void, not_held or unclear for each of up to 50, or for all that a draft (text) cites. Use it"
    " to check a draft, or read several provisions."
    " Not for one citation (legal_lookup), questions in words (legal_search), the provisions around"
    " one (legal_get_context)."
    " Returns results[], each shaped like an answer of legal_lookup, and summary with counts. The"
    " texts share max_chars: at most 10,000 tokens, 30,000 detailed, more with it."
)
_NOT_CHECKED = (
    "The quote was not checked: those before it took what one call may cost. Check it with"
    " legal_lookup."
)
_NOT_SOUGHT = (
    "The quote was not looked for everywhere else: those before it took what one call may cost."
    " Check it with legal_lookup."
)
_MISS_BYTES = 1_200  # of an item without a text
_LISTED_BYTES = 500  # of the misses beside texts
_CHECK_BYTES = 200  # around the words that were compared
_QUOTE = 200  # characters of those of one quote


class ShownItem(ShownMiss, ShownVerdict, total=False):
    """What came of one citation of a batch."""

    found: Annotated[bool, "Whether this item was found; not with verdict."]
    norm: Annotated[ShownNorm, "The text; the first where there are several."]
    norms: Annotated[list[ShownNorm], "Units of a range or list."]
    total: Annotated[int, "Units meant by a range or list."]
    law: Annotated[NamedLaw, "The law, where no section was cited."]
    normalised_from: Annotated[str, "The item as written, where it was corrected to read it."]
    corrections: Annotated[Sequence[str], "What was corrected, in words."]
    misses: Annotated[list[ListedMiss], "Targets without text."]
    next_offset: Annotated[int, "Where legal_lookup goes on, if the text is cut."]
    hint: Annotated[Mapping[str, Any], "One useful next call: {tool, arguments}."]
    quote_check: Annotated[ShownQuoteCheck, IS_VERIFIED]
    warnings: Annotated[Sequence[str], "What to mind about this item."]
    successor: Annotated[list[ShownSuccessor], NAMED]


class ShownCounts(TypedDict):
    """What came of a batch, in numbers."""

    found: Annotated[int, "Items with a text or a law."]
    not_found: Annotated[int, "Items without, the next two included."]
    repealed: Annotated[int, "Items that are repealed."]
    ambiguous: Annotated[int, "Items that can mean several things."]
    quotes_verbatim: Annotated[int, "Quotes that stand there word for word."]
    quotes_failed: Annotated[int, "Quotes that do not stand there."]
    ok: NotRequired[Annotated[int, "Verdicts of each kind: ok, wrong, void, not_held, unclear."]]
    wrong: NotRequired[int]
    void: NotRequired[int]
    not_held: NotRequired[int]
    unclear: NotRequired[int]


class BatchAnswer(TypedDict):
    """What ``legal_lookup_batch`` adds to the envelope."""

    as_of: Annotated[date, "The day meant."]
    results: Annotated[list[ShownItem], "One entry for each citation, in order."]
    summary: Annotated[ShownCounts, "Counts."]
    unread: NotRequired[
        Annotated[int, "Places of the draft that look like citations and were not read."]
    ]


def handle(
    arguments: Mapping[str, Any], library: Library, today: date, *, shift: int = 0
) -> ToolResult:
    """Look every item up, or judge it; a draft is always judged."""
    on, language = arguments["as_of"] or today, arguments["language"]
    asked = on != today
    if arguments["text"]:
        if arguments["citations"] or arguments["quotes"]:
            raise _wrong_input("text stands alone, without citations and quotes", "text")
        return answer_draft(library, arguments["text"], on, language, asked=asked, shift=shift)
    citations: Sequence[str] | None = arguments["citations"]
    if citations is None:
        raise _wrong_input("citations is required, or text", "citations")
    quotes = _match_quotes(citations, arguments["quotes"] or ())
    is_verdict = arguments["response_format"] == VERDICT
    if len(citations) > MOST and not is_verdict:
        few = f"citations must have 1 to {MOST} entries, not {len(citations)}, but with"
        raise _wrong_input(f"{few} response_format {VERDICT}", "citations")
    languages = [choose_language(language, [quote]) for quote in quotes]
    if is_verdict:
        items = list(zip(citations, quotes, languages, strict=True))
        return answer_citations(library, items, on, asked=asked)
    allowance = Allowance(MOST_TARGETS)
    resolutions = [
        resolve_item(library, written, on, each, allowance)
        for written, each in zip(citations, languages, strict=True)
    ]
    beside = _count_beside(resolutions, quotes)
    shares = share_out(resolutions, arguments["max_chars"], MAX_CHARS, beside)
    details = Details(shares.room) if arguments["response_format"] == "detailed" else None
    batch = _Batch(library, on, shares, details, asked=asked)
    rows = [batch.answer(*item) for item in zip(resolutions, quotes, languages, strict=True)]
    hits = [hit for each in resolutions for hit in each.hits]
    warnings = warn_of_read(library, resolutions, on, asked=asked)
    if any(not is_elsewhere(each) and each.misses for each in resolutions):
        warnings += describe_stand(library, on, asked=asked)
    as_asked = zip(resolutions, languages, strict=True)
    asked_for = [hit for each, chosen in as_asked if chosen == language for hit in each.hits]
    warnings += warn_of_language(asked_for, language)
    warnings += tell_withheld(library) if any(quotes) else ()
    warnings += hint_at_footnotes(hits) if details is None else ()
    most = count_most(arguments["max_chars"], MAX_CHARS, detailed=details is not None)
    around = ENVELOPE_BYTES + sum(len(each.encode()) for each in warnings)
    fit_rows(cast("list[dict[str, Any]]", rows), most - around)
    own: BatchAnswer = {"as_of": on, "results": rows, "summary": batch.summary}
    return result(
        batch.summary["found"] > 0,
        len(rows),
        len(rows),
        0,
        library.store.manifest.release,
        warnings=warnings,
        blocks=build_links(hits),
        own=own,
    )


def _wrong_input(message: str, field: str) -> InvalidArgument:
    return InvalidArgument(
        f'{message}; example: ["§ 280 Abs. 1 BGB", "§ 286 BGB"]',
        field=field,
        example='["§ 280 Abs. 1 BGB", "§ 286 BGB"]',
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


def _count_beside(resolutions: Sequence[Resolution], quotes: Sequence[str]) -> int:
    """Bytes that the texts leave to the misses and to the checks of the quotes."""
    missing = sum(
        (_LISTED_BYTES if each.hits else _MISS_BYTES) for each in resolutions if each.misses
    )
    checked = sum(min(len(quote), _QUOTE) + _CHECK_BYTES for quote in quotes if quote)
    return missing + checked


class _Batch:
    """Answers item by item, and counts."""

    def __init__(
        self,
        library: Library,
        on: date,
        shares: Shares,
        details: Details | None,
        *,
        asked: bool,
    ) -> None:
        self._library = library
        self._on = on
        self._asked_on = on if asked else None
        self._shares = iter(shares.characters)
        self._repeats = shares.repeats
        self._details = details
        self._effort = Effort()
        self.summary: ShownCounts = {
            "found": 0,
            "not_found": 0,
            "repealed": 0,
            "ambiguous": 0,
            "quotes_verbatim": 0,
            "quotes_failed": 0,
        }

    def answer(self, resolution: Resolution, quote: str, language: str) -> ShownItem:
        hits = resolution.hits
        outcome = resolution.outcomes[0]
        if hits:
            row = self._describe_hits(resolution, hits, language)
        elif isinstance(outcome, LawHit):
            row = _describe_law(self._library, resolution, outcome, self._asked_on)
        else:
            row = self._describe_miss(resolution, resolution.misses[0], language)
        row["warnings"] = [
            *row["warnings"],
            *warn_of_other_laws(resolution),
            *warn_of_pending(self._library, resolution),
        ]
        day = (
            resolution.on if hits else resolution.get_day(outcome)
        )  # a row without texts is of one
        if day != self._on:
            row["as_of"] = day
        if successors := list_shown(self._library, outcome):
            row["successor"] = successors
        self.summary["found" if row["found"] else "not_found"] += 1
        if quote:
            self._check(row, quote, resolution)
        return row

    def _check(self, row: ShownItem, quote: str, resolution: Resolution) -> None:
        if self._effort.is_spent:
            row["warnings"] = [*row["warnings"], _NOT_CHECKED]
            return
        unit = choose_unit(quote, resolution.hits, self._effort)
        try:
            check = check_quote(self._library, quote, unit, resolution.get_day(unit), self._effort)
        except EffortSpent:
            row["warnings"] = [*row["warnings"], _NOT_CHECKED]
            return
        if self._effort.is_cut:
            row["warnings"] = [*row["warnings"], _NOT_SOUGHT]
        check = spare_unread(check, resolution)
        said = filter(None, (say_unread(check, resolution), say_joined(check)))
        if notes := [*said, *say_which_wording(resolution.hits, quote)]:
            row["warnings"] = [*row["warnings"], *notes]
        row["quote_check"] = build_quote_check(check, resolution.hits)
        self.summary["quotes_verbatim"] += check.status == "verbatim"
        self.summary["quotes_failed"] += check.status not in {"verbatim", "normalised"}

    def _describe_hits(
        self, resolution: Resolution, hits: Sequence[Hit], language: str
    ) -> ShownItem:
        warnings = list(resolution.warnings)
        described = [self._describe_hit(hit, warnings) for hit in hits]
        for (norm, _), hit in zip(described, hits, strict=True):
            set_day(norm, hit, resolution.on)
        norms = [norm for norm, _ in described]
        row: ShownItem = {
            "found": True,
            "citation": resolution.written,
            "norm": norms[0],
            "warnings": warnings,
        }
        end = described[0][1]
        if end < hits[0].end - hits[0].start:
            row["next_offset"] = end
            release = self._library.store.manifest.release
            row["hint"] = go_on(resolution.written, self._on, language, end, release)
        if len(norms) > 1:
            first, *others = norms
            again = without_segments(first) if self._repeats else name_alone(hits[0])
            set_day(again, hits[0], resolution.on)
            row["norms"] = [again, *(without_repeated(one, first) for one in others)]
            row["total"] = resolution.total
        if resolution.normalised:
            row["normalised_from"] = resolution.written
            row["corrections"] = resolution.normalised
        if resolution.misses:
            row["misses"] = [build_miss(miss, resolution.on) for miss in resolution.misses]
        return row

    def _describe_hit(self, hit: Hit, warnings: list[str]) -> tuple[ShownNorm, int]:
        """The unit, and where what is given of it ends."""
        warnings += (each for each in hit.warnings if each not in warnings)
        length = hit.end - hit.start
        share = next(self._shares)
        if share is None:
            return name_alone(hit), 0
        norm, end = build_unit(hit, self._library, 0, share, self._details)
        if self._details is not None:
            warnings += self._details.warnings
            self._details.warnings.clear()
        if end < length:
            warnings.append(f"{hit.citation} goes on: {end} of {length} characters are given.")
        return norm, end

    def _describe_miss(self, resolution: Resolution, miss: Miss, language: str) -> ShownItem:
        if miss.status == "repealed":
            self.summary["repealed"] += 1
        elif miss.status == "ambiguous":
            self.summary["ambiguous"] += 1
        row: ShownItem = {"found": False, "warnings": resolution.warnings}
        add_miss(row, miss)
        if len(resolution.misses) > 1:
            row["misses"] = [build_miss(each, resolution.on) for each in resolution.misses]
        next_call = build_hint(miss, self._asked_on, language)
        if next_call is not None:
            row["hint"] = next_call
        return row


def _describe_law(
    library: Library, resolution: Resolution, hit: LawHit, asked_on: date | None
) -> ShownItem:
    law = hit.statute.statute_id
    row: ShownItem = {
        "found": True,
        "citation": resolution.written,
        "law": describe_named(library, hit.statute),
        "hint": hint("legal_get_toc", law_abbreviation=law, as_of=hit.on or asked_on),
        "warnings": [*resolution.warnings, *hit.warnings],
    }
    if resolution.normalised:
        row["normalised_from"] = resolution.written
        row["corrections"] = resolution.normalised
    if resolution.misses:
        row["misses"] = [build_miss(miss, resolution.on) for miss in resolution.misses]
    return row


def build_tool(library: Library, today: Callable[[], date]) -> Tool:
    """The tool over one build."""

    def call(arguments: JsonObject, _context: CallContext) -> ToolResult:
        values = read_arguments(PARAMETERS, arguments)
        text = arguments.get("text")  # offsets count in it as it was sent
        shift = len(text) - len(text.lstrip()) if isinstance(text, str) else 0
        return handle(values, library, today(), shift=shift)

    return Tool(
        name=NAME,
        title="Look up several provisions",
        description=DESCRIPTION,
        input_schema=build_input_schema(PARAMETERS),
        output_schema=envelope_schema(BatchAnswer),
        call=call,
        searching=("text", "quotes"),
    )
