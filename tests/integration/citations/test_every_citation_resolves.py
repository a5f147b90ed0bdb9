"""All of federal law: every section answers to every way of writing it, and none is invented."""

import random
from collections import Counter, defaultdict
from datetime import date
from itertools import permutations

import pytest

from fundstelle.law.norms import Norm, NormKind, NormStatus, Statute
from fundstelle.lookup.answers import LawHit, Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses.gaps import is_repealed
from fundstelle.lookup.parts.units import format_steps, get_steps, insert_path
from fundstelle.lookup.resolve import resolve
from tests.integration.citations.absent import Absence, Contents, find_fault, list_absences
from tests.integration.citations.spellings import Bearers, Spelling, list_spellings

TODAY = date(2025, 4, 1)
SAMPLE = 5_000

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def sections(whole: Library) -> list[Norm]:
    """Every § and Artikel in force that stands for itself alone, in the order of the build."""
    return list_sections(whole)


def list_sections(library: Library) -> list[Norm]:
    return [
        norm
        for statute_id in library.store.statutes
        for norm in library.store.list_norms(statute_id)
        if norm.kind in {NormKind.SECTION, NormKind.ARTICLE}
        and norm.status is NormStatus.IN_FORCE
        and norm.number_end is None
    ]


def judge(library: Library, spelling: Spelling, norm: Norm, bearers: Bearers) -> str:
    """``itself``, ``shared`` (a name of two laws, rightly told apart) or what it was taken for."""
    outcomes = resolve(library, spelling.written, TODAY).outcomes
    first = outcomes[0]
    if len(outcomes) > 1:
        return f"{len(outcomes)} provisions"
    if isinstance(first, ProvisionHit):
        held = {first.norm.norm_id, *(place.norm_id for place in first.alternatives)}
        if norm.norm_id in held:
            return "itself"
        is_right = bearers.is_shared(spelling) and _owns(library, first.norm, spelling, norm)
        return "shared" if is_right else first.norm.norm_id
    if not isinstance(first, Miss):
        return "the law"
    named = {suggestion.norm_id for suggestion in first.suggestions}
    is_open = first.status in {"ambiguous", "norm_does_not_exist", "repealed"}
    is_right = is_open and norm.norm_id.partition("~")[0] in named and bearers.is_shared(spelling)
    return "shared" if is_right else first.status


def _owns(library: Library, found: Norm, spelling: Spelling, norm: Norm) -> bool:
    """Whether the law found has the better claim: its own abbreviation, or it is the one listed."""
    statutes = library.store.statutes
    owner, other = statutes[found.statute_id], statutes[norm.statute_id]
    return owner.abbreviation == spelling.law or (owner.listed and not other.listed)


def count_verdicts(
    library: Library, norms: list[Norm]
) -> tuple[Counter[tuple[str, str]], list[tuple[str, str, str]]]:
    """How often each form came to what, and every spelling that came to something else."""
    bearers = Bearers(library.store.statutes.values())
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for norm in norms:
        for spelling in list_spellings(norm, library.store.statutes[norm.statute_id]):
            if spelling.form != "juris" and spelling.form in _NAMED and bearers.is_shared(spelling):
                continue
            verdict = judge(library, spelling, norm, bearers)
            if verdict not in {"itself", "shared"}:
                wrong.append((spelling.written, norm.norm_id, verdict))
                verdict = "wrong"
            counts[spelling.form, verdict] += 1
    return counts, wrong


_NAMED = {"small letters", "title", "short title"}


def test_every_spelling_of_a_section_leads_to_it(whole: Library, sections: list[Norm]) -> None:
    sample = random.Random(823).sample(sections, SAMPLE)
    counts, wrong = count_verdicts(whole, sample)

    report(counts)
    assert wrong == []


def test_every_part_of_a_section_answers_to_its_own_citation(
    whole: Library, sections: list[Norm]
) -> None:
    chosen = random.Random(312)
    asked = 0
    wrong = []
    for norm in chosen.sample(sections, SAMPLE):
        fassung = whole.store.find_fassung(norm.norm_id, TODAY)
        if fassung is None or "~" in norm.number:
            continue
        parts = [i for i in range(len(fassung.segments)) if not is_repealed(fassung, i)]
        if not parts:
            continue
        unit = chosen.choice(parts)
        law = whole.store.statutes[norm.statute_id].abbreviation
        written = insert_path(norm.citation, format_steps(get_steps(fassung.segments, unit)), law)
        outcomes = resolve(whole, written, TODAY).outcomes
        first = outcomes[0]
        asked += 1
        if len(outcomes) > 1 or not isinstance(first, ProvisionHit) or first.rest:
            wrong.append((written, first))
        elif first.unit != unit and not first.alternatives:
            # of parts of one name in one place the first is given, the others are named
            wrong.append((written, first))

    assert asked > 0.9 * SAMPLE
    assert wrong == []


def test_every_part_of_an_annex_or_formula_answers_to_its_own_citation(whole: Library) -> None:
    """Of everything that is cited by a label; of parts of one citation it is said that they are."""
    chosen = random.Random(1129)
    norms = [
        norm
        for statute_id in whole.store.statutes
        for norm in whole.store.list_norms(statute_id)
        if norm.kind not in {NormKind.SECTION, NormKind.ARTICLE}
        and norm.status is NormStatus.IN_FORCE
        and norm.norm_id.startswith("de/")
    ]
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for norm in norms:
        for written, units in list_printed(whole, norm, chosen):
            (first, *others) = resolve(whole, written, TODAY).outcomes
            is_own = isinstance(first, ProvisionHit) and (
                first.unit in units
                if first.norm.norm_id == norm.norm_id
                else norm.norm_id in {place.norm_id for place in first.alternatives}
            )
            is_told = len(units) == 1 or (isinstance(first, ProvisionHit) and first.alternatives)
            verdict = "itself" if is_own and is_told and not others else "wrong"
            counts[norm.kind, verdict] += 1
            if verdict == "wrong":
                wrong.append((written, first))

    report(counts)
    assert sum(counts.values()) > 10_000
    assert wrong == []


def list_printed(
    library: Library, norm: Norm, chosen: random.Random
) -> list[tuple[str, list[int]]]:
    """How some parts of a norm are cited, and which parts are cited just so."""
    fassung = library.store.find_fassung(norm.norm_id, TODAY)
    if fassung is None:
        return []
    law = library.store.statutes[norm.statute_id].abbreviation
    printed: dict[str, list[int]] = defaultdict(list)
    for unit in range(len(fassung.segments)):
        if not is_repealed(fassung, unit):
            path = format_steps(get_steps(fassung.segments, unit))
            printed[insert_path(norm.citation, path, law)].append(unit)
    return chosen.sample(list(printed.items()), min(3, len(printed)))


def test_what_does_not_exist_is_denied_with_true_evidence(
    whole: Library, sections: list[Norm]
) -> None:
    contents = Contents(whole.store)
    chosen = random.Random(433)
    absences: list[Absence] = []
    for norm in chosen.sample(sections, SAMPLE + SAMPLE // 10):
        absent = list(list_absences(norm, contents, chosen))
        absences += chosen.sample(absent, 1) if absent else []
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for absence in absences:
        fault = find_fault(resolve(whole, absence.written, TODAY), absence, contents)
        counts[absence.form, "wrong" if fault else "denied"] += 1
        if fault:
            wrong.append((absence.written, fault))

    report(counts)
    assert len(absences) >= SAMPLE
    assert wrong == []


def test_every_citation_that_is_printed_leads_to_its_own_norm(whole: Library) -> None:
    """Those of annexes, headings and formulas, too; of several cited alike each is named."""
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for statute_id in whole.store.statutes:
        for norm in whole.store.list_norms(statute_id):
            verdict = judge_printed(whole, norm)
            if verdict != "itself":
                wrong.append((norm.citation, norm.norm_id, verdict))
            counts[norm.kind, "itself" if verdict == "itself" else "wrong"] += 1

    report(counts)
    assert sum(counts.values()) > 100_000
    assert wrong == []


def judge_printed(library: Library, norm: Norm) -> str:
    """``itself``, or what the citation was taken for."""
    first, *others = resolve(library, norm.citation, TODAY).outcomes
    read = first.norm.kind if isinstance(first, ProvisionHit) else None
    if norm.kind is NormKind.HEADING and read in _PROVISIONS:
        return "itself"  # "Art 1 bis 11": a heading called by the provisions below it
    if others:
        return f"{len(others) + 1} answers"
    if isinstance(first, ProvisionHit):
        held = {first.norm.norm_id, *(place.norm_id for place in first.alternatives)}
        own = library.store.find_fassung(norm.norm_id, TODAY)
        is_gone = own is None or own.status is not NormStatus.IN_FORCE
        # of several of one designation, those without a text on the day are not named
        same = first.norm.citation == norm.citation and is_gone
        is_other_language = first.statute.jurisdiction == "eu" and ":" in norm.statute_id
        return "itself" if norm.norm_id in held or same or is_other_language else first.norm.norm_id
    return "itself" if isinstance(first, Miss) and first.status in _WITHOUT_TEXT else str(first)


_PROVISIONS = {NormKind.SECTION, NormKind.ARTICLE}
_WITHOUT_TEXT = {"repealed", "not_yet_in_force", "not_seen_yet"}


def report(counts: Counter[tuple[str, str]]) -> None:
    """The rate of each form, for whoever reads the output (pytest -s)."""
    for form in dict.fromkeys(form for form, _ in counts):
        parts = {verdict: n for (each, verdict), n in counts.items() if each == form}
        total = sum(parts.values())
        good = total - parts.get("wrong", 0)
        print(f"{form:20}{total:7}{good / total:10.3%}  {parts}")  # noqa: T201 a report


def test_no_name_of_the_tables_takes_the_place_of_what_a_law_calls_itself(whole: Library) -> None:
    statutes = whole.store.statutes
    shared = Counter(statute.abbreviation for statute in statutes.values())
    lost = [
        statute.abbreviation
        for statute in statutes.values()
        if shared[statute.abbreviation] == 1
        and statute.jurisdiction == "de"
        and statute.statute_id
        not in {law.statute_id for law in whole.names.find(statute.abbreviation)}
    ]
    assert lost == []


def test_the_id_of_a_law_is_never_read_as_another_of_its_name(whole: Library) -> None:
    named: dict[str, list[Statute]] = defaultdict(list)
    for statute in whole.store.statutes.values():
        [law] = resolve(whole, statute.statute_id, TODAY).outcomes
        assert isinstance(law, LawHit), statute.statute_id
        assert law.statute.statute_id == statute.statute_id
        for name in {*statute.abbreviations_juris, statute.abbreviation_official}:
            if name:
                named[name].append(statute)
    asked = 0
    for namesakes in named.values():
        for own, other in permutations(namesakes, 2):
            held = {norm.norm_id for norm in whole.store.list_norms(own.statute_id)}
            for norm in whole.store.list_norms(other.statute_id)[:100]:
                norm_id = f"{own.statute_id}/{norm.norm_id.removeprefix(other.statute_id + '/')}"
                if norm_id in held:
                    continue
                asked += 1
                for outcome in resolve(whole, norm_id, TODAY).outcomes:
                    found = getattr(outcome, "statute", own)
                    assert found.statute_id == own.statute_id, norm_id
    assert asked > 100


def test_a_section_below_an_artikel_is_not_denied_without_it(whole: Library) -> None:
    asked = 0
    for statute in whole.store.statutes.values():
        nested = [n for n in whole.store.list_norms(statute.statute_id) if "/" in n.number]
        numbers = {norm.number.partition("/")[2] for norm in nested if "§" in norm.citation}
        for number in sorted(number for number in numbers if "-" not in number)[:20]:
            asked += 1
            bearers = {n.norm_id for n in nested if n.number.partition("/")[2] == number}
            for outcome in resolve(whole, f"§ {number} {statute.abbreviation}", TODAY).outcomes:
                if isinstance(outcome, Miss):
                    assert outcome.status in {"ambiguous", "repealed"}, (number, outcome.reason)
                else:
                    assert getattr(outcome, "held_id", "") in bearers, (
                        statute.statute_id,
                        number,
                        outcome,
                    )
    assert asked > 100
