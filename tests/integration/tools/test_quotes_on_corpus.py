"""Quotes cut from all of federal law: true ones are verified, false ones never."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.law.norms import Norm, NormKind, NormStatus
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.comparing.folding import fold
from fundstelle.lookup.comparing.quotes import QuoteCheck, check_quote
from fundstelle.lookup.library import Library
from fundstelle.settings import Settings
from tests.integration.tools import cutting

TODAY = date(2025, 4, 1)
QUOTES = 2_500
FOREIGN = 1_000
LONG = 13  # words from which a wording that is found nowhere is a fault

pytestmark = pytest.mark.corpus


@dataclass(frozen=True, slots=True)
class Cut:
    """A true quote and the unit that it was cut from."""

    hit: ProvisionHit
    quote: str


@pytest.fixture(scope="module")
def whole(whole_corpus: Settings) -> Iterator[Library]:
    library = open_library(whole_corpus)
    yield library
    library.index.close()
    library.store.close()


@pytest.fixture(scope="module")
def provisions(whole: Library) -> list[Norm]:
    """Every provision in force of a listed law, in the order of the build."""
    return [
        norm
        for statute in whole.store.statutes.values()
        if statute.listed
        for norm in whole.store.list_norms(statute.statute_id)
        if norm.kind is not NormKind.HEADING and norm.status is NormStatus.IN_FORCE
    ]


@pytest.fixture(scope="module")
def cuts(whole: Library, provisions: list[Norm]) -> list[Cut]:
    """Quotes of whole provisions and of parts of them."""
    rng = random.Random(311)
    cuts: list[Cut] = []
    while len(cuts) < QUOTES:
        hit = open_norm(whole, rng.choice(provisions))
        hit = narrow(hit, rng) if hit else None
        if hit and len(get_words(hit).split(" ")) >= 8:
            cuts.append(Cut(hit, cutting.cut(get_words(hit), rng)))
    return cuts


def open_norm(library: Library, norm: Norm) -> ProvisionHit | None:
    fassung = library.store.find_fassung(norm.norm_id, TODAY)
    if fassung is None or len(fassung.text.split(" ")) < 8:
        return None
    statute = library.store.statutes[norm.statute_id]
    return ProvisionHit(statute, norm, fassung, norm.citation, 0, len(fassung.text))


def narrow(hit: ProvisionHit, rng: random.Random) -> ProvisionHit:
    """In two of three cases a part of the provision."""
    segments = hit.segments
    if not segments or rng.random() < 1 / 3:
        return hit
    unit = rng.randrange(len(segments))
    return replace(hit, start=segments[unit].start, end=segments[unit].end, unit=unit)


def get_words(hit: ProvisionHit) -> str:
    return hit.text[hit.start : hit.end].strip()


def test_every_true_quote_is_verbatim(whole: Library, cuts: list[Cut]) -> None:
    wrong = []
    for each in cuts:
        check = check_quote(whole, each.quote, each.hit, TODAY)
        place = each.hit.text[check.start : check.end]
        if (check.status, check.matched_text, place) != ("verbatim", each.quote, each.quote):
            wrong.append((each.hit.citation, check.status, each.quote))

    assert len(cuts) == QUOTES
    assert wrong == []


def test_every_quote_with_typographic_noise_is_normalised(whole: Library, cuts: list[Cut]) -> None:
    rng = random.Random(312)
    wrong = []
    for each in cuts:
        noisy = cutting.disturb(each.quote, rng)
        check = check_quote(whole, noisy, each.hit, TODAY)
        if check.status != "normalised" or fold(check.matched_text or "") != fold(noisy):
            wrong.append((each.hit.citation, check.status, noisy))

    assert wrong == []


def test_no_quote_with_a_false_word_is_verified_and_the_word_is_named(
    whole: Library, cuts: list[Cut]
) -> None:
    rng = random.Random(317)
    wrong, unnamed = [], []
    asked = 0
    # Of fewer words one may be most; rows of dots or dashes are none.
    long = [
        each
        for each in cuts
        if len(_REAL_WORD.findall(each.quote)) >= _ENOUGH_WORDS and _RULE not in each.quote
    ]
    while asked < QUOTES:
        each = rng.choice(long)
        false = cutting.change(each.quote, rng)
        if false is None or fold(false[0]) in fold(get_words(each.hit)):
            continue
        asked += 1
        check = check_quote(whole, false[0], each.hit, TODAY)
        if check.status != "altered":
            wrong.append((each.hit.citation, check, false))
        elif not false[1] & list_named(check):
            unnamed.append((each.hit.citation, check, false))

    assert wrong == []
    # Where more is dropped than stands before it, what stands before it is named as added.
    assert len(unnamed) <= QUOTES / 1_000, unnamed


_REAL_WORD = re.compile(r"[^\W\d_]{2,}")
_ENOUGH_WORDS = 8
_RULE = "-" * 10  # as forms are printed with


def list_named(check: QuoteCheck) -> set[str]:
    words = " ".join(f"{each.quoted} {each.stored}" for each in check.differences)
    return set(words.split())


def test_what_is_left_out_between_true_parts_does_no_harm(whole: Library, cuts: list[Cut]) -> None:
    rng = random.Random(313)
    wrong = []
    for each in cuts:
        parts = cutting.omit(each.quote, rng) if len(each.quote.split(" ")) >= 8 else [each.quote]
        quote = cutting.join(parts, rng)
        noisy = cutting.join([cutting.disturb(part, rng) for part in parts], rng)
        statuses = [check_quote(whole, q, each.hit, TODAY).status for q in (quote, noisy)]
        if statuses != ["verbatim", "normalised"]:
            wrong.append((each.hit.citation, statuses, quote, noisy))

    assert wrong == []


def test_parts_in_another_order_are_not_verified(whole: Library, cuts: list[Cut]) -> None:
    rng = random.Random(314)
    wrong = []
    asked = 0
    for each in cuts[: QUOTES // 5]:
        words = fold(get_words(each.hit))
        first, *others = cutting.omit(each.quote, rng) if each.quote.count(" ") > 8 else [""]
        if not others or words.count(fold(first)) > 1 or words.count(fold(others[-1])) > 1:
            continue
        asked += 1
        turned = f"{others[-1]} [...] {first}"
        if check_quote(whole, turned, each.hit, TODAY).status in {"verbatim", "normalised"}:
            wrong.append((each.hit.citation, turned))

    assert asked > QUOTES // 20
    assert wrong == []


def test_a_quote_of_the_neighbouring_section_is_placed_there(
    whole: Library, provisions: list[Norm]
) -> None:
    rng = random.Random(315)
    counts: Counter[str] = Counter()
    missed = []
    while sum(counts.values()) < FOREIGN:
        at = rng.randrange(len(provisions) - 1)
        said, true = (open_norm(whole, norm) for norm in provisions[at : at + 2])
        if said and true and said.norm.statute_id == true.norm.statute_id:
            quote = cutting.cut(get_words(true), rng, least=6)
            place = find_place(whole, quote, said, true)
            counts[place] += 1
            if place == "nowhere":
                missed.append((said.citation, true.citation, quote))

    print(counts)  # noqa: T201 a report
    assert missed == []


def test_a_quote_of_another_law_is_placed_there(whole: Library, provisions: list[Norm]) -> None:
    rng = random.Random(316)
    counts: Counter[str] = Counter()
    missed = []
    while sum(counts.values()) < FOREIGN:
        said, true = (open_norm(whole, norm) for norm in rng.sample(provisions, 2))
        if said and true:
            quote = cutting.cut(get_words(true), rng, least=6)
            place = find_place(whole, quote, said, true)
            counts[place] += 1
            if place == "nowhere":
                missed.append((len(_REAL_WORD.findall(quote)), true.citation, quote))

    print(counts)  # noqa: T201 a report
    # a few words that stand in hundreds of provisions are not looked for in all of them
    assert [each for each in missed if each[0] >= LONG] == []
    assert len(missed) <= FOREIGN // 20


def find_place(library: Library, quote: str, said: ProvisionHit, true: ProvisionHit) -> str:
    """Where a foreign quote was found; every place named must have the words."""
    check = check_quote(library, quote, said, TODAY)
    if check.status in {"verbatim", "normalised"}:
        assert fold(quote) in fold(get_words(said))
        return "in both"
    for finding in check.elsewhere:
        fassung = library.store.find_fassung(finding.norm_id, finding.day)
        assert fassung is not None
        assert fold(quote) in fold(fassung.text), (quote, finding)
    if true.norm.norm_id in {finding.norm_id for finding in check.elsewhere}:
        return f"{check.status}, placed"
    return "nowhere" if len(check.elsewhere) < 3 else "in three others"
