"""The parts of a text by their anchors: how each is cited, and its other names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Fassung, Level, Norm, Segment, Statute
from fundstelle.lookup.addresses import name_anchors
from fundstelle.lookup.parts.units import format_steps, get_steps, insert_path
from fundstelle.portal.reading import Block

_OUTLINED = frozenset({Level.SECTION, Level.ABSATZ})
_SILENT = frozenset({Level.SATZ, Level.HALBSATZ, Level.UNTERABSATZ})
_MOST_SILENT = 4  # steps of a path that its further names may leave out
_LEAST_OUTLINED = 5  # parts of a text that has contents of its own
_LONGEST_OPENING = 60


@dataclass(frozen=True, slots=True)
class Unit:
    """A part that a reader may link and cite.

    ``citation`` is whole ("§ 823 Abs. 1 Satz 1 BGB"); ``number`` stands before a sentence that has
    others beside it, else it is empty. ``aliases`` are further anchors, as references may
    name it: with the sentences that the anchor leaves out, and without the Unterabsätze it has.
    """

    citation: str
    number: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opening:
    """An entry of the contents of a long text: its anchor, name and first words."""

    anchor: str
    name: str
    words: str


def name_units(
    norm: Norm, statute: Statute, segments: Sequence[Segment], shown: Sequence[Block]
) -> Mapping[str, Unit]:
    """The parts that begin in these blocks, by their anchors."""
    wanted = {anchor for block in shown for anchor in block.list_anchors()}
    lonely = _find_lonely(segments)
    units = {}
    names = name_anchors(segments)
    given = set(names)
    taken = {*names, *(_name(get_steps(segments, place)) for place in range(len(segments)))}
    for place, (segment, name) in enumerate(zip(segments, names, strict=True)):
        if name not in wanted:
            continue
        path = get_steps(segments, place)
        steps = format_steps(path)
        whole, *shorter = _iter_names(path)
        aliases = [one for one in dict.fromkeys(shorter) if one and one not in taken]
        if whole not in given:
            aliases.insert(0, whole)
        given.add(whole)
        taken.update(aliases)
        is_counted = segment.level is Level.SATZ and place not in lonely
        units[name] = Unit(
            insert_path(norm.citation, steps, statute.abbreviation),
            segment.value if is_counted else "",
            tuple(aliases),
        )
    return units


def _iter_names(path: Sequence[PathStep]) -> Iterator[str]:
    """Further names of a part: whole, and without some or all of what citations leave out.

    Each has no other sentence than one that the part stands in.
    """
    silent = [place for place, step in enumerate(path) if step.level in _SILENT][:_MOST_SILENT]
    for count in range(len(silent) + 1):
        for left_out in combinations(silent, count):
            kept = [step for place, step in enumerate(path) if place not in left_out]
            halves = [at for at, step in enumerate(kept) if step.level is Level.HALBSATZ]
            if not count or all(at and kept[at - 1].level is Level.SATZ for at in halves):
                yield _name(kept)


def _name(steps: Sequence[PathStep]) -> str:
    """An anchor of these steps, spelt as ``lookup.addresses`` does."""
    return "-".join(f"{one.level}-{one.value}" for one in steps).replace(" ", "_").replace("§", "s")


def _find_lonely(segments: Sequence[Segment]) -> set[int]:
    """Sentences with no other beside them."""
    beside: dict[int, list[int]] = {}
    for place, segment in enumerate(segments):
        if segment.level is Level.SATZ:
            beside.setdefault(segment.parent, []).append(place)
    return {places[0] for places in beside.values() if len(places) == 1}


def outline(fassung: Fassung) -> list[Opening]:
    """The Absätze of a text that has many, for the contents beside it."""
    found = [
        Opening(name, f"{format_steps([get_steps(fassung.segments, place)[-1]])}", words)
        for place, (segment, name) in enumerate(
            zip(fassung.segments, name_anchors(fassung.segments), strict=True)
        )
        if segment.level in _OUTLINED
        and segment.parent < 0
        and (words := _open(fassung.text[segment.body : segment.end]))
    ]
    return found if len(found) >= _LEAST_OUTLINED else []


def _open(text: str) -> str:
    line = text.strip().partition("\n")[0]
    if len(line) <= _LONGEST_OPENING:
        return line
    return line[: line.rfind(" ", 0, _LONGEST_OPENING)].rstrip(" ,;:") + " …"
