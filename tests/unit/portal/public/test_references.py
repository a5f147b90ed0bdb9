"""References as links: to the part that is meant, one for each member of a list."""

import pytest

from fundstelle.corpus.store import Reference
from fundstelle.portal.public.references import link_references, write_target

OWN = "de/musterg/1"


def refer(text: str, words: str, *cited: tuple[str, str]) -> list[Reference]:
    start = text.index(words)
    return [
        Reference(OWN, cited_id, path, words, start, start + len(words)) for cited_id, path in cited
    ]


@pytest.mark.parametrize(
    ("cited_id", "path", "address"),
    [
        ("de/estg/32a", "", "/n/de/estg/32a"),
        ("de/estg/32a", "abs=1/satz=2/nr=1", "/n/de/estg/32a#abs-1-satz-2-nr-1"),
        ("eu/32016R0679/art_6", "abs=1/buchst=f", "/n/eu/32016R0679/art_6#abs-1-buchst-f"),
    ],
)
def test_a_reference_leads_to_the_part_that_it_names(
    cited_id: str, path: str, address: str
) -> None:
    assert write_target(cited_id, path) == address


@pytest.mark.parametrize(
    ("words", "cited", "shown"),
    [
        (
            "§§ 4, 5 und 5a DemoG",
            (("de/demog/4", ""), ("de/demog/5", ""), ("de/demog/5a", "")),
            [("§§ 4", "4"), ("5", "5"), ("5a DemoG", "5a")],
        ),
        (
            "§ 93 Absatz 3 Satz 2 oder 4",
            (("de/demog/93", "abs=3/satz=2"), ("de/demog/93", "abs=3/satz=4")),
            [("§ 93 Absatz 3 Satz 2", "93#abs-3-satz-2"), ("4", "93#abs-3-satz-4")],
        ),
        (
            "§ 168 Absatz 1 Nummer 1b oder nach § 172 Absatz 3 oder 3a",
            (
                ("de/demog/168", "abs=1/nr=1b"),
                ("de/demog/172", "abs=3"),
                ("de/demog/172", "abs=3a"),
            ),
            [
                ("§ 168 Absatz 1 Nummer 1b", "168#abs-1-nr-1b"),
                ("§ 172 Absatz 3", "172#abs-3"),
                ("3a", "172#abs-3a"),
            ],
        ),
        (
            "§§ 4 bis 6 DemoG",  # § 5 is not named
            (("de/demog/4", ""), ("de/demog/5", ""), ("de/demog/6", "")),
            [("§§ 4", "4"), ("6 DemoG", "6")],
        ),
        ("§ 4 DemoG", (("de/demog/4", ""),), [("§ 4 DemoG", "4")]),
        (
            "§ 3 Nr. 1 Buchst. a, e; § 3 Nr. 6",
            (
                ("de/demog/3", "nr=1/buchst=a"),
                ("de/demog/3", "nr=1/buchst=e"),
                ("de/demog/3", "nr=6"),
            ),
            [
                ("§ 3 Nr. 1 Buchst. a", "3#nr-1-buchst-a"),
                ("e", "3#nr-1-buchst-e"),
                ("Nr. 6", "3#nr-6"),
            ],
        ),
        (
            "Artikeln 6 und 9",
            (("de/demog/art_6", ""), ("de/demog/art_9", "")),
            [("Artikeln 6", "art_6"), ("9", "art_9")],
        ),
        (
            "§ 4 DemoG und das EGDemoG",  # a law has no number
            (("de/demog/4", ""), ("de/egdemog", "")),
            [("§ 4 DemoG und das EGDemoG", "4")],
        ),
    ],
)
def test_each_member_of_a_list_is_a_link_of_its_own(
    words: str, cited: tuple[tuple[str, str], ...], shown: list[tuple[str, str]]
) -> None:
    text = f"Dies gilt nach {words} nicht."
    links = link_references(refer(text, words, *cited), text, OWN)
    found = [(text[link.start : link.end], link.path) for link in links]
    assert found == [(part, f"/n/de/demog/{number}") for part, number in shown]


def test_what_is_not_held_and_the_norm_itself_are_no_links() -> None:
    text = "Nach § 9 AltG und § 1 gilt nichts."
    references = [
        Reference(OWN, None, "", "§ 9 AltG", 5, 13),
        Reference(OWN, OWN, "", "§ 1", 18, 21),
    ]
    assert link_references(references, text, OWN) == []
