"""Whether the blocks of a tool result say what its answer says. Pure.

Clients show the blocks, to people and to models; most show the text alone. A block is the answer
once more, or a link to a text that the answer names: anything else says something of its own.
"""

from collections.abc import Iterator, Sequence

from fundstelle.cli.verifying.facts import names_unit
from fundstelle.cli.verifying.odd import Odd, Parsed, list_others

_OF_TEXT = ("type", "text")
_OF_LINK = ("type", "uri", "name", "title", "mimeType")
_NORM, _LAW = "legal://norm/", "legal://law/"
# What the answer names, by the addresses that links have: citation and heading.
_Named = dict[str, list[tuple[str, object]]]
_OTHER_TEXT = "the text block says something else than structuredContent"
_OTHER_LINK = "it links to nothing that the answer names so"


def compare_blocks(
    blocks: Sequence[object], said: Sequence[Parsed | None], answer: Parsed
) -> Iterator[Odd]:
    """What does not fit; ``said`` are the JSON objects that the blocks' texts are, if they are."""
    named = _list_named(answer)
    for at, (block, each) in enumerate(zip(blocks, said, strict=True)):
        place = f"content[{at}]"
        kind = block.get("type") if isinstance(block, dict) else None
        if not isinstance(block, dict) or kind not in ("text", "resource_link"):
            yield Odd(place, "it is neither the answer nor a link")
            continue
        if kind == "text":
            if each != answer and not (each is None and _is_told_link(block.get("text"), named)):
                yield Odd(place, _OTHER_TEXT)
        elif not _is_link(block, named):
            yield Odd(place, _OTHER_LINK)
        known = _OF_TEXT if kind == "text" else _OF_LINK
        for other in list_others(block, known):
            yield Odd(f"{place}.{other.place}", other.problem, is_unknown=True)


def _list_named(answer: Parsed) -> _Named:
    named: _Named = {}
    left: list[object] = [answer]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            held_id, title = str(value.get("norm_id")), value.get("title")
            citation = str(value.get("citation", ""))
            named.setdefault(_NORM + held_id, []).append((citation, title))
            short = held_id.partition("/")[2]
            of_law = f"{_LAW}{value.get('source_type')}/{short}"
            named.setdefault(of_law, []).append((short, title))
            left += value.values()
        elif isinstance(value, list):
            left += value
    return named


def _is_link(block: Parsed, named: _Named) -> bool:
    uri, name, title = block.get("uri"), block.get("name"), block.get("title")
    return (
        block.get("mimeType", "application/json") == "application/json"
        and isinstance(name, str)
        and isinstance(uri, str)
        and any(
            names_unit(citation, name) and title in (None, heading)
            for citation, heading in named.get(uri, ())
        )
    )


def _is_told_link(text: object, named: _Named) -> bool:
    """Whether it is a link as revisions have it that know no links: "Heading: address"."""
    said, _, uri = str(text).rpartition(": ")
    return any(
        said == heading or names_unit(citation, said) for citation, heading in named.get(uri, ())
    )
