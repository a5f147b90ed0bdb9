"""The words of the pages."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from fundstelle.law.norms import NormStatus
from fundstelle.lookup.validity.notes import KINDS
from fundstelle.portal.frame.texts import LANGUAGES, choose_language, load_texts

_TEMPLATE = re.compile(r"""\bt\(\s*'([a-z_]+\.[a-z_]+)'\s*[,)]""")
_PREFIX = re.compile(r"""'([a-z_]+\.[a-z_]*)'\s*~""")
_QUOTED = re.compile(r"""['"]([a-z_]+\.[a-z_]+)['"]""")
_PLACE = re.compile(r"{(\w+)}")


def read_all(suffixes: tuple[str, ...]) -> str:
    folder = Path(str(files("fundstelle.portal")))
    found = (file for file in sorted(folder.rglob("*")) if file.suffix in suffixes)
    return "\n".join(file.read_text("utf-8") for file in found)


def test_every_text_that_a_template_asks_for_is_there() -> None:
    asked = set(_TEMPLATE.findall(read_all((".html",))))
    assert len(asked) > 100
    assert asked - set(load_texts()["de"]) == set()


def test_every_text_is_used() -> None:
    source = read_all((".html", ".py"))
    used = set(_QUOTED.findall(source))
    prefixes = tuple(set(_PREFIX.findall(source)) | set(re.findall(r'f"([a-z_]+\.)', source)))
    prefixes += (
        "reason.",
        "why.",
        "doubt.",
    )  # recognised by their English words (``portal.reasons``)
    ends = ("_next",)  # of a problem's title
    unused = [
        key
        for key in load_texts()["de"]
        if key not in used and not key.startswith(prefixes) and not key.endswith(ends)
    ]
    assert unused == []


def test_both_languages_have_the_same_places_for_values() -> None:
    texts = load_texts()
    for key, german in texts["de"].items():
        english = texts["en"][key]
        assert set(_PLACE.findall(german)) == set(_PLACE.findall(english)), key


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        ("de-DE,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.9", "en"),
        ("fr-FR,fr;q=0.9,de;q=0.5,en;q=0.4", "de"),
        ("en;q=0.1,de;q=0.2", "de"),
        ("de;q=0,en;q=0.1", "en"),
        ("fr", "en"),
        ("", "en"),
        ("de;q=viel", "en"),
        (";;;,,,", "en"),
    ],
)
def test_the_language_follows_the_browser(accepted: str, expected: str) -> None:
    assert choose_language(accepted) == expected
    assert expected in LANGUAGES


def test_every_note_and_status_of_a_norm_has_words() -> None:
    stated = set(NormStatus) - {NormStatus.IN_FORCE}
    wanted = {f"validity.{kind}" for kind in KINDS} | {f"status.{status}" for status in stated}
    assert wanted - set(load_texts()["de"]) == set()
