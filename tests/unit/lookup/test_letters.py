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
from fundstelle.lookup.verdicts.judge import judge
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
    "§ 9": f"{{satz 1|Es gelten\n{{nr 8|8. Nägel\n{_mark('buchst', 'a b', DOUBLE)}}}}}",
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


def _number(values: str) -> str:
    absaetze = (f"{{abs {v}|({v}) {{satz 1|Ein Keil.}} {{satz 2|Zwei.}}}}" for v in values.split())
    return "\n".join(absaetze)


@pytest.fixture(scope="module")
def inserted() -> Library:
    """§ 3: Abs. 1, 2, 3, 3a and 4; § 4: Abs. 1 with Buchst. a to f and Abs. 1a; § 5: Abs. 2f.

    § 6: Abs. 2, with a letter a below its Nr. 1, and Abs. 2a; § 7 Abs. 1: Nr. 1 to 3;
    § 8: Abs. 1, 1a, 1b and 2.
    """
    law = build_statute("TrennG", "Trennungsgesetz")
    letters = _mark("buchst", "a b c d e f")
    texts = {
        "§ 3": _number("1 2 3 3a 4"),
        "§ 4": f"{{abs 1|(1) {{satz 1|Es gelten\n{letters}}}}}\n{_number('1a 2')}",
        "§ 5": _number("1 2 2f 3"),
        "§ 8": _number("1 1a 1b 2"),
        "§ 6": "{abs 2|(2) {satz 1|Es gelten\n{nr 1|1. Nägel\n{buchst a|a) krumme,}}}}\n"
        + _number("2a"),
        "§ 7": "{abs 1|(1) {satz 1|Es gelten\n{nr 1|1. Eins,}\n{nr 2|2. Zwei,}\n{nr 3|3. Drei.}}}",
    }
    norms = {label: build_norm(law, label) for label in texts}
    store = InventedStore(
        [law], [(norms[label], [build_fassung(norms[label], texts[label])]) for label in texts]
    )
    return replace(build_library(), store=store, names=LawNames.build([law]))


@pytest.mark.parametrize(
    ("written", "found"),
    [
        # the letter is of the Absatz, however it is written
        *(
            (f"§ 3 {form}", ["§ 3 Abs. 3a"])
            for form in ("III a", "IIIa", "Abs. 3a", "Abs. 3 a", "Abs 3 a", "Abs. III a", "(3) a")
        ),
        ("§ 3 III a 2", ["§ 3 Abs. 3a Satz 2"]),
        ("§ 3 III a S. 2", ["§ 3 Abs. 3a Satz 2"]),
        ("§ 3 III a Satz 2", ["§ 3 Abs. 3a Satz 2"]),
        ("§ 3 III a, IV", ["§ 3 Abs. 3a", "§ 3 Abs. 4"]),
        ("§ 3 III a und IV", ["§ 3 Abs. 3a", "§ 3 Abs. 4"]),
        ("§ 3 III, III a", ["§ 3 Abs. 3", "§ 3 Abs. 3a"]),
        ("§ 6 II a", ["§ 6 Abs. 2a"]),
        # unless it has such a letter
        ("§ 4 I a", ["§ 4 Abs. 1 Satz 1 Buchst. a"]),
        ("§ 4 I f", ["§ 4 Abs. 1 Satz 1 Buchst. f"]),
        ("§ 4 (1) f", ["§ 4 Abs. 1 Satz 1 Buchst. f"]),
        ("§ 4 Abs. 1 f", ["§ 4 Abs. 1 Satz 1 Buchst. f"]),
        ("§ 4 Abs. 1 b", ["§ 4 Abs. 1 Satz 1 Buchst. b"]),
        ("§ 4 Abs. 1 a", ["§ 4 Abs. 1a"]),
        ("§ 4 I b, c", ["§ 4 Abs. 1 Satz 1 Buchst. b", "§ 4 Abs. 1 Satz 1 Buchst. c"]),
        ("§ 8 I a, b", ["§ 8 Abs. 1a", "§ 8 Abs. 1b"]),
        ("§ 8 I a und b", ["§ 8 Abs. 1a", "§ 8 Abs. 1b"]),
        # "f" without a stop is what follows, where no part has that letter
        *((f"§ 3 {form}", ["§ 3 Abs. 1", "§ 3 Abs. 2"]) for form in ("Abs 1 f", "Abs. 1 f", "I f")),
        ("§ 5 Abs 2 f", ["§ 5 Abs. 2f"]),
        ("§ 5 II f", ["§ 5 Abs. 2f"]),
        ("§ 7 Abs 1 Nr 1 f", ["§ 7 Abs. 1 Satz 1 Nr. 1", "§ 7 Abs. 1 Satz 1 Nr. 2"]),
        # and nothing follows the last
        ("§ 3 Abs 4 f", ["subunit_does_not_exist"]),
        ("§ 3 IV f", ["subunit_does_not_exist"]),
        ("§ 7 Abs 1 Nr 3 f", ["subunit_does_not_exist"]),
        ("§ 3 IV a", ["subunit_does_not_exist"]),
    ],
)
def test_a_letter_behind_a_blank(inserted: Library, written: str, found: list[str]) -> None:
    outcomes = resolve(inserted, f"{written} TrennG", TODAY).outcomes
    assert [
        one.status if isinstance(one, Miss) else one.citation.removesuffix(" TrennG")
        for one in outcomes
        if isinstance(one, Miss | ProvisionHit)
    ] == found


def test_where_both_are_there_the_other_is_named(inserted: Library) -> None:
    for written, other in (("§ 4 I a", "§ 4 Abs. 1a"), ("§ 6 II a", "Nr. 1 Buchst. a")):
        [hit] = resolve(inserted, f"{written} TrennG", TODAY).outcomes
        assert isinstance(hit, ProvisionHit)
        [place] = hit.alternatives
        assert place.citation.removesuffix(" TrennG").endswith(other)


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("§ 2 Abs. 1 lit. b ff", ["ff"]),
        ("§ 9 Nr. 8 b ff", ["ff"]),
        ("§ 9 Nr. 8 b gg", ["gg"]),
        ("§ 9 Nr. 8 a ff", ["a", "b"]),
        ("§ 2 Abs. 1 Buchst. b ff", ["ff"]),
        ("§ 2 Abs. 1 Buchst. b) ff)", ["ff"]),
        ("§ 2 Abs. 1 lit. a ff", ["a", "b", "c"]),
        ("§ 2 Abs. 1 lit. b ff.", ["b", "c"]),
        ("§ 1 Abs. 1 lit. f ff", ["f", "g", "h"]),
    ],
)
def test_ff_is_a_double_letter_where_there_is_one(
    library: Library, written: str, found: list[str]
) -> None:
    resolution = resolve(library, f"{written} BuchstG", TODAY)
    assert _list_found(library, f"{written} BuchstG") == found
    assert judge(library, resolution).verdict == "ok"


@pytest.fixture(scope="module")
def sentences() -> Library:
    """§ 8 Abs. 1: two sentences, in the first Buchst. a with two of its own, and b with one."""
    law = build_statute("SatzG", "Satzgesetz")
    items = (
        "{buchst a|a) {satz 1|Nägel.} {satz 2|Das gilt nicht für krumme.}}\n"
        "{buchst b|b) {satz 1|Schrauben.}}"
    )
    norm = build_norm(law, "§ 8")
    text = f"{{abs 1|(1) {{satz 1|Es gelten\n{items}}}\n{{satz 2|Anderes gilt nicht.}}}}"
    store = InventedStore([law], [(norm, [build_fassung(norm, text)])])
    return replace(build_library(), store=store, names=LawNames.build([law]))


@pytest.mark.parametrize(
    ("written", "verdict", "found"),
    [
        ("lit. a, Satz 2", "ok", "Buchst. a Satz 2"),
        ("lit. a), Satz 2", "ok", "Buchst. a Satz 2"),
        ("lit. a Satz 2", "ok", "Buchst. a Satz 2"),
        ("Buchst. a, 2. Satz", "ok", "Buchst. a Satz 2"),
        ("lit. b Satz 2", "wrong", None),
        # of b, which has no second, or of Abs. 1: not told
        ("lit. b, Satz 2", "unclear", None),
        ("lit. b, S. 2", "unclear", None),
        ("lit. b), Satz 2", "unclear", None),
        ("Buchst. b, 2. Satz", "unclear", None),
        ("point (b), second sentence", "unclear", None),
        # of Abs. 1, as is said
        ("lit. b und Satz 2", "ok", "Abs. 1 Satz 2"),
        ("Satz 1 lit. b, Satz 2", "ok", "Abs. 1 Satz 2"),
        # of neither
        ("lit. b, Satz 3", "wrong", None),
    ],
)
def test_a_sentence_behind_a_letter_and_a_comma(
    sentences: Library, written: str, verdict: str, found: str | None
) -> None:
    resolution = resolve(sentences, f"§ 8 Abs. 1 {written} SatzG", TODAY)
    assert judge(sentences, resolution).verdict == verdict
    last = resolution.outcomes[-1]
    assert isinstance(last, ProvisionHit) == (found is not None)
    if isinstance(last, ProvisionHit):
        assert last.citation.removesuffix(" SatzG").endswith(found or "")
    elif verdict == "unclear":
        assert isinstance(last, Miss)
        assert last.suggestions[0].citation == "§ 8 Abs. 1 Satz 2 SatzG"
