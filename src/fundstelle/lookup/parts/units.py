"""The parts of a norm's stored text by name: how they are written, and which are around one."""

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Level, Segment

WORDS = {
    Level.SECTION: "§",
    Level.ABSATZ: "Abs.",
    Level.UNTERABSATZ: "UAbs.",
    Level.SATZ: "Satz",
    Level.HALBSATZ: "Halbsatz",
    Level.NUMMER: "Nr.",
    Level.BUCHSTABE: "Buchst.",
    Level.DOPPELBUCHSTABE: "Doppelbuchst.",
    Level.DREIFACHBUCHSTABE: "Dreifachbuchst.",
    Level.SPIEGELSTRICH: "Spiegelstrich",
    Level.ALTERNATIVE: "Alt.",
    Level.VARIANTE: "Var.",
    Level.FALL: "Fall",
    Level.TEIL: "Teil",
    Level.ABSCHNITT: "Abschnitt",
    Level.KAPITEL: "Kapitel",
    Level.SPALTE: "Spalte",
    Level.KATEGORIE: "Kategorie",
    Level.RANDNUMMER: "Rn.",
}
LIST_ITEMS = frozenset(
    {
        Level.NUMMER,
        Level.BUCHSTABE,
        Level.DOPPELBUCHSTABE,
        Level.DREIFACHBUCHSTABE,
        Level.SPIEGELSTRICH,
    }
)
_NAMES = {"last": "letzter", "penultimate": "vorletzter"}


def get_steps(segments: Sequence[Segment], unit: int) -> tuple[PathStep, ...]:
    """The full path of a segment, from the norm downwards."""
    steps: list[PathStep] = []
    while unit >= 0:
        segment = segments[unit]
        steps.append(PathStep(segment.level, segment.value))
        unit = segment.parent
    return tuple(reversed(steps))


def format_steps(steps: Sequence[PathStep]) -> str:
    """``Abs. 2 Satz 1 Nr. 1``."""
    return " ".join(_format_step(step) for step in steps)


def _format_step(step: PathStep) -> str:
    word = WORDS[Level(step.level)]
    if step.value in _NAMES:
        return f"{_NAMES[step.value]} {word}"
    if step.to is None:
        return f"{word} {step.value}"
    if step.follows:
        return f"{word} {step.value} {step.to}."
    return f"{word} {step.value} bis {step.to}"


def insert_path(citation: str, path: str, law: str) -> str:
    """``§ 823 BGB`` and ``Abs. 1`` -> ``§ 823 Abs. 1 BGB``."""
    if not path:
        return citation
    if citation.endswith(f" {law}"):
        return f"{citation[: -len(law)]}{path} {law}"
    return f"{citation} {path}"


def find_frame(segments: Sequence[Segment], unit: int, text: str) -> tuple[str, str]:
    """The words that introduce the list a unit stands in, and those that end its sentence."""
    before: list[str] = []
    after: list[str] = []
    while unit >= 0 and segments[unit].level in LIST_ITEMS:
        parent = segments[unit].parent
        items = [s for s in segments if s.parent == parent and s.level in LIST_ITEMS]
        start, end = (segments[parent].start, segments[parent].end) if parent >= 0 else (0, 0)
        before.append(text[start : items[0].start].strip())
        if parent >= 0 and segments[parent].level == Level.SATZ:
            after.append(text[items[-1].end : end].strip())
        unit = find_holder(segments, parent)
    return "\n".join(filter(None, reversed(before))), "\n".join(filter(None, after))


def find_holder(segments: Sequence[Segment], unit: int) -> int:
    """Of the first Unterabsatz of a list item that item, whose words it begins; else the part."""
    if unit < 0 or segments[unit].level != Level.UNTERABSATZ or segments[unit].value != "1":
        return unit
    above = segments[unit].parent
    return above if above >= 0 and segments[above].level in LIST_ITEMS else unit


def find_deepest(segments: Sequence[Segment], start: int, end: int) -> int:
    """The deepest segment that contains ``[start, end)``; -1 if only the norm does.

    Segments stand in the order of the text, each behind its parent.
    """
    unit = bisect_right(segments, start, key=attrgetter("start")) - 1
    while unit >= 0 and segments[unit].end < end:
        unit = segments[unit].parent
    return unit


def is_bare(segments: Sequence[Segment], unit: int) -> bool:
    """Whether of a part nothing but its number is printed, and no part below it."""
    part = segments[unit]
    below = segments[unit + 1] if unit + 1 < len(segments) else None
    return part.body >= part.end and (below is None or below.parent != unit)
