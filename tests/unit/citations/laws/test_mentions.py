"""Laws named in a text without a section."""

import pytest

from fundstelle.citations.find import find
from fundstelle.law.citations import EuCitation, NormCitation


def list_laws(text: str) -> list[tuple[str, str | None]]:
    """What is found with no section beside it, and the law it means."""
    return [
        (one.text, one.targets[0].law)
        for one in find(text)
        if isinstance(one.targets[0], NormCitation | EuCitation) and one.targets[0].unit is None
    ]


@pytest.mark.parametrize(
    ("text", "written", "law"),
    [
        ("nach dem KSchG unwirksam", "KSchG", "KSchG"),
        ("im Sinne des Grundgesetzes", "Grundgesetzes", "GG"),
        ("Verstoß gegen das SächsSchulG in", "SächsSchulG", "SächsSchulG"),
        ("seit dem BilMoG gilt", "BilMoG", "BilMoG"),
        ("die DGL-VO SH verbietet", "DGL-VO SH", "DGL-VO SH"),
        ("in der Fassung des GKV-FinG", "GKV-FinG", "GKV-FinG"),
        ("mit dem JStG 2007 eingeführt", "JStG 2007", "JStG 2007"),
        ("nach dem Laubschutzgesetz verboten", "Laubschutzgesetz", "Laubschutzgesetz"),
        ("des Laubschutzgesetzes", "Laubschutzgesetzes", "Laubschutzgesetz"),
        ("der Spielplatzverordnung", "Spielplatzverordnung", "Spielplatzverordnung"),
        (
            "nach dem Sächsischen Laubschutzgesetz verboten",
            "Sächsischen Laubschutzgesetz",
            "Sächsischen Laubschutzgesetz",
        ),
        ("das Schulgesetz für das Land Hessen", "Schulgesetz für das Land Hessen", None),
        ("die 35. BImSchV regelt", "35. BImSchV", "35. BImSchV"),
    ],
)
def test_a_law_named_alone_is_found_with_all_of_its_name(
    text: str, written: str, law: str | None
) -> None:
    ((found, meant),) = list_laws(text)
    assert found == written
    assert law is None or meant == law


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "Das Gesetz zur Förderung des Laubs vom 3. Mai 2001 (BGBl. I S. 12) trat in Kraft.",
            "Gesetz zur Förderung des Laubs vom 3. Mai 2001 (BGBl. I S. 12)",
        ),
        (
            "durch das Zweite Gesetz zur Änderung des Laubschutzgesetzes eingefügt",
            "Zweite Gesetz zur Änderung des Laubschutzgesetzes",
        ),
        ("die Verordnung über Laubhaufen (LaubVO) gilt", "Verordnung über Laubhaufen"),
    ],
)
def test_a_title_is_read_to_its_end(text: str, written: str) -> None:
    assert list_laws(text)[0][0] == written


def test_the_gazette_behind_a_title_belongs_to_the_law() -> None:
    (found,) = find("Das Gesetz zur Pflege des Laubs vom 3. Mai 2001 (BGBl. I S. 12) gilt.")
    assert [type(target).__name__ for target in found.targets] == [
        "NormCitation",
        "GazetteCitation",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Die Rechtsordnung kennt eine Rechtsverordnung und eine Anordnung der Größenordnung.",
        "Ein Verstoß gegen Denkgesetze oder ein Landesgesetz liegt nicht vor.",
        "Der Bundestag beschloss ein Gesetz. Die Verordnung tritt in Kraft.",
        "Die Klägerin, eine GmbH & Co. KG, und die BASF-AG sowie die X-EWIV stritten.",
        "Das LSG, das OVG und der BVerfG-Präsident; die AdV und die HzV.",
        "Die Stufenzuordnung folgt der Entgeltordnung, sagte der AWO-Verband.",
    ],
)
def test_words_that_only_end_like_a_law_are_passed(text: str) -> None:
    assert list_laws(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "LANDESSOZIALGERICHT BERLIN-BRANDENBURG",
        "das LAG BERLIN-BRANDENBURG hat",
        "VERWALTUNGSGERICHTSHOF BADEN-WÜRTTEMBERG\nBESCHLUSS",
        "LANDESSOZIALGERICHT NIEDERSACHSEN-BREMEN",
        "OBERVERWALTUNGSGERICHT MECKLENBURG-VORPOMMERN",
        "LANDGERICHT NÜRNBERG-AUGSBURG",
    ],
)
def test_a_place_in_capitals_is_no_law(text: str) -> None:
    assert list_laws(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "vgl. Müller, ZPO, 32. Aufl., § 398 Rn. 5",
        "Maier/Huber, SGG, 12. Aufl 2017, § 51 RdNr 44",
        "Greger, in: Zöller, ZPO, 31. Auflage 2016",
        "Schmidt in Schmidt, § 4 KStG Rz 313",
        "Ziekow, Kommentar zur VwGO, Bd. 1",
        "Begründung zum Entwurf eines LaubG, BT-Drucks 17/6906",
    ],
)
def test_the_law_in_the_title_of_a_commentary_is_not_cited(text: str) -> None:
    assert not [one for one in find(text) if isinstance(one.targets[0], NormCitation | EuCitation)]
