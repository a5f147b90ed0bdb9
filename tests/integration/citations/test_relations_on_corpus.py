"""All of federal law: however a unit is written the answer is the same, and no word is dropped."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

import orjson
import pytest

from fundstelle.law.norms import Norm, NormKind
from fundstelle.lookup.answers import Miss, Outcome, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses.gaps import is_repealed
from fundstelle.lookup.parts.units import format_steps, get_steps
from fundstelle.lookup.provisions import MOST_TARGETS
from fundstelle.lookup.resolve import resolve
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext
from tests.integration.citations.absent import (
    Contents,
    is_of_other_law,
    list_absences,
    shows_number_alone,
)
from tests.integration.citations.test_every_citation_resolves import list_sections

TODAY = date(2025, 4, 1)
SAMPLE = 2_000

FORMS = (
    "{section} {law} {path}",
    "{section} {law}, {path}",
    "{section} {law} ({path})",
    "{path} {section} {law}",
    "{path} des {section} {law}",
    "{law} {section} {path}",
    "vgl. {section} {path} {law}.",
)
ADDED = ("Abs. 9777", "Satz 9777", "Tabelle 7", "Unsinn", "ohne Satz 2", "88888", "zweite Fußnote")

pytestmark = pytest.mark.corpus


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a section, in the pieces that its citation is made of."""

    section: str
    path: str
    law: str

    def write(self, form: str) -> str:
        return form.format(section=self.section, path=self.path, law=self.law)

    @property
    def usual(self) -> str:
        return self.write("{section} {path} {law}")


@pytest.fixture(scope="module")
def sections(whole: Library) -> list[Norm]:
    """§§ and Artikel cited by one sign and one number."""
    return [
        norm
        for norm in list_sections(whole)
        if norm.norm_id.startswith("de/")
        and "/" not in norm.number
        and "~" not in norm.number
        and norm.citation.startswith(("§ ", "Art. "))
        and not whole.store.list_same(norm.norm_id)
        and whole.store.find_fassung(norm.norm_id, TODAY) == whole.store.find_fassung(norm.norm_id)
    ]


def split(norm: Norm, law: str) -> str:
    """The sign and the number."""
    return norm.citation.removesuffix(f" {law}")


@pytest.fixture(scope="module")
def units(whole: Library, sections: list[Norm]) -> list[Unit]:
    """One part each of some sections."""
    chosen = random.Random(2026)
    return list(list_units(whole, chosen.sample(sections, SAMPLE), chosen))


def list_units(library: Library, norms: list[Norm], chosen: random.Random) -> Iterator[Unit]:
    for norm in norms:
        fassung = library.store.find_fassung(norm.norm_id, TODAY)
        parts = range(len(fassung.segments)) if fassung is not None else range(0)
        held = [i for i in parts if fassung is not None and not is_repealed(fassung, i)]
        if fassung is None or not held:
            continue
        law = library.store.statutes[norm.statute_id].abbreviation
        path = format_steps(get_steps(fassung.segments, chosen.choice(held)))
        yield Unit(split(norm, law), path, law)


def has_each_part_once(library: Library, norm: Norm) -> bool:
    """Whether no two parts go by one citation, as where texts of two territories are printed."""
    fassung = library.store.find_fassung(norm.norm_id)
    segments = fassung.segments if fassung is not None else ()
    return len({get_steps(segments, i) for i in range(len(segments))}) == len(segments)


def name(outcome: Outcome) -> tuple[object, ...]:
    if isinstance(outcome, ProvisionHit):
        return outcome.norm.norm_id, outcome.start, outcome.end, outcome.rest
    if not isinstance(outcome, Miss):
        return (outcome,)
    return outcome.status, outcome.reason, outcome.unparsed


def answer(library: Library, written: str) -> list[tuple[object, ...]]:
    return [name(outcome) for outcome in resolve(library, written, TODAY).outcomes]


@pytest.mark.parametrize("form", FORMS)
def test_every_way_of_writing_a_unit_gives_the_same_answer(
    whole: Library, units: list[Unit], form: str
) -> None:
    wrong = [
        (unit.write(form), theirs)
        for unit in units
        if (theirs := answer(whole, unit.write(form))) != answer(whole, unit.usual)
    ]

    assert len(units) > 0.8 * SAMPLE
    assert wrong == []


def test_a_comma_before_a_halbsatz_changes_nothing(whole: Library, sections: list[Norm]) -> None:
    chosen = random.Random(156)
    asked = 0
    wrong = []
    for norm in chosen.sample(sections, 4 * SAMPLE):
        fassung = whole.store.find_fassung(norm.norm_id, TODAY)
        segments = fassung.segments if fassung is not None else ()
        halves = [get_steps(segments, at) for at, s in enumerate(segments) if s.level == "hs"]
        law = whole.store.statutes[norm.statute_id].abbreviation
        for steps in chosen.sample(halves, min(2, len(halves))):
            if any(step.value.isupper() for step in steps):
                continue  # "Buchst. EP" is read only just as it is printed
            above, half = format_steps(steps[:-1]), format_steps(steps[-1:])
            usual = Unit(split(norm, law), f"{above} {half}", law).usual
            comma = Unit(split(norm, law), f"{above}, {half}", law).usual
            asked += 1
            if answer(whole, comma) != answer(whole, usual):
                wrong.append(comma)

    assert asked > 1_000
    assert wrong == []


def test_a_first_sentence_of_what_holds_items_alone_is_not_passed_over(
    whole: Library, sections: list[Norm]
) -> None:
    asked = 0
    wrong = []
    for norm in sections:
        fassung = whole.store.find_fassung(norm.norm_id, TODAY)
        segments = fassung.segments if fassung is not None else ()
        if not segments or segments[0].level != "nr" or segments[0].start:
            continue
        if any(each.level in {"satz", "abs"} and each.parent < 0 for each in segments):
            continue
        asked += 1
        law = whole.store.statutes[norm.statute_id].abbreviation
        for sentence in ("Satz 1", "letzter Satz"):
            written = Unit(split(norm, law), sentence, law).usual
            (first, *others) = resolve(whole, written, TODAY).outcomes
            # behind some of them words stand that nobody counts: then the whole is given
            is_whole = isinstance(first, ProvisionHit) and any(
                "cannot be cut out" in warning for warning in first.warnings
            )
            if others or not (isinstance(first, Miss) or is_whole):
                wrong.append(written)

    assert asked > 300
    assert wrong == []


def test_a_letter_before_a_law_is_no_part_of_its_name(whole: Library) -> None:
    """``§ 2 d. DRiG`` is of the DRiG and not of the DDR-IG; ``§ 2 K SVG`` is not guessed at."""
    asked = 0
    wrong = []
    for norm in {norm.statute_id: norm for norm in list_sections(whole)}.values():
        statute = whole.store.statutes[norm.statute_id]
        section = split(norm, statute.abbreviation)
        if not section.startswith("§ ") or "/" in norm.number or statute.jurisdiction != "de":
            continue
        usual = answer(whole, norm.citation)
        for letter in ("d.", "a.", "A", "B", "E", "K"):
            written = f"{section} {letter} {statute.abbreviation}"
            asked += 1
            theirs = answer(whole, written)
            (first, *_) = resolve(whole, written, TODAY).outcomes
            # "§ 2 d. eWpG": only a capital or a number begins a law behind "d."
            is_right = theirs == usual if letter == "d." else isinstance(first, Miss)
            if not is_right and not (isinstance(first, Miss) and _is_open(first)):
                wrong.append((written, theirs))

    assert asked > 10_000
    assert wrong == []


def _is_open(miss: Miss) -> bool:
    """Whether nothing is denied by a miss."""
    return miss.status in {"ambiguous", "not_parseable"}


@pytest.mark.parametrize(
    "form", ["§§ {first} Abs. 1 bis {last} Abs. 1", "§ {first} Abs. 1 bis § {last} Abs. 1"]
)
def test_a_range_between_two_absaetze_gives_what_lies_between_them(
    whole: Library, sections: list[Norm], form: str
) -> None:
    chosen = random.Random(573)
    pairs = [
        (first, last)
        for first, last in pairwise(sections)
        if first.statute_id == last.statute_id
        and first.number.isdecimal()
        and last.number.isdecimal()
        and all(_begins_with_absatz(whole, norm) for norm in (first, last))
    ]
    wrong = []
    for first, last in chosen.sample(pairs, SAMPLE):
        law = whole.store.statutes[first.statute_id].abbreviation
        if not first.citation.startswith("§ ") or int(first.number) >= int(last.number):
            continue
        written = f"{form.format(first=first.number, last=last.number)} {law}"
        following = answer(whole, f"§ {first.number} Abs. 1 ff. {law}")
        if len(following) == MOST_TARGETS:
            continue  # one answer gives no more
        theirs = answer(whole, written)
        ends = answer(
            whole, f"§ {last.number} Abs. 1 {law}"
        )  # between them what is repealed may lie
        if theirs[: len(following)] != following or theirs[-1:] != ends:
            wrong.append((written, theirs))

    assert len(pairs) > SAMPLE
    assert wrong == []


def _begins_with_absatz(library: Library, norm: Norm) -> bool:
    fassung = library.store.find_fassung(norm.norm_id, TODAY)
    segments = fassung.segments if fassung is not None else ()
    return bool(segments) and (segments[0].level, segments[0].value) == ("abs", "1")


def test_a_word_added_changes_the_answer_or_is_said_to_be_unread(
    whole: Library, units: list[Unit]
) -> None:
    chosen = random.Random(77)
    dropped = []
    for unit in units:
        added = chosen.choice(ADDED)
        for written in (f"{unit.usual} {added}", f"{added} {unit.usual}"):
            outcomes = resolve(whole, written, TODAY).outcomes
            unread = any(isinstance(each, Miss) and each.unparsed for each in outcomes)
            if not unread and answer(whole, written) == answer(whole, unit.usual):
                dropped.append(written)

    assert dropped == []


def test_a_part_beyond_the_last_is_a_miss_in_every_form(
    whole: Library, sections: list[Norm]
) -> None:
    contents = Contents(whole.store)
    chosen = random.Random(99)
    wrong = []
    for norm in chosen.sample(sections, SAMPLE):
        law = whole.store.statutes[norm.statute_id].abbreviation
        section = split(norm, law)
        if not has_each_part_once(whole, norm):
            continue
        for absence in list_absences(norm, contents, chosen):
            if absence.level is None or not absence.written.startswith(f"{section} "):
                continue
            path = absence.written.removeprefix(f"{section} ").removesuffix(f" {law}")
            for form in ("{section} {path} {law}", *FORMS):
                written = Unit(section, path, law).write(form)
                (first, *others) = resolve(whole, written, TODAY).outcomes
                statuses = {"subunit_does_not_exist"}
                if shows_number_alone(whole.store, norm):
                    statuses.add("not_in_corpus")
                if not others and is_of_other_law(whole.store, norm, first):
                    continue
                if others or not isinstance(first, Miss) or first.status not in statuses:
                    wrong.append((written, name(first)))

    assert wrong == []


def test_an_id_with_a_place_behind_it_gives_what_the_citation_gives(whole: Library) -> None:
    draw = random.Random(7)
    norms = [norm for norm in list_sections(whole) if norm.kind is NormKind.SECTION]
    read = 0
    for norm in draw.sample(norms, 400):
        usual = resolve(whole, f"{norm.citation} Abs. 2", TODAY).outcomes[0]
        if isinstance(usual, Miss) and usual.status == "not_parseable":
            continue
        for written in (f"{norm.norm_id} Abs. 2", f"{norm.norm_id.upper()} Abs. 2"):
            by_id = resolve(whole, written, TODAY).outcomes[0]
            if isinstance(by_id, ProvisionHit):
                read += 1
                assert isinstance(usual, ProvisionHit)
                assert (by_id.norm.norm_id, by_id.unit) == (norm.norm_id, usual.unit)
            else:
                assert isinstance(by_id, Miss)
                assert by_id.status != "norm_does_not_exist", written
    assert read > 100


@pytest.mark.parametrize(
    "behind", [".", ",", " BGB", "#abs-9", "?as_of=1990-01-01", ", de/bgb/434"]
)
def test_no_norm_is_denied_for_what_stands_behind_its_id(whole: Library, behind: str) -> None:
    outcome = resolve(whole, f"de/bgb/433{behind}", TODAY).outcomes[0]
    if isinstance(outcome, Miss):
        assert outcome.status == "not_parseable"
    else:
        assert isinstance(outcome, ProvisionHit)
        assert outcome.norm.norm_id == "de/bgb/433"


@pytest.mark.parametrize(
    "form", ["{name} {year}", "{name} ({year})", "{name}, {year}", "{name} von {year}"]
)
def test_a_law_named_with_its_year_is_never_answered_by_another(whole: Library, form: str) -> None:
    """``FZV (2011)`` is not the FZV of today, where another law is called ``FZV 2011``."""
    dated = re.compile(r"(.+) ((?:19|20)\d\d)")
    named = [
        (statute, match[1], match[2])
        for statute in whole.store.statutes.values()
        for match in map(dated.fullmatch, statute.abbreviations_juris)
        if match is not None
    ]
    assert len(named) > 100
    for statute, name, year in named:
        if "§" in name:  # read as a provision of a law without a name, which is told
            continue
        written = f"§ 2 {form.format(name=name, year=year)}"
        outcome = resolve(whole, written, TODAY).outcomes[0]
        if isinstance(outcome, ProvisionHit):
            held = outcome.statute
            owners = {law.statute_id for law in whole.names.find(f"{name} {year}")}
            assert held.statute_id in owners or statute.statute_id == held.statute_id, written


@pytest.mark.parametrize("size", [7, 20, 40, 50])
def test_pages_of_any_size_show_the_same_hits_in_the_same_order(whole: Library, size: int) -> None:
    """Also where a page's budget ends it before it is full."""
    registry = build_registry(whole, today=lambda: TODAY, base_url="")
    search = next(tool for tool in registry.tools if tool.name == "legal_search")
    for rest in ({"source_type": "rechtsprechung"}, {}):
        ids = {}
        for top_k in (10, size):
            found: list[str] = []
            offset: int | None = 0
            while offset is not None and len(found) < 150:
                asked = {"query": "Mangel der Sache", "top_k": top_k, "offset": offset, **rest}
                called = search.call(asked, CallContext("relation", "relation"))
                answer = orjson.loads(called.structured or b"{}")
                found += [hit["norm_id"] for hit in answer["hits"]]
                offset = answer.get("next_offset")
            ids[top_k] = found[:150]
            assert len(set(found)) == len(found)
        assert ids[10] == ids[size]
