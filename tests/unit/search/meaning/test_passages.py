"""Vectors of passages: a norm is as near as the nearest of its passages."""

from pathlib import Path

import numpy as np
import pytest

from fundstelle.search.meaning.passages import LENGTH, MOST, Passages, PassageWriter
from fundstelle.search.meaning.student import Student

DIMENSIONS = 64
COUNT = 3_000
WORDS = [f"w{number}" for number in range(200)]


@pytest.fixture(scope="module")
def student() -> Student:
    draw = np.random.default_rng(3)
    rows = draw.integers(-127, 128, (len(WORDS), DIMENSIONS)).astype(np.int8)
    weights = np.full(len(WORDS), 0.01, np.float32)
    return Student({word: number for number, word in enumerate(WORDS)}, rows, weights)


def write(student: Student, texts: dict[int, list[int]], folder: Path) -> Passages:
    writer = PassageWriter(student.numbers, student.unpack(), folder)
    for ordinal, words in texts.items():
        writer.add(ordinal, "", "", "", " ".join(WORDS[word] for word in words))
    writer.write(folder)
    opened = Passages.open(folder)
    assert opened is not None
    return opened


@pytest.fixture(scope="module")
def texts() -> dict[int, list[int]]:
    draw = np.random.default_rng(4)
    order = draw.permutation(COUNT * 2)[:COUNT].tolist()  # not every ordinal has a text
    return {one: draw.integers(0, len(WORDS), 6).tolist() for one in order}


@pytest.fixture(scope="module")
def passages(
    student: Student, texts: dict[int, list[int]], tmp_path_factory: pytest.TempPathFactory
) -> Passages:
    return write(student, texts, tmp_path_factory.mktemp("passages"))


def test_a_passage_is_nearest_to_a_question_of_its_own_words(
    student: Student, passages: Passages, texts: dict[int, list[int]]
) -> None:
    for ordinal in list(texts)[:50]:
        question = student.embed([WORDS[number] for number in texts[ordinal]])
        assert question is not None
        (cosine, found), *_ = passages.nearest(question, 5)
        assert found == ordinal
        assert cosine > 0.99


def test_the_nearest_by_bits_and_bytes_are_nearly_all_of_those_by_numbers(
    student: Student, passages: Passages, texts: dict[int, list[int]]
) -> None:
    ordinals = sorted(texts)
    embedded = [student.embed([WORDS[n] for n in texts[one]]) for one in ordinals]
    whole = np.stack([vector for vector in embedded if vector is not None])
    held = 0
    for start in range(30):
        question = student.embed(WORDS[start : start + 4])
        assert question is not None
        best = np.argsort(-(whole @ question))[:20]
        near = {ordinal for _, ordinal in passages.nearest(question, 20)}
        held += sum(ordinals[place] in near for place in best)
    assert held >= 0.85 * 30 * 20  # random vectors are hard to tell apart by signs


def test_similarities_are_those_of_the_nearest_and_unknown_where_there_is_no_text(
    student: Student, passages: Passages, texts: dict[int, list[int]]
) -> None:
    question = student.embed(WORDS[:3])
    assert question is not None
    near = passages.nearest(question, 10)
    assert len(near) == 10
    missing = next(one for one in range(COUNT * 2) if one not in texts)
    asked = [*(ordinal for _, ordinal in near), missing]
    found = passages.similarity(question, asked)
    assert found[:-1] == pytest.approx([cosine for cosine, _ in near])
    assert np.isnan(found[-1])


def test_a_long_text_is_read_in_passages_and_counts_by_its_nearest(
    student: Student, tmp_path: Path
) -> None:
    begin, middle = [5] * LENGTH, [9] * LENGTH
    passages = write(student, {7: begin + middle + [5] * 10, 8: [1, 2]}, tmp_path)
    question = student.embed([WORDS[9]])
    assert question is not None
    assert len(passages) == 3  # the last ten words are no passage of their own
    assert [ordinal for _, ordinal in passages.nearest(question, 5)] == [7]  # 8 is not near
    assert passages.similarity(question, [7])[0] > 0.99


def test_of_an_endless_text_so_many_passages_are_read(student: Student, tmp_path: Path) -> None:
    assert len(write(student, {0: [3] * LENGTH * 50}, tmp_path)) == MOST


def test_an_index_without_them_or_with_those_of_another_model_has_none(
    student: Student, tmp_path: Path
) -> None:
    assert Passages.open(tmp_path) is None
    write(student, {0: [1]}, tmp_path)
    (tmp_path / "passages" / "model.txt").write_text("student/0\n", encoding="utf-8")
    assert Passages.open(tmp_path) is None
