"""Randnummern of a right margin: read behind their paragraphs, put beside them again."""

from fundstelle.ingest.sources.decision_text.pdf_text import write_print
from tests.unit.ingest.sources import decision_files as files

_HEAD = "http://www.justiz.nrw.de/nrwe/x.html\n\nTenor:\n\nDie Klage wird abgewiesen.\n\n"
_LONG = "Dieser Satz des Drucks ist so lang, wie eine seiner Zeilen breit ist und"


def _print(*pages: str) -> dict[str, str]:
    return files.read_passages(write_print(_HEAD + "\f".join(pages), "x"))


def test_a_number_belongs_to_the_block_before_it() -> None:
    read = _print(
        "Tatbestand:\n\n1\n\nDer Kläger hält einen Hund.\n\n2\n\nEr beantragt,\n\n3\n\n"
        "die Beklagte zu verurteilen.\n\n4\n\nEntscheidungsgründe:\n\n5\n\nSo ist es.\n\n6\n"
    )
    assert read == {
        "1": "Tatbestand:",
        "2": "Der Kläger hält einen Hund.",
        "3": "Er beantragt,",
        "4": "die Beklagte zu verurteilen.",
        "5": "Entscheidungsgründe:",
        "6": "So ist es.",
    }


def test_what_goes_on_over_the_page_has_its_number_on_the_page_before() -> None:
    read = _print(
        f"Gründe:\n\n1\n\nDer Antrag hat Erfolg.\n\n2\n\n{_LONG}\n\n3\n\n1 von 2\n",
        "geht hier weiter.\nDas Gericht folgt dem nicht.\n\n4\n\nDie Kosten trägt er.\n\n5\n",
    )
    assert read["3"] == f"{_LONG} geht hier weiter."
    assert read["4"] == "Das Gericht folgt dem nicht."
    assert list(read) == ["1", "2", "3", "4", "5"]


def test_a_number_glued_to_the_first_line_of_its_paragraph_leaves_it() -> None:
    read = _print(
        "Gründe:\n\n1\n\nDer Antrag hat Erfolg.\n\n2\n\n"
        f"{_LONG} 3\ngeht hier weiter.\n\nDie Kosten trägt er.\n\n4\n"
    )
    assert read["3"] == f"{_LONG} geht hier weiter."


def test_numbers_that_come_before_their_blocks_are_paid_by_later_ones() -> None:
    read = _print(
        "Gründe:\n\n1\n\nDer Antrag hat Erfolg.\n\n2\n\n3\n\nEr ist zulässig.\n\n"
        "Er ist begründet.\n\n4\n\nDie Kosten trägt er.\n\n5\n"
    )
    assert [read[number] for number in ("2", "3", "4")] == [
        "Der Antrag hat Erfolg.",
        "Er ist zulässig.",
        "Er ist begründet.",
    ]


def test_what_does_not_come_out_even_is_left_out_and_nothing_invented() -> None:
    """Three numbers behind one block: which words are whose nobody can tell."""
    text = write_print(
        _HEAD + f"Gründe:\n\n1\n\nDer Antrag hat Erfolg.\n\n2\n\n{_LONG}\nso fort.\n\n3\n\n4\n\n5\n"
        "\fDanach folgt das Gericht dem nicht.\n\n6\n\nDie Kosten trägt er.\n\n7\n",
        "x",
    )
    read = files.read_passages(text)
    assert list(read) == ["1", "2", "6", "7"]
    assert read["2"] == "Der Antrag hat Erfolg."
    assert f"{_LONG} so fort." in text.text


def test_a_number_of_a_left_margin_survives_the_page_number_glued_to_it() -> None:
    """``-45``: page 4, Rn. 5."""
    pages = [
        "Gründe:\n\n1\n\nEins ist hier.",
        "- 2 -\n\nWort\n\n2\n\nZwei ist da.\n\n3\n\nDrei ist da.",
        "- 3 -\n\nWort\n\n4\n\nVier ist da.",
        "-45\n\nFünf ist da.\n\n6\n\nSechs ist da.\n",
    ]
    read = files.read_passages(write_print("\f".join(pages), "x"))
    assert read["5"] == "Fünf ist da."
    assert list(read) == ["1", "2", "3", "4", "5", "6"]


def test_what_is_numbered_first_is_no_tenor_though_nothing_heads_it() -> None:
    text = write_print(
        _HEAD + "Der Antrag hat Erfolg.\n\n1\n\nEr ist zulässig.\n\n2\n\nDas genügt.\n\n3\n\n"
        "Er ist auch begründet.\n\n4\n",
        "x",
    )
    assert [kind for kind, _ in files.read_parts(text)] == ["tenor", "full_text"]
    judged = write_print(
        _HEAD + "Der Kläger hält einen Hund.\n\n1\n\nEr klagt.\n\n2\n\n"
        "Entscheidungsgründe:\n\n3\n\nSo ist es.\n\n4\n",
        "x",
    )
    kinds = [kind for kind, _ in files.read_parts(judged)]
    assert kinds == ["tenor", "tatbestand", "entscheidungsgruende"]


def test_numbers_of_the_tenor_itself_part_nothing() -> None:
    text = write_print(
        "Tenor:\n\n1\n\nDie Klage wird abgewiesen.\n\nTatbestand:\n\n2\n\nEins.\n\n3\n\nZwei.\n",
        "x",
    )
    assert [kind for kind, _ in files.read_parts(text)] == ["tenor", "tatbestand"]


def test_a_heading_run_together_with_its_first_sentence_is_parted() -> None:
    text = write_print(
        _HEAD + "T a t b e s t a n d Die Beteiligten streiten.\n\n1\n\nWorum?\n\n2\n\n"
        "Entscheidungsgründe: Die Klage hat Erfolg.\n\n3\n\nSie ist begründet.\n\n4\n",
        "x",
    )
    parts = dict(files.read_parts(text))
    assert parts["tatbestand"] == "T a t b e s t a n d\nDie Beteiligten streiten.\nWorum?"
    assert parts["entscheidungsgruende"] == (
        "Entscheidungsgründe:\nDie Klage hat Erfolg.\nSie ist begründet."
    )
    assert files.read_passages(text)["1"] == "T a t b e s t a n d\nDie Beteiligten streiten."


def test_a_heading_close_to_another_is_listed_only_if_it_comes_again() -> None:
    words = "Die Klage wird abgewiesen, und der Kläger trägt die Kosten des Verfahrens."
    text = write_print(
        f"Tenor\n\n{words}\n\nRechtsmittelbelehrung:\n\nxxx\n\nTatbestand:\n\n{words}\n\n"
        f"Entscheidungsgründe:\n\n{words}\n",
        "x",
    )
    assert [kind for kind, _ in files.read_parts(text)] == [
        *("tenor", "rechtsmittelbelehrung", "tatbestand", "entscheidungsgruende")
    ]
    listed = write_print(f"Tatbestand\n\nGründe\n\n{words}\n\nTatbestand\n\n{words}\n", "x")
    assert [kind for kind, _ in files.read_parts(listed)] == ["head", "gruende", "tatbestand"]
