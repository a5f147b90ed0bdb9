"""What a name may be: what can be seen, and nothing that is an id or a credential."""

from itertools import count

import pytest

from fundstelle.accounts.keys.format import displayed, new_key, random_text
from fundstelle.accounts.names import NAME_CHARS, check_name, is_name, tidy_name
from fundstelle.accounts.people.records import fold_email
from fundstelle.accounts.secrets import create_secret
from fundstelle.errors import InvalidArgument
from fundstelle.oauth.client_documents import clean_name


@pytest.mark.parametrize(
    "name",
    ["Kanzlei Müller", "Laptop (Büro) 2", "key_", "client_copilot", "Ευα", "a", "x" * 100, "❤️"],
)
def test_what_people_call_things_is_a_name(name: str) -> None:
    assert check_name(name, "x") == name


@pytest.mark.parametrize(
    "name",
    [
        *(f"{kind}_{random_text(16)}" for kind in ("key", "usr", "ses")),
        *(f"{kind}_{random_text(24)}" for kind in ("grant", "client")),
        f"KEY_{random_text(16)}",
        "\uff4b\uff45\uff59_" + random_text(16),  # wide letters, which look the same
        new_key(),
        f"my {new_key()}",
        displayed(new_key()),
        "SK-LEGAL-abcd",
        create_secret(),
        "",
        " \u3000 ",
        "x" * 101,
        "a\nb",
        "a\x00b",
        "a\x1b[2J",
        "a\u202eb",
        "\u2066a",
        "a\u200bb",
        "a\u00adb",
        "a\ud800",
        "a\u2028b",
        "\u3164",
        "a\u115f",
        "a\u034fb",
        "\ue000",
    ],
    ids=count(),
)
def test_what_looks_like_something_else_or_shows_not_all_is_none(name: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_name(name, "x")
    assert caught.value.field == "name"
    assert name not in str(caught.value) or not name.strip()


def test_spaces_and_composed_letters_have_one_form() -> None:
    assert tidy_name("  Mu\u0308ller   GmbH ") == "M\u00fcller GmbH"
    assert is_name("M\u00fcller GmbH")


def test_a_client_that_calls_itself_like_an_id_has_no_name() -> None:
    assert clean_name(f"client_{random_text(24)}") == ""
    assert clean_name("x" * 99 + " y") == "x" * 99
    assert clean_name("Good\u202eApp") == "Good App"


def test_an_address_of_countless_marks_is_folded_in_part() -> None:
    """To put 60,000 combining marks in order takes the interpreter six seconds."""
    folded = fold_email("a\u0344\u0323" * 20_000)
    assert len(folded) <= 3 * 1_000
    assert fold_email(" A\u0308@Kanzlei.example ") == "\u00e4@kanzlei.example"


def test_what_is_far_too_long_for_a_name_is_tidied_in_part_and_is_none() -> None:
    marks = "a\u0344\u0323" * 20_000
    assert NAME_CHARS < len(tidy_name(marks)) <= 3 * 800
    assert not is_name(tidy_name(marks))
    assert clean_name(marks) == "" or len(clean_name(marks)) <= NAME_CHARS
