"""EU acts by number: what is written beside it."""

import pytest

from fundstelle.citations.laws.eu import read_communities


@pytest.mark.parametrize(
    ("written", "communities"),
    [
        ("Verordnung (EWG) Nr. 2016/679", {"EWG"}),
        ("Art. 5 der VO (EU) 2016/679", {"EU"}),
        ("Regulation (EU, Euratom) 2016/679 of the Parliament", {"EU", "EURATOM"}),
        ("VO 679/2016/EG", {"EG"}),
        ("Verordnung2016/679/EUdes Europäischen Parlaments", {"EU"}),
        ("EWGV 679/2016", {"EWG"}),
        ("Regulation (EEC) No 679/2016", {"EWG"}),
        ("Verordnung 2016/679", set()),
        ("Verordnung (EG) Nr. 1/2003 und 2016/679", set()),
        ("DSGVO", set()),
    ],
)
def test_the_community_is_the_one_beside_the_number(written: str, communities: set[str]) -> None:
    assert read_communities(written, "32016R0679") == communities
