"""Every reason of a miss that the lookup can give, and why a place is suggested, has its German."""

import ast
import re
from collections.abc import Iterator
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest

from fundstelle.lookup.answers import Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.portal.frame.texts import load_texts
from fundstelle.portal.reasons import tell
from tests.integration.sites.law_site import Site
from tests.integration.tools.test_every_answer import CITATIONS, DAYS
from tests.unit.lookup.invented import FLOOR, STAND, build_library

ROOMS = ("lookup", "tools/answers", "tools/inputs")
MADE = {"Miss": 2, "Suggestion": 2}  # at which place the sentence stands
TITLE = re.compile(r"\.(short_)?title|\.label|\.court")  # names, of laws and decisions
# Where texts of pages are warned of, and what the functions are called that do.
WARNING = (
    "lookup/whole.py",
    "lookup/dating/application.py",
    "lookup/dating/between_looks.py",
    "lookup/dating/unchanged.py",
    "lookup/sources.py",
    "lookup/reading/land_names.py",
    "lookup/decisions/texts.py",
    "tools/answers/applied.py",
    "ingest/sources/courts/printed.py",
    "tools/answers/looks.py",
)
WARNS = re.compile(r"_?warn|say_(land|named|when)|_doubt|_correct_court")
INVENTED = (
    *("§ 3 MusterG", "§ 99 MusterG", "§ 2 Abs. 9 MusterG", "§ 2 Abs. 1 Nr. 7 MusterG", "§ 7"),
    *(
        "§ 1 FehlG",
        "§ 1 Nirgendsgesetz",
        "Unfug",
        "§ 5 SGB",
        "§ 1 MusterG a.F.",
        "Anlage 9 MusterG",
    ),
    *("BGH VI ZR 1/20", "Art. 6 DSGVO", "NJW 2004, 1234", "BT-Drs. 17/12299", "§ 1 MusterG blau"),
    *("§ 2 Abs. 1 Satz 1 Nr. 2 Buchst. x MusterG", "§ 1 BSHG", "§ 1 VOB/B", "BGBl. I 1999 S. 9999"),
)


def iter_sentences() -> Iterator[tuple[str, str]]:
    """Where a miss or a suggestion is made, and each expression that its sentence may be."""
    root = Path(str(files("fundstelle")))
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            tree = ast.parse(path.read_text("utf-8"))
            for function in (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)):
                for node in ast.walk(function):
                    name = getattr(getattr(node, "func", None), "id", "")
                    if isinstance(node, ast.Call) and name in MADE and len(node.args) > MADE[name]:
                        for text in iter_written(node.args[MADE[name]], function):
                            yield f"{path.name}:{node.lineno}", text


def iter_warnings() -> Iterator[tuple[str, str]]:
    """Where the lookup and the tools warn of a text that a page shows, too: each sentence."""
    for name in WARNING:
        path = Path(str(files("fundstelle"))) / name
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef) and WARNS.match(function.name):
                documented = ast.get_docstring(function, clean=False)
                within: set[int] = set()
                for node in ast.walk(function):
                    if isinstance(node, ast.JoinedStr):
                        within |= {id(part) for part in ast.walk(node)} - {id(node)}
                    is_text = isinstance(node, ast.JoinedStr) or (
                        isinstance(node, ast.Constant)
                        and isinstance(node.value, str)
                        and node.value != documented
                        and id(node) not in within
                    )
                    if is_text and isinstance(node, ast.expr):
                        for text in iter_written(node, function):
                            yield f"{name}:{node.lineno}", text


def iter_written(text: ast.expr, function: ast.FunctionDef) -> Iterator[str]:
    """What an expression may give: the fixed words, with ``|`` where something is put in."""
    if isinstance(text, ast.Constant):
        yield str(text.value)
    elif isinstance(text, ast.JoinedStr):
        parts = (str(p.value) if isinstance(p, ast.Constant) else "|" for p in text.values)
        yield "".join(parts)
    elif isinstance(text, ast.IfExp):
        yield from (*iter_written(text.body, function), *iter_written(text.orelse, function))
    elif isinstance(text, ast.Name):
        for node in ast.walk(function):
            names = [getattr(one, "id", "") for one in getattr(node, "targets", ())]
            if isinstance(node, ast.Assign) and text.id in names:
                yield from iter_written(node.value, function)


def is_covered(skeleton: str, english: str) -> bool:
    """Whether the fixed words stand in a sentence of the table, in their order."""
    at = 0
    for words in filter(None, (part.strip(" .,;:") for part in skeleton.split("|"))):
        at = english.find(words, at)
        if at < 0:
            return False
        at += len(words)
    return True


def test_every_sentence_that_is_written_in_the_code_stands_in_the_table() -> None:
    table = [v for k, v in load_texts()["en"].items() if k.startswith(("reason.", "why."))]
    found = list(iter_sentences())
    assert len(found) > 60
    missing = [
        (place, text)
        for place, text in found
        if re.search(r"[a-z]{3}", text) and not any(is_covered(text, one) for one in table)
    ]
    assert missing == []


def test_every_warning_that_a_page_shows_stands_in_the_table() -> None:
    texts = load_texts()["en"]
    table = [v for k, v in texts.items() if k.startswith(("reason.", "warning."))]
    found = list(iter_warnings())
    assert len({place.partition(":")[0] for place, _ in found}) == len(WARNING)
    missing = [
        (place, text)
        for place, text in found
        if re.search(r"[a-z]{3}", text) and not any(is_covered(text, one) for one in table)
    ]
    assert missing == []


def test_what_is_put_in_is_the_same_in_both_languages() -> None:
    texts = load_texts()
    for key, english in texts["en"].items():
        if key.startswith(("reason.", "why.", "doubt.", "warning.")):
            german = texts["de"][key]
            assert sorted(re.findall(r"{\w+}", german)) == sorted(re.findall(r"{\w+}", english)), (
                key
            )


def list_english(library: Library, written: tuple[str, ...], days: list[date]) -> list[str]:
    """The sentences of misses that have no German."""
    said: list[str] = []
    for day in days:
        for one in written:
            for outcome in resolve(library, one, day).outcomes:
                if isinstance(outcome, Miss):
                    said.append(outcome.reason)
                    said += [each.why for each in outcome.suggestions]
    assert said
    held = {statute.title for statute in library.store.statutes.values()}
    return [one for one in dict.fromkeys(said) if is_english(one) and one not in held]


def is_english(sentence: str) -> bool:
    is_one = re.search(r"\b(the|is|of|not|as|on|in)\b", sentence) is not None
    return is_one and tell(sentence, "de").language == "en"


def test_the_reasons_of_invented_laws_are_told_in_german() -> None:
    assert list_english(build_library(), INVENTED, [STAND, FLOOR, date(1990, 1, 1)]) == []


@pytest.mark.corpus
def test_the_reasons_of_real_laws_are_told_in_german(library: Library) -> None:
    days = [date.fromisoformat(day) if day else date(2026, 5, 2) for day in DAYS]
    assert list_english(library, CITATIONS, days) == []


LATER = "later changes, if there were any, are not held here."
SPAETER = "spätere Änderungen, falls es welche gab, fehlen hier."


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("§ 4 X is repealed since 2024-01-02.", "§ 4 X ist seit dem 02.01.2024 aufgehoben."),
        (
            f"§ 4 X is repealed. X was last seen at its publisher on 2024-01-02; {LATER}",
            (
                "§ 4 X ist aufgehoben. X wurde beim Herausgeber zuletzt am 02.01.2024 gesehen;"
                f" {SPAETER}"
            ),
        ),
        (
            "Art. 9 X does not exist: X has only Abs. 1; Nr. 4a is a number of its own.",
            "Art. 9 X gibt es nicht: X hat nur Abs. 1; Nr. 4a ist eine eigene Nummer.",
        ),
        (
            "K is not in this corpus, but cited as L: its publisher says so.",
            "K ist nicht in diesem Bestand, wird aber als L zitiert: das sagt der Herausgeber.",
        ),
    ],
)
def test_a_sentence_is_told_with_what_is_put_in(english: str, german: str) -> None:
    assert tell(english, "de").text == german
    assert tell(english, "en").text == english


def test_what_is_unknown_stays_as_it_is_and_takes_no_time() -> None:
    for sentence in ("Nobody knows why.", "is of on. " * 150, "{said} " * 200, ""):
        assert tell(sentence, "de").language == "en"
        assert tell(sentence, "de").text == sentence


def test_german_pages_have_no_english_reasons(site: Site) -> None:
    page = site.visit(language="de").get("/search?q=" + "§ 99 DemoG").text
    assert "hat keine solche Vorschrift" in page
    assert 'lang="en"' not in page.split('id="miss"')[1].split("</details>")[0]
    english = site.visit(language="en").get("/search?q=" + "§ 99 DemoG").text
    assert "has no such provision" in english
