"""Years behind a law: part of its name, its edition, or the time that is asked about."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from fundstelle.law.norms import Fassung, Norm, NormStatus, StandNote, Statute
from fundstelle.lookup.answers import LawHit, Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.check import check_draft
from fundstelle.lookup.verdicts.judge import judge
from fundstelle.portal.reasons import tell
from fundstelle.tools.inputs.references import find_laws
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
    build_statute,
)

LIBRARY = build_library()
PAST = date(2025, 5, 1)
CHANGED = date(2025, 9, 1)
OLD = date(2025, 8, 1)


def name(abbreviation: str, official: str, *juris: str, anew: str = "") -> Statute:
    """A law issued in 2001, under the names that its publisher has for it."""
    notes = (StandNote("Neuf", f"Neugefasst durch Bek. v. {anew}"),) if anew else ()
    return replace(
        build_statute(abbreviation, f"Gesetz {abbreviation}"),
        abbreviation_official=official,
        abbreviations_juris=juris or (abbreviation,),
        issued_on=date(2001, 3, 1),
        publication="BGBl. I 2001 S. 1998",
        stand_notes=notes,
    )


def build() -> Library:
    """§ 1 of each law never changed, § 2 did in 2025, § 3 is repealed since."""
    laws = [
        name("XeG", "XeG 2023", "XeG 2014", "XeG 2023"),
        name("XdG", "XdG", "XdG 2004", "XdG"),
        name("XpG", "XpG", anew="2.1.2009 I 2003, 2004"),
        name("XiG", "XiG"),
        name("XaG 2001", "", "XaG 2002"),  # told from another by the year of its day
    ]
    contents: list[tuple[Norm, Sequence[Fassung]]] = []
    for law in laws:
        one, two, three = (build_norm(law, f"§ {number}") for number in (1, 2, 3))
        contents += [
            (one, [build_fassung(one, "{abs 1|(1) Eins.}")]),
            (
                two,
                [
                    replace(build_fassung(two, "Früher."), in_force_until=CHANGED, stand=OLD),
                    replace(build_fassung(two, "Jetzt."), in_force_from=CHANGED),
                ],
            ),
            (
                three,
                [
                    replace(build_fassung(three, "Drei."), in_force_until=CHANGED, stand=OLD),
                    replace(
                        build_fassung(three, "(weggefallen)"),
                        in_force_from=CHANGED,
                        status=NormStatus.REPEALED,
                    ),
                ],
            ),
        ]
    store = InventedStore(laws, contents)
    names = LIBRARY.names.build(store.statutes.values())
    return replace(LIBRARY, store=store, index=InventedIndex(store), names=names)


LAWS = build()


@pytest.mark.parametrize(
    ("written", "text", "verdict"),
    [
        ("§ 2 XeG 2023", "Jetzt.", "ok"),  # its name
        ("§ 2 XdG 2004", "Jetzt.", "ok"),  # also if only the publisher calls it so
        ("§ 2 XaG 2002", "Jetzt.", "ok"),
        ("§ 2 XaG 2001", "Jetzt.", "ok"),
        ("§ 1 XeG 2014", "outside_coverage", "not_held"),  # a former name
        ("§ 1 Abs. 7 XeG 2014", "outside_coverage", "not_held"),
        ("§ 1 XeG 2001", "outside_coverage", "not_held"),  # renamed since it was issued
        ("§ 2 XeG 2021", "outside_coverage", "not_held"),
        ("§ 1 XiG 2001", "(1) Eins.", "unclear"),  # an edition
        ("§ 2 XiG 2001", "ambiguous", "unclear"),
        ("§ 3 XiG 2001", "ambiguous", "unclear"),
        ("§ 9 XiG 2001", "ambiguous", "unclear"),
        ("§ 1 Abs. 7 XiG 2001", "ambiguous", "unclear"),
        ("§ 1 XpG 2009", "(1) Eins.", "unclear"),
        ("§ 1 XpG 2001", "outside_coverage", "not_held"),  # before it was promulgated anew
        ("§ 1 XpG 2003", "outside_coverage", "not_held"),  # a page number
        ("§ 1 XiG 1998", "not_in_corpus", "not_held"),
        ("§ 1 XiG 2025", "(1) Eins.", "ok"),
        ("§ 2 XeG 2025", "ambiguous", "unclear"),
    ],
)
def test_a_year_that_is_no_name_of_today_never_gives_its_text_unsaid(
    written: str, text: str, verdict: str
) -> None:
    resolution = resolve(LAWS, written, TODAY)
    [outcome] = resolution.outcomes
    assert text == (outcome.status if isinstance(outcome, Miss) else outcome.text)  # type: ignore[union-attr]
    judged = judge(LAWS, resolution)
    assert judged.verdict == verdict
    [drafted] = check_draft(LAWS, f"Nach {written} galt das.", TODAY).judged
    assert (drafted.verdict.verdict, drafted.verdict.why) == (verdict, judged.why)
    if isinstance(outcome, ProvisionHit):
        assert (outcome.doubt in outcome.warnings) is (verdict == "unclear")


@pytest.mark.parametrize(
    "form",
    [
        *(
            "{} ({})",
            "{} [{}]",
            "{} idF {}",
            "{} i.d.F. von {}",
            "{} Fassung {}",
            "{} (Fassung {})",
        ),
        *("{} in der Fassung von {}", "{}, in der Fassung des Jahres {}", "{} (idF {})"),
    ],
)
@pytest.mark.parametrize(
    "written", ["§ 2 XeG 2023", "§ 2 XeG 2014", "§ 1 XiG 2001", "§ 2 XiG 2001", "§ 1 XiG 1998"]
)
def test_a_year_is_the_same_in_each_spelling(written: str, form: str) -> None:
    other = form.format(*written.rsplit(" ", 1))
    verdicts = []
    for each in (written, other):
        judged = judge(LAWS, resolve(LAWS, each, TODAY))
        [drafted] = check_draft(LAWS, f"Nach {each} galt das.", TODAY).judged
        assert (drafted.verdict.verdict, drafted.verdict.why) == (judged.verdict, judged.why)
        verdicts.append((judged.verdict, judged.norm_id, judged.why))
    assert verdicts[0] == verdicts[1]


@pytest.mark.parametrize("said", ["von 2001", "aus dem Jahr 2001", "as amended in 2001"])
def test_a_year_that_is_not_read_as_one_is_said(said: str) -> None:
    assert judge(LAWS, resolve(LAWS, f"§ 1 XiG {said}", TODAY)).verdict == "unclear"
    [drafted] = check_draft(LAWS, f"Nach § 1 XiG {said} galt das.", TODAY).judged
    assert drafted.verdict.verdict == "unclear"


@pytest.mark.parametrize(
    ("written", "text", "verdict"),
    [
        ("§ 2 XeG 2023", "Früher.", "ok"),
        ("§ 2 XiG 2025", "Früher.", "ok"),
        ("§ 2 XiG 2001", "Früher.", "ok"),
        ("§ 2 XeG 2021", "Früher.", "unclear"),  # so it may have been called on that day
        ("§ 2 XiG 2024", "Früher.", "unclear"),
        ("§ 9 XiG 2024", "ambiguous", "unclear"),
        ("§ 1 XiG 1998", "not_in_corpus", "not_held"),  # another law
    ],
)
def test_a_day_that_is_asked_for_goes_before_a_year(written: str, text: str, verdict: str) -> None:
    resolution = resolve(LAWS, written, PAST)
    [outcome] = resolution.outcomes
    assert text == (outcome.status if isinstance(outcome, Miss) else outcome.text)  # type: ignore[union-attr]
    assert resolution.on == PAST
    assert judge(LAWS, resolution).verdict == verdict
    is_beaten = verdict == "unclear"
    said = outcome.reason if isinstance(outcome, Miss) else " ".join(outcome.warnings)
    assert ("2025-05-01, was followed and not the year cited" in said) is is_beaten


def test_a_law_as_a_whole_says_that_it_is_read_as_amended() -> None:
    [law] = resolve(LAWS, "XiG 2001", TODAY).outcomes
    assert isinstance(law, LawHit)
    assert "XiG 2001 is the edition of that year" in law.warnings[0]


@pytest.mark.parametrize("written", ["§ 2 XiG 2001", "§ 9 XiG 2001", "§ 1 Abs. 7 XiG 2001"])
def test_pages_say_in_german_why_a_year_decides_nothing(written: str) -> None:
    [miss] = resolve(LAWS, written, TODAY).outcomes
    assert isinstance(miss, Miss)
    assert tell(miss.reason, "de").language == "de"


def test_pages_say_doubts_of_a_year_in_german() -> None:
    hits = [resolve(LAWS, "§ 1 XiG 2001", TODAY), resolve(LAWS, "§ 1 XiG 2024", PAST)]
    doubts = [each.doubt for one in hits for each in one.outcomes if isinstance(each, ProvisionHit)]
    assert len(doubts) == len(hits)
    assert {tell(each, "de").language for each in doubts} == {"de"}


@pytest.mark.parametrize(
    ("written", "is_held"),
    [("XeG 2014", False), ("XiG 1998", False), ("XeG 2023", True), ("XiG 2001", True)],
)
def test_a_filter_for_a_law_of_a_year_is_no_filter_for_that_of_today(
    written: str, *, is_held: bool
) -> None:
    assert isinstance(find_laws(LAWS, written, TODAY, "de"), list) is is_held
