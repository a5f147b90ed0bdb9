"""A provision that gets another number goes on as what it was, and under no other's number."""

from dataclasses import replace

import pytest

from fundstelle.ingest.history.identity import History, rename
from fundstelle.ingest.sources.files import patience
from fundstelle.law.norms import Fassung, Norm, NormKind
from tests.unit.corpus.values import make_fassung, make_norm

SECTION, ARTICLE = NormKind.SECTION, NormKind.ARTICLE


def make(number: str, label: str, text: str) -> tuple[Norm, Fassung]:
    kind = SECTION if label.startswith("§") else ARTICLE
    norm = replace(make_norm(number), kind=kind, label=label)
    return norm, make_fassung(norm.norm_id, text)


def hold(*norms: tuple[Norm, Fassung]) -> list[History]:
    return [(norm, (fassung,)) for norm, fassung in norms]


def read(histories: list[History]) -> dict[str, str]:
    for norm, fassungen in histories:
        assert norm.norm_id == fassungen[-1].norm_id == f"{norm.statute_id}/{norm.number}"
    return {norm.number: f"{norm.label}: {fassungen[-1].text}" for norm, fassungen in histories}


def test_where_nothing_moved_nothing_is_renamed() -> None:
    before = hold(make("1", "§ 1", "a"), make("2", "§ 2", "b"))
    assert rename(before, [make("1", "§ 1", "anders"), make("3", "§ 3", "neu")]) == before


def test_paragraphs_and_articles_that_change_places_keep_their_histories() -> None:
    before = hold(make("1", "§ 1", "a"), make("2", "§ 2", "b"), make("art-1", "Art 1", "c"))
    now = [make("par-1", "§ 1", "a"), make("2", "§ 2", "b"), make("1", "Art 1", "neu gefasst")]
    assert read(list(rename(before, now))) == {"par-1": "§ 1: a", "2": "§ 2: b", "1": "Art 1: c"}


def test_sections_that_are_now_named_with_their_article_are_found_by_their_words() -> None:
    before = hold(make("art-2", "Art 2", "z"), make("1", "§ 1", "a"), make("2", "§ 2", "b"))
    now = [make("2", "Art 2", "z"), make("1/1", "§ 1", "neu"), make("2/1", "§ 1", "a")]
    assert read(list(rename(before, now))) == {
        "2": "Art 2: z",
        "2/1": "§ 1: a",
        "2~2": "§ 2: b",  # not found again, and its number is another's now
    }


def test_norms_of_one_designation_are_told_apart_by_their_words() -> None:
    """One more stands before them now, or the order is another: their histories go with them."""
    before = hold(make("326", "§ 326", "a"), make("326~2", "§ 326", "b"))
    assert read(list(rename(before, [make("326", "§ 326", "b")]))) == {
        "326~2": "§ 326: a",
        "326": "§ 326: b",
    }
    turned = [make("326", "§ 326", "b"), make("326~2", "§ 326", "neu")]
    assert read(list(rename(before, turned))) == {"326~2": "§ 326: a", "326": "§ 326: b"}


def test_norms_of_one_designation_whose_words_are_new_keep_their_places() -> None:
    before = hold(make("1", "§ 1", "a"), make("1~2", "§ 1", "b"))
    now = [make("1", "§ 1", "c"), make("1~2", "§ 1", "d")]
    assert read(list(rename(before, now))) == {"1": "§ 1: a", "1~2": "§ 1: b"}


def test_very_many_norms_of_one_designation_take_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "MOST_S", 20.0)
    numbers = ["1", *(f"1~{number}" for number in range(2, 20_000))]
    before = hold(*(make(number, "§ 1", number) for number in numbers))
    now = [make(number, "Art 1", f"{number} neu") for number in numbers]
    with patience.limited():
        renamed = rename(before, now)
    assert len({norm.norm_id for norm, _ in renamed} | {norm.norm_id for norm, _ in now}) == 39_998


def test_a_further_norm_of_a_designation_takes_no_number_that_is_given() -> None:
    before = hold(make("1", "§ 1", "a"), make("1~2", "§ 1", "b"))
    now = [make("1", "Art 1", "x"), make("1~2", "Art 1", "y")]
    assert read(list(rename(before, now))) == {"1~3": "§ 1: a", "1~4": "§ 1: b"}
