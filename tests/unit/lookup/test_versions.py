"""Which text of a law is meant: "a.F." and the day of a citation, on every way to a provision."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from fundstelle.law.norms import DatePrecision, Fassung, Norm, Statute
from fundstelle.lookup.answers import Miss, Outcome, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve, resolve_target
from fundstelle.lookup.verdicts.check import check_draft
from fundstelle.lookup.verdicts.judge import judge
from fundstelle.portal.reasons import tell
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
    build_statute,
)

LIBRARY = build_library(many=30)


def hold(statute: Statute, *texts: tuple[str, str]) -> Library:
    """A library of that law: labels and marked texts."""
    norms = [(build_norm(statute, label), text) for label, text in texts]
    store = InventedStore([statute], [(norm, [build_fassung(norm, text)]) for norm, text in norms])
    names = LIBRARY.names.build(store.statutes.values())
    return replace(LIBRARY, store=store, index=InventedIndex(store), names=names)


def build_act() -> Library:
    act = replace(
        build_statute("DSGVO", "Verordnung (EU) 2016/679"),
        statute_id="eu/32016R0679",
        slug="32016R0679",
        jurisdiction="eu",
        source_type="eurlex",
    )
    articles = [
        replace(
            build_norm(act, f"Art {number}"),
            norm_id=f"eu/32016R0679/art_{number}",
            number=f"art_{number}",
        )
        for number in range(1, 5)
    ]
    store = InventedStore([act], [(one, [build_fassung(one, "Werkzeug.")]) for one in articles])
    names = LIBRARY.names.build(store.statutes.values())
    return replace(LIBRARY, store=store, index=InventedIndex(store), names=names)


NESTED = hold(build_statute("NestG", "Nestgesetz"), ("Art 1", "Eins."), ("Art 2", "Zwei."))
ANNEXED = hold(
    build_statute("AnlG", "Anlagengesetz"),
    ("§ 1", "Eins."),
    ("§ 7", "Sieben."),
    ("§ 8", "Acht."),
    ("Anlage", "{nr 5|5. Werkzeug}\n{nr 6|6. Leim}"),
)


def read(library: Library, written: str) -> list[Outcome]:
    return list(resolve(library, written, TODAY).outcomes)


@pytest.mark.parametrize(
    ("library", "written"),
    [
        (LIBRARY, "§ 4 MusterG a.F."),
        (LIBRARY, "§ 4 Abs. 9 MusterG a.F."),
        (LIBRARY, "§§ 1 bis 2 MusterG a.F."),
        (LIBRARY, "§§ 1 bis 2 MusterG aF"),
        (LIBRARY, "§ 4 f. MusterG a.F."),
        (LIBRARY, "§§ 1 ff. MusterG a. F."),
        (LIBRARY, "§§ 201 bis 230 MusterG alter Fassung"),
        (LIBRARY, "§ 1 bis § 2 Abs. 1 MusterG a.F."),
        (LIBRARY, "MusterG a.F."),
        (LIBRARY, "Anlage 1 Nr. 3100 MusterG a.F."),
        (NESTED, "Art. 1 f. NestG a.F."),
        (ANNEXED, "§ 7 f AnlG a.F."),
        (ANNEXED, "Anlage Nr. 5 AnlG a.F."),
        (build_act(), "Art. 2 DSGVO a.F."),
        (build_act(), "Art. 2 ff. DSGVO a.F."),
        (build_act(), "Art. 2 bis 4 DSGVO a.F."),
        (build_act(), "DSGVO a.F."),
    ],
)
def test_no_way_to_a_provision_leads_from_a_f_to_the_text_of_today(
    library: Library, written: str
) -> None:
    found = read(library, written)
    assert {each.status for each in found if isinstance(each, Miss)} == {"repealed"}
    assert all(isinstance(each, Miss) for each in found)


@pytest.mark.parametrize(
    "written", ["§§ 1 bis 2 MusterG a. F.", "§ 4 f. MusterG a.F.", "§§ 1 ff. MusterG a.F."]
)
def test_a_draft_that_cites_a_range_of_old_texts_is_told_so(written: str) -> None:
    [judged] = check_draft(LIBRARY, f"Nach {written} galt das.", TODAY).judged
    assert judged.verdict.verdict == "repealed"


def test_the_day_of_a_target_found_in_a_text_is_that_of_the_citation() -> None:
    asked = resolve(LIBRARY, "§ 8 MusterG in der am 1.4.2026 geltenden Fassung", TODAY)
    (target,) = asked.targets
    assert tuple(resolve_target(LIBRARY, target, asked.written, TODAY)) == asked.outcomes
    assert asked.hits[0].text == "Leim klebt kalt."


CHANGED = date(2025, 9, 1)


def change(norm: Norm, before: str, after: str) -> tuple[Norm, Sequence[Fassung]]:
    """A norm with another text since that day, which came into force on it."""
    old = replace(
        build_fassung(norm, before), in_force_until=CHANGED, stand=CHANGED.replace(month=8)
    )
    new = replace(
        build_fassung(norm, after), in_force_from=CHANGED, date_precision=DatePrecision.EXACT
    )
    return norm, [old, new]


def build_changed() -> Library:
    """§ 2, Anlage 1 and Art. 229 § 5 changed in 2025, § 1, § 3 and Anlage 2 did not."""
    law, nested = build_statute("XtestG", "Testgesetz"), build_statute("EgxG", "Einführungsgesetz")
    one, two, three = (build_norm(law, f"§ {number}") for number in (1, 2, 3))
    first, second = build_norm(law, "Anlage 1"), build_norm(law, "Anlage 2")
    article, inside = build_norm(nested, "Art 1"), build_norm(nested, "Art 229")
    inside = replace(inside, norm_id="de/egxg/229/5", number="229/5", citation="Art. 229 § 5 EgxG")
    contents = [
        (one, [build_fassung(one, "Eins gilt.")]),
        change(two, "{abs 1|(1) Zwei galt früher.}", "{abs 1|(1) Zwei gilt jetzt.}"),
        (three, [build_fassung(three, "Drei gilt.")]),
        change(first, "Gebühr 10 Euro", "Gebühr 99 Euro"),
        (second, [build_fassung(second, "Tarif")]),
        (article, [build_fassung(article, "Artikel eins.")]),
        change(inside, "Altes Übergangsrecht.", "Neues Übergangsrecht."),
    ]
    store = InventedStore([law, nested], contents)
    names = LIBRARY.names.build(store.statutes.values())
    return replace(LIBRARY, store=store, index=InventedIndex(store), names=names)


CHANGED_LAWS = build_changed()


@pytest.mark.parametrize(
    ("written", "texts"),
    [
        ("§ 2 XtestG 2025", [""]),
        ("Anlage 1 XtestG 2025", [""]),
        ("Anlage 1 XtestG 2026", ["Gebühr 99 Euro"]),
        ("Anlage 2 XtestG 2025", ["Tarif"]),
        ("Anlagen 1 und 2 XtestG 2025", ["", "Tarif"]),
        ("Art. 229 § 5 EgxG 2025", [""]),
        ("Art. 229 § 5 EgxG 2026", ["Neues Übergangsrecht."]),
        ("§§ 1 bis 2 XtestG 2025", ["Eins gilt.", ""]),
        ("§§ 1, 2 XtestG 2025", ["Eins gilt.", ""]),
        ("§§ 1 bis 3 XtestG 2025", ["Eins gilt.", "", "Drei gilt."]),
        ("§ 1 f. XtestG 2025", ["Eins gilt.", ""]),
    ],
)
def test_a_year_is_that_of_each_provision_cited(written: str, texts: list[str]) -> None:
    found = read(CHANGED_LAWS, written)
    assert [each.text if isinstance(each, ProvisionHit) else "" for each in found] == texts
    assert {each.status for each in found if isinstance(each, Miss)} <= {"ambiguous"}
    verdict = judge(CHANGED_LAWS, resolve(CHANGED_LAWS, written, TODAY)).verdict
    is_named = "bis 3" not in written and "f." not in written  # what lies within decides nothing
    assert verdict == ("unclear" if "" in texts and is_named else "ok")


OLD, NEW = "(1) Zwei galt früher.", "(1) Zwei gilt jetzt."


@pytest.mark.parametrize(
    ("said", "text", "on"),
    [
        ("bis zum 31.8.2025", OLD, date(2025, 8, 31)),
        ("bis zum 1.9.2025", OLD, date(2025, 8, 31)),
        ("bis 1. September 2025", OLD, date(2025, 8, 31)),
        ("bis zum 2.9.2025", NEW, date(2025, 9, 2)),
        ("am 1.9.2025", NEW, date(2025, 9, 1)),
        ("ab dem 1.9.2025", NEW, date(2025, 9, 1)),
    ],
)
def test_until_a_day_is_never_the_text_that_begins_on_it(said: str, text: str, on: date) -> None:
    written = f"§ 2 Abs. 1 XtestG in der {said} geltenden Fassung"
    resolution = resolve(CHANGED_LAWS, written, TODAY)
    [hit] = resolution.outcomes
    assert isinstance(hit, ProvisionHit)
    assert (hit.text[hit.start : hit.end], hit.on, resolution.on) == (text, on, on)
    day = f"changed on {CHANGED.isoformat()}"
    told = said in {"bis zum 1.9.2025", "bis 1. September 2025"}
    assert any(day in each for each in hit.warnings) == told
    assert (day in judge(CHANGED_LAWS, resolution).why) == told


def hold_changed(*labels: str, precision: DatePrecision = DatePrecision.EXACT) -> Library:
    """§§ of one law; the last has another text since that day."""
    law = build_statute("NeuG", "Neues Gesetz")
    norms = [build_norm(law, label) for label in labels]
    norm, texts = change(norms[-1], "Alt.", "Neu.")
    old, new = texts
    changed = norm, [old, replace(new, date_precision=precision)]
    same = [(one, [build_fassung(one, "Gleich.")]) for one in norms[:-1]]
    store = InventedStore([law], [*same, changed])
    names = LIBRARY.names.build(store.statutes.values())
    return replace(LIBRARY, store=store, index=InventedIndex(store), names=names)


def test_the_day_of_a_look_is_not_said_to_be_that_of_a_change() -> None:
    library = hold_changed("§ 1", precision=DatePrecision.FIRST_SEEN)
    [hit] = read(library, "§ 1 NeuG in der bis zum 1.9.2025 geltenden Fassung")
    assert isinstance(hit, ProvisionHit)
    assert hit.text == "Alt."
    assert (
        hit.warnings[0]
        == "§ 1 NeuG was seen changed on 2025-09-01; this is the text of 2025-08-31."
    )
    assert tell(hit.warnings[0], "de").text.startswith("Dass § 1 NeuG geändert ist, wurde am")


@pytest.mark.parametrize("version", ["", " 2025", " a.F.", " in der am 1.9.2025 geltenden Fassung"])
def test_a_letter_behind_a_number_is_one_whichever_text_is_meant(version: str) -> None:
    library = hold_changed("§ 2", "§ 3", "§ 2f")
    outcomes = read(library, f"§§ 2f NeuG{version}")
    assert [one.citation for one in outcomes if isinstance(one, ProvisionHit)] in (
        [],
        ["§ 2f NeuG"],
    )
    assert [type(one) for one in outcomes] == [
        type(one) for one in read(library, f"§ 2f NeuG{version}")
    ]


def test_until_the_day_of_a_change_holds_for_each_of_a_range() -> None:
    written = "§§ 1 bis 2 XtestG in der bis zum 1.9.2025 geltenden Fassung"
    one, two = read(CHANGED_LAWS, written)
    assert isinstance(one, ProvisionHit)
    assert isinstance(two, ProvisionHit)
    assert (one.text, one.on, two.text, two.on) == (
        "Eins gilt.",
        CHANGED,
        OLD,
        date(2025, 8, 31),
    )


def test_what_begins_on_the_day_until_which_it_is_cited_had_no_text() -> None:
    law = build_statute("NeuG", "Neues Gesetz")
    norm = build_norm(law, "§ 1")
    new = replace(
        build_fassung(norm, "Neu."), in_force_from=CHANGED, date_precision=DatePrecision.EXACT
    )
    store = InventedStore([law], [(norm, [new])])
    names = LIBRARY.names.build(store.statutes.values())
    library = replace(LIBRARY, store=store, index=InventedIndex(store), names=names)
    [miss] = read(library, "§ 1 NeuG in der bis zum 1.9.2025 geltenden Fassung")
    assert isinstance(miss, Miss)
    assert miss.status == "not_yet_in_force"


def build_dated() -> Library:
    """The invented act, which came into force by the Treaty on 24 May 2016."""
    library = build_act()
    [act] = library.store.statutes.values()
    dated = replace(
        act,
        in_force_from=date(2016, 5, 24),
        date_precision=DatePrecision.TREATY,
        published_on=date(2016, 5, 4),
        first_look=date(2016, 5, 4),
    )
    store = InventedStore([dated], [])
    return replace(library, store=store, index=InventedIndex(store))


@pytest.mark.parametrize(
    ("library", "written", "on", "status", "verdict"),
    [
        (build_dated(), "Verordnung (EU) 2016/679", date(2010, 1, 1), "not_yet_in_force", "wrong"),
        (build_dated(), "DSGVO", date(2016, 5, 23), "not_yet_in_force", "wrong"),
        (build_dated(), "DSGVO", date(2016, 5, 24), "", "ok"),
        (build_dated(), "DSGVO 2015", TODAY, "not_yet_in_force", "wrong"),
        (CHANGED_LAWS, "XtestG", date(1950, 1, 1), "outside_coverage", "not_held"),
        (CHANGED_LAWS, "de/xtestg", date(1950, 1, 1), "outside_coverage", "not_held"),
        (CHANGED_LAWS, "XtestG", TODAY, "", "ok"),
    ],
)
def test_a_law_as_a_whole_is_asked_for_its_day_as_a_provision_is(
    library: Library, written: str, on: date, status: str, verdict: str
) -> None:
    resolution = resolve(library, written, on)
    [outcome] = resolution.outcomes
    assert (outcome.status if isinstance(outcome, Miss) else "") == status
    assert judge(library, resolution).verdict == verdict


def test_a_law_that_was_never_changed_begins_on_the_day_of_its_own_words() -> None:
    words = "Dieses Gesetz tritt am 1. Januar 2026 in Kraft."
    library = hold(build_statute("NeuG", "Neues Gesetz"), ("§ 1", "Neu."), ("§ 2", words))
    [miss] = resolve(library, "NeuG", date(2025, 12, 31)).outcomes
    assert isinstance(miss, Miss)
    assert miss.status == "not_yet_in_force"
    assert "2026-01-01" in miss.reason
    [law] = resolve(library, "NeuG", date(2026, 1, 1)).outcomes
    assert not isinstance(law, Miss)
