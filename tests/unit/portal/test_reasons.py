"""What is doubtful in a citation, as it is written, is told in the language of the page, too."""

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.parse import parse
from fundstelle.portal.reasons import tell

DOUBTFUL = {
    "BGH, Urteil vom 31.02.2020 - VI ZR 1/20": "ist kein Tag des Kalenders",
    "BGH, Urteil vom 01.03.2029 - XXII ZR 1/20": "einen Senat XXII hat BGH",
    "BGH, Urteil vom 01.03.2099 - VI ZR 1/20": "der 01.03.2099 liegt in der Zukunft",
    "BGH, Urteil vom 01.03.2018 - VI ZR 1/20": "wurde erst nach dem 01.03.2018 eingetragen",
    "BGH, Urteil vom 01.03.2021 - VI ZR 1/20, ECLI:DE:BGH:2021:020321UVIZR1.20.0": "anderen Tag",
    "BGH, Urteil vom 01.03.2021 - VI ZR 1/20, ECLI:DE:BGH:2021:010321UVIZR2.20.0": "anderes Akten",
    "BGH, Urteil vom 01.03.2021 - VI ZR 1/20, ECLI:DE:BAG:2021:010321UVIZR1.20.0": "anderes G",
}


@pytest.mark.parametrize(("written", "german"), DOUBTFUL.items())
def test_a_doubt_has_its_german(written: str, german: str) -> None:
    notes = parse(written, LawNames(())).normalised
    assert notes
    reason = f"§ 1 MusterG is repealed. To check in what is written: {'; '.join(notes)}."
    told = tell(reason, "de")
    assert told.language == "de"
    assert german in told.text
    alone = tell(f"{'; '.join(notes)}.", "de")  # as the verdict on a draft has it
    assert german.lower() in alone.text.lower()


def test_of_several_doubts_all_are_told_or_the_whole_stays_english() -> None:
    known = "2099-01-01 lies in the future"
    two = f"To check in what is written: {known}; {known}."
    assert tell(two, "de").text.count("liegt in der Zukunft") == 2
    odd = f"To check in what is written: {known}; something else."
    assert (tell(odd, "de").text, tell(odd, "de").language) == (odd, "en")


@pytest.mark.parametrize(
    ("sentence", "german"),
    [
        (
            "MusterG was last seen on 2026-04-29; changes up to 2099-12-31 are not known here.",
            "MusterG wurde zuletzt am 29.04.2026 gesehen; Änderungen bis zum 31.12.2099 sind",
        ),
        (
            "§ 8 MusterG changed on 2025-09-01; this is the text until then, of 2025-08-31.",
            "§ 8 MusterG wurde am 01.09.2025 geändert; das ist der Text bis dahin, vom 31.08.2025.",
        ),
        (
            "The day of this decision is not known here; that it is of 2019-05-05 was not checked.",
            "Der Tag dieser Entscheidung ist hier nicht bekannt; dass sie vom 05.05.2019 ist,",
        ),
        (
            "The quote is not in the first 20 of what is cited; the rest was not read for it.",
            "Die zitierten Worte stehen nicht in den ersten 20 Vorschriften, die genannt sind;",
        ),
        (
            "Not this part, but § 5 Nr. 2 was judged by the Constitutional Court.",
            "Nicht dieser Teil, sondern § 5 Nr. 2 wurde vom Bundesverfassungsgericht beurteilt.",
        ),
        (
            "Written as of the EEC; the act's title has EU.",
            "Zitiert als Rechtsakt der EEC; der Titel hat EU.",
        ),
        (
            "There is no Buchst. a here; it was read as § 5 Nr. 4a MusterG.",
            "Buchst. a gibt es hier nicht; gelesen wurde es als § 5 Nr. 4a MusterG.",
        ),
    ],
)
def test_what_is_said_beside_a_citation_in_order_has_its_german(sentence: str, german: str) -> None:
    assert tell(sentence, "de").text.startswith(german)
