"""``legal_search``: find provisions by a question, keywords or a citation."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, NotRequired, TypedDict

from fundstelle.lookup.library import Library
from fundstelle.lookup.withheld import tell_withheld
from fundstelle.search.words.gloss import gloss
from fundstelle.search.words.snippets import Room
from fundstelle.search.words.terms import translate
from fundstelle.tools.answers.confidence import (
    GO_BACK,
    LOOK_UP,
    REPHRASE,
    Confidence,
    judge,
)
from fundstelle.tools.answers.envelope import (
    CONCISE_TOKENS,
    DETAILED_TOKENS,
    LINKS,
    envelope_schema,
    fill_page,
    hint,
    norm_link,
    result,
)
from fundstelle.tools.answers.hits import (
    HitRows,
    Look,
    RowNote,
    ShownFacets,
    ShownHit,
    name_facets,
)
from fundstelle.tools.answers.looks import warn_of_last_looks
from fundstelle.tools.answers.norms import describe_stand
from fundstelle.tools.inputs import parameters as p
from fundstelle.tools.inputs.arguments import Parameter, build_input_schema, read_arguments
from fundstelle.tools.inputs.elsewhere import tell_elsewhere, tell_places
from fundstelle.tools.inputs.references import find_named_law
from fundstelle.tools.inputs.scope import Scope, build_scope, holds_english
from fundstelle.tools.pages import NOTHING, Page, Pages
from fundstelle.tools.spec import CallContext, JsonObject, Tool, ToolResult

NAME = "legal_search"
PARAMETERS = (
    Parameter(
        "query",
        "text",
        "The question, keywords or a citation, best in German.",
        "Rücktritt vom Kaufvertrag wegen Mangels",
        required=True,
        low=2,
        high=1_000,
    ),
    Parameter(
        "rephrasings",
        "texts",
        "German nouns a statute would use, one aspect each, no sentences; you write them, "
        "the rankings are fused.",
        ["ordentliche Kündigung", "sozial ungerechtfertigt"],
        high=4,
        item_high=1_000,
    ),
    Parameter("top_k", "number", "Hits a page.", 5, default=5, low=1, high=50),
    Parameter("offset", "number", "Hits to skip.", 0, default=0, low=0, high=1_000),
    p.CORPUS_RELEASE,
    p.SOURCE_TYPE,
    p.JURISDICTION,
    p.DOCUMENT_KIND,
    Parameter(
        "law_abbreviation",
        "text",
        "Only this law, under any written name.",
        "BGB",
        high=300,
        is_filter=True,
    ),
    Parameter(
        "chapter",
        "text",
        "Only below headings whose label or title contains these words.",
        "Kaufvertrag",
        high=300,
    ),
    Parameter(
        "cited_norm",
        "text",
        "Only norms and decisions that cite this one; any reference will do.",
        "§ 280 BGB",
        high=500,
        is_filter=True,
    ),
    p.COURT,
    p.DECISION_TYPE,
    p.LANGUAGE,
    p.DATE_FROM,
    p.DATE_TO,
    p.AS_OF,
    p.RESPONSE_FORMAT,
)
DESCRIPTION = (
    "Searches German federal law, EU acts and court decisions by subject: question, keywords, or a "
    "citation, whose norm then comes first, as do those of a law you name (Probezeit BBiG). Use it "
    "when you do not know the section; give rephrasings in statutory German for questions in "
    "everyday words or in English. "
    "Not for the text of a provision you can cite (legal_lookup, legal_lookup_batch), "
    "decisions that cite a norm (legal_find_citing_decisions), lists of laws "
    "(legal_list_laws). Snippets are pointers: look a hit up before you quote it. "
    "Returns ranked hits with snippets; about 110 tokens a hit, at most 4,000 a page, 10,000 in"
    " detailed."
)
_NO_WORD = "No text inside the filters holds a telling word of the query; write other words."
_LONGEST = 2_000  # characters of a text once its letters are plain: one may stand for 18
_CUT = f"Only the first {_LONGEST:,} characters of a text were read, its letters written plainly."
_NOT_SHOWN = "The last snippets are the beginnings of their texts: too many words for long texts."
_GERMAN = "Some of these texts are German; legal_lookup gives the English one where one is held."
_SAID = 5  # sentences on single texts
_HYPHENATED = re.compile(
    r"(?<=[a-zäöüß])-\s+(?!(?:und|oder|bzw|sowie|noch|bis|als)\b)(?=[a-zäöüß])"
)
_SETTLED = frozenset({"statute_id", "source_type", "document_kind", "court", "decision_type"})


class SearchAnswer(TypedDict):
    """What ``legal_search`` adds to the envelope."""

    as_of: Annotated[date, "The day meant."]
    confidence: Annotated[Confidence, "Whether the first hit answers; hint only where high."]
    next_step: NotRequired[Annotated[str, "What to do instead, where it is low."]]
    hits: Annotated[list[ShownHit], "The hits, best first."]
    stages: NotRequired[
        Annotated[
            Sequence[str],
            "Stages of the ranking that ran: lexical, semantic, learned; in detailed.",
        ]
    ]
    facets: NotRequired[Annotated[ShownFacets, "Counts over all hits, in detailed answers."]]


class Search:
    """The tool over one library."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._rows = HitRows(library)
        self._pages = Pages(library, self._rows)

    def handle(self, arguments: Mapping[str, Any], today: date) -> ToolResult:
        """One page of hits."""
        library, on = self._library, arguments["as_of"] or today
        asked = [_clean(text) for text in (arguments["query"], *(arguments["rephrasings"] or ()))]
        query, *rephrasings = (text[:_LONGEST] for text in asked)
        arguments = {**arguments, "query": query, "rephrasings": rephrasings}
        scope = build_scope(arguments, library, on)
        if any(len(text) > _LONGEST for text in asked):
            scope.warnings.append(_CUT)
        page = NOTHING if scope.is_empty else self._pages.find(arguments, scope, on)
        if not page.total and not scope.is_empty:
            scope.warnings.append(_NO_WORD)
        scope.warnings += [
            f"'{word}' stands nowhere; '{other}' was looked for instead."
            for word, other in page.read_as.items()
        ]
        read = (query, *rephrasings, *page.read_as.values())
        words = " ".join([*(term for text in read for term in translate(text)), *page.meant, *read])
        detailed = arguments["response_format"] == "detailed"
        shown: list[ShownHit] = []
        look = Look(words, Room(), detailed)
        rows = fill_page(
            _keep(self._rows.describe(page.hits, on, look), shown),
            DETAILED_TOKENS if detailed else CONCISE_TOKENS,
        )
        if look.room.is_spent:
            scope.warnings.append(_NOT_SHOWN)
        del shown[len(rows) :], look.notes[len(rows) :]
        if _may_find_decisions(scope):
            scope.warnings += tell_withheld(library)
        scope.warnings += _warn_of_unknown(look, shown, on)
        scope.warnings += _warn_of_stand(library, look.notes, on, asked=on != today)
        scope.warnings += _warn_of_german(library, look.notes, arguments["language"])
        offset: int = arguments["offset"]
        end = offset + len(rows)
        more = rows and end < page.total and end <= 1_000
        named = find_named_law(library, query)
        confidence, next_step = self._judge(page, look, arguments, scope.warnings)
        if named:
            confidence, next_step = Confidence.HIGH, None
        own: SearchAnswer = {"as_of": on, "confidence": confidence, "hits": rows}
        if next_step:
            own["next_step"] = next_step
        if detailed:
            own["stages"] = page.stages
            own["facets"] = name_facets(page.facets)
        return result(
            bool(rows),
            len(rows),
            page.total,
            offset,
            library.store.manifest.release,
            warnings=scope.warnings,
            next_offset=end if more else None,
            hint=_build_hint(shown, arguments, named) if confidence is Confidence.HIGH else None,
            blocks=[
                norm_link(row["norm_id"], row["citation"], row.get("title"))
                for row in shown[:LINKS]
            ],
            before=arguments["corpus_release"],
            own=own,
        )

    def _judge(
        self, page: Page, look: Look, arguments: Mapping[str, Any], warnings: list[str]
    ) -> tuple[Confidence, str | None]:
        """How sure the first hit is, and what to do where it is not."""
        elsewhere = None if page.is_about_law else tell_elsewhere(arguments["query"], self._library)
        if elsewhere is not None:
            reason, step = elsewhere
            warnings.insert(0, reason)
            return Confidence.LOW, step
        places = [] if page.is_about_law else tell_places(arguments["query"], self._library)
        warnings[:0] = places
        if page.is_missed:
            return Confidence.LOW, LOOK_UP
        if arguments["offset"]:
            return Confidence.LOW, GO_BACK
        if page.is_cited:
            return Confidence.HIGH, None
        if page.lead is None or not page.hits:
            return Confidence.LOW, REPHRASE
        texts = [arguments["query"], *arguments["rephrasings"]]
        texts += [" ".join(translate(text)) for text in texts]
        first = next(iter(look.first), None)
        texts += page.read_as.values()
        confidence = judge(page.lead, texts, first)
        if (page.read_as or places) and confidence is Confidence.HIGH:
            confidence = Confidence.MEDIUM
        if confidence is Confidence.LOW:
            others = [judge(page.lead, page.meant, first)] if page.meant else []
            if in_german := [*look.in_german, *map(gloss, look.in_english)]:
                others.append(judge(page.lead, texts, "\n".join(in_german)))
            if set(others) - {Confidence.LOW}:
                confidence = Confidence.MEDIUM
        return confidence, REPHRASE if confidence is Confidence.LOW else None


def _warn_of_unknown(look: Look, shown: Sequence[ShownHit], on: date) -> list[str]:
    """Of laws that were first looked at later: their texts are not known to be those of the day."""
    ids = {row["norm_id"] for row in shown}
    unknown = [citation for norm_id, citation in look.unknown if norm_id in ids]
    if not unknown:
        return []
    names = ", ".join(unknown)
    return [f"The corpus cannot say what {names} was on {on.isoformat()}; the text is a later one."]


def _warn_of_stand(
    library: Library, notes: Sequence[RowNote], on: date, *, asked: bool
) -> Sequence[str]:
    if not notes:
        return describe_stand(library, on, asked=asked)
    said = list(dict.fromkeys(one for note in notes for one in note.said))
    more = [f"The like is true of {len(said) - _SAID} more of these texts."]
    looks = (note.look for note in notes if note.look is not None)
    return [
        *said[:_SAID],
        *(more if len(said) > _SAID else ()),
        *warn_of_last_looks(looks, on, asked=asked),
    ]


def _warn_of_german(library: Library, notes: Sequence[RowNote], language: str) -> Sequence[str]:
    """Where English texts are held, and these are others."""
    if language != "en" or all(note.language == "en" for note in notes):
        return ()
    return (_GERMAN,) if holds_english(library) else ()


def _may_find_decisions(scope: Scope) -> bool:
    """Whether court decisions might have stood in an answer, and nothing has been said of that."""
    if scope.filters.get("document_kind") == ("decision",):  # acts of the Union are that, too
        return not scope.is_empty
    return not _SETTLED & scope.filters.keys()


def _clean(text: str) -> str:
    """Copied text as it was meant: letters of odd fonts, invisible characters, ``Kündi- gung``."""
    text = "".join(
        letter
        for letter in unicodedata.normalize("NFKC", text)
        if unicodedata.category(letter) != "Cf"  # soft hyphens, zero widths, directions
    )
    return _HYPHENATED.sub("", text)


def _keep(rows: Iterator[ShownHit], kept: list[ShownHit]) -> Iterator[ShownHit]:
    for row in rows:
        kept.append(row)
        yield row


def _build_hint(
    rows: Sequence[ShownHit], arguments: Mapping[str, Any], named: str | None
) -> dict[str, Any] | None:
    if not named and rows:
        return hint("legal_lookup", citation=rows[0]["norm_id"], as_of=arguments["as_of"])
    law = named or arguments["law_abbreviation"]
    if law:
        return hint("legal_get_toc", law_abbreviation=law, depth=2, as_of=arguments["as_of"])
    return None


def build_tool(library: Library, today: Callable[[], date]) -> Tool:
    """The tool over one library."""
    search = Search(library)
    parameters = p.fit(PARAMETERS, library)

    def call(arguments: JsonObject, _context: CallContext) -> ToolResult:
        values = read_arguments(parameters, arguments)
        return search.handle(values, today())

    return Tool(
        name=NAME,
        title="Search German and EU law",
        description=DESCRIPTION,
        input_schema=build_input_schema(parameters),
        output_schema=envelope_schema(SearchAnswer),
        call=call,
        searching=("query",),
    )
