"""Parts that are printed and were not cut: labels in a table or within other words, sentences."""

import re
from collections.abc import Sequence

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Level, Segment
from fundstelle.lookup.parts.following import NoUnit, Units
from fundstelle.lookup.parts.units import LIST_ITEMS

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

    Nothing is denied that a reader sees at the beginning of a line or of a cell, nor a sentence
    where words were not counted. ``None`` where no such label stands, but those of the parts that
    are marked.
    """
    form = _FORMS.get(Level(gap.step.level))
    is_printed = form is not None and _is_printed(text, segments, gap, form)
    if not (is_printed or _is_uncounted(text, segments, gap)):
        return None
    level, value = gap.step.level, gap.step.value
    depth = next(
        (at for at, one in enumerate(path) if one.level == level and value in {one.value, one.to}),
        0,
    )
    return Units((gap.parent,), rest=tuple(path[depth:]))


def _is_uncounted(text: str, segments: Sequence[Segment], gap: NoUnit) -> bool:
    """Whether words stand behind the list that a section is, which may be its provisions.

    If they are in small letters they are of its first sentence, and there is no other.
    """
    below = [part for part in segments if part.parent == gap.parent]
    if gap.step.level != Level.SATZ or gap.existing or not below:
        return False
    body, end = 0, len(text)
    if gap.parent >= 0:
        body, end = segments[gap.parent].body, segments[gap.parent].end
    if below[0].level not in LIST_ITEMS or text[body : below[0].start].strip():
        return False
    letter = next(filter(str.isalpha, text[max(part.end for part in below) : end]), "")
    return letter.isupper() or (bool(letter) and gap.step.value == "1")


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
