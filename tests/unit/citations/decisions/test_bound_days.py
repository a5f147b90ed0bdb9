"""A day before an Aktenzeichen is its day only where both belong to one citation."""

import pytest

from fundstelle.citations.find import find
from fundstelle.law.citations import DecisionCitation


def list_days(text: str) -> list[str | None]:
    return [
        target.issued_on
        for found in find(text)
        for target in found.targets
        if isinstance(target, DecisionCitation)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Mit Schriftsatz vom 12.05.2021 erhob die Klägerin Klage beim LG Berlin – 27 O 15/22.",
        "Gegen den Bescheid vom 12.05.2021 erhob der Kläger Klage (VG 2 K 7.22).",
        "Mit Klage vom 12.05.2021 (VG Minden 7 K 389/22) wird das begehrt.",
        "Der Antrag datiert vom 12.05.2021. Ein Parallelverfahren (7 K 539/22) ist anhängig.",
        "Mit Beschluss vom 12.05.2021 abgetrennt und unter dem Aktenzeichen 2 K 13/22 fortgeführt",
        "Am 12.05.2021 ließ der Antragsteller im Verfahren W 6 K 22.1032 Klage erheben.",
        "im Protokoll zur mündlichen Verhandlung vom 12.05.2021 im Verfahren 2 K 167/22",
    ],
)
def test_a_day_of_another_phrase_is_not_taken(text: str) -> None:
    assert list_days(text) == [None]


@pytest.mark.parametrize(
    "text",
    [
        "BGH, Urteil vom 12. Mai 2021 - VI ZR 1/20",
        "das am 12. Mai 2021 verkündete Urteil des Landgerichts Bonn, 14 O 365/20",
        "Urteil des LG Bonn vom 12. Mai 2021 mit dem Az.: 14 O 365/20",
        "der Beschluss des OLG Köln vom 12. Mai 2021 in der Sache 26 U 150/20",
        "das Urteil vom 12. Mai 2021, Muster u. a./Kommission, C-507/20",
        "Urteil [vom 12. Mai 2021,] Muster/Rat [, T-14/20",
        "in seinem Beschluss vom 12. Mai 2021 (zur Einsicht) - 12 B 10331/20.OVG",
        "VG Regensburg, Gerichtsbescheid vom 12. Mai 2021 – RN 9 K 20.488",
        "OLG Köln 12. Mai 2021 – 23 U 3018/20",
    ],
)
def test_the_day_of_the_decision_is(text: str) -> None:
    assert list_days(text) == ["2021-05-12"]
