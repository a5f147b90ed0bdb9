"""One word on a citation, and what it rests on."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.law.norms import NormStatus
from fundstelle.lookup.answers import CODES, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts import check as check_module
from fundstelle.lookup.verdicts.check import check_draft
from fundstelle.lookup.verdicts.judge import _OF_MISS, _OF_STATUS, VERDICTS, Verdict, judge
from tests.unit.corpus.decision_values import make_decision
from tests.unit.lookup.comparing.test_quotes import BothIndex, NumberedDecisions
from tests.unit.lookup.decisions.test_texts import LETTERED, STRANGE, TWINS, HeldDecisions
from tests.unit.lookup.invented import FLOOR, TODAY, InventedStore, build_fassung, build_library

LIBRARY = build_library()


def ask(written: str, *quotes: str) -> Verdict:
    return judge(LIBRARY, resolve(LIBRARY, written, TODAY), quotes)


@pytest.mark.parametrize(
    ("written", "verdict", "norm_id"),
    [
        ("§ 4 MusterG", "ok", "de/musterg/4"),
        ("§ 2 Abs. 1 Satz 1 Nr. 2 MusterG", "ok", "de/musterg/2"),
        ("MusterG", "ok", "de/musterg"),
        ("§ 99 MusterG", "wrong", None),
        ("§ 2 Abs. 7 MusterG", "wrong", "de/musterg/2"),
        ("§ 7 MusterG", "unclear", "de/musterg/7"),
        ("§ 3 MusterG", "repealed", "de/musterg/3"),
        ("§§ 2 ff. MusterG", "ok", "de/musterg/2"),  # § 3 is repealed
        ("§§ 2 bis 4 MusterG", "ok", "de/musterg/2"),
        ("§§ 2 f. MusterG", "ok", "de/musterg/2"),
        ("§§ 3 ff. MusterG", "repealed", "de/musterg/3"),
        ("§§ 2 bis 3 MusterG", "repealed", "de/musterg/3"),
        ("§§ 2, 3 MusterG", "repealed", "de/musterg/3"),
        ("§§ 2 bis 99 MusterG", "wrong", "de/musterg/2"),
        ("§ 1 AltMG", "unclear", "de/altmg/1"),
        ("§ 1 Nirgendsgesetz", "unclear", None),
        ("§ 1 SGB", "unclear", None),
        ("§ 12", "unclear", None),
        ("§ 4 MusterG Tabelle 7", "unclear", None),
        ("§ 4 Halbsatz 9 MusterG", "unclear", "de/musterg/4"),
        ("§ 4 Alt. 17 MusterG", "unclear", "de/musterg/4"),
        ("BGH VI ZR 1/21", "not_held", None),
        ("BGH, Urteil vom 31.02.2021 - VI ZR 1/21", "wrong", None),
        ("BAG 12 AZR 1/21", "wrong", None),
        ("NJW 2004, 1234", "not_held", None),
        ("Art. 6 DSGVO", "not_held", None),
    ],
)
def test_every_citation_has_one_verdict(written: str, verdict: str, norm_id: str | None) -> None:
    found = ask(written)

    assert (found.verdict, found.norm_id) == (verdict, norm_id)
    assert found.why or verdict == "ok"


@pytest.mark.parametrize(
    ("written", "page"),
    [
        ("§ 4 MusterG", "/n/de/musterg/4"),
        ("§ 2 Abs. 1 Satz 1 Nr. 2 MusterG", "/n/de/musterg/2#abs-1-nr-2"),
        ("§ 2 Abs. 7 MusterG", "/n/de/musterg/2"),
        ("MusterG", "/n/de/musterg"),
        ("§ 99 MusterG", ""),
    ],
)
def test_a_verdict_leads_to_the_page_of_the_unit(written: str, page: str) -> None:
    assert ask(written).page == page


def test_of_several_provisions_the_worst_counts() -> None:
    assert ask("§§ 4, 99 MusterG").verdict == "wrong"
    assert ask("§§ 3, 4 MusterG").verdict == "repealed"
    assert ask("§§ 3, 99 MusterG").verdict == "wrong"


def test_every_status_has_a_verdict() -> None:
    assert set(_OF_MISS) == set(CODES)
    assert set(_OF_STATUS) == set(NormStatus)
    assert {*_OF_MISS.values(), *_OF_STATUS.values()} == set(VERDICTS)


@pytest.mark.parametrize(
    ("status", "verdict"),
    [(NormStatus.VOID, "void"), (NormStatus.PARTLY_VOID, "unclear")],
)
def test_what_the_constitutional_court_has_struck_is_void_or_open(
    status: NormStatus, verdict: str
) -> None:
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    resolution = resolve(library, "§ 4 MusterG", TODAY)
    (hit,) = resolution.hits
    assert isinstance(hit, ProvisionHit)
    struck = replace(hit, fassung=replace(hit.fassung, status=status))

    assert judge(library, replace(resolution, outcomes=(struck,))).verdict == verdict


def test_a_sign_that_the_law_does_not_use_is_corrected() -> None:
    found = ask("Art. 4 MusterG")

    assert (found.verdict, found.correct) == ("ok", "§ 4 MusterG")
    assert found.why
    assert ask("MusterG § 4").correct is None  # another order says the same


@pytest.mark.parametrize(
    ("written", "verdict", "correct"),
    [
        ("Nr. 2a", "ok", None),
        ("Nr. 2 a", "ok", "Nr. 2a"),  # the reading stays, and is told
        ("Nr. 2 Buchst. a", "wrong", "Nr. 2a"),
        ("Nr. 2 lit. a", "wrong", "Nr. 2a"),
        ("Nr. 2 Buchst. b", "wrong", None),
        ("Nr. 1 Buchst. a", "ok", None),
        ("Nr. 1a", "ok", "Nr. 1 Buchst. a"),
        ("Nr. 1 und Nr. 2 a", "ok", "Nr. 2a"),  # one of several is told, too
    ],
)
def test_a_letter_that_is_read_with_its_number_is_told(
    written: str, verdict: str, correct: str | None
) -> None:
    library = build_library(
        "{nr 1|1. Nägel,\n{buchst a|a) lange,}}\n{nr 2|2. Haken,}\n{nr 2a|2a. Ösen}"
    )
    found = judge(library, resolve(library, f"§ 9 {written} MusterG", TODAY))

    assert found.verdict == verdict
    assert found.correct == (correct and f"§ 9 {correct} MusterG")
    assert bool(found.why) == (found.verdict == "wrong" or correct is not None)


@pytest.mark.parametrize(
    ("written", "quote", "status", "correct", "why"),
    [
        ("§ 4 MusterG", "Die Säge ist scharf.", "verbatim", None, ""),
        ("§ 4 MusterG", "Die Säge ist nicht scharf.", "altered", None, "„nicht“ (negation)"),
        ("§ 4 MusterG", "Die Säge ist", "verbatim", None, ""),
        ("§ 4 MusterG", "Die Feile ist rau.", "not_found", "§ 4a MusterG", "§ 4a MusterG"),
        ("§ 99 MusterG", "Die Feile ist rau.", "no_text", "§ 4a MusterG", "does not exist"),
        ("§ 4 MusterG", "Ganz etwas anderes", "not_found", None, "not found"),
        ("§ 8 MusterG", "Leim klebt kalt.", "altered", None, "as of 2025-03-31"),
    ],
)
def test_the_words_have_a_verdict_of_their_own(
    written: str, quote: str, status: str, correct: str | None, why: str
) -> None:
    found = ask(written, quote)

    assert found.verdict == ask(written).verdict
    assert found.check is not None
    assert found.check.status == status
    assert found.correct == correct
    assert why in found.why
    assert found.is_bad is (status not in {"verbatim", "normalised"})


@pytest.mark.parametrize(
    ("written", "quote", "place"),
    [("§ 4 MusterG", "Ein Hund lief.", "VI ZR"), ("BGH VI ZR 1/21 Rn. 2", "Die Säge ist", "§ 4")],
)
def test_a_decision_with_the_words_of_a_law_is_named_and_not_called_correct(
    written: str, quote: str, place: str
) -> None:
    store, names = LIBRARY.store, LIBRARY.names
    assert isinstance(store, InventedStore)
    library = Library(store, BothIndex(store), names, NumberedDecisions())
    found = judge(library, resolve(library, written, TODAY), [quote])

    assert found.correct is None
    assert place in found.why


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("§ 4 MusterG", False),  # as of the day asked for
        ("§ 4 MusterG 2099", True),
        ("§ 4 MusterG in der am 1.1.2099 geltenden Fassung", True),
        ("§ 4 MusterG 2025", False),
        ("§ 4 MusterG 2001", False),  # the year of the law itself
        ("Art. 4 MusterG 2099", True),
    ],
)
def test_a_day_on_which_nobody_has_seen_the_law_is_told(written: str, *, told: bool) -> None:
    found = ask(written)

    # whether the text is still that of the edition of 2001 nobody has seen
    assert found.verdict == ("unclear" if written.endswith("2001") else "ok")
    assert ("last seen on 2026-04-29; changes up to 2099-" in found.why) is told


@pytest.mark.parametrize(
    ("written", "verdict", "days"),
    [
        ("LG Köln, Urteil vom 3.1.2018 - 2 O 9/18", "ok", []),
        ("LG Köln, Urteil vom 5.1.2018 - 2 O 9/18", "unclear", ["2018-01-03"]),
        ("LG Köln, Beschluss vom 4.1.2018 - 2 O 9/18, Rn. 2", "unclear", ["2018-01-03"]),
        ("Urteil vom 5.1.2018 - 2 O 9/18", "not_held", []),  # of which court is not said
        ("LG Köln, Urteil vom 5.1.2018 - 2 O 9/18 und 3 O 9/18", "not_held", []),
        ("AG Köln, Urteil vom 5.1.2018 - 2 O 9/18", "not_held", []),
        ("OLG Bamberg, Beschluss vom 7.2.2024 - 10 U 61/23 e", "unclear", ["2024-02-06"]),
        ("OLG Bamberg, Beschluss vom 7.2.2024 - 10 U 61/23", "not_held", []),
        ("OLG Köln, Urteil vom 4.5.2019 - 9 U 1/19", "ok", []),
        ("OLG Köln, Urteil vom 5.5.2019 - 9 U 1/19", "unclear", ["2019-06-07", "2019-05-04"]),
        ("LG Köln, Urteil vom 27.8.2017 - 2 O 9/18", "wrong", []),  # before it was registered
        ("LG Köln, Urteil vom 27.8.2018 - 2 O 9/18", "unclear", ["2018-01-03"]),
        ("LG Köln, Urteil vom 1.3.2018 - 2 O 9/18", "unclear", ["2018-01-03"]),
    ],
)
def test_a_day_of_no_decision_held_under_its_docket_is_not_called_wrong(
    written: str, verdict: str, days: list[str]
) -> None:
    twins = [
        make_decision("OLG Köln", "9 U 1/19", date(2019, month, day))
        for month, day in ((6, 7), (5, 4))
    ]

    class Held(HeldDecisions):
        held = (*HeldDecisions.held, *twins)

    library = Library(LIBRARY.store, LIBRARY.index, LIBRARY.names, Held())
    found = judge(library, resolve(library, written, TODAY))

    assert found.verdict == verdict
    assert [day for day in days if day in found.why] == days
    assert found.is_bad is (verdict == "wrong")
    if len(days) == 1 and "27.8." in written:
        assert (found.norm_id, found.correct, found.page) == (None, None, "")
    elif len(days) == 1:
        held = TWINS[0] if "LG" in written.split() else LETTERED
        assert found.correct == held.citation
        assert (found.norm_id, found.page) == (held.decision_id, f"/d/{held.decision_id}")
    if verdict == "unclear" and "Bamberg" not in written:  # what a lookup says and suggests
        [miss] = resolve(library, written, TODAY).misses
        assert (miss.status, miss.reason) == ("not_in_corpus", found.why)
        assert [each.why for each in miss.suggestions] == [
            "held under that Aktenzeichen, of another day"
        ] * len(days)


def test_of_several_quotes_the_worst_counts() -> None:
    found = ask("§ 4 MusterG", "Die Säge ist scharf.", "Die Säge ist stumpf.")

    assert found.check is not None
    assert found.check.status == "altered"


def test_what_a_law_of_the_text_before_lacks_is_not_called_wrong() -> None:
    draft = "Nach § 4 MusterG und § 99 gilt das. Auch § 1 und § 98 MusterG."
    found = [each.verdict for each in check_draft(LIBRARY, draft, TODAY).judged]

    assert [(each.citation, each.verdict) for each in found[:2]] == [
        ("§ 4 MusterG", "ok"),
        ("§ 99", "unclear"),
    ]
    assert found[1].why.startswith("MusterG was taken from the text before.")


def test_a_draft_is_judged_in_its_order_up_to_a_bound() -> None:
    draft = "§ 4 MusterG. § 3 MusterG. § 99 MusterG. § 4 MusterG."
    check = check_draft(LIBRARY, draft, TODAY, most=3)

    assert [each.verdict.verdict for each in check.judged] == ["ok", "repealed", "wrong"]
    assert [draft[each.start : each.end] for each in check.judged] == [
        each.verdict.citation for each in check.judged
    ]
    assert check.total == 4
    assert check.next_start is not None
    rest = check_draft(LIBRARY, draft[check.next_start :], TODAY)
    assert [each.verdict.verdict for each in rest.judged] == ["ok"]
    assert rest.next_start is None


def test_the_rest_of_a_draft_begins_behind_what_is_quoted_from_the_last_judged() -> None:
    draft = "§ 1 MusterG. § 4 MusterG („Die Säge ist scharf“) und § 2 Abs. 1 MusterG gelten."
    check = check_draft(LIBRARY, draft, TODAY, most=2)
    assert draft[check.next_start :].startswith(") und § 2")
    (rest,) = check_draft(LIBRARY, draft[check.next_start :], TODAY).judged
    assert rest.verdict.check is None


def judge_draft(draft: str) -> list[str]:
    return [each.verdict.verdict for each in check_draft(LIBRARY, draft, TODAY).judged]


@pytest.mark.parametrize(
    "behind",
    [
        " in der Fassung vom 1.1.1850",
        " i. d. F. vom 01.01.1899",
        " i.d.F. der Bekanntmachung vom 3. Mai 1999",
        " in der Fassung vom 1.2.1896",
        " in alter Fassung",
        " vom 1.1.1999",
        " (Entwurf)",
        " (aufgehoben)",
        "-alt",
        " der Schweiz",
        "\nin der Fassung vom 1.1.1850",
    ],
)
def test_what_stands_behind_a_citation_and_is_not_read_makes_it_unclear(behind: str) -> None:
    check = check_draft(LIBRARY, f"Nach § 4 MusterG{behind} gilt das.", TODAY)
    (place,) = check.judged
    assert place.verdict.verdict == "unclear"
    assert " ".join(behind.split()).strip(" (") in place.verdict.why


@pytest.mark.parametrize(
    ("behind", "verdict"),
    [
        (" Leitsatz 1", "unclear"),
        (", Leitsatz 1", "unclear"),
        (" Ls. 2", "unclear"),
        (" (LS 2)", "unclear"),
        (" Leitsatz", "ok"),
        (", Rn. 2", "ok"),
    ],
)
def test_the_number_of_a_leitsatz_is_said_to_be_unread(behind: str, verdict: str) -> None:
    library = Library(LIBRARY.store, LIBRARY.index, LIBRARY.names, HeldDecisions())
    (place,) = check_draft(library, f"So LG Köln, 2 O 9/18{behind}.", TODAY).judged
    assert place.verdict.verdict == verdict
    assert (behind.strip(" ,()") in place.verdict.why) is (verdict == "unclear")


@pytest.mark.parametrize("behind", [", Rn. 2.", "; anders nicht.", ". Das gilt.", " (str.)", ""])
def test_a_number_of_any_shape_is_found_as_it_is_printed(behind: str) -> None:
    library = Library(LIBRARY.store, LIBRARY.index, LIBRARY.names, HeldDecisions())
    check = check_draft(library, f"§ 4 MusterG. So auch {STRANGE.citation}{behind}", TODAY)
    assert [each.verdict.verdict for each in check.judged] == ["ok", "ok"]
    assert check.judged[-1].verdict.norm_id == STRANGE.decision_id
    assert not check.unread
    other = check_draft(library, f"So auch {STRANGE.citation.replace('22-49', '22-50')}.", TODAY)
    assert not other.judged
    assert len(other.unread) == 1


@pytest.mark.parametrize("behind", [" in der Praxis", " vom Käufer", ", der alte", " gilt"])
def test_words_that_go_on_behind_a_citation_change_nothing(behind: str) -> None:
    assert judge_draft(f"Nach § 4 MusterG{behind} so.") == ["ok"]


def test_the_day_of_the_law_itself_is_right() -> None:
    issued = LIBRARY.store.statutes["de/musterg"].issued_on
    assert issued is not None
    assert judge_draft(f"§ 4 MusterG vom {issued.day}.{issued.month}.{issued.year} gilt.") == ["ok"]


def test_nothing_follows_the_last_of_its_kind() -> None:
    last = LIBRARY.store.find_ends("de/musterg")[1]
    assert last is not None
    found = ask(f"§ {last.number} f. MusterG")
    assert (found.verdict, found.correct) == ("wrong", last.citation)
    assert ask("§ 1 f. MusterG").verdict != "wrong"


def test_lists_use_up_the_bound_of_a_call() -> None:
    draft = "§§ 1 ff. MusterG. " * 3 + "§§ 1, 2, 4 MusterG. §§ 1, 4 MusterG. "
    check = check_draft(LIBRARY, draft, TODAY, most_units=8)

    assert len(check.judged) < check.total == 5


def test_a_draft_of_nothing_but_signs_is_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_module, "MOST_SIGNS", 4)
    draft = "§ 4 MusterG. " * 10
    read = []
    start: int | None = 0
    while start is not None:
        part = draft[start:]
        found = check_draft(LIBRARY, part, TODAY)
        read += [part[each.start : each.end] for each in found.judged]
        start = None if found.next_start is None else start + found.next_start
    assert read == ["§ 4 MusterG"] * 10
    assert check_draft(LIBRARY, draft, TODAY).total == 4
    assert check_draft(LIBRARY, draft, TODAY, shared=False).total == 10


def test_signs_that_are_no_citation_do_not_end_a_draft(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_module, "MOST_SIGNS", 4)
    found = check_draft(LIBRARY, "§ ! " * 5 + "§ 4 MusterG", TODAY)
    assert (found.total, len(found.unread), found.next_start) == (0, 4, 16)


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("Ein Nagel ist [...] erlaubt.", True),
        ("Ein Nagel ist (…) erlaubt.", True),
        ("Ein Nagel ist nicht ohne [...] Haken erlaubt.", False),
        ("Ein Nagel ist nicht ohne einen Haken erlaubt.", False),
    ],
)
def test_a_negation_that_a_quote_leaves_out_is_told(quote: str, *, told: bool) -> None:
    library = build_library("Ein Nagel ist nicht ohne einen Haken erlaubt.")
    found = judge(library, resolve(library, "§ 9 MusterG", TODAY), [quote])

    assert found.verdict == "ok"
    assert found.check is not None
    assert found.check.status == "verbatim"
    assert ("leaves out a negation" in found.why) is told


_PLAIN = "Nicht dazu gehört Leim. Dies gilt für Kaufleute nach Abs. 1 nicht. Kein Nagel ist frei."
_MARKED = (
    "{satz 1|Nicht dazu gehört Leim.} {satz 2|Dies gilt für Kaufleute nach Abs. 1 nicht.}"
    " {satz 3|Kein Nagel ist frei.}"
)


@pytest.mark.parametrize("text", [_PLAIN, _MARKED])
@pytest.mark.parametrize(
    ("quote", "omitted"),
    [
        ("[...] dazu gehört Leim", "Nicht"),
        ("[…] dazu  gehört Leim.", "Nicht"),
        ("Dies gilt für Kaufleute […]", "nach Abs. 1 nicht."),
        ("Dies gilt für Kaufleute [...].", "nach Abs. 1 nicht."),
        ("Dies gilt für Kaufleute (...)", "nach Abs. 1 nicht."),
        ("[…] gilt für Kaufleute nach Abs. 1 nicht. […]", ""),  # the next sentence is another
        ("[…] Dies gilt für Kaufleute nach Abs. 1 nicht.", ""),
        ("dazu gehört Leim […]", "Nicht"),
        ("Dies gilt für Kaufleute", "nach Abs. 1 nicht."),
        ("dazu gehört Leim", "Nicht"),
        ("Nagel ist frei.", "Kein"),
        ("für Kaufleute nach Abs. 1", ""),  # without a verb it says nothing
    ],
)
def test_a_negation_is_left_out_at_the_ends_of_a_quote_too(
    text: str, quote: str, omitted: str
) -> None:
    library = build_library(text)
    found = judge(library, resolve(library, "§ 9 MusterG", TODAY), [quote])

    assert found.check is not None
    assert found.check.status in {"verbatim", "normalised"}
    assert found.check.omitted == omitted
    assert ("leaves out a negation" in found.why) is bool(omitted)


def test_one_note_hides_no_other() -> None:
    """What a quote leaves out is said beside a day not yet seen, and beside another quote."""
    library = build_library("Ein Nagel ist nicht ohne einen Haken erlaubt.")
    asked = resolve(library, "§ 9 MusterG 2099", TODAY)
    whole, cut = "Ein Nagel ist nicht ohne einen Haken erlaubt.", "Ein Nagel ist [...] erlaubt."
    normalised = whole.replace("Nagel ist", "Nagel  ist")
    for quotes in ([cut], [whole, cut], [cut, whole], [normalised, cut]):
        found = judge(library, asked, quotes)
        assert found.why.startswith("The quote is true to its words, but leaves out a")
        assert "changes up to 2099-" in found.why
        assert found.note.endswith("are not known here.")
    altered = judge(library, asked, ["Ein Nagel ist ohne Haken erlaubt."])
    assert altered.check is not None
    assert altered.check.status == "altered"
    assert "negation" in altered.why
    assert "changes up to 2099-" in altered.why


def test_on_a_day_between_two_looks_no_text_is_known_to_hold() -> None:
    on = date(2025, 10, 1)
    resolution = resolve(LIBRARY, "§ 8 MusterG", on)
    [hit] = resolution.hits
    assert any("is not known here" in warning for warning in hit.warnings)
    verdict = judge(LIBRARY, resolution, [hit.text])
    assert verdict.verdict == "unclear"
    assert "is not known here" in verdict.why


@pytest.mark.parametrize("citation", ["§ 4 MusterG", "§ 8 MusterG", "§ 2 Abs. 1 MusterG"])
@pytest.mark.parametrize("on", [TODAY, date(2025, 10, 1), date(2026, 3, 1)])
def test_what_a_lookup_warns_of_no_verdict_keeps_silent_about(citation: str, on: date) -> None:
    resolution = resolve(LIBRARY, citation, on)
    verdict = judge(LIBRARY, resolution)
    warned = [warning for hit in resolution.hits for warning in hit.warnings]
    assert bool(verdict.why) or not warned


@pytest.mark.parametrize(
    "citation", ["§§ 1, 4 MusterG", "§§ 4, 1 MusterG", "§ 1 und § 4 MusterG", "§§ 1 bis 4 MusterG"]
)
def test_words_may_stand_in_any_of_the_provisions_cited(citation: str) -> None:
    [hit] = resolve(LIBRARY, "§ 4 MusterG", TODAY).hits
    words = hit.text[hit.start : hit.end]
    verdict = ask(citation, words)
    assert verdict.check is not None
    assert (verdict.check.status, verdict.check.held_id) == ("verbatim", "de/musterg/4")
    (place, *_) = check_draft(LIBRARY, f"„{words}“ ({citation}).", TODAY).judged
    assert not place.verdict.is_bad


@pytest.mark.parametrize(("on", "quote"), [(FLOOR, "heiß und kalt"), (TODAY, "klebt nur kalt")])
def test_words_of_another_day_are_placed_on_that_day_alone(on: date, quote: str) -> None:
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    norm = store.find_norm("de/musterg/8")
    assert norm is not None
    texts = ("{abs 1|(1) Leim klebt nur kalt.}", "{abs 1|(1) Leim klebt heiß und kalt.}")
    store.fassungen["de/musterg/8"] = tuple(
        replace(held, text=fresh.text, text_sha256=fresh.text_sha256, segments=fresh.segments)
        for held, fresh in zip(
            store.fassungen["de/musterg/8"],
            (build_fassung(norm, text) for text in texts),
            strict=True,
        )
    )
    found = judge(library, resolve(library, "§ 8 MusterG", on), [quote])

    assert found.check is not None
    [place] = found.check.elsewhere
    assert place.citation == "§ 8 Abs. 1 MusterG"
    assert found.correct is None
    assert found.why.endswith(f"stand in {place.citation} as of {place.day.isoformat()}.")


def test_the_same_words_of_the_same_citation_are_compared_once() -> None:
    """Each time anew, the last of them were left unchecked for what the first had cost."""
    draft = "Nach § 4 MusterG gilt: „Die Feile ist sehr alt und rostig.“\n\n" * 60
    judged = check_draft(LIBRARY, draft, TODAY).judged
    assert len(judged) == 60
    assert len({(each.verdict.verdict, each.verdict.quotes_left) for each in judged}) == 1
    assert all(each.verdict.check is judged[0].verdict.check for each in judged)
