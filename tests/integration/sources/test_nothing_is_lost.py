"""Stored text, footnotes and notes hold every character of the publisher's XML.

The XML is read here by another parser and with a walk of its own, which knows the documented
normalisation (``docs/normalisation.md``) and nothing of the code under test. Segments are checked
on the way, since every norm passes here.
"""

from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

from fundstelle.law.norms import Fassung, Norm, Segment
from tests.integration.corpora.federal_law import Check, Findings, ReadLaw, check_all
from tests.integration.corpora.plain_law import bare, read_plain
from tests.integration.sources.tiling import LOOSE, MOST_OUTSIDE, check_tiling


def _compare(norm: ET.Element, record: tuple[Norm, Fassung] | None) -> Iterator[str]:
    plain = read_plain(norm)
    fassung = record[1] if record else None
    said = bare("".join(plain.text))
    stored = fassung.text if fassung else ""
    if said != bare(stored):
        yield f"text: {_first_difference(said, bare(stored))}"
    bars = sum(len(_strip(row)) - 1 for t in (fassung.tables if fassung else ()) for row in t.rows)
    if "".join(plain.text).count("|") + bars != stored.count("|"):
        yield "a bar is neither in the XML nor between two cells"
    footnotes = bare("".join(fassung.footnotes if fassung else ()))
    if bare("".join(plain.footnotes)) != footnotes:
        yield f"footnotes: {_first_difference(bare(''.join(plain.footnotes)), footnotes)}"
    notes = bare("".join(fassung.notes if fassung else ()))
    wanted = bare("".join([*plain.inner, *plain.notes]))
    if wanted != notes:
        yield f"notes: {_first_difference(wanted, notes)}"


def _strip(row: tuple[str, ...]) -> list[str]:
    filled = list(row)
    while filled and not filled[-1]:
        filled.pop()
    return filled


def _first_difference(one: str, two: str) -> str:
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), 0)
    return f"{one[at : at + 50]!r} became {two[at : at + 50]!r}"


def _compare_names(norm: ET.Element, record: Norm) -> Iterator[str]:
    """Title and designation are kept too."""
    unit = norm.find("metadaten/gliederungseinheit")
    enbez = norm.findtext("metadaten/enbez")
    titel = norm.find("metadaten/titel") if enbez or unit is None else None
    if unit is not None and not enbez:
        titel = unit.find("gliederungstitel")
        enbez = unit.findtext("gliederungsbez") or ""
    words = bare("".join(titel.itertext())) if titel is not None else ""
    if words != bare(record.title or ""):
        yield f"title: {words!r} became {record.title!r}"
    name = bare((enbez or "").replace("(XXXX)", "").replace("XXXX", ""))
    if name not in {"", "-", bare(record.label)}:
        yield f"label: {enbez!r} became {record.label!r}"


def _check_segments(fassung: Fassung) -> Iterator[str]:
    """Segments tile: inside their parent, in order, none reaching into the next."""
    before: dict[int, Segment] = {}
    segments = fassung.segments
    for at, segment in enumerate(segments):
        parent = segments[segment.parent] if segment.parent >= 0 else None
        last = before.get(segment.parent)
        holds = (
            segment.parent < at
            and 0 <= segment.start <= segment.body <= segment.end <= len(fassung.text)
            and segment.start < segment.end
            and (parent is None or (parent.start <= segment.start and segment.end <= parent.end))
            and (last is None or last.end <= segment.start)
            and not fassung.text[segment.start].isspace()
            and not fassung.text[segment.end - 1].isspace()
        )
        if not holds:
            yield f"segment {at} ({segment.level} {segment.value}) does not tile"
        label = fassung.text[segment.start : segment.body]
        printed = all(part in label for part in segment.value.split("-"))
        if label and not printed and segment.level != "spiegelstrich":
            yield f"segment {at}: {segment.value!r} is not in its label {label!r}"
        before[segment.parent] = segment


def check_words(law: ReadLaw) -> Findings:
    """Whether what is kept of a law is what its XML says."""
    found = Findings(Counter(laws=1))
    elements = ET.fromstring(law.file.data).findall("norm")
    records = list(law.norms)
    front = records.pop(0) if records and records[0][0].number == "vorspann" else None
    pairs = zip(elements, [front, *records], strict=True)
    ids = Counter(norm.norm_id for norm, _ in law.norms)
    found.problems += [f"{norm_id} names two norms" for norm_id, times in ids.items() if times > 1]
    for element, record in pairs:
        problems = list(_compare(element, record))
        if record is not None:
            norm, fassung = record
            found.counts.update(norms=1, segments=len(fassung.segments), tables=len(fassung.tables))
            stored = "".join((fassung.text, *fassung.footnotes, *fassung.notes))
            found.counts.update(characters=len(bare(stored)), stored=len(stored))
            if norm.number != "vorspann":
                problems += _compare_names(element, norm)
            problems += _check_segments(fassung)
        place = f"{law.file.name} {element.get('doknr')}"
        found.problems += [f"{place}: {problem}" for problem in problems]
    return found


# All laws of one archive, and of the other, which holds newer texts of the same, every third.
ARCHIVES = [("gii-xml.tar.zst", 1), ("gii-xml-2026-04-29-changes.tar.zst", 3)]
CHECKS: dict[str, Check] = {"words": check_words, "tiling": check_tiling}


@pytest.mark.corpus
@pytest.mark.parametrize(("archive", "step"), ARCHIVES)
def test_no_character_of_federal_law_is_lost(
    archive: str,
    step: int,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = check_all(tmp_path_factory, archive, CHECKS, step)["words"]
    counts = found.counts
    with capsys.disabled():
        print(  # noqa: T201 the measure is the point
            f"\n{archive}: {counts['laws']} laws, {counts['norms']} norms,"
            f" {counts['characters']} characters compared (of {counts['stored']} stored, white"
            f" space included), {counts['segments']} segments, {counts['tables']} tables"
        )
    assert counts["laws"] > 300
    assert not found.problems, _list(found.problems)


@pytest.mark.corpus
@pytest.mark.parametrize(("archive", "step"), ARCHIVES)
def test_segments_tile_the_text_and_bear_the_printed_labels(
    archive: str,
    step: int,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = check_all(tmp_path_factory, archive, CHECKS, step)["tiling"]
    with capsys.disabled():
        print(f"\n{dict(found.counts.most_common())}")  # noqa: T201 the measure is the point
        print("outside every segment, in characters:", dict(found.gaps.most_common()))  # noqa: T201
    assert found.counts["laws"] > 300
    assert not found.problems, _list(found.problems)
    loose = found.gaps["items without a number"] + sum(found.gaps[name] for name in LOOSE)
    assert loose <= found.counts["characters"] * MOST_OUTSIDE


def _list(problems: list[str]) -> str:
    return f"{len(problems)} problems:\n" + "\n".join(problems[:40])
