"""What must hold for every citation, whatever it says."""

import re
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fundstelle.citations.find import find
from fundstelle.citations.format import format_citation
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.norms import chain, items, path, scan
from fundstelle.citations.parse import parse
from fundstelle.citations.read import read_all
from fundstelle.law.citations import EuCitation, NormCitation, PathStep, Target

_LAWS = ["BGB", "StGB", "SGB V", "KSchG", "VwGO", "EStG", "39. BImSchV", "ZuG 2012"]
_ARTICLES = ["GG", "EGBGB", "EMRK"]
_numbers = st.builds(
    lambda number, letter: f"{number}{letter}",
    st.integers(1, 2385),
    st.sampled_from(["", "a", "b", "g", "f"]),
)
_small = st.integers(1, 30).map(str)
_letters = st.sampled_from("abcdeghj")


@st.composite
def paths(draw: st.DrawFn) -> tuple[PathStep, ...]:
    steps: list[PathStep] = []
    for level, values in (
        ("abs", _small),
        ("satz", _small),
        ("nr", _small),
        ("buchst", _letters),
        ("dbuchst", st.sampled_from(["aa", "bb", "cc"])),
        ("hs", st.sampled_from(["1", "2"])),
        ("alt", st.sampled_from(["1", "2", "3"])),
    ):
        if draw(st.booleans()):
            steps.append(PathStep(level, draw(values)))
    return tuple(steps)


@st.composite
def german(draw: st.DrawFn) -> NormCitation:
    unit = draw(st.sampled_from(["§", "Art"]))
    law = draw(st.sampled_from(_LAWS if unit == "§" else _ARTICLES))
    version = draw(st.sampled_from([None, None, "aF", "nF"]))
    return NormCitation(law, unit, draw(_numbers), path=draw(paths()), version=version)


@st.composite
def european(draw: st.DrawFn) -> EuCitation:
    celex, law = draw(st.sampled_from([("32016R0679", "DSGVO"), ("32024R1689", "KI-VO")]))
    number = str(draw(st.integers(1, 113)))
    return EuCitation(celex, law, "Art", number, path=draw(paths()))


@settings(max_examples=300, deadline=None)
@given(st.one_of(german(), european()))
def test_what_is_formatted_reads_back(target: Target) -> None:
    assert parse(format_citation(target)).targets == (target,)


@settings(max_examples=200, deadline=None)
@given(german(), st.integers(1, 99), paths())
def test_a_range_that_begins_in_a_part_reads_back(
    first: NormCitation, more: int, below: tuple[PathStep, ...]
) -> None:
    assume(first.path)
    digits = re.match(r"\d+", first.number or "")
    assert digits is not None
    number = str(int(digits[0]) + more)
    path_ = (*first.path, PathStep("§", number), *below)
    target = replace(first, number_end=number, path=path_)
    assert parse(format_citation(target)).targets == (target,)


@settings(max_examples=150, deadline=None)
@given(german(), st.sampled_from([" ", "\u00a0", "\u202f", "\n", "  ", "\u2009"]))
def test_kinds_of_blanks_do_not_change_the_reading(target: NormCitation, blank: str) -> None:
    written = format_citation(target).replace(" ", blank)
    assert parse(written).targets == (target,)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(1, 900),
    st.integers(1, 90),
    st.sampled_from(_LAWS),
    st.sampled_from([" - ", "-", "–", "‑", " — ", " bis "]),
)
def test_kinds_of_dashes_do_not_change_a_range(low: int, more: int, law: str, dash: str) -> None:
    expected = NormCitation(law, "§", str(low), str(low + more))
    assert parse(f"§§ {low}{dash}{low + more} {law}").targets == (expected,)


@settings(max_examples=150, deadline=None)
@given(german().filter(lambda target: not target.version))
def test_case_does_not_change_the_reading(target: NormCitation) -> None:
    written = format_citation(target)
    for other in (written.upper(), written.lower()):
        assert parse(other).targets == (target,)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="§ArtAbs.123aIVX,()-/ BGBZPODSGVO\n\u00adundbis;<>&C", max_size=120))
def test_no_text_breaks_the_reading_and_offsets_slice(text: str) -> None:
    for found in find(text):
        assert text[found.start : found.end] == found.text
    parse(text)


class _Counter:
    """Counts how often the grammar looks at the text."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self.calls = 0

    def match(self, text: str, pos: int = 0, *rest: int) -> re.Match[str] | None:
        self.calls += 1
        return self.pattern.match(text, pos, *rest)


def count_steps(text: str, monkeypatch: pytest.MonkeyPatch, *, whole: bool = False) -> int:
    """Attempts to read a sign, a step and a joint in ``text``; ``whole``: as one citation."""
    counters = []
    for module, name in (
        (chain, "_JOINT"),
        (chain, "HEAD"),
        (chain, "_ORDINALS"),
        (path, "STEP"),
        (path, "ORDINAL"),
        (items, "_NUMBER"),
        (scan, "HEAD"),
    ):
        held = getattr(module, name)
        pattern = held.pattern if isinstance(held, _Counter) else held
        counter = _Counter(pattern)
        monkeypatch.setattr(module, name, counter)
        counters.append(counter)
    if whole:
        read_all(text, LawNames.default(), whole=True)
    else:
        find(text)
    return sum(counter.calls for counter in counters)


@pytest.mark.parametrize(
    "unit",
    [
        "§ 1, ",
        "(",
        "§§ 1 BGB, 2, 3, ",
        "§ 1 Abs. 1, ",
        "§ 1 Abs. 1 bis § 2 ",
        "Satz 1 des § ",
        "BGB § ",
        "Art. 1 und ",
        "§ 1 Abs. 1 Nr. ",
        "VI ZR 1/20 ",
    ],
)
def test_work_grows_with_the_text_and_no_faster(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small = count_steps(unit * 1_000, monkeypatch)
    large = count_steps(unit * 10_000, monkeypatch)
    assert large <= 11 * small + 100


@pytest.mark.parametrize(
    "unit",
    [
        "§ 1 BGB Abs. 1 ",
        "§ 1 BGB (Abs. 1 und 2, ",
        "Abs. 1 § 1 ",
        "Abs. 1, 2 und Satz 3, ",
        "erster, zweiter und ",
        "§ 1 BGB und Abs. 1 und ",
        "Art. 6 DSGVO, EG 47 und ",
        "§ 1 a.F. ",
        "§ 1 des Ersten Buches ",
    ],
)
def test_one_long_citation_is_read_in_time_that_grows_with_it(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = count_steps(unit * 500, monkeypatch, whole=True)
    large = count_steps(unit * 5_000, monkeypatch, whole=True)
    assert large <= 11 * small + 100


def test_a_long_bracket_of_articles_is_one_list() -> None:
    text = "(" + ", ".join(f"Art. {number}" for number in range(1, 28)) + " GG)"
    (found,) = find(text)
    assert len(found.targets) == 27


def test_a_list_has_an_end() -> None:
    found = find("§ 1, " * 100_000)
    assert max(len(one.targets) for one in found) <= 200
