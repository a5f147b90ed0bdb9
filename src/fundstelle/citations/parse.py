"""One string that is a citation."""

from dataclasses import dataclass
from typing import TypeVar

from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.norms.inference import is_weak
from fundstelle.citations.norms.scan import Hit
from fundstelle.citations.norms.short_forms import read_short_form
from fundstelle.citations.read import read_all
from fundstelle.citations.remainder import find_unread
from fundstelle.citations.text.clean import clean
from fundstelle.law.citations import Target

_T = TypeVar("_T")
_TWO = 2

LONGEST = 4_000  # characters; more is a text, not a citation


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a string means; no targets: it is not a citation. ``normalised`` in words.

    ``unparsed`` are the parts, as written, that carry a meaning and are in no target.
    """

    targets: tuple[Target, ...]
    normalised: tuple[str, ...] = ()
    unparsed: tuple[str, ...] = ()


def parse(text: str, names: LawNames | None = None) -> Parsed:
    """Read ``text`` as a citation; nothing is inferred, nothing is looked up."""
    registry = names or LawNames.default()
    cleaned = clean(text[:LONGEST])
    hits: list[Hit] = read_all(cleaned.text, registry, whole=True)
    if len(hits) > 1 or (hits and len(cleaned.text.strip()) > hits[0].end - hits[0].start):
        hits = [hit for hit in hits if not (hit.bare and is_weak(hit.targets))]
    if not hits:
        hits = read_short_form(cleaned.text, registry)
    if not hits:
        return Parsed(())
    targets, notes = hits[0].targets, cleaned.notes + hits[0].notes
    for hit in hits[1:]:
        targets += hit.targets
        notes += hit.notes
    unparsed = [
        text[cleaned.get_origin(piece.start) : cleaned.get_origin_end(piece.end)]
        for piece in find_unread(cleaned.text, hits)
    ]
    if len(text) > LONGEST:
        unparsed.append(text[LONGEST:])
    return Parsed(_drop_doubled(targets), _drop_doubled(notes), tuple(unparsed))


def _drop_doubled(items: tuple[_T, ...]) -> tuple[_T, ...]:
    return items if len(items) < _TWO else tuple(dict.fromkeys(items))
