"""Two laws in force under one abbreviation: neither is denied what the other has."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.law.norms import NormStatus
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.check import check_draft
from fundstelle.lookup.verdicts.judge import Verdict, judge
from fundstelle.portal.reasons import recognise, tell
from tests.unit.lookup.invented import (
    STAND,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

TWO = "{abs 1|(1) Der Leiter führt die Bahn.}\n{abs 2|(2) Er haftet für sie.}"
BOTH = "LeitV (Leitungsverordnung), LeitV 2000 (Bahnleiterverordnung)"


def build(*, listed: bool = True, issued_on: date = date(2000, 7, 7)) -> Library:
    """LeitV, which has § 1 with one Absatz alone, and LeitV 2000 with §§ 1 to 3 and had a § 4."""
    new = replace(build_statute("LeitV", "Leitungsverordnung"), issued_on=date(2012, 12, 19))
    old = replace(
        build_statute("LeitV 2000", "Bahnleiterverordnung", listed=listed),
        abbreviations_juris=("LeitV",),
        abbreviation_official="LeitV",
        issued_on=issued_on,
    )
    only = build_norm(new, "§ 1")
    norms = [build_norm(old, f"§ {number}") for number in (1, 2, 3)]
    gone = replace(build_norm(old, "§ 4"), status=NormStatus.REPEALED)
    contents = [(only, [build_fassung(only, "{abs 1|(1) Geleitet wird hier.}")])]
    contents += [(norm, [build_fassung(norm, TWO)]) for norm in norms]
    contents += [(gone, [replace(build_fassung(gone, ""), status=NormStatus.REPEALED)])]
    store = InventedStore([new, old], contents)
    return Library(store, InventedIndex(store), LawNames.build(store.statutes.values()))


def judge_both(library: Library, written: str) -> Verdict:
    """The verdict on the citation alone, which is the same in a draft."""
    verdict = judge(library, resolve(library, written, STAND))
    (judged,) = check_draft(library, f"Das folgt aus {written}.", STAND).judged
    told = judged.verdict
    assert (told.verdict, told.correct, told.why) == (verdict.verdict, verdict.correct, verdict.why)
    return verdict


@pytest.mark.parametrize(
    ("written", "cited", "correct"),
    [
        ("§ 3 LeitV", "§ 3", "§ 3 LeitV 2000"),
        ("LeitV § 3", "§ 3", "§ 3 LeitV 2000"),
        ("§ 3 Abs. 2 LeitV", "§ 3 Abs. 2", "§ 3 Abs. 2 LeitV 2000"),
        ("§ 1 Abs. 2 LeitV", "§ 1 Abs. 2", "§ 1 Abs. 2 LeitV 2000"),
        ("§§ 1 bis 3 LeitV", "§§ 1 bis 3", "§§ 1 bis 3 LeitV 2000"),
    ],
)
def test_what_one_alone_has_is_unclear_and_named(written: str, cited: str, correct: str) -> None:
    library = build()
    verdict = judge_both(library, written)
    reason = f"LeitV can mean several laws: {BOTH}. {cited} is in LeitV 2000, not in LeitV."
    assert (verdict.verdict, verdict.correct, verdict.why) == ("unclear", correct, reason)
    miss = resolve(library, written, STAND).misses[0]
    assert miss.status == "ambiguous"
    assert miss.hint is not None
    assert miss.hint.of == miss.suggestions[0].norm_id
    assert tell(reason, "de").text.endswith(f"{cited} steht in LeitV 2000, nicht in LeitV.")
    assert isinstance(resolve(library, correct, STAND).outcomes[0], ProvisionHit)


def test_what_both_have_is_told_with_the_other() -> None:
    verdict = judge_both(build(), "§ 1 LeitV")
    said = "LeitV can also mean LeitV 2000 (Bahnleiterverordnung), which has what is cited, too."
    assert (verdict.verdict, verdict.norm_id, verdict.why) == ("ok", "de/leitv/1", said)
    assert recognise(said) == "warning.namesakes"


@pytest.mark.parametrize("written", ["§ 9 LeitV", "§ 1 Abs. 9 LeitV", "§§ 1 bis 9 LeitV"])
def test_what_neither_has_is_wrong(written: str) -> None:
    verdict = judge_both(build(), written)
    assert (verdict.verdict, verdict.correct) == ("wrong", None)
    assert verdict.norm_id in {None, "de/leitv/1"}


def test_what_is_written_just_so_means_the_law_that_is_called_so() -> None:
    """A LeitV is no LEITV: what that one has, this one is not said to have."""
    new = build_statute("LeitV", "Leitungsverordnung")
    other = replace(build_statute("LeitV 2", "Leitertechnikverordnung"), abbreviation="LEITV")
    one, two = build_norm(new, "§ 1"), build_norm(other, "§ 3")
    contents = [(one, [build_fassung(one, TWO)]), (two, [build_fassung(two, TWO)])]
    store = InventedStore([new, other], contents)
    library = Library(store, InventedIndex(store), LawNames.build(store.statutes.values()))
    (miss,) = resolve(library, "§ 3 LeitV", STAND).outcomes
    assert isinstance(miss, Miss)
    assert miss.status in {"norm_does_not_exist", "not_in_corpus"}
    assert isinstance(resolve(library, "§ 3 LEITV", STAND).outcomes[0], ProvisionHit)


def test_of_a_part_a_provision_of_the_other_that_went_says_nothing() -> None:
    library = build()
    (statute, *_) = library.store.statutes.values()
    assert judge_both(library, "§ 4 LeitV").verdict == "repealed"
    norm = build_norm(statute, "§ 4")
    contents = [(norm, [build_fassung(norm, "{abs 1|(1) Neu ist dies.}")])]
    gone = replace(statute, statute_id="de/alt", abbreviation="LeitV 1990")
    old = replace(build_norm(gone, "§ 4"), status=NormStatus.REPEALED)
    contents.append((old, [replace(build_fassung(old, ""), status=NormStatus.REPEALED)]))
    store = InventedStore([statute, replace(gone, abbreviations_juris=("LeitV",))], contents)
    both = Library(store, InventedIndex(store), LawNames.build(store.statutes.values()))
    assert judge_both(both, "§ 4 Abs. 7 LeitV").verdict == "wrong"


def test_a_provision_that_only_the_other_has_is_not_denied_for_a_part_that_is_not_marked() -> None:
    verdict = judge_both(build(), "§ 3 Abs. 1 Halbsatz 2 LeitV")
    reason = f"LeitV can mean several laws: {BOTH}. § 3 is in LeitV 2000, not in LeitV."
    assert (verdict.verdict, verdict.norm_id, verdict.why) == ("unclear", "de/leitv-2000/3", reason)


def test_a_part_is_denied_of_the_one_that_has_the_provision() -> None:
    verdict = judge_both(build(), "§ 3 Abs. 9 LeitV")
    assert (verdict.verdict, verdict.norm_id) == ("wrong", "de/leitv-2000/3")
    assert verdict.why == "§ 3 Abs. 9 LeitV 2000 does not exist: § 3 LeitV 2000 has Abs. 1, 2."


def test_a_law_that_has_not_begun_has_nothing() -> None:
    outcome = resolve(build(issued_on=date(2099, 1, 1)), "§ 3 LeitV", STAND).outcomes[0]
    assert isinstance(outcome, Miss)
    assert outcome.status == "norm_does_not_exist"


def test_what_the_other_had_is_repealed() -> None:
    verdict = judge_both(build(), "§ 4 LeitV")
    assert verdict.verdict == "repealed"
    assert "§ 4 LeitV 2000" in verdict.why


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (
            "Nach § 1 der Bahnleiterverordnung (LeitV) und § 3 LeitV, § 1 LeitV.",
            "2000/1 2000/3 2000/1",
        ),
        (
            "Die Bahnleiterverordnung (im Folgenden: „LeitV“) hat § 3 LeitV und § 1.",
            "2000/3 2000/1",
        ),
        ("§ 3 LeitV (Bahnleiterverordnung) gilt, ferner § 1 LeitV.", "2000/3 2000/1"),
        ("§ 1 LeitV (Leitungsverordnung) gilt, ferner § 1 LeitV.", "/1 /1"),
        (
            "Bahnleiterverordnung (LeitV): § 1 LeitV. Leitungsverordnung (LeitV): § 1 LeitV.",
            "2000/1 /1",
        ),
        ("§ 1 LeitV gilt. § 2 der Bahnleiterverordnung auch, nach § 1 LeitV.", "/1 2000/2 /1"),
    ],
)
def test_a_draft_says_which_it_means(text: str, ids: str) -> None:
    judged = [each.verdict for each in check_draft(build(), text, STAND).judged]
    meant = [f"de/leitv{'' if one[0] == '/' else '-'}{one}" for one in ids.split()]
    assert [(each.verdict, each.norm_id) for each in judged] == [("ok", one) for one in meant]


def test_a_title_in_brackets_behind_the_name_says_which_is_meant() -> None:
    (hit,) = resolve(build(), "§ 3 Abs. 2 LeitV (Bahnleiterverordnung)", STAND).outcomes
    assert isinstance(hit, ProvisionHit)
    assert hit.citation == "§ 3 Abs. 2 LeitV 2000"
