import pytest

from fundstelle.errors import RejectedFile
from fundstelle.ingest.sources.courts.conll import join_tokens, name_collection, parse
from tests.unit.ingest.sources.decision_files import file

LINES = """\
Wer O
( O
nach O
§ B-GS
3 I-GS
MusterG I-GS
) O
einen O
Drachen O
hält O
, O
haftet O
. O

Das O
gilt O
nicht O
.. O

"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_tokens_become_sentences_as_print_has_them(ends: str) -> None:
    assert parse(file("decisions/set/a.conll", LINES.replace("\n", ends))) == [
        "Wer (nach § 3 MusterG) einen Drachen hält, haftet.",
        "Das gilt nicht ..",
    ]


def test_further_columns_between_token_and_label_are_passed_over() -> None:
    assert parse(file("a.conll", "Der ART O\nHund\tNN\tB-PER\n \n")) == ["Der Hund"]


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("Rs. C - 283/81 , EU : C : 1982 : 335", "Rs. C-283/81, EU:C:1982:335"),
        ("§ 5 i. V. m. § 6", "§ 5 i. V. m. § 6"),
        ("„ demnächst “ [ so ]", "„demnächst“ [so]"),
        ("BVerfGE 3 / 7 ; a - b", "BVerfGE 3/7; a - b"),
    ],
)
def test_only_what_print_glues_is_glued(tokens: str, text: str) -> None:
    assert join_tokens(tokens.split()) == text


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("", "it is empty"),
        ("Der O\nHund\n", "line 2 is no token with its label"),
        ("# Hunde und Katzen\n", "line 1 is no token with its label"),
        (b"Stra\xdfe O\n", "not valid UTF-8"),
        ("\n \n\n", "it is empty"),
    ],
)
def test_a_file_of_another_form_is_rejected_with_a_reason(data: str | bytes, reason: str) -> None:
    with pytest.raises(RejectedFile, match=reason):
        parse(file("a.conll", data))


def test_a_known_collection_is_named_with_its_authors_and_licence() -> None:
    named = name_collection("decisions/gold-citations-ler/bgh.conll")
    assert "Leitner" in named
    assert "CC BY 4.0" in named


def test_an_unknown_collection_is_named_by_its_folder() -> None:
    assert name_collection("eigene/saetze/a.conll") == "saetze"
    assert name_collection("a.conll") == "a"
