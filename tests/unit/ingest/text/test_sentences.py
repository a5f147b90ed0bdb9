import pytest

from fundstelle.ingest.text.sentences import find_starts


def _split(text: str) -> list[str]:
    starts = find_starts(text, 0, len(text))
    return [
        text[a:b].strip() for a, b in zip([0, *starts], [*starts, len(text)], strict=True)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Das Muster gilt.|Es ist blau.",
        "Gilt das Muster?|Ja!|Es gilt.",
        "Er gilt nach Satz 1.|Die Frist läuft.",
        "Er gilt nach § 3 Abs. 2 Nr. 4.|Ausnahmen sind möglich.",
        "Er gilt nach den Sätzen 1 und 2.|Satz 3 bleibt unberührt.",
        "Er gilt nach § 5.|§ 6 bleibt unberührt.",
        "Er gilt seit 2004.|Muster sind blau.",
        "Er gilt seit dem Jahr 2004.|Das genügt.",
        "Er gilt nach § 15a.|Muster sind blau.",
        "Er gilt nach Nummer 3 Buchstabe a.|Muster sind blau.",
        "Er gilt für §§ 5 ff.|Die Frist läuft.",
        "Er zahlt 5 Mio.|Die Frist läuft.",
        "Er gilt (§ 5).|Muster sind blau.",
        "Er nennt es „Muster“.|Es ist blau.",
        "Er schreibt „Es gilt.“|Dann geht er.",
        "„Muster“ gilt.|„Probe“ gilt nicht.",
        "Er schwört: „Es gelte. So sei es. “|Dann geht er.",
        'Er schwört: "Es gelte. So sei es."|Dann geht er.',
        'Er misst 5" und 7.|Dann geht er bis 9".',
        "Er gilt in Anlage A.|Die Frist läuft.",
        "Er gilt in Kapitel II.|Die Frist läuft.",
        "Es gelten die Nummern 1, 2 und 3.|Absatz 4 gilt nicht.",
        "Er kostet 5 Prozent.|2 Prozent trägt ein anderer.",
        "Er gilt nach Anlage B.|Weitergehende Muster sind blau.",
    ],
)
def test_a_sentence_ends_here(text: str) -> None:
    assert _split(text.replace("|", " ")) == text.split("|")


@pytest.mark.parametrize(
    "text",
    [
        "It applies under Article 3.|Such a pattern is blue.",
        "It applies under Article 3.|Patterns are blue.",
        "It follows paragraph 1.|Member States set the colour.",
        "It follows paragraphs 1 and 2.|The pattern is blue.",
        "It follows Articles 69 to 74.|When it is blue, it ends.",
        "It is listed in Section 2.|Blue patterns are not.",
        "It is listed in Annex I.|Nevertheless it is blue.",
        "It is listed in Annex VII.|Patterns are blue.",
        "It is listed in Annex III.|At no time is it blue.",
        "It costs EUR 50.|Where it is blue, it is free.",
        "It follows the state of the art.|The pattern is blue.",
        "It follows General Comment No 16.|Patterns are blue.",
    ],
)
def test_an_english_sentence_ends_behind_a_number(text: str) -> None:
    assert _split(text.replace("|", " ")) == text.split("|")


@pytest.mark.parametrize(
    "text",
    [
        "1. This pattern is blue",
        "4a. When it is blue it ends",
        "Section A. List of patterns",
        "It is blue (OJ L 3, 5.1.2004, p. 1)",
    ],
)
def test_no_english_sentence_ends_behind_a_label(text: str) -> None:
    assert _split(text + ".") == [text + "."]


@pytest.mark.parametrize(
    "text",
    [
        "Er tritt am 1. Januar 2004 in Kraft",
        "Er tritt am 3. Oktober in Kraft",
        "Er wurde am 29./30. Juni 1971 geschlossen",
        "Er wurde am 26. November 1993/10. Januar 1994 geschlossen",
        "Er folgt der Grenze der Abt. 197 bis zur Unterabt. 12 b",
        'Er lautet: "Es gilt. Die Frist läuft" nach dem Muster',
        "Er nennt „Muster ... “ (Monat, Jahr)",
        "Er gilt für den 2. Abschnitt und die 15. Woche",
        "Er gilt nach § 5 Abs. 1 S. 2 Nr. 3 Buchst. b und Art. 4",
        "Er gilt gem. Anlage 3 i. V. m. § 4 des Gesetzes, z. B. Muster, d. h. Proben",
        "Er gilt z.B. Mustern i.V.m. Proben",
        "Er gilt nach der Verordnung (EU) Nr. 1215/2012 (ABl. L 351 vom 20.12.2012, S. 1)",
        "Er gilt in der Fassung vom 2. März 1974 (BGBl. I S. 469, 1975 I S. 1916)",
        "Er gilt für Prof. Dr. Muster und die Muster GmbH & Co. KG",
        "Er gilt im IV. Quartal des Jahres",
        "Er gilt für den Muster e. V. Berlin",
        "Er gilt für §§ 5 ff. MustG",
        "Er zahlt 5 Mio. Euro oder 3 Mrd. Euro bzw. Devisen",
        "Er gilt (das Muster ist blau. Die Probe ist rot) überall",
        "Er ersetzt „Es gilt. Die Frist läuft“ durch anderes",
        "Er nennt folgendes: Muster, Proben",
        "Er kostet 1.500.000 Euro um 12.30 Uhr",
        "2. Das Muster ist blau",
        "Er gilt nach Abschnitt I. Nr. 3 der Anlage",
        "Er nennt muster.Probe und die Adresse www.muster.Probe",
    ],
)
def test_no_sentence_ends_inside(text: str) -> None:
    assert _split(text + ".") == [text + "."]


def test_a_sentence_begins_without_a_blank_only_where_the_word_says_so() -> None:
    text = "Das Muster gilt.Es ist blau.Muster.Probe gilt auch."
    assert find_starts(text, 0, len(text)) == [16]


def test_only_the_stretch_asked_for_is_searched() -> None:
    text = "Eins gilt. Zwei gilt. Drei gilt. Vier gilt."
    assert find_starts(text, 11, 32) == [22]


def test_many_brackets_and_quotes_stay_quick() -> None:
    open_ended = "(„Es gilt. " * 20_000
    assert len(find_starts(open_ended, 0, len(open_ended))) == 19_999
    closed = "(" + "Es gilt. " * 200_000 + ")"
    assert find_starts(closed, 0, len(closed))
