"""The term table, and what of a question it translates."""

import gzip
import json
from importlib import resources
from pathlib import Path

import pytest

from fundstelle.search.words.terms import looks_english, translate

_EVAL = Path(__file__).resolve().parents[5] / "shared" / "eval"
_SOURCE = "# source: "


def _read_lines() -> list[str]:
    table = resources.files("fundstelle.search") / "data" / "terms.tsv"
    return table.read_text(encoding="utf-8").splitlines()


def _read_rows() -> list[list[str]]:
    return [line.split("\t") for line in _read_lines() if not line.startswith("#")]


def test_the_table_holds_enough_terms_each_once() -> None:
    terms = [row[0] for row in _read_rows()]
    assert len(terms) >= 1_500
    assert len(terms) == len(set(terms))
    assert terms == sorted(terms)


def test_every_row_is_whole_and_tidy() -> None:
    for row in _read_rows():
        assert len(row) == 3, row
        assert all(cell and cell == cell.strip() and "  " not in cell for cell in row), row
        german = row[1].split(" | ")
        assert all(german), row
        assert len(german) == len(set(german)), row


def test_english_is_written_small() -> None:
    assert [row[0] for row in _read_rows() if row[0] != row[0].lower()] == []


def test_every_source_is_declared_and_used() -> None:
    notes = [line.removeprefix(_SOURCE) for line in _read_lines() if line.startswith(_SOURCE)]
    assert {note.partition(": ")[0] for note in notes} == {row[2] for row in _read_rows()}


def test_every_term_of_the_table_translates_to_its_own_row() -> None:
    missed = [
        english
        for english, german, _ in _read_rows()
        if not set(german.split(" | ")) <= set(translate(f"what is the law of {english}"))
    ]
    assert missed == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Can my landlord keep the deposit?", ["Vermieter", "Mietsicherheit"]),
        ("How long is the notice period for a tenant?", ["Kündigungsfrist", "Mieter"]),
        ("I was fired while on sick leave", ["Kündigung", "Entgeltfortzahlung"]),
        ("Is overtime paid in a mini job?", ["Überstunden", "geringfügige Beschäftigung"]),
        ("Who gets custody of the children?", ["elterliche Sorge", "Kind"]),
        ("What is the penalty for hit and run?", ["unerlaubtes Entfernen vom Unfallort"]),
        ("What is the penalty for hit-and-run?", ["unerlaubtes Entfernen vom Unfallort"]),
        ("My neighbour’s dog bite injured me", ["Nachbar", "Tierhalter"]),
        ("how to get a refund for a defective product", ["Erstattung", "Sachmangel"]),
        ("the tenants' deposits", ["Mieter", "Mietsicherheit"]),
        ("How can I contest a will?", ["Testament"]),
        ("When does the right to be forgotten apply?", ["Recht auf Vergessenwerden"]),
        ("What does § 573 BGB say about the landlord?", ["Vermieter"]),
        ("landlord", ["Vermieter"]),
        ("LANDLORD DEPOSIT", ["Vermieter", "Mietsicherheit"]),
        ("terminating an employment contract", ["Kündigung", "Arbeitsvertrag"]),
        ("Has the claim been assigned or inherited?", ["Anspruch"]),
    ],
)
def test_english_questions_find_the_words_of_the_statutes(query: str, expected: list[str]) -> None:
    assert looks_english(query)
    assert set(expected) <= set(translate(query))


@pytest.mark.parametrize(
    ("query", "longest", "shorter"),
    [
        ("What is the data protection officer for?", "Datenschutzbeauftragter", "Datenschutz"),
        ("What is equal pay?", "Entgeltgleichheit", "Arbeitsentgelt"),
        ("When is a search warrant needed?", "Durchsuchung", "Haftbefehl"),
        ("What is unemployment benefit?", "Arbeitslosengeld", "Sozialleistung"),
    ],
)
def test_the_longest_term_wins(query: str, longest: str, shorter: str) -> None:
    assert longest in translate(query)
    assert shorter not in translate(query)


@pytest.mark.parametrize(
    ("query", "is_testament"),
    [
        ("Will my landlord raise the rent?", False),
        ("My landlord will raise the rent", False),
        ("What will the court decide?", False),
        ("Is my will valid?", True),
        ("Can I change my will later?", True),
        ("How do I revoke a will", True),
        ("What are wills?", True),
    ],
)
def test_will_is_a_testament_only_where_it_is_a_noun(query: str, *, is_testament: bool) -> None:
    assert looks_english(query)
    assert ("Testament" in translate(query)) is is_testament


@pytest.mark.parametrize(
    ("written", "base"),
    [
        ("landlords", "landlord"),
        ("landlord's", "landlord"),
        ("landlords'", "landlord"),
        ("babies' birth certificates", "birth certificate"),
        ("adopting", "adopt"),
        ("adopted", "adopt"),
        ("stalkers", "stalker"),
        ("subletting", "sublet"),
        ("evicted", "evict"),
        ("inheritances", "inheritance"),
        ("penalties", "penalty"),
        ("wives", "wife"),
    ],
)
def test_endings_do_not_matter(written: str, base: str) -> None:
    frame = "what is the law of {}"
    assert translate(frame.format(base)) != ()
    assert translate(frame.format(written)) == translate(frame.format(base))


def test_each_german_term_comes_once() -> None:
    found = translate("Can the landlord or the lessor evict the tenant or the renter?")
    assert len(found) == len(set(found))
    assert found.index("Vermieter") < found.index("Mieter")


@pytest.mark.parametrize(
    "query",
    [
        "Wie lange ist die Kündigungsfrist für den Mieter?",
        "Darf der Vermieter die Miete erhöhen?",
        "Wann verjährt ein Anspruch auf Schadensersatz?",
        "Was ist ein Testament?",
        "Was gilt als Gift im Sinne des Gesetzes?",
        "Will der Erbe die Erbschaft ausschlagen, welche Frist gilt?",
        "Wer haftet für den Biss eines Hundes?",
        "Ist mein Chef zur Zahlung von Überstunden verpflichtet?",
        "Muss ich im Home Office eine Pause machen?",
        "Welche Strafe droht bei Phishing?",
        "Kann ich vom Leasing-Vertrag zurücktreten?",
        "Wie hoch ist das Elterngeld?",
        "Wann darf die Polizei eine Wohnung durchsuchen?",
        "Was war die Due Diligence?",
        "Haftung des Host Providers für Links",
        "Reverse Charge bei Leistungen aus dem Ausland",
        "Kündigung Mietvertrag Frist",
        "Kündigungsfrist Mietvertrag Eigenbedarf",
        "Schadensersatz Verkehrsunfall Haftung Halter",
        "Gift",
        "Arrest",
        "Brand",
        "Patent",
        "Testament",
        "Will",
        "Minister Rang Name Land",
        "Start-up Stock Options Besteuerung",
        "Internet of Things Haftung",
        "Code of Conduct Arbeitsrecht",
        "Know-how Schutz",
        "Bonus Job Student",
        "Blue Card Gehalt",
        "Marketing Tracking Newsletter Einwilligung",
        "Insider Trading Strafe",
        "E-Commerce Widerruf",
        "Art. 6 Abs. 1 DSGVO",
        "§ 823 BGB",
        "Fußgänger im Straßenverkehr",
        "Mobbing am Arbeitsplatz",
        "Smart Meter Einbau Pflicht",
    ],
)
def test_german_questions_are_never_translated(query: str) -> None:
    assert not looks_english(query)
    assert translate(query) == ()


@pytest.mark.parametrize(
    "query",
    ["", "   ", "§§§", "2024", "Kündigungsfrist landlord", "xyzzy", "landlord und tenant", "the"],
)
def test_unclear_questions_are_not_translated(query: str) -> None:
    assert not looks_english(query)
    assert translate(query) == ()


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["norm_questions", "citing_sentences", "citation_lookup"])
def test_no_german_query_of_the_evaluation_sets_is_translated(name: str) -> None:
    path = _EVAL / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip("the evaluation sets are not here")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        queries = [json.loads(line)["query"] for line in lines]
    assert queries
    assert [query for query in queries if looks_english(query) or translate(query)] == []
