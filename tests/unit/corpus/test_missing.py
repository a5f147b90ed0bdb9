import pytest

from fundstelle.corpus.missing import MissingLaw, MissingLaws

GOLD = MissingLaw("goldm_nzg", "Gesetz über die Goldmünze")
GLUE = MissingLaw("leimv_2", "Zweite Leimverordnung")
MISSING = MissingLaws([GOLD, GLUE])


@pytest.mark.parametrize(
    ("name", "law"),
    [
        ("GoldmünzG", GOLD),
        ("Gesetz über die Goldmünze", GOLD),
        ("gesetz über die goldmünze", GOLD),
        ("LeimV 2", GLUE),
        ("LeimV", None),
        ("BGB", None),
    ],
)
def test_a_missing_law_goes_by_its_title_and_its_folder(name: str, law: MissingLaw | None) -> None:
    assert MISSING.find([name]) == law


def test_any_of_several_names_will_do() -> None:
    assert MISSING.find(["BGB", "Zweite Leimverordnung"]) == GLUE


def test_a_missing_law_can_be_read_at_the_publisher() -> None:
    assert GOLD.url == "https://www.gesetze-im-internet.de/goldm_nzg/"
