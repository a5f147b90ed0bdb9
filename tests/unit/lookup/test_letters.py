"""Letters that are also the sign for what follows: ``Buchst. a bis f``, ``Buchst. b ff``."""

from dataclasses import replace

import pytest

from fundstelle.citations.format import format_citation
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.parse import parse
from fundstelle.ingest.graph.resolving import _unfold
from fundstelle.law.citations import NormCitation
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    TODAY,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
    build_statute,
)


def _mark(level: str, values: str, inside: str = "") -> str:
    """A list of parts, of which the second may hold others."""
    parts = []
    for place, value in enumerate(values.split()):
        held = inside if place == 1 else ""
        parts.append(f"{{{level} {value}|{value}) ein Nagel{held and chr(10) + held},}}")
    return "\n".join(parts)


LAW = build_statute("BuchstG", "Buchstabengesetz")
DOUBLE = _mark("dbuchst", "aa bb cc dd ee ff gg")
TEXTS = {
    "§ 1": f"{{abs 1|(1) {{satz 1|Es gelten\n{_mark('buchst', 'a b c d e f g h')}}}}}",
    "§ 2": f"{{abs 1|(1) {{satz 1|Es gelten\n{_mark('buchst', 'a b c', DOUBLE)}}}}}",
}


@pytest.fixture(scope="module")
def library() -> Library:
    """§ 1 Abs. 1 with eight letters, § 2 Abs. 1 with three, b of them with seven double letters."""
    norms = {label: build_norm(LAW, label) for label in TEXTS}
    store = InventedStore(
        [LAW], [(norms[label], [build_fassung(norms[label], TEXTS[label])]) for label in TEXTS]
    )
    return replace(build_library(), store=store, names=LawNames.build([LAW]))


def _list_found(library: Library, written: str) -> list[str]:
    """What each outcome names last, or the status of a miss."""
    outcomes = resolve(library, written, TODAY).outcomes
    return [
        one.status if isinstance(one, Miss) else one.citation.removesuffix(" BuchstG").split()[-1]
        for one in outcomes
        if isinstance(one, Miss | ProvisionHit)
    ]


@pytest.mark.parametrize(
    "form",
    [
        "lit. {0} bis {1}",
        "Buchst. {0} bis {1}",
        "Buchstaben {0} bis {1}",
        "Buchstaben {0} bis einschließlich {1}",
        "Buchstabe {0} bis Buchstabe {1}",
        "lit. {0}-{1}",
        "lit. {0} – {1}",
        "lit. {0}) bis {1})",
        "lit. {0})-{1})",
        "Buchst. {0}) bis Buchst. {1})",
        "{0}) bis {1})",
        "lit. ({0}) bis ({1})",
        "points ({0}) to ({1})",
        "({0}) to ({1})",
        "({0})-({1})",
    ],
)
@pytest.mark.parametrize(("first", "last"), [("a", "e"), ("a", "f"), ("c", "f"), ("e", "h")])
def test_a_range_of_letters_has_all_to_its_end(
    library: Library, form: str, first: str, last: str
) -> None:
    letters = [chr(one) for one in range(ord(first), ord(last) + 1)]
    written = form.format(first, last)
    assert _list_found(library, f"§ 1 Abs. 1 {written} BuchstG") == letters
    there = {"a", "b", "c"} >= {first, last}
    assert _list_found(library, f"§ 2 Abs. 1 {written} BuchstG") == (
        letters if there else ["subunit_does_not_exist"]
    )


@pytest.mark.parametrize(
    "form", ["Doppelbuchst. {0} bis {1}", "{0} bis {1}", "{0}-{1}", "{0}) bis {1})"]
)
@pytest.mark.parametrize(("last", "count"), [("ee", 5), ("ff", 6), ("gg", 7)])
def test_a_range_of_double_letters_has_all_to_its_end(
    library: Library, form: str, last: str, count: int
) -> None:
    written = f"§ 2 Abs. 1 Buchst. b {form.format('aa', last)} BuchstG"
    assert _list_found(library, written) == ["aa", "bb", "cc", "dd", "ee", "ff", "gg"][:count]


@pytest.mark.parametrize("words", ["Buchst. a bis f", "Buchst. a f.", "Buchst. a ff."])
def test_what_is_printed_of_a_range_and_of_what_follows_is_read_back(words: str) -> None:
    names = LawNames.build([LAW])
    [target] = parse(f"§ 1 Abs. 1 {words} BuchstG", names).targets
    assert format_citation(target) == f"§ 1 Abs. 1 {words} BuchstG"
    assert parse(format_citation(target), names).targets == (target,)


def test_a_range_to_f_is_not_what_follows(library: Library) -> None:
    found = {
        words: _list_found(library, f"§ 1 Abs. 1 Buchst. {words} BuchstG")
        for words in ("a f.", "a ff.", "a bis f")
    }
    assert found == {"a f.": ["a", "b"], "a ff.": list("abcdefgh"), "a bis f": list("abcdef")}


def test_the_graph_has_each_member_of_a_range_to_f() -> None:
    names = LawNames.build([LAW])

    def unfold(words: str) -> list[str]:
        [target] = parse(f"§ 1 Abs. 1 Buchst. {words} BuchstG", names).targets
        assert isinstance(target, NormCitation)
        return [path for path, _ in _unfold(target.path)]

    assert unfold("a bis f") == [f"abs=1/buchst={letter}" for letter in "abcdef"]
    assert unfold("a ff.") == ["abs=1/buchst=a"]
