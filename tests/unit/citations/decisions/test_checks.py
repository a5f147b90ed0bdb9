import pytest

from fundstelle.citations.parse import parse


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("BGH, Urteil vom 31.02.2023 - VI ZR 1/22", "31.02.2023 is no day of the calendar"),
        ("BAG 12 AZR 123/19", "the BAG has no senate 12 for 12 AZR 123/19"),
        ("BVerfG, 3 BvR 16/13", "the BVerfG has no senate 3 for 3 BvR 16/13"),
        ("BGH, XV ZR 12/20", "the BGH has no senate XV for XV ZR 12/20"),
        ("BSG B 15 KR 1/20 R", "the BSG has no senate 15 for B 15 KR 1/20 R"),
        ("BFH XII R 3/20", "the BFH has no senate XII for XII R 3/20"),
        ("BFH, Urteil vom 3.3.2019 - X R 2/20", "X R 2/20 was registered after 2019-03-03"),
        ("BGH, Urteil vom 15.05.2099 - VI ZR 175/22", "2099-05-15 lies in the future"),
        ("BayVGH, B.v. 27.3.2005 - 11 ZB 06.41", "11 ZB 06.41 was registered after 2005-03-27"),
        ("BayVGH, B.v. 27.3.2005 - 11 ZB 06.3041", "11 ZB 06.3041 was registered after 2005-03-27"),
        ("VG Berlin, Urteil vom 27.3.2005 - 2 K 1.06", "2 K 1.06 was registered after 2005-03-27"),
    ],
)
def test_impossible_parts_are_named(text: str, note: str) -> None:
    assert note in parse(text).normalised


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            "BGH, Urteil vom 25.10.2022 - VI ZR 258/21, ECLI:DE:BGH:2022:251022UVIZR259.21.0",
            "the ECLI names another Aktenzeichen: VI ZR 259/21, not VI ZR 258/21",
        ),
        (
            "BGH, Urteil vom 24.10.2022 - VI ZR 258/21, ECLI:DE:BGH:2022:251022UVIZR258.21.0",
            "the ECLI names another day: 2022-10-25, not 2022-10-24",
        ),
        (
            "EuG, T-201/04, ECLI:EU:C:2007:289",
            "the ECLI names another court: EuGH, not EuG",
        ),
        (
            "EuGH, Urteil vom 6. Oktober 2015 - C-362/14, EU:C:2014:650",
            "the ECLI names another year: 2014, not 2015",
        ),
    ],
)
def test_an_ecli_that_says_otherwise_is_named(text: str, note: str) -> None:
    assert note in parse(text).normalised


@pytest.mark.parametrize(
    "text",
    [
        "BGH, Urteil vom 25.10.2022 - VI ZR 258/21, ECLI:DE:BGH:2022:251022UVIZR258.21.0",
        "ECLI:DE:BGH:2022:251022UVIZR258.21.0, VI ZR 258/21",
        "BVerwG, Urteil vom 27. Februar 2018 - 7 C 26.16 [ECLI:DE:BVerwG:2018:270218U7C26.16.0]",
        "BVerfG, Beschluss vom 19. Oktober 1966 - 1 BvL 24/65",
        "BGH, Urteil vom 26. Juli 2021 - VIa ZR 335/21",
        "VG München, Beschluss vom 29.07.2004 - 1 E 04.3573",  # the year stands first
        "BayVGH, B.v. 27.3.2006 - 11 ZB 06.41",
        "VGH München, Beschluss vom 3. April 2008 - 4 CS 08.44",
        "VG Regensburg, Urteil vom 28.11.2019 - RO 7 K 17.47",
        "Urteil vom 28.11.2019 - RO 7 K 17.47",
        "Beschluss vom 27.3.2006 - 11 ZB 06.41",
        "EuGH, Urteil vom 6. Oktober 2015 - C-362/14, EU:C:2015:650",
    ],
)
def test_what_agrees_has_no_note_and_one_target(text: str) -> None:
    parsed = parse(text)
    assert (len(parsed.targets), parsed.normalised) == (1, ())
