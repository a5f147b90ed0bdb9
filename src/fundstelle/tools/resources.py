"""The six resources: three fixed ones, free of charge, and three families."""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any
from urllib.parse import unquote

import orjson

from fundstelle.errors import InvalidInput
from fundstelle.law.identifiers import fold
from fundstelle.law.lands import JURISDICTIONS
from fundstelle.lookup.holdings import count_holdings
from fundstelle.lookup.library import Library
from fundstelle.lookup.withheld import tell_withheld
from fundstelle.tools.inputs import parameters as filters
from fundstelle.tools.inputs.eu_acts import list_eu_acts
from fundstelle.tools.spec import (
    CallContext,
    Resource,
    ResourceContents,
    ResourceTemplate,
    Tool,
    ToolResult,
    UnknownResource,
)

JSON = "application/json"
MARKDOWN = "text/markdown"
NORM = "legal://norm/"
LAW = "legal://law/"
CELEX = "legal://eu/celex/"
_VARIABLES = {NORM: "{+norm_id}", LAW: "{source_type}/{abbreviation}", CELEX: "{celex}"}

_FOUND = b'{"found":true'  # how every envelope of an answer begins
_LONGEST_URI = 1_000
_AS_OF = "?as_of="
_CELEX_FORM = re.compile(r"\d{5}[A-Z]{1,2}[0-9()/A-Z-]*")
_INTRODUCTION = """\
# Rechtsrahmen: which laws govern which field

Special law stands before general law. A linked law is in this corpus: its table of contents is \
at the address, its texts come from `legal_lookup`. *(nicht im Bestand)* = not held here. An aid \
for orientation, not a source: never cite it.
"""


def build_resources(library: Library) -> tuple[Resource, ...]:
    """The fixed resources of one build, rendered once."""
    return (
        _fix(
            "rechtsrahmen",
            "Which laws govern which field",
            "Fields of law with the laws that govern them, special before general, and the usual "
            "mix-ups named. Read it before searching in an unfamiliar field.",
            MARKDOWN,
            render_rechtsrahmen(library),
        ),
        _fix(
            "filter_values",
            "Values of the filters",
            "Valid values of every filter, and how much the corpus holds of each.",
            JSON,
            _dump(list_filter_values(library)),
            public=False,  # a key without decisions is told of laws alone
        ),
        _fix(
            "eu_celex_registry",
            "EU acts: names and CELEX numbers",
            "Names and abbreviations of EU acts, their CELEX numbers and EUR-Lex addresses.",
            JSON,
            _dump({"acts": list_eu_acts()}),
        ),
    )


def build_templates(
    lookup: Tool, toc: Tool, source_types: Sequence[str]
) -> tuple[ResourceTemplate, ...]:
    """The families of resources: the same JSON as the tools behind them."""

    def read_norm(uri: str, context: CallContext) -> ResourceContents:
        norm_id, days = _split(uri, NORM)
        return _read(uri, lookup, {"citation": norm_id, **days}, context)

    def read_law(uri: str, context: CallContext) -> ResourceContents:
        law, days = _split(uri, LAW)
        source_type, _, abbreviation = law.partition("/")
        if source_type not in source_types or not abbreviation:
            raise UnknownResource(uri, {"allowed_values": list(source_types)})
        arguments = {"law_abbreviation": abbreviation, "source_type": source_type, **days}
        contents = _read(uri, toc, arguments, context)
        if uri.partition("?")[0].count("/") > LAW.count("/") + 1 and not _is_named(
            abbreviation, contents
        ):  # a variable ends at a slash, but an id may stand here, or "Berlin/BonnG"
            reason = (
                f"No law has the id or abbreviation {abbreviation!r}; in names write %2F for /."
            )
            raise UnknownResource(uri, {"reason": reason})
        return contents

    def read_eu_act(uri: str, context: CallContext) -> ResourceContents:
        celex, days = _split(uri, CELEX)
        if not _CELEX_FORM.fullmatch(celex):
            raise UnknownResource(uri, {"reason": "A CELEX number looks like 32016R0679."})
        return _read(uri, toc, {"law_abbreviation": celex, **days}, context)

    return (
        _family(NORM, "norm", "A provision, as legal_lookup returns it", lookup, read_norm),
        _family(
            LAW, "law", "A law's table of contents, as legal_get_toc returns it", toc, read_law
        ),
        _family(CELEX, "eu_act", "An EU act: contents and article links", toc, read_eu_act),
    )


def _fix(  # noqa: PLR0913
    name: str,
    title: str,
    description: str,
    mime_type: str,
    text: str,
    *,
    public: bool = True,
) -> Resource:
    uri = f"legal://{name}"
    contents = ResourceContents(uri=uri, mime_type=mime_type, text=text, public=public)
    return Resource(
        uri=uri,
        name=name,
        title=title,
        description=description,
        mime_type=mime_type,
        read=lambda _context: contents,
    )


def _family(
    prefix: str,
    name: str,
    title: str,
    tool: Tool,
    read: Callable[[str, CallContext], ResourceContents],
) -> ResourceTemplate:
    return ResourceTemplate(
        uri_template=prefix + _VARIABLES[prefix],
        prefix=prefix,
        name=name,
        title=title,
        description=f"{title}; of another day with {_AS_OF}YYYY-MM-DD behind it. Counts against the"
        " rate limit like a call.",
        mime_type=JSON,
        read=read,
        right=tool.right or tool.name,
    )


def _split(uri: str, prefix: str) -> tuple[str, Mapping[str, str]]:
    """What stands behind the prefix, whose slashes may come percent-encoded, and ``?as_of=``."""
    if len(uri) > _LONGEST_URI:
        raise UnknownResource(uri[:_LONGEST_URI])
    named, sign, day = uri[len(prefix) :].partition(_AS_OF)
    return unquote(named).strip(), {"as_of": unquote(day)} if sign else {}


def _read(
    uri: str, tool: Tool, arguments: Mapping[str, Any], context: CallContext
) -> ResourceContents:
    try:
        answer: ToolResult = tool.call(arguments, context)
    except InvalidInput as error:
        raise UnknownResource(uri, {"reason": error.message}) from error
    body = answer.structured or b"{}"
    if not body.startswith(_FOUND):
        raise UnknownResource(uri, orjson.loads(body))
    text = body.decode()
    return ResourceContents(uri=uri, mime_type=JSON, text=text, result_ids=answer.result_ids)


def _is_named(written: str, contents: ResourceContents) -> bool:
    """Whether the law whose contents were read has that id or abbreviation."""
    law: Mapping[str, Any] = orjson.loads(contents.text or "{}")["law"]
    return written in {law["norm_id"], law["abbreviation"]}


def _dump(value: object) -> str:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def read_domains() -> list[dict[str, Any]]:
    """The curated fields of law."""
    raw = files("fundstelle.tools").joinpath("data/rechtsrahmen.json").read_bytes()
    domains: list[dict[str, Any]] = orjson.loads(raw)
    return domains


def render_rechtsrahmen(library: Library) -> str:
    """The fields as Markdown, laws of the corpus linked."""
    held = {
        fold(name): statute
        for statute in library.store.statutes.values()
        if statute.listed
        for name in (*statute.abbreviations_juris, statute.abbreviation)
    }
    eu_acts = {act["celex"]: act["abbreviation"] for act in list_eu_acts()}
    parts = [_INTRODUCTION]
    for domain in read_domains():
        parts.append(f"\n## {domain['domain']} ({domain['domain_en']})\n")
        for number, law in enumerate(domain["laws"], 1):
            if "celex" in law:
                name = eu_acts.get(law["celex"], law["celex"])
                label = f"{name}, CELEX {law['celex']} *(nicht im Bestand)*"
                if f"eu/{law['celex']}" in library.store.statutes:
                    label = f"[{name}]({CELEX}{law['celex']})"
            elif (statute := held.get(fold(law["law"]))) is not None:
                tail = statute.statute_id.partition("/")[2]
                label = f"[{law['law']}]({LAW}{statute.source_type}/{tail})"
            else:
                label = f"{law['law']} *(nicht im Bestand)*"
            parts.append(f"{number}. {label}: {law['scope']}")
        parts.append(f"\n**Reihenfolge:** {domain['order']}\n")
        parts += [f"- **Verwechslung:** {mix_up}" for mix_up in domain["mix_ups"]]
    return "\n".join(parts) + "\n"


def list_filter_values(library: Library) -> dict[str, Any]:
    """Every filter with its values and the number of documents of each, without those of none."""
    held = count_holdings(library)
    known = {
        "source_type": library.source_types,
        "jurisdiction": JURISDICTIONS,
        "document_kind": filters.DOCUMENT_KINDS,
        "court": filters.list_courts(library),
        "decision_type": filters.DECISION_TYPES,
        "language": filters.LANGUAGES,
    }
    return {
        "corpus_release": library.store.manifest.release,
        "filters": {
            name: [
                {"value": value, "documents": held[name][value]}
                for value in values
                if held[name][value]
            ]
            for name, values in known.items()
        },
        "law_abbreviation": {
            "documents": len(library.store.statutes),
            "note": "Any written name of a law; legal_list_laws lists them.",
        },
        **({"note": " ".join(told)} if (told := tell_withheld(library)) else {}),
    }
