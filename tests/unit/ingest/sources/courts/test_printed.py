"""What a print says of itself goes before what a list says of it, and is named."""

from datetime import date

import pytest

from fundstelle.ingest.sources.courts.printed import correct
from fundstelle.ingest.sources.decision_text.record import Head
from fundstelle.law.decisions import DecisionSource, DecisionType

_SOURCE = DecisionSource("ifg", "Verwaltungsgericht Köln 13 K 1-20.txt", None)
_REASONS = "\n\nGründe:\n\nDer Hund bellt. Vgl. Urteil vom 7. Juli 2011 - 4 K 9/10.\n"


def head(court: str, docket: str, day: date, kind: DecisionType = DecisionType.URTEIL) -> Head:
    return Head(court, (docket,), day, kind, _SOURCE)


@pytest.mark.parametrize(
    ("listed", "text", "meant"),
    [
        (
            head("BVerwG", "7 B 30.12", date(2012, 5, 27)),
            "BVerwG 7 B 30.12\nhat der 7. Senat\nam 27. Mai 2013\ndurch den Richter",
            ("BVerwG", "7 B 30.12", date(2013, 5, 27), DecisionType.URTEIL),
        ),
        (
            head("VG Köln", "13 K 1/20", date(2020, 3, 4)),
            "Datum:\nAktenzeichen:\n\n25.11.2020\n13 K 1/20\n",
            ("VG Köln", "13 K 1/20", date(2020, 11, 25), DecisionType.URTEIL),
        ),
        (
            head("VG Aachen", "2 K 22/08", date(2008, 4, 22)),
            "Verwaltungsgericht Aachen, 8 K 22/08\nDatum: 22.04.2008\n",
            ("VG Aachen", "8 K 22/08", date(2008, 4, 22), DecisionType.URTEIL),
        ),
        (
            head("EuGH", "T-9/08", date(2011, 6, 7)),
            "URTEIL DES GERICHTS\n7. Juni 2011\nIn der Rechtssache T\u20119/08\n",
            ("EuG", "T-9/08", date(2011, 6, 7), DecisionType.URTEIL),
        ),
        (
            head("VG Bonn", "6 K 1/11", date(2013, 3, 15)),
            "6 K 1/11.WI\nB E S C H L U S S\nIn dem Verfahren\nam 22.05.2012\n",
            ("VG Bonn", "6 K 1/11", date(2012, 5, 22), DecisionType.BESCHLUSS),
        ),
    ],
)
def test_where_both_cannot_be_right_the_text_is(
    listed: Head, text: str, meant: tuple[str, str, date, DecisionType]
) -> None:
    corrected = correct(listed, text + _REASONS)
    found = (corrected.court, corrected.dockets[0], corrected.issued_on, corrected.decision_type)
    assert found == meant
    changed = sum(
        old != new
        for old, new in zip(
            (listed.court, listed.dockets[0], listed.issued_on, listed.decision_type),
            meant,
            strict=True,
        )
    )
    assert len(corrected.doubts) == changed > 0


@pytest.mark.parametrize(
    "text",
    [
        "6 K 1/11\nam 22.05.2012 und am 15. März 2013\n",  # the listed day stands there
        "6 K 1/11\nsiégeant le 15 mars 2013\n",
        "6 K 1/11\nam 22.05.2012\nam 23.05.2012\n",  # two days, so none
        "6 K 1/11\nDer Bescheid vom 22.05.2012\n",  # the day of something else
        "2 O 77/09\nUrteil\n",  # a docket that is not like it is that of another court
    ],
)
def test_what_may_be_right_stays(text: str) -> None:
    listed = head("VG Bonn", "6 K 1/11", date(2013, 3, 15))
    assert correct(listed, text + _REASONS) == listed


def test_a_remark_is_no_part_of_a_docket() -> None:
    listed = head("OVG Schleswig-Holstein", "15 P 4/06 (Berichtigung)", date(2007, 5, 9))
    corrected = correct(listed, "15 P 4/06\nam 9. Mai 2007\n")
    assert corrected.dockets == ("15 P 4/06",)
    assert corrected.doubts == ()
