"""EU acts by number: what is written beside it."""

import pytest

from fundstelle.citations.laws.eu import read_communities
from fundstelle.citations.parse import parse
from fundstelle.law.citations import EuCitation


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


@pytest.mark.parametrize(
    ("rest", "unit", "path", "version", "unparsed"),
    [
        ("/oj", None, "", None, ()),
        ("/oj/deu/pdf", None, "", None, ()),
        ("/2010-01-01", None, "", "consolidated:2010-01-01", ()),
        ("/art_138/2010-01-01", ("Art", "138"), "", "consolidated:2010-01-01", ()),
        ("/art_6/par_1/pnt_f/oj", ("Art", "6"), "abs-1 buchst-f", None, ()),
        ("/art_3/pnt_2/oj", ("Art", "3"), "nr-2", None, ()),
        ("/rct_47/oj", ("Erwg", "47"), "", None, ()),
        ("/anx_IX/oj", ("Anhang", "IX"), "", None, ()),
        ("/cpt_99/oj", None, "", None, ("cpt_99/oj",)),
        ("/art_6/tit_1/oj", ("Art", "6"), "", None, ("tit_1/oj",)),
        ("/corrigendum/2030-05-23/oj", None, "", None, ("corrigendum/2030-05-23/oj",)),
        ("/xyz", None, "", None, ("xyz",)),
        ("/oj#art_101", ("Art", "101"), "", None, ()),
        ("/oj/deu#art_6.par_1.pnt_f", ("Art", "6"), "abs-1 buchst-f", None, ()),
        ("/oj#art_4/pnt_2", ("Art", "4"), "nr-2", None, ()),
        ("/2010-01-01#rct_47", ("Erwg", "47"), "", "consolidated:2010-01-01", ()),
        ("/oj?locale=de#anx_III", ("Anhang", "III"), "", None, ()),
        ("/oj?locale=de", None, "", None, ()),
        ("/oj#017.001", None, "", None, ("017.001",)),
        ("/oj#d1e2161-1-1", None, "", None, ("d1e2161-1-1",)),
        ("/oj#cpt_III", None, "", None, ("cpt_III",)),
        ("/oj#art_6.tit_1", None, "", None, ("6.tit_1",)),
        ("/art_6/oj#art_7", ("Art", "6"), "", None, ("7",)),
        ("/oj?art=101", None, "", None, ("101",)),
    ],
)
def test_every_part_of_an_eli_is_read_or_named(
    rest: str,
    unit: tuple[str, str] | None,
    path: str,
    version: str | None,
    unparsed: tuple[str, ...],
) -> None:
    read = parse(f"http://data.europa.eu/eli/reg/2016/679{rest}")
    [target] = read.targets

    assert isinstance(target, EuCitation)
    assert (target.celex, target.version, read.unparsed) == ("32016R0679", version, unparsed)
    assert ((target.unit, target.number) if target.unit else None) == unit
    assert " ".join(f"{step.level}-{step.value}" for step in target.path) == path


@pytest.mark.parametrize(
    ("behind", "unit", "unparsed"),
    [
        ("", None, ()),
        ("#art_101", ("Art", "101"), ()),
        ("&from=DE", None, ()),
        ("&from=DE&qid=1700000000000#rct_5", ("Erwg", "5"), ()),
        ("#d1e2161-1-1", None, ("d1e2161-1-1",)),
        ("#Artikel101", None, ("Artikel101",)),
    ],
)
def test_the_place_behind_an_address_of_eur_lex_is_read_or_named(
    behind: str, unit: tuple[str, str] | None, unparsed: tuple[str, ...]
) -> None:
    address = "https://eur-lex.europa.eu/legal-content/DE/TXT/?uri=CELEX:32016R0679"
    read = parse(f"{address}{behind}")
    [target] = read.targets

    assert isinstance(target, EuCitation)
    assert target.celex == "32016R0679"
    assert ((target.unit, target.number) if target.unit else None) == unit
    assert read.unparsed == unparsed


def test_a_treaty_has_no_number_to_compare() -> None:
    assert read_communities("Art. 47 GRCh (EU) 2016/12", "12016P") == frozenset()
