"""Segments over the whole of federal law: they tile, lose nothing, and say what the law prints.

Characters outside every top segment are counted by what they are: rows of a table, headings, items
whose label numbers nothing, lines that follow such an item or a list no sentence introduces, and
sentences between headings, whose count begins anew at each so that no number names one. Repealed
norms and tables of contents are not divided.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fundstelle.ingest.text.lines import Draft, Line, LineKind
from fundstelle.law.norms import Fassung, Level, Norm, NormKind, NormStatus, Segment
from tests.integration.corpora.federal_law import Findings, ReadLaw

_COUNTED = (Level.SATZ, Level.HALBSATZ)
_ABOVE_ABSATZ = (None, Level.SECTION, Level.TEIL, Level.KAPITEL, Level.ABSCHNITT)
_ABSATZ = re.compile(r"\((\d+[a-z]*)\)(?: \S+ \((\d+[a-z]*)\))?")
_PRINTED = re.compile(r"(?:.*\s)?[^\w\s]*(?P<value>\w+(?:[. ]\w+)*?)[^\w\s]*", re.DOTALL)
_SAME_LETTERS = re.compile(r"([a-z])\1*")
_LETTERS = (Level.BUCHSTABE, Level.DOPPELBUCHSTABE, Level.DREIFACHBUCHSTABE)
_SKIPPING = {"estg/22"}  # prints the numbers 14 and 16 and no 15
LOOSE = ("lines after such an item or list", "other")
MOST_OUTSIDE = 0.002  # of all characters, what is known to stay undivided left out


def _check_place(segments: Sequence[Segment], length: int) -> Iterator[str]:
    """Inside their parent, in order, none reaching into the next."""
    ends: dict[int, int] = {}
    for at, segment in enumerate(segments):
        outer = segments[segment.parent] if segment.parent >= 0 else None
        start, end = (outer.start, outer.end) if outer else (0, length)
        if not (segment.parent < at and start <= segment.start <= segment.body <= segment.end):
            yield f"segment {at} is not inside the one above it"
        if segment.end > end or segment.start >= segment.end:
            yield f"segment {at} is empty or too long"
        if segment.start < ends.get(segment.parent, 0):
            yield f"segment {at} reaches into the one before it"
        ends[segment.parent] = segment.end


def _check_counts(name: str, segments: Sequence[Segment]) -> Iterator[str]:
    """Sentences and halves of one part are numbered 1, 2, 3 …"""
    counted: dict[tuple[int, Level], list[str]] = {}
    for segment in segments:
        if segment.level in _COUNTED:
            counted.setdefault((segment.parent, segment.level), []).append(segment.value)
    for (parent, level), values in counted.items():
        if values != [str(number) for number in range(1, len(values) + 1)]:
            rising = all(int(one) < int(two) for one, two in pairwise(values))
            if not (name in _SKIPPING and rising):
                yield f"{level} below segment {parent} is numbered {values}"


def _check_label(text: str, segment: Segment, above: Level | None, before: str) -> Iterator[str]:
    """The value is the printed label, and the level the one that its form stands for."""
    label = text[segment.start : segment.body].strip()
    if not label:  # a table row, which begins with its number
        if not text.startswith(segment.value, segment.start):
            yield f"{segment.value!r} is not printed at the start of the row"
        return
    if segment.level is Level.SPIEGELSTRICH:
        if any(character.isalnum() for character in label):
            yield f"{label!r} is no stroke"
        return
    if match := _ABSATZ.fullmatch(label):
        printed = "-".join(number for number in match.groups() if number)
    else:
        found = _PRINTED.fullmatch(label)
        printed = found["value"] if found else label
    printed = " ".join(printed.split())
    value = " ".join(segment.value.split())
    whole = " ".join(label.split()).strip("().: ")
    if value not in {whole, printed, printed.replace("Nr. ", ""), printed.split(" ")[-1]}:
        yield f"{label!r} has the value {segment.value!r}"
    if segment.level not in _read_levels(label.strip("„“\"'‚‘»« "), above, before):
        yield f"{label!r} has the level {segment.level}"


def _read_levels(label: str, above: Level | None, before: str) -> Sequence[Level]:
    """What a label may be; only letters that are numerals too leave a choice."""
    bare = label.strip("().: ")
    if _ABSATZ.fullmatch(label):
        return (Level.ABSATZ, Level.NUMMER) if above in _ABOVE_ABSATZ else (Level.NUMMER,)
    if bare[:1].isdigit() or re.match(r"[A-Z]+[. ]?\d", bare):
        return (Level.NUMMER,)
    if _SAME_LETTERS.fullmatch(bare) and len(bare) <= len(_LETTERS):
        by_length = _LETTERS[len(bare) - 1]
        numeral = set(bare) <= set("ivx")
        after_z = before in {"z", bare[1:] or "z"} or (len(bare) > 1 and before[:1] == "z")
        choices = [by_length]
        choices += [Level.NUMMER, *_LETTERS] if numeral else []
        choices += [Level.BUCHSTABE] if after_z else []
        return tuple(choices)
    if re.fullmatch(r"[a-z]{2,3}", bare):  # "ab" goes on after "aa", a roman "iv" after "iii"
        return (Level.NUMMER, *_LETTERS)
    if re.fullmatch(r"[A-Z]{1,2}|[IVXL]+", bare):
        return (Level.NUMMER, Level.BUCHSTABE)
    return tuple(level for level in Level if level not in {Level.ABSATZ, *_COUNTED, *_LETTERS})


def _check_labels(text: str, segments: Sequence[Segment]) -> Iterator[str]:
    before: dict[int, str] = {}
    for segment in segments:
        if segment.level in _COUNTED:
            continue
        above = segments[segment.parent].level if segment.parent >= 0 else None
        yield from _check_label(text, segment, above, before.get(segment.parent, ""))
        before[segment.parent] = segment.value


def _count_outside(draft: Draft, segments: Sequence[Segment]) -> Counter[str]:
    """Characters of lines outside every top segment, by what the line is."""
    tops = [(part.start, part.end) for part in segments if part.parent < 0]
    outside: Counter[str] = Counter()
    listed = False
    titled = any(line.kind is LineKind.TITLE for line in draft.lines)
    starts, ends = [start for start, _ in tops], [end for _, end in tops]
    for line in draft.lines:
        listed = listed or line.kind is LineKind.ITEM
        # Both are in order: only those that reach into the line are looked at.
        near = tops[bisect_right(ends, line.start) : bisect_right(starts, line.end)]
        missing = (
            line.end
            - line.start
            - sum(max(0, min(end, line.end) - max(start, line.start)) for start, end in near)
        )
        # the blank between two sentences of a line belongs to neither
        missing -= sum(two[0] == one[1] + 1 for one, two in pairwise(near))
        if missing > 0:
            name = _name_gap(line, draft.text, listed=listed)
            outside["text between headings" if titled and name in LOOSE else name] += missing
    return outside


def _name_gap(line: Line, text: str, *, listed: bool) -> str:
    if line.kind is LineKind.ROW:
        return "rows of tables"
    if line.kind is LineKind.TITLE:
        return "headings"
    if line.kind is LineKind.ITEM:
        return "items without a number"
    if not any(character.isalpha() for character in text[line.start : line.end]):
        return "rules and formulas"
    return "lines after such an item or list" if listed else "other"


def _is_divided(norm: Norm) -> bool:
    return norm.kind is not NormKind.CONTENTS and norm.status is NormStatus.IN_FORCE


def check_tiling(law: ReadLaw) -> Findings:
    """Whether the segments of a law tile its texts, and what is outside of them."""
    found = Findings(Counter(laws=1))
    for (norm, fassung), entry in zip(law.norms, law.outline.entries, strict=True):
        if not _is_divided(norm):
            found.gaps["repealed norms, tables of contents"] += len(fassung.text)
            continue
        segments = fassung.segments
        found.counts.update(norms=1, characters=len(fassung.text), segments=len(segments))
        found.counts.update(str(segment.level) for segment in segments)
        found.gaps += _count_outside(entry.draft, segments)
        name = f"{law.file.slug}/{norm.number}"
        found.problems += [f"{name}: {problem}" for problem in _check(name, fassung)]
    return found


def _check(name: str, fassung: Fassung) -> Iterator[str]:
    yield from _check_place(fassung.segments, len(fassung.text))
    yield from _check_counts(name, fassung.segments)
    yield from _check_labels(fassung.text, fassung.segments)
