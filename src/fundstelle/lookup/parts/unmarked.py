"""Parts whose label is printed and that were not cut: in a table, or within other words."""

import re
from collections.abc import Sequence

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Level, Segment
from fundstelle.lookup.parts.following import NoUnit, Units

_UNLABELLED = frozenset({Level.SATZ, Level.HALBSATZ, Level.UNTERABSATZ})
_CELL = r"(?:^|\| )"
# ``{}`` is the value; a number without a dot opens a row, and elsewhere it counts something
_FORMS = {
    Level.ABSATZ: r"^(?:\| ?)*\({}\)",
    Level.NUMMER: _CELL + r"(?:{}\.(?=\s|$)|\({}\)\s)|^{} \|",
    Level.BUCHSTABE: _CELL + r"\(?{}\)(?=\s|$)",
    Level.DOPPELBUCHSTABE: _CELL + r"\(?{}\)(?=\s|$)",
}


def find_around(
    text: str, segments: Sequence[Segment], path: Sequence[PathStep], gap: NoUnit
) -> Units | None:
    """The part around one whose label is printed, with what could not be followed of ``path``.

    Nothing is denied that a reader sees at the beginning of a line or of a cell. ``None`` where
    no such label stands, but those of the parts that are marked.
    """
    form = _FORMS.get(Level(gap.step.level))
    if form is None or not _is_printed(text, segments, gap, form):
        return None
    level, value = gap.step.level, gap.step.value
    depth = next(
        (at for at, one in enumerate(path) if one.level == level and value in {one.value, one.to}),
        0,
    )
    return Units((gap.parent,), rest=tuple(path[depth:]))


def _is_printed(text: str, segments: Sequence[Segment], gap: NoUnit, form: str) -> bool:
    start, end = 0, len(text)
    if gap.parent >= 0:
        start, end = segments[gap.parent].start, segments[gap.parent].end
    marked = {segment.start for segment in segments if segment.level not in _UNLABELLED}
    pattern = re.compile(form.replace("{}", re.escape(gap.step.value)), re.MULTILINE)
    return any(_find_label(match) not in marked for match in pattern.finditer(text, start, end))


def _find_label(match: re.Match[str]) -> int:
    """Where the label itself begins, behind the strokes of empty cells."""
    words = match[0]
    return match.start() + len(words) - len(words.lstrip("| "))
