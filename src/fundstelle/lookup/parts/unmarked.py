"""Parts that are printed and were not cut: labels in a table or within other words, sentences."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Level, Segment
from fundstelle.lookup.parts.following import NoUnit, Units
from fundstelle.lookup.parts.units import LIST_ITEMS

_UNLABELLED = frozenset({Level.SATZ, Level.HALBSATZ, Level.UNTERABSATZ})
_CELLS = re.compile(r"(?:\| ?)*")  # empty ones
_BLANK, _BLANK_OR_END, _ANY = (re.compile(each) for each in (r"\s", r"\s|\Z", ""))


def _begins_line(text: str, _start: int, place: int) -> bool:
    return place == 0 or text.startswith("\n", place - 1)


def _begins_cell(text: str, start: int, place: int) -> bool:
    return _begins_line(text, start, place) or text.endswith("| ", start, place)


def _begins_words(text: str, start: int, place: int) -> bool:
    """Whether nothing but empty cells stands before."""
    if place and text[place - 1] not in "\n| ":
        return False
    line = text.rfind("\n", 0, place) + 1
    return start <= line and _CELLS.fullmatch(text, line, place) is not None


class _Form(NamedTuple):
    """What is printed around a value that is a label, where it stands, and what follows."""

    opens: str
    closes: str
    begins: Callable[[str, int, int], bool]
    follows: re.Pattern[str]


# A number without a dot opens a row, and elsewhere it counts something.
_LETTERS = tuple(_Form(each, ")", _begins_cell, _BLANK_OR_END) for each in ("", "("))
_FORMS = {
    Level.ABSATZ: (_Form("(", ")", _begins_words, _ANY),),
    Level.NUMMER: (
        _Form("", ".", _begins_cell, _BLANK_OR_END),
        _Form("(", ")", _begins_cell, _BLANK),
        _Form("", " |", _begins_line, _ANY),
    ),
    Level.BUCHSTABE: _LETTERS,
    Level.DOPPELBUCHSTABE: _LETTERS,
}


def find_around(
    text: str, segments: Sequence[Segment], path: Sequence[PathStep], gap: NoUnit
) -> Units | None:
    """The part around one whose label is printed, with what could not be followed of ``path``.

    Nothing is denied that a reader sees at the beginning of a line or of a cell, nor a sentence
    where words were not counted, nor a half of one where a semicolon may begin it, nor a further
    paragraph of a list item. ``None`` where no such label stands, but those of the parts that are
    marked.
    """
    ways = (_is_printed, _is_uncounted, _is_uncut, _is_paragraph)
    if not any(is_there(text, segments, gap) for is_there in ways):
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


def _is_uncut(text: str, segments: Sequence[Segment], gap: NoUnit) -> bool:
    """Whether a part has semicolons for that many Halbsätze: those in brackets cut none."""
    if gap.step.level != Level.HALBSATZ or not gap.step.value.isdecimal():
        return False
    start, end = _get_span(text, segments, gap)
    return text.count(";", start, end) + 1 >= int(gap.step.value)


def _is_paragraph(text: str, segments: Sequence[Segment], gap: NoUnit) -> bool:
    """Whether so many paragraphs of a list item stand one below the other, none of them cut."""
    is_item = gap.parent >= 0 and segments[gap.parent].level in LIST_ITEMS
    if gap.step.level != Level.UNTERABSATZ or not is_item or gap.existing:
        return False
    start, end = _get_span(text, segments, gap)
    below = {part.start for part in segments if part.level in LIST_ITEMS and start < part.start}
    labelled = sum(at < end and text[at - 1] == "\n" for at in below)
    paragraphs = 1 + text.count("\n", start, end) - labelled
    wanted = int(gap.step.value) if gap.step.value.isdecimal() else 1
    return paragraphs > 1 and wanted <= paragraphs


def _get_span(text: str, segments: Sequence[Segment], gap: NoUnit) -> tuple[int, int]:
    if gap.parent < 0:
        return 0, len(text)
    return segments[gap.parent].start, segments[gap.parent].end


def _is_printed(text: str, segments: Sequence[Segment], gap: NoUnit) -> bool:
    """Whether the value stands as a label that no part was cut at.

    It is looked for first: of a list of numbers each is looked for in all of a long text.
    """
    start, end = _get_span(text, segments, gap)
    printed = [
        place
        for form in _FORMS.get(Level(gap.step.level), ())
        for place in _iter_labels(text, start, end, gap.step.value, form)
    ]
    if not printed:
        return False
    marked = {segment.start for segment in segments if segment.level not in _UNLABELLED}
    return any(place not in marked for place in printed)


def _iter_labels(text: str, start: int, end: int, value: str, form: _Form) -> Iterator[int]:
    """Where a label of that form begins, in that part of a text."""
    label = f"{form.opens}{value}{form.closes}"
    place = text.find(label, start, end)
    while place >= 0:
        behind = place + len(label)
        if form.begins(text, start, place) and form.follows.match(text, behind, end):
            yield place
        place = text.find(label, place + 1, end)
