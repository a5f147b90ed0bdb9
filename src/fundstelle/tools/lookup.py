"""``legal_lookup``: the exact words of a citation, or why there are none."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Annotated, Any

from fundstelle.law.norms import NormKind
from fundstelle.lookup.answers import Hit, LawHit, Miss, Place, ProvisionHit, Resolution
from fundstelle.lookup.comparing.languages import choose_language
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.pending import warn_of_pending
from fundstelle.tools.answers.envelope import (
    envelope_schema,
    hint,
    law_link,
    norm_link,
    result,
)
from fundstelle.tools.answers.fitting import fit_answer
from fundstelle.tools.answers.going_on import GOES_ON, go_on
from fundstelle.tools.answers.laws import NamedLaw, describe_named, warn_of_other_laws
from fundstelle.tools.answers.looks import warn_of_read
from fundstelle.tools.answers.misses import (
    ListedMiss,
    MissAnswer,
    ShownPlace,
    add_miss,
    build_hint,
    build_miss,
    build_place,
)
from fundstelle.tools.answers.norms import (
    LONGEST_CITATION,
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
from fundstelle.tools.answers.quotes import IS_VERIFIED, ShownQuoteCheck, check_alone
from fundstelle.tools.answers.sizes import LEAST_ROOM, count_most, fit_texts
from fundstelle.tools.answers.successors import NAMED, ShownSuccessor, list_shown
from fundstelle.tools.answers.targets import ShownTarget, describe_target
from fundstelle.tools.answers.units import ShownNorm
from fundstelle.tools.inputs.arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools.inputs.parameters import AS_OF, CORPUS_RELEASE, LANGUAGE, RESPONSE_FORMAT
from fundstelle.tools.spec import CallContext, JsonObject, Tool, ToolResult

NAME = "legal_lookup"
MAX_CHARS = 20_000
_MOST_ALTERNATIVES = 20
PARAMETERS = (
    Parameter(
        "citation",
        "text",
        "What to look up, as written: a provision (§ 823 Abs. 1 BGB, BGB 823, § 280 I 1 BGB,"
        " Art. 6(1)(a) GDPR), ranges and lists (§§ 823 ff. BGB, § 280 Abs. 1, 3 i.V.m. § 281 BGB),"
        " a decision (BGH VI ZR 175/22 Rn. 12), a norm_id that a tool returned, a law's name, an"
        " ELI, CELEX, ECLI or BGBl. Fundstelle.",
        "§ 823 Abs. 1 BGB",
        required=True,
        low=1,
        high=LONGEST_CITATION,
    ),
    AS_OF,
    Parameter(
        "quote",
        "text",
        "Words said to stand in the cited unit, compared with the official text; [...] marks an"
        " omission. If they stand elsewhere, the answer says where.",
        "Leben, den Körper, die Gesundheit",
        high=2_000,
    ),
    LANGUAGE,
    RESPONSE_FORMAT,
    Parameter(
        "offset",
        "number",
        "Where to go on in a long text: next_offset of the answer before. Counts characters of the"
        " cited unit.",
        0,
        default=0,
        low=0,
        high=10_000_000,
    ),
    CORPUS_RELEASE,
    Parameter(
        "max_chars",
        "number",
        "Most characters of text to return; longer texts end on a sentence and have next_offset.",
        MAX_CHARS,
        default=MAX_CHARS,
        low=500,
        high=60_000,
    ),
)
DESCRIPTION = (
    "Returns the exact official text of a cited provision, EU act or decision, cut to the Absatz,"
    " Satz, Nummer, Buchstabe or Randnummer that was cited, with Stand, source and hash; or says,"
    " with evidence, that it does not exist, is repealed or not held. Reads citations in any"
    " spelling, also joined ones (ff., bis, commas, i.V.m.): pass them on unchanged. Use it"
    " when a citation or norm_id is known and before quoting or relying on a provision; pass"
    " quote to check a wording. Nothing is guessed; suggestions are never the answer."
    " Not for questions in words (legal_search), separate citations (legal_lookup_batch),"
    " surrounding provisions, references or versions (legal_get_context), a law's structure"
    " (legal_get_toc)."
    " Returns norm with content and provenance, norms[] for ranges and lists,"
    " quote_check for a quote; found false is an ordinary answer. A section costs"
    " 200 to 1,400 tokens, an answer at most 10,000, 30,000 in detailed."
)


class LookupAnswer(MissAnswer, total=False):
    """What ``legal_lookup`` adds to the envelope."""

    norm: Annotated[ShownNorm, "The text; the first where there are several."]
    norms: Annotated[list[ShownNorm], "Units of a range or list, at most 20."]
    law: Annotated[NamedLaw, "The law, where no section was cited."]
    parsed: Annotated[
        list[ShownTarget], "What was understood; in concise where it was corrected to be read."
    ]
    normalised_from: Annotated[str, "The citation as written, where it was corrected to read it."]
    corrections: Annotated[Sequence[str], "What was corrected, in words."]
    alternatives: Annotated[list[ShownPlace], "Other parts that answer to the same citation."]
    misses: Annotated[list[ListedMiss], "Targets without text."]
    successor: Annotated[list[ShownSuccessor], NAMED]
    quote_check: Annotated[ShownQuoteCheck, IS_VERIFIED]


def handle(arguments: Mapping[str, Any], library: Library, today: date) -> ToolResult:
    """Look one written reference up."""
    asked: date | None = arguments["as_of"]
    language = choose_language(arguments["language"], [arguments["quote"] or ""])
    resolution = resolve(library, arguments["citation"], asked or today, language)
    warnings = [*_warn_of_stand(library, resolution, today), *resolution.warnings]
    warnings += [*warn_of_language(resolution.hits, language), *warn_of_other_laws(resolution)]
    warnings += warn_of_pending(library, resolution)
    hits = resolution.hits
    if hits:
        asking = asked or today, language
        return _answer_hits(arguments, library, resolution, hits, warnings, asking)
    first = resolution.outcomes[0]
    if isinstance(first, LawHit):
        return _answer_law(arguments, library, resolution, first, warnings)
    assert isinstance(first, Miss)
    next_call = build_hint(first, asked, language)
    return _answer_miss(arguments, library, resolution, first, warnings, next_call)


def _warn_of_stand(library: Library, resolution: Resolution, today: date) -> Sequence[str]:
    on, asked = resolution.on, resolution.on != today
    if len(resolution.misses) < len(resolution.outcomes):
        return warn_of_read(library, [resolution], today, asked=False)
    return () if is_elsewhere(resolution) else describe_stand(library, on, asked=asked)


def _answer_hits(  # noqa: PLR0913, PLR0917
    arguments: Mapping[str, Any],
    library: Library,
    resolution: Resolution,
    hits: Sequence[Hit],
    warnings: list[str],
    asking: tuple[date, str],
) -> ToolResult:
    """The texts; ``asking`` are the day and the language that were asked for or chosen."""
    first = hits[0]
    offset: int = arguments["offset"]
    room = fit_texts(arguments["max_chars"], MAX_CHARS, len(hits))
    details = Details(room) if arguments["response_format"] == "detailed" else None
    # of several, the first stands in the answer twice
    own = room if len(hits) == 1 else room // 2
    norm, end = build_unit(first, library, offset, own, details)
    warnings += first.warnings
    warnings += details.warnings if details is not None else hint_at_footnotes(hits)
    length = first.end - first.start
    next_offset = end if end < length else None
    if next_offset is not None:
        warnings.append(f"{GOES_ON}characters {offset} to {end} of {length} are given.")
    elif 0 < length <= offset:
        warnings.append(f"The text ends at character {length}; nothing stands behind {offset}.")
    set_day(norm, first, resolution.on)
    fields: LookupAnswer = {"as_of": resolution.on, "norm": norm}
    if len(hits) > 1:
        left = room - 2 * (end - offset)
        fields["norms"] = _build_norms(resolution, norm, left, library, warnings)
    if resolution.targets and (details is not None or resolution.normalised):
        fields["parsed"] = [describe_target(target) for target in resolution.targets]
    if resolution.normalised:
        fields["normalised_from"] = resolution.written
        fields["corrections"] = resolution.normalised
    if others := _list_alternatives(hits):
        fields["alternatives"] = [build_place(place) for place in others]
    if resolution.misses:
        fields["misses"] = [build_miss(miss, resolution.on) for miss in resolution.misses]
    if successors := list_shown(library, first):
        fields["successor"] = successors
    if arguments["quote"]:
        fields["quote_check"] = check_alone(library, arguments["quote"], resolution, warnings)
    warnings = fit_answer(fields, warnings, _count_most(arguments))
    return result(
        True,
        len(hits),
        resolution.total,
        offset,
        library.store.manifest.release,
        warnings=warnings,
        next_offset=next_offset,
        hint=_build_hint(arguments, next_offset, first, library.store.manifest.release, asking),
        blocks=build_links(hits),
        before=arguments["corpus_release"],
        own=fields,
    )


def _list_alternatives(hits: Sequence[Hit]) -> list[Place]:
    """What else each of them can mean; what is given anyway is no alternative."""
    given = {hit.citation for hit in hits}
    provisions = [hit for hit in hits if isinstance(hit, ProvisionHit)]
    single = len(hits) == 1  # of one citation for several parts the others are named just so
    others = dict.fromkeys(
        place
        for hit in provisions
        for place in hit.alternatives
        if single or place.citation not in given
    )
    return list(others)[:_MOST_ALTERNATIVES]


def _build_norms(
    resolution: Resolution,
    first: ShownNorm,
    room: int,
    library: Library,
    warnings: list[str],
) -> list[ShownNorm]:
    """Every unit found; those after the text budget is spent come by name only."""
    norms = [without_segments(first)]
    for hit in resolution.hits[1:]:
        if room < min(LEAST_ROOM, hit.end - hit.start):
            norms.append(name_alone(hit))
            continue
        norm, end = build_unit(hit, library, 0, room, None)
        set_day(norm, hit, resolution.on)
        room -= end
        norms.append(without_repeated(norm, first))
        warnings += (warning for warning in hit.warnings if warning not in warnings)
        if end < hit.end - hit.start:
            warnings.append(f"{hit.citation} is cut; look it up alone for the rest.")
    return norms


def _count_most(arguments: Mapping[str, Any]) -> int:
    is_detailed = arguments["response_format"] == "detailed"
    return count_most(arguments["max_chars"], MAX_CHARS, detailed=is_detailed)


def _build_hint(
    arguments: Mapping[str, Any],
    next_offset: int | None,
    first: Hit,
    release: str,
    asking: tuple[date, str],
) -> JsonObject | None:
    """The rest of a long text; what stands below a heading."""
    if next_offset is not None:
        return go_on(arguments["citation"], *asking, next_offset, release)
    if isinstance(first, ProvisionHit) and first.norm.kind is NormKind.HEADING:
        return hint(
            "legal_get_toc",
            law_abbreviation=first.norm.statute_id,
            parent=first.norm.norm_id,
            as_of=first.on or arguments["as_of"],
        )
    return None


def _answer_law(
    arguments: Mapping[str, Any],
    library: Library,
    resolution: Resolution,
    hit: LawHit,
    warnings: list[str],
) -> ToolResult:
    statute = hit.statute
    short = statute.statute_id.partition("/")[2]
    fields: LookupAnswer = {"as_of": resolution.on, "law": describe_named(library, hit.statute)}
    if successors := list_shown(library, hit):
        fields["successor"] = successors
    if resolution.normalised:
        fields["normalised_from"] = resolution.written
        fields["corrections"] = resolution.normalised
    if resolution.misses:
        fields["misses"] = [build_miss(miss, resolution.on) for miss in resolution.misses]
    warnings += hit.warnings
    if arguments["quote"]:
        fields["quote_check"] = check_alone(library, arguments["quote"], resolution, warnings)
    return result(
        True,
        1,
        1,
        0,
        library.store.manifest.release,
        warnings=fit_answer(fields, warnings, _count_most(arguments)),
        hint=hint(
            "legal_get_toc",
            law_abbreviation=statute.statute_id,
            as_of=hit.on or arguments["as_of"],
        ),
        blocks=[law_link(statute.source_type, short, statute.title)],
        before=arguments["corpus_release"],
        own=fields,
    )


def _answer_miss(  # noqa: PLR0913, PLR0917
    arguments: Mapping[str, Any],
    library: Library,
    resolution: Resolution,
    miss: Miss,
    warnings: list[str],
    next_call: JsonObject | None,
) -> ToolResult:
    fields: LookupAnswer = {"as_of": resolution.on}
    add_miss(fields, miss)
    if successors := list_shown(library, miss):
        fields["successor"] = successors
    if resolution.targets and arguments["response_format"] == "detailed":
        fields["parsed"] = [describe_target(target) for target in resolution.targets]
    if len(resolution.misses) > 1:
        fields["misses"] = [build_miss(other, resolution.on) for other in resolution.misses]
    if arguments["quote"]:
        fields["quote_check"] = check_alone(library, arguments["quote"], resolution, warnings)
    warnings = fit_answer(fields, warnings, _count_most(arguments))
    return result(
        False,
        0,
        0,
        0,
        library.store.manifest.release,
        warnings=warnings,
        hint=next_call,
        blocks=[
            norm_link(each.norm_id, each.citation)
            for each in miss.suggestions
            if each.norm_id and each.norm_id.count("/") > 1
        ],
        before=arguments["corpus_release"],
        own=fields,
    )


def build_tool(library: Library, today: Callable[[], date]) -> Tool:
    """The tool over one build."""

    def call(arguments: JsonObject, _context: CallContext) -> ToolResult:
        return handle(read_arguments(PARAMETERS, arguments), library, today())

    return Tool(
        name=NAME,
        title="Look up a provision",
        description=DESCRIPTION,
        input_schema=build_input_schema(PARAMETERS),
        output_schema=envelope_schema(LookupAnswer),
        call=call,
        searching=("quote",),
        reusable_while=today,
    )
