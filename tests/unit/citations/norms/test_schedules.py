"""Each number of a list is read of the schedule that it stands with, before its name or behind."""

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.parse import parse
from fundstelle.law.citations import NormCitation


def read(written: str) -> list[str]:
    parsed = parse(written)
    assert parsed.unparsed == ()
    return [write(target) for target in parsed.targets if isinstance(target, NormCitation)]


def write(target: NormCitation) -> str:
    steps = [step.value + (f"-{step.to}" if step.to else "") for step in target.path]
    return f"{target.law} {'/'.join(steps)}".strip()


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("Nr. 3100 VV RVG", "RVG 3100"),
        ("Nrn. 1003, 1000 VV RVG", "RVG 1003 | RVG 1000"),
        ("Nr. 3100 und Nr. 3104 VV RVG", "RVG 3100 | RVG 3104"),
        ("Nummern 3100, 3104 und 7008 der VV RVG", "RVG 3100 | RVG 3104 | RVG 7008"),
        ("Nr. 3100 VV RVG, Nr. 3104 VV RVG", "RVG 3100 | RVG 3104"),
        ("Nr. 3100 VV RVG, 3104 VV RVG", "RVG 3100 | RVG 3104"),
        ("Nr. 3100 VV RVG, Nr. 3104", "RVG 3100 | RVG 3104"),
        ("Nr. 3100 VV RVG und Nr. 1210 KV GKG", "RVG 3100 | GKG 1210"),
        ("VV RVG Nr. 3100, 3104", "RVG 3100 | RVG 3104"),
        ("VV RVG 3100, KV GKG 1210", "RVG 3100 | GKG 1210"),
        ("Nr. 3100 ff. VV RVG", "RVG 3100-ff"),
        ("Nr. 3100 bis 3104 VV RVG", "RVG 3100-3104"),
        ("Nr. 1211 Nr. 2 KV GKG", "GKG 1211/2"),
        ("Anm. zu Nr. 1211 KV GKG", "GKG 1211"),
        ("2300, 7002 VV RVG", "RVG 2300 | RVG 7002"),
        ("VV RVG", "RVG"),
    ],
)
def test_every_number_of_a_schedule_is_read(written: str, found: str) -> None:
    assert read(written) == found.split(" | ")


def test_in_a_text_nothing_before_the_last_citation_is_read_again() -> None:
    text = "Die Gebühr nach Nr. 3100 VV RVG, Nr. 3104 VV RVG und § 13 RVG, Nr. 7002, 7008 VV RVG."
    assert [found.text for found in find(text)] == [
        "Nr. 3100 VV RVG",
        "Nr. 3104 VV RVG",
        "§ 13 RVG",
        "Nr. 7002, 7008 VV RVG",
    ]


@pytest.mark.parametrize("part", ["Vorbem. 3 Abs. 4", "Vorbemerkung 3"])
def test_a_part_without_a_number_is_not_taken_for_the_whole_schedule(part: str) -> None:
    assert parse(f"{part} VV RVG").unparsed == (part,)
    assert not any(
        getattr(found.targets[0], "unit", None) for found in find(f"Nach {part} VV RVG gilt das.")
    )


def test_no_more_than_a_list_is_read_of_many_numbers() -> None:
    many = ", ".join(str(number) for number in range(1000, 3000))
    assert len(parse(f"Nr. {many} VV RVG").targets) <= 50
