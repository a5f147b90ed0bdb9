"""What ``fundstelle lookup`` prints, on invented law."""

import pytest

from fundstelle.cli.asking.reading import _KINDS, print_hits_read
from fundstelle.cli.asking.refusals import print_miss, print_quote_check
from fundstelle.lookup.comparing.quotes import check_quote
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.validity.notes import KINDS
from tests.unit.lookup.invented import TODAY, build_library

LONG = "\n".join(
    f"{{abs {number}|({number}) " + "Der Nagel hält, solange das Holz nicht bricht. " * 20 + "}"
    for number in range(1, 9)
)


@pytest.fixture(scope="module")
def library() -> Library:
    return build_library(LONG)


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")


def read(library: Library, citation: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    print_hits_read(library, resolve(library, citation, TODAY).hits)
    return capsys.readouterr().out.splitlines()


def test_lists_are_indented_and_the_cited_item_is_marked(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = read(library, "§ 2 Abs. 1 Nr. 2 Buchst. a MusterG", capsys)

    assert lines == [
        "§ 2 Abs. 1 Satz 1 Nr. 2 Buchst. a MusterG  Pflichten",
        "Mustergesetz",
        "Stand 29.04.2026",
        "",
        "  (1) Wer Werkzeug nach § 1 leiht, muss es",
        "      1. reinigen,",
        "      2. ölen, und zwar",
        ">         a) den Kopf und",
        "          b) das Gelenk,",
        "  bevor er es zurückgibt. Das gilt auch an Sonntagen.",
        "",
        "  (2) Näheres bestimmt die Werkzeugordnung.",
        "",
        "Quelle: https://www.gesetze-im-internet.de/musterg/__2.html",
    ]


def test_a_cited_sentence_stands_on_lines_of_its_own(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = read(library, "§ 2 Abs. 1 Satz 2 MusterG", capsys)

    assert "> Das gilt auch an Sonntagen." in lines
    assert "  bevor er es zurückgibt." in lines


def test_a_whole_provision_has_no_marks(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not any(line.startswith(">") for line in read(library, "§ 2 MusterG", capsys))


def test_two_parts_of_one_provision_are_marked_on_one_page(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = read(library, "§ 2 Abs. 1 Nr. 1, Abs. 2 MusterG", capsys)

    assert [line for line in lines if line.startswith(">")] == [
        ">     1. reinigen,",
        "> (2) Näheres bestimmt die Werkzeugordnung.",
    ]


def test_lines_keep_to_the_width(library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    lines = read(library, "§ 9 MusterG", capsys)

    assert max(map(len, lines)) <= 60
    assert sum(line == "" for line in lines) >= 8  # a blank line before each Absatz


def test_of_a_long_provision_only_the_surroundings_are_shown(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = read(library, "§ 9 Abs. 3 MusterG", capsys)

    assert lines.count("  […]") == 2
    assert [line for line in lines if line.startswith(("  (", "> ("))] == [
        "> (3) Der Nagel hält, solange das Holz nicht bricht. Der"
    ]


@pytest.mark.parametrize(
    ("citation", "words"),
    [
        ("§ 99 MusterG", ["§ 99 MusterG: gibt es nicht", "von § 1 MusterG bis § 9 MusterG"]),
        (
            "§ 2 Abs. 3 MusterG",
            ["von § 2 Abs. 1 MusterG bis § 2 Abs. 2 MusterG", "die Vorschrift im Ganzen"],
        ),
        ("§ 3 MusterG", ["weggefallen", "Der Bestand beginnt am 31.03.2025"]),
        ("§ 1 SGB", ["mehrdeutig", "Gemeint sein kann:"]),
        ("Art. 6 DSGVO", ["außerhalb des Bestands", "https://eur-lex.europa.eu/"]),
        ("blau", ["nicht als Zitat lesbar"]),
    ],
)
def test_misses_are_said_in_german_with_their_evidence(
    library: Library, citation: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (miss,) = resolve(library, citation, TODAY).misses
    print_miss(miss)

    text = " ".join(capsys.readouterr().out.split())
    assert [each for each in words if each not in text] == []
    assert not {"the", "does", "section", "held"} & set(text.split())


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("Die Säge ist scharf.", ["Zitat: wörtlich"]),
        ("Die  Säge ist scharf.", ["bis auf Leerzeichen"]),
        ("Die Säge ist sehr stumpf.", ["weicht ab", "zitiert „sehr stumpf“, im Text „scharf“"]),
        ("Die Feile ist rau.", ["steht dort nicht", "§ 4a MusterG (am 01.05.2026)"]),
    ],
)
def test_a_quote_check_says_what_differs_and_where_the_words_stand(
    library: Library, quote: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (hit,) = resolve(library, "§ 4 MusterG", TODAY).hits
    print_quote_check(check_quote(library, quote, hit, TODAY))

    text = " ".join(capsys.readouterr().out.split())
    assert [each for each in words if each not in text] == []


def test_every_kind_of_note_has_a_word() -> None:
    """A text with a note of another kind cannot be printed: Art. 28 DSGVO has a corrigendum."""
    assert set(_KINDS) == set(KINDS)
