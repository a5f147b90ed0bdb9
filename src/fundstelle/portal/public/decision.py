"""The page of a decision: the Leitsätze first, its Randnummern, what it cites and what cites it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from starlette.responses import Response

from fundstelle.corpus.decisions import CitedKind, Citing
from fundstelle.law.citations import PathStep
from fundstelle.law.decisions import Decision, DecisionText, PartKind
from fundstelle.lookup.addresses import decision_path
from fundstelle.lookup.decisions.texts import warn_of_decision
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import format_steps, insert_path
from fundstelle.portal.frame.query import read_text
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.notices import tell_warnings
from fundstelle.portal.public.citing import describe_citing
from fundstelle.portal.public.opening import render, show_missing, today
from fundstelle.portal.public.parts import show_part
from fundstelle.portal.public.references import link_references, write_target
from fundstelle.portal.public.units import Unit
from fundstelle.portal.reading import Block, Link, is_cut, read_decision
from fundstelle.tools.answers.applied import warn_of_cited

_FIRST = frozenset({PartKind.LEITSATZ, PartKind.ORIENTIERUNGSSATZ})
_MOST_CITED = 60  # provisions and decisions that are listed of each
_LONGEST_ENTRY = 70  # characters of a line of the outline
_LONGEST_NUMBER = 6  # of a heading that is a number alone
_DEEPEST = 3
_OPENING = 140  # characters of a text that stands for a name


@dataclass(frozen=True, slots=True)
class Cited:
    """Something a decision cites: its name, its page, and how often."""

    held_id: str
    name: str
    path: str
    count: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the outline: a part by its kind or words, or a heading."""

    anchor: str
    kind: str
    words: str
    depth: int


def show_decision(visit: Visit, library: Library) -> Response:
    """A decision with its Randnummern, and the decisions that cite it."""
    decision_id = visit.request.path_params["decision_id"]
    decision = library.decisions.find(decision_id)
    text = library.decisions.find_text(decision.decision_id) if decision else None
    if decision is None or text is None:
        return show_missing(visit, library, decision_id)
    held = decision.decision_id
    citations = library.decisions.list_citations(held)
    blocks = _name_headings(
        put_first(read_decision(text, _link(citations, decision, text.text)), text)
    )
    norms, decisions = _list_cited(library, citations, decision)
    return render(
        visit,
        "decision.html",
        decision=decision,
        title=decision.citation,
        notices=list(tell_warnings(visit, warn_of_decision(decision, text))),
        opening="" if decision.is_citable or decision.title else _open(text.text),
        text=show_part(
            read_text(visit, "part"),
            blocks,
            partial(_name_passages, decision),
            decision.language,
            decision.citation,
        ),
        outline=list(_outline(blocks)),
        norms=norms[:_MOST_CITED],
        norm_notices=list(
            tell_warnings(
                visit,
                warn_of_cited(
                    library, [one.held_id for one in norms[:_MOST_CITED]], decision, today()
                ),
            )
        ),
        decisions=decisions[:_MOST_CITED],
        more=max(0, len(norms) - _MOST_CITED) + max(0, len(decisions) - _MOST_CITED),
        is_cut=is_cut(text.text),
        own_path=decision_path(held),
        address=visit.services.settings.base_url + decision_path(held),
        **describe_citing(visit, library, held, f"{decision_path(held)}/decisions"),
    )


def _link(citations: Sequence[Citing], decision: Decision, text: str) -> list[Link]:
    """The links of its text: to decisions, and to each norm of a list at its own number."""
    held = [one for one in citations if one.cited_id not in {None, decision.decision_id}]
    decisions = [
        Link(one.start, one.end, decision_path(one.cited_id or ""))
        for one in held
        if one.kind is CitedKind.DECISION
    ]
    norms = [one for one in held if one.kind is not CitedKind.DECISION]
    return sorted([*decisions, *link_references(norms, text)], key=lambda one: one.start)


def put_first(blocks: Sequence[Block], text: DecisionText) -> list[Block]:
    """The blocks with the Leitsätze before everything else, wherever the court has them."""
    if not any(part.kind in _FIRST for part in text.parts[1:]):
        return list(blocks)
    first: list[Block] = []
    rest: list[Block] = []
    into = rest
    names = {str(kind).replace("_", "-") for kind in _FIRST}
    for block in blocks:
        if block.kind == "part":
            into = first if block.anchor in names else rest
        into.append(block)
    return [*first, *rest]


def _name_headings(blocks: Sequence[Block]) -> list[Block]:
    """The headings inside the reasons with anchors of their own: ``h-1``."""
    named = []
    count = 0
    for block in blocks:
        if block.kind == "heading":
            count += 1
            block = block if block.anchor else replace(block, anchor=f"h-{count}")  # noqa: PLW2901
        named.append(block)
    return named


def _name_passages(decision: Decision, blocks: Sequence[Block]) -> Mapping[str, Unit]:
    """The Randnummern by their anchors."""
    return {
        block.anchor: Unit(f"{decision.citation} Rn. {block.number}", block.number)
        for block in blocks
        if block.number
    }


def _open(text: str) -> str:
    """The first words of a decision that nothing else names."""
    words = " ".join(text[: _OPENING * 2].split())
    return words if len(words) <= _OPENING else words[: words.rfind(" ", 0, _OPENING)] + " …"


def _outline(blocks: Sequence[Block]) -> Iterator[Entry]:
    """The parts, and the headings in them; one that is a number alone with what it is before."""
    for place, block in enumerate(blocks):
        words = _join(block)
        if block.kind == "heading" and len(words) <= _LONGEST_NUMBER and place + 1 < len(blocks):
            words = f"{words} {_join(blocks[place + 1])}".strip()
        if len(words) > _LONGEST_ENTRY:
            words = words[: words.rfind(" ", 0, _LONGEST_ENTRY)] + " …"
        if block.kind == "part":
            yield Entry(block.anchor, block.name, words, 0)
        elif block.kind == "heading":
            yield Entry(block.anchor, "", words, min(block.depth + 1, _DEEPEST))


def _join(block: Block) -> str:
    return "".join(run.text for run in block.runs)


def _list_cited(
    library: Library, citations: Sequence[Citing], decision: Decision
) -> tuple[list[Cited], list[Cited]]:
    """The provisions and the decisions that it cites, in the order in which it begins to."""
    norms: dict[tuple[str, str], int] = {}
    decisions: dict[str, int] = {}
    for one in citations:
        if one.cited_id is None or one.cited_id == decision.decision_id:
            continue
        if one.kind is CitedKind.DECISION:
            decisions[one.cited_id] = decisions.get(one.cited_id, 0) + 1
        elif one.kind in {CitedKind.NORM, CitedKind.EU_ACT} and not one.ranged:
            key = (one.cited_id, one.cited_path)
            norms[key] = norms.get(key, 0) + 1
    named = [_name_norm(library, *key, count) for key, count in norms.items()]
    held = [(library.decisions.find(one), count) for one, count in decisions.items()]
    return [one for one in named if one is not None], [
        Cited(one.decision_id, one.citation, decision_path(one.decision_id), count)
        for one, count in held
        if one is not None
    ]


def _name_norm(library: Library, cited_id: str, path: str, count: int) -> Cited | None:
    """``§ 823 Abs. 1 BGB``; a law alone is no provision."""
    norm = library.store.find_norm(cited_id)
    if norm is None:
        return None
    pairs = (step.partition("=") for step in path.split("/") if step)
    steps = format_steps([PathStep(level, value) for level, _, value in pairs])
    law = library.store.statutes[norm.statute_id].abbreviation
    name = insert_path(norm.citation, steps, law)
    return Cited(norm.norm_id, name, write_target(cited_id, path), count)
