"""All of federal law: what a note says of the Constitutional Court is said of the parts it names.

``golden/declared_parts.tsv`` is what a reader made of each note: the parts named, and whether it is
about other provisions too (limited), about a text that was changed since (former), of which day.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Fassung, Level, Norm, NormStatus, Segment
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import format_steps, get_steps
from fundstelle.lookup.validity.bearing import DECLARED, About
from fundstelle.lookup.validity.declared import Declaration, read_note, speaks_of_court
from fundstelle.lookup.validity.notes import Validity, find_status, find_validity

pytestmark = pytest.mark.corpus

TABLE = Path(__file__).parents[2] / "golden" / "declared_parts.tsv"
FEWEST_READ = 80  # notes; a few are of other days than those of the archive
FEWEST_APART = 30  # provisions of which some parts are marked and others are not
_SILENT = frozenset({Level.SATZ, Level.UNTERABSATZ})
_UNMARKED = frozenset({Level.ALTERNATIVE, Level.VARIANTE, Level.FALL})
_LAW_WIDE = "de/20.-rag/"  # its provisions all repeat what is said of the law
_NOT_HERE = frozenset({About.OTHER, About.FORMER})

Row = tuple[str, str, str, str, str]


def test_the_parts_that_a_note_names_are_those_that_a_reader_found(whole: Library) -> None:
    expected = {tuple(row.split("\t")) for row in TABLE.read_text("utf-8").splitlines()[1:]}
    found = {
        _describe(norm, one)
        for norm, fassung in list_noted(whole)
        for note in fassung.notes
        for one in read_note(note)
    }

    assert found - expected == set()
    assert len(found) > FEWEST_READ


def test_what_a_note_names_is_marked_and_nothing_beside_it(whole: Library) -> None:
    wrong = []
    apart = 0
    for norm, fassung in list_noted(whole):
        declared = [one for note in fassung.notes for one in read_note(note) if one.kind]
        if fassung.status is not NormStatus.IN_FORCE or any(one.paths is None for one in declared):
            continue
        named = [path for one in declared if not one.is_former for path in one.paths or ((),)]
        expected = _find_named(fassung.segments, named)
        marked = set()
        for index, validity in enumerate(_judge_parts(whole, norm, fassung)):
            part = format_steps(get_steps(fassung.segments, index))
            is_marked = validity.status in DECLARED
            marked.add(is_marked)
            if is_marked != (index in expected):
                wrong.append((norm.norm_id, part, str(validity.status)))
            if not is_marked and declared and not _NOT_HERE & {n.about for n in validity.notes}:
                wrong.append((norm.norm_id, part, "the note is hidden"))
        apart += len(marked) > 1

    assert wrong == []
    assert apart > FEWEST_APART


def test_a_hit_and_a_row_of_contents_say_what_the_text_says(whole: Library) -> None:
    wrong = []
    for norm, fassung in list_noted(whole):
        statute = whole.store.statutes[norm.statute_id]
        validity = find_validity(whole, statute, fassung)
        listed = find_status(whole, statute, fassung.status, fassung.notes)
        if not validity.notes or validity.status != listed:
            wrong.append((norm.norm_id, validity.status, listed))

    assert wrong == []


def list_noted(library: Library) -> list[tuple[Norm, Fassung]]:
    """The provisions with a note that says so."""
    return [
        (norm, fassung)
        for _, norm, fassung in library.store.iter_norms()
        if any(speaks_of_court(note) for note in fassung.notes)
    ]


def _judge_parts(library: Library, norm: Norm, fassung: Fassung) -> Iterator[Validity]:
    statute = library.store.statutes[norm.statute_id]
    for segment in fassung.segments:
        yield find_validity(library, statute, fassung, (segment.start, segment.end))


def _find_named(segments: Sequence[Segment], named: Sequence[Sequence[PathStep]]) -> set[int]:
    """The parts that a path names, those inside them and those around them."""
    found = set()
    for index in range(len(segments)):
        steps = get_steps(segments, index)
        if any(_is_inside(steps, path) for path in named):
            around = index
            while around >= 0:
                found.add(around)
                around = segments[around].parent
    return found


def _is_inside(steps: Sequence[PathStep], path: Sequence[PathStep]) -> bool:
    """Whether a path, which may leave sentences out, leads to a part or to one around it."""
    wanted = [step for step in path if step.level not in _UNMARKED]
    for step in steps:
        if wanted and (step.level, step.value) == (wanted[0].level, wanted[0].value):
            wanted.pop(0)
        elif wanted and step.level not in _SILENT:
            return False
    return not wanted


def _describe(norm: Norm, one: Declaration) -> Row:
    paths = ["?"] if one.paths is None else [format_steps(path) for path in one.paths] or ["all"]
    how = (("former", one.is_former), ("limited", one.is_limited))
    return (
        _LAW_WIDE if norm.norm_id.startswith(_LAW_WIDE) else norm.norm_id,
        one.kind or "other",
        "; ".join(paths) if one.kind else "-",
        " ".join(word for word, is_so in how if is_so) or "-",
        str(one.judged or "-"),
    )
