"""The three prompts: ways of working that a user can start by name."""

from collections.abc import Mapping, Sequence
from typing import Any

from fundstelle.errors import InvalidArgument
from fundstelle.tools.spec import Prompt, PromptArgument

JURISDICTIONS = ("DE", "EU", "DE+EU")
DEPTHS = ("thorough", "quick")
_LONGEST = 2_000

_SCOPES = {
    "DE": "German federal law",
    "EU": "European Union law",
    "DE+EU": "German federal law and the European Union law that stands behind or above it",
}
_RESEARCH = """\
Answer this legal question from {scope}, only with texts you have fetched here.

<question>
{question}
</question>

1. Read legal://rechtsrahmen: which laws govern the field, the special before the general, and \
which are often mixed up.
2. Call legal_search with the question and 2 to 4 rephrasings in the words a statute would use. \
{width}
3. Fetch every provision you rely on with legal_lookup (several at once: legal_lookup_batch). \
{context}
4. Answer first in one or two sentences, then the reasoning step by step: claim, requirements, \
exceptions, consequence. After each statement its provision, to the Absatz and Satz.
5. Check every literal quotation with the parameter quote; only verbatim may stand in quotation \
marks.
6. Close with the provisions used, each with Stand (version_date) and source_url, and with what \
you could not find or verify here. Decisions and literature count only if a tool returned them.
"""
_WIDTH = {
    "thorough": "Search again from the other side's point of view: exceptions, limitation "
    "periods, procedure, transitional law.",
    "quick": "One search is enough if its hits fit.",
}
_CONTEXT = {
    "thorough": "Read neighbours, definitions and references with legal_get_context.",
    "quick": "Follow a reference only where the answer turns on it.",
}
_RESOLVE = """\
Resolve this citation and say exactly what it refers to.

<citation>
{citation}
</citation>

1. Call legal_lookup with it exactly as written: every spelling is read, also ranges, lists, f. \
and ff., i.V.m., EU acts, decisions with Randnummer, ECLI and CELEX. Do not take it apart or \
correct it yourself. Words quoted with it go into quote.
2. Found: give the canonical citation, the text word for word, its place in the law, Stand \
(version_date) and source_url. norms[] holds every unit of a range or list, misses[] those \
without text: report both. Say what was corrected (corrections), what could not be cut out \
(missing_rest) and which other parts answer to it (alternatives).
3. Not found: say which status and evidence came back, name the suggestions as suggestions, and \
do not put another provision in its place. norm_does_not_exist denies the provision; \
not_in_corpus and outside_coverage only say that it is not held here. If ambiguous, ask which \
one is meant.
4. A quote: only verbatim is verified. normalised differs in typography alone; for altered show \
the differences; for not_found say where the words stand (elsewhere) or that they were not found.

Do not add text from memory.
"""
_COMPARE = """\
Compare German law and European Union law on this topic, only with texts you have fetched here.

<topic>
{topic}
</topic>

1. legal://rechtsrahmen and legal://eu_celex_registry: which German laws and which EU acts apply, \
and whether the EU act is a regulation (applies directly) or a directive (applies through German \
law).
2. legal_search for each side (source_type gii and eurlex), then legal_lookup for every provision \
you compare.
3. A table: point, German provision, EU provision, difference. Then: which prevails, what the \
German law adds or leaves open, and how it must be read in the light of the EU act.
4. Provisions with Stand and source. If an EU act is not held here (not_in_corpus), say so and \
give its EUR-Lex address instead of its text.
"""


def _say(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": {"type": "text", "text": text}}]


def _read(
    arguments: Mapping[str, str], name: str, choices: Sequence[str] = (), default: str = ""
) -> str:
    """One argument, trimmed.

    Raises:
        InvalidArgument: it is missing, too long, or none of ``choices``.
    """
    value = arguments.get(name, "").strip() or default
    if choices:
        value = next((choice for choice in choices if choice.lower() == value.lower()), "")
    if not value or len(value) > _LONGEST:
        wanted = f"one of {', '.join(choices)}" if choices else f"1 to {_LONGEST:,} characters"
        raise InvalidArgument(f"{name} must be {wanted}", field=name, allowed_values=choices)
    return value


def _get_research(arguments: Mapping[str, str]) -> list[dict[str, Any]]:
    question = _read(arguments, "question")
    scope = _SCOPES[_read(arguments, "jurisdiction", JURISDICTIONS, "DE+EU")]
    depth = _read(arguments, "depth", DEPTHS, "thorough")
    return _say(
        _RESEARCH.format(
            question=question, scope=scope, width=_WIDTH[depth], context=_CONTEXT[depth]
        )
    )


def _get_resolve(arguments: Mapping[str, str]) -> list[dict[str, Any]]:
    return _say(_RESOLVE.format(citation=_read(arguments, "citation")))


def _get_compare(arguments: Mapping[str, str]) -> list[dict[str, Any]]:
    return _say(_COMPARE.format(topic=_read(arguments, "topic")))


PROMPTS = (
    Prompt(
        name="legal_research",
        title="Research a legal question",
        description="Works a question through: field, search, provisions, checked quotations.",
        arguments=(
            PromptArgument("question", "The legal question, in German or English.", required=True),
            PromptArgument("jurisdiction", "DE, EU or DE+EU (default)."),
            PromptArgument("depth", "thorough (default) or quick."),
        ),
        get=_get_research,
    ),
    Prompt(
        name="citation_resolve",
        title="Resolve a citation",
        description="Says what a citation refers to, word for word, or why it is not found.",
        arguments=(
            PromptArgument(
                "citation", "The citation as written, such as § 823 Abs. 1 BGB.", required=True
            ),
        ),
        get=_get_resolve,
    ),
    Prompt(
        name="compare_de_eu",
        title="Compare German and EU law",
        description="Lays German and Union provisions on a topic side by side.",
        arguments=(PromptArgument("topic", "The topic, in German or English.", required=True),),
        get=_get_compare,
    ),
)
