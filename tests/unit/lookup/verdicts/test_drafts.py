"""Which citations a draft has, and whose words it quotes."""

import time

import pytest

from fundstelle.lookup.verdicts.drafts import read_draft
from tests.unit.lookup.invented import build_library

NAMES = build_library().names
WORDS = "Die Säge ist scharf"


def read(text: str) -> dict[str, tuple[str, ...]]:
    return {place.found.text: place.quotes for place in read_draft(text, NAMES).places}


@pytest.mark.parametrize(
    "sentence",
    [
        f"„{WORDS}.“ (§ 4 MusterG).",
        f'Es gilt "{WORDS}" (vgl. § 4 MusterG).',
        f"Nach § 4 MusterG gilt: „{WORDS}.“",
        f"§ 4 MusterG bestimmt, gem. Abs. 1 und i. d. R. am 1. Mai, dass »{WORDS}« gelte.",
        f"Wenn „{WORDS}“, wie Dr. Muster meint, gilt § 4 MusterG.",
        f"„{WORDS}“, § 4 MusterG",
        f"”{WORDS}” (§ 4 MusterG)",
        f"‚{WORDS}‘ (§ 4 MusterG)",
        f"‘{WORDS}’ (§ 4 MusterG)",
        f"›{WORDS}‹ (§ 4 MusterG)",
        f"‹{WORDS}› (§ 4 MusterG)",
        f"'{WORDS}' (§ 4 MusterG)",
        f"Nach § 4 MusterG gilt:\n\n„{WORDS}.“",
        f"„{WORDS}.“\n\n(§ 4 MusterG)",
        f"§ 4 MusterG lautet:\n\n> {WORDS}\n\nSo ist es.",
        f"> {WORDS}.\n\n(§ 4 MusterG)",
        f"> „{WORDS}.“\n\n— § 4 MusterG",
    ],
)
def test_a_quotation_belongs_to_the_citation_of_its_sentence(sentence: str) -> None:
    ((_, quotes),) = read(sentence).items()

    assert [quote.rstrip(".") for quote in quotes] == [WORDS]


@pytest.mark.parametrize(
    "text",
    [
        f"Es gilt § 4 MusterG. Dort steht anderes als „{WORDS}“.",
        f"„{WORDS}.“ Nach § 4 MusterG gilt das nicht.",
        f"Es gilt § 4 MusterG\n\n„{WORDS}“",
        "Das „Muster“ und die „rauhe Feile“ sind in § 4 MusterG genannt.",
    ],
)
def test_a_quotation_of_another_sentence_or_a_term_is_nobodys(text: str) -> None:
    assert read(text) == {"§ 4 MusterG": ()}


def test_a_block_is_one_quotation_with_what_it_quotes_itself() -> None:
    text = "§ 4 MusterG lautet:\n> Die „sehr alte Säge“\n> ist 'scharf wie neu'\n\nEnde."

    assert read(text) == {"§ 4 MusterG": ("Die „sehr alte Säge“\nist 'scharf wie neu'",)}


def test_an_apostrophe_opens_no_quotation() -> None:
    assert read("Nach § 4 MusterG gilt Lex' Art, wie's war und geht's auch.") == {"§ 4 MusterG": ()}


def test_of_two_citations_the_one_in_brackets_behind_has_the_words_else_the_one_before() -> None:
    text = f"Anders als § 1 MusterG sagt „{WORDS}“ (§ 4 MusterG) etwas."
    assert read(text) == {"§ 1 MusterG": (), "§ 4 MusterG": (WORDS,)}

    text = f"Nach § 1 MusterG gilt „{WORDS}“, während § 4 MusterG schweigt."
    assert read(text) == {"§ 1 MusterG": (WORDS,), "§ 4 MusterG": ()}


OTHER = "Eine Feile ist rau"


@pytest.mark.parametrize(
    "text",
    [
        f"§ 4 MusterG: „{WORDS}“\n§ 1 MusterG: „{OTHER}“",
        f"- § 4 MusterG lautet „{WORDS}“,\n- § 1 MusterG lautet „{OTHER}“.",
        f"Nach § 4 MusterG gilt „{WORDS}“, nach § 1 MusterG gilt „{OTHER}“.",
        f"§ 4 MusterG – „{WORDS}“\n§ 1 MusterG – „{OTHER}“",
        f"§ 4 MusterG\t„{WORDS}“\n§ 1 MusterG\t„{OTHER}“",
        f"§ 4 MusterG: „{WORDS}“; § 1 MusterG: „{OTHER}“; § 2 MusterG schweigt.",
        f"§ 4 MusterG lautet: „{WORDS}“\n§ 1 MusterG lautet: „{OTHER}“\n§ 2 MusterG schweigt.",
        f"„{WORDS}“, § 4 MusterG; „{OTHER}“, § 1 MusterG; „und was noch kommt“.",
        f"„{WORDS}“ – § 4 MusterG\n„{OTHER}“ – § 1 MusterG\n„und was noch kommt“",
        f"Zu § 2 MusterG: „{WORDS}“ (§ 4 MusterG), „{OTHER}“ (§ 1 MusterG).",
        f"„{WORDS}“ (vgl. etwa § 4 MusterG) und „{OTHER}“ (so auch § 1 MusterG).",
        f"Nach § 4 MusterG gilt „{WORDS}“ (anders § 2 MusterG), „{OTHER}“, § 1 MusterG.",
    ],
)
def test_in_a_list_each_has_its_words_whichever_way_round(text: str) -> None:
    owned = read(text)
    assert owned["§ 4 MusterG"] == (WORDS,)
    assert owned["§ 1 MusterG"][0] == OTHER
    assert not owned.get("§ 2 MusterG")


def test_what_a_quotation_cites_without_a_law_is_part_of_its_words() -> None:
    text = "Nach § 1 MusterG gilt: „Wer nach § 2 Werkzeug leiht, ölt es.“ (§ 4 MusterG)"

    assert list(read(text)) == ["§ 1 MusterG", "§ 4 MusterG"]


def test_a_law_that_is_only_named_is_no_citation() -> None:
    assert read("Das Mustergesetz und das MusterG gelten, auch § 4 MusterG.") == {"§ 4 MusterG": ()}


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("Nach § 4 MusterG, § 5 des Mietvertrags", ["§ 5"]),
        ("Art. 5 der Satzung und Abs. 2 daselbst", ["Art. 5", "Abs. 2"]),
        ("BGH, Urteil vom 26.04.2022 – VI ZR 147/21", []),
        ("das Urteil vom 26.04.2022 des Gerichts", ["Urteil vom 2"]),
        ("Az. beliebig", ["Az. b"]),
        ("kein Zitat", []),
    ],
)
def test_what_only_looks_like_a_citation_is_told(text: str, unread: list[str]) -> None:
    found = [text[at:] for at in read_draft(text, NAMES).unread]

    assert len(found) == len(unread)
    assert all(rest.startswith(head) for rest, head in zip(found, unread, strict=True))


@pytest.mark.parametrize(
    "piece",
    [
        f"„{WORDS}“ (§ 4 MusterG). ",
        "„a b c ",
        '"a b c ',
        "§ ",
        "Urteil vom 1",
        f"§ 4 MusterG „{WORDS}“ Abs. ",
        f"„{WORDS}.“\n§ 4 MusterG\n",
        f"> {WORDS}.\n> § 4 MusterG\n\n",
        "»a b c ",
    ],
)
def test_reading_takes_the_time_of_its_length(piece: str) -> None:
    def measure(size: int) -> float:
        begin = time.thread_time()
        read_draft(piece * (size // len(piece)), NAMES)
        return time.thread_time() - begin

    measure(10_000)
    short = min(measure(20_000) for _ in range(3))
    # Eight times the length; its square would be 64 times the time.
    assert measure(160_000) < 30 * max(short, 0.01)


def test_a_decision_is_read_with_its_court_and_randnummern_beyond_a_bracket() -> None:
    case = "Urteil vom 12. Mai 2021 - VI ZR 1/21"
    text = f"So der BGH ({case}), Rn. 9. Rn. 8 in BAG, {case}, sagt es, wie OLG Bonn ({case})."

    places = read_draft(text, NAMES).places

    assert [place.found.text for place in places] == [
        f"BGH ({case}), Rn. 9",
        f"Rn. 8 in BAG, {case}",
        f"OLG Bonn ({case})",
    ]
    assert all(text[one.found.start : one.found.end] == one.found.text for one in places)
