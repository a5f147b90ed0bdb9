"""Quotations whose source stands on a line of its own, and those that no citation has."""

import pytest

from fundstelle.lookup.verdicts.check import check_draft
from fundstelle.lookup.verdicts.drafts import read_draft
from fundstelle.lookup.verdicts.quotations import MOST_CHARS
from tests.unit.lookup.invented import TODAY, build_library

LIBRARY = build_library()
WORDS = "Die Säge ist scharf."
OTHER = "Der Nagel hält gut!"


def read(text: str) -> dict[str, tuple[str, ...]]:
    return {place.found.text: place.quotes for place in read_draft(text, LIBRARY.names).places}


def name_unowned(text: str) -> list[str]:
    return [text[at:][:4] for at in read_draft(text, LIBRARY.names).unowned]


@pytest.mark.parametrize(
    "text",
    [
        f"„{WORDS}“\n§ 4 MusterG",
        f"Es heißt »{WORDS}« \r\n(§ 4 MusterG)\r\nWeiter.",
        f"„{WORDS}“\n**§ 4 MusterG**",
        f"> {WORDS}\n§ 4 MusterG.",
        f"> {WORDS}\n> § 4 MusterG",
        f"> {WORDS}\n> — § 4 MusterG\n\nEnde.",
        f"> {WORDS}\n> (§ 4 MusterG)",
        f"> „{WORDS}“\n> § 4 MusterG",
        f"§ 4 MusterG.\n„{WORDS}“",
        f"### § 4 MusterG.\n> {WORDS}",
        f"„{WORDS}“ § 4 MusterG\nWeiter.",
    ],
)
def test_a_citation_alone_on_the_line_beside_has_the_words(text: str) -> None:
    assert read(text) == {"§ 4 MusterG": (WORDS,)}
    assert not name_unowned(text)


@pytest.mark.parametrize(
    "text",
    [
        f"„{WORDS}“\n§ 4 MusterG gilt.",
        f"„{WORDS}“\nSiehe § 4 MusterG",
        f"„{WORDS}“ § 4 MusterG gilt.",
        f"„{WORDS}“\n\n§ 4 MusterG",
        f"Es gilt § 4 MusterG.\n„{WORDS}“",
        f"„{WORDS}“ So ist es.\n§ 4 MusterG",
    ],
)
def test_a_citation_with_words_of_its_own_or_apart_has_not(text: str) -> None:
    assert read(text) == {"§ 4 MusterG": ()}
    assert len(name_unowned(text)) == 1


def test_where_the_lines_above_and_below_fit_neither_is_taken() -> None:
    text = f"§ 1 MusterG.\n„{WORDS}“\n§ 4 MusterG"

    assert read(text) == {"§ 1 MusterG": (), "§ 4 MusterG": ()}
    assert name_unowned(text) == ["„Die"]


@pytest.mark.parametrize(
    "text",
    [
        f"„{OTHER}“\n§ 1 MusterG\n„{WORDS}“\n§ 4 MusterG",
        f"„{OTHER}“ § 1 MusterG\n„{WORDS}“ § 4 MusterG",
        f"§ 1 MusterG.\n„{OTHER}“\n§ 4 MusterG.\n„{WORDS}“",
        f"> {OTHER}\n> § 1 MusterG\n\n> {WORDS}\n> § 4 MusterG",
    ],
)
def test_lines_that_alternate_go_one_way_round(text: str) -> None:
    assert read(text) == {"§ 1 MusterG": (OTHER,), "§ 4 MusterG": (WORDS,)}


def test_the_source_within_a_block_goes_before_the_sentence_that_leads_to_it() -> None:
    text = f"Anders als § 1 MusterG sagt:\n> {WORDS}\n> § 4 MusterG"

    assert read(text) == {"§ 1 MusterG": (), "§ 4 MusterG": (WORDS,)}


def test_a_block_that_only_cites_is_no_quotation() -> None:
    text = "> Siehe dort\n> § 4 MusterG\n\n> § 1 MusterG"

    assert read(text) == {"§ 4 MusterG": (), "§ 1 MusterG": ()}
    assert not name_unowned(text)


def test_a_decision_on_its_line_has_the_words_and_not_the_page_where_it_is_printed() -> None:
    decision = "BGH, Urteil vom 12. Mai 2021 - VI ZR 1/21"

    found = read(f"„{WORDS}“\n{decision}, NJW 2021, 5 Rn. 9\n")
    assert found == {decision: (WORDS,), "NJW 2021, 5 Rn. 9": ()}


def test_what_a_quotation_cites_without_a_law_has_no_quotation_itself() -> None:
    text = f"§ 1 MusterG: „Wer nach § 2 Werkzeug leiht“ und „{WORDS}“."

    assert read(text) == {"§ 1 MusterG": ("Wer nach § 2 Werkzeug leiht", WORDS)}


def test_the_words_on_the_line_above_are_compared() -> None:
    altered = WORDS.replace("scharf", "stumpf")
    [judged] = check_draft(LIBRARY, f"„{altered}“\n§ 4 MusterG", TODAY).judged

    assert judged.verdict.check is not None
    assert judged.verdict.check.status == "altered"


@pytest.mark.parametrize("marks", ["„“", "„”", "»«"])
def test_a_long_quotation_between_marks_that_differ_is_compared(marks: str) -> None:
    words = "Die Säge ist scharf, wie neu. " * 100
    text = f"{marks[0]}{words}{marks[1]} (§ 4 MusterG)"

    assert read(text) == {"§ 4 MusterG": (words,)}


def test_between_straight_marks_nothing_so_long_is_a_quotation() -> None:
    text = f'Ein 5" Rohr. {WORDS * 200} Noch eines, 6" lang (§ 4 MusterG).'

    assert read(text) == {"§ 4 MusterG": ()}
    assert not name_unowned(text)


@pytest.mark.parametrize("sign", ["„{}“ (§ 4 MusterG)", "§ 4 MusterG lautet:\n> {}\n"])
def test_one_that_is_too_long_to_be_compared_is_counted(sign: str) -> None:
    text = sign.format("wort " * (MOST_CHARS // 5 + 1))

    assert read(text) == {"§ 4 MusterG": ()}
    assert len(name_unowned(text)) == 1


def test_quotations_of_a_draft_without_citations_are_counted_and_terms_are_not() -> None:
    assert name_unowned(f"Er sagte: „{OTHER}“ Das „Muster“ sah er.") == ["„Der"]
