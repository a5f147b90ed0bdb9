"""The model of the package: texts as sums of the vectors of their terms."""

from pathlib import Path

import numpy as np
import pytest

from fundstelle.search.meaning.student import Pupil, Student, read_student, write_student


@pytest.fixture
def student() -> Student:
    rows = np.array([[127, 0], [0, 127], [127, 127]], np.int8)
    weights = np.array([0.01, 0.02, 0.01], np.float32)
    return Student({"haus": 0, "miete": 1, "wohnung": 2}, rows, weights)


def test_a_text_lies_between_its_terms_nearer_to_those_that_weigh_more(student: Student) -> None:
    vector = student.embed(["haus", "miete"])
    assert vector is not None
    assert vector == pytest.approx(np.array([1, 2]) / np.sqrt(5))


def test_the_order_of_terms_does_not_count_and_repeating_one_counts_less_than_twice(
    student: Student,
) -> None:
    once, other = student.embed(["miete", "haus"]), student.embed(["haus", "miete"])
    twice = student.embed(["haus", "miete", "haus"])
    assert once is not None
    assert other is not None
    assert twice is not None
    assert once.tolist() == pytest.approx(other.tolist())
    assert once[0] < twice[0] < (2 / np.sqrt(4 + 4))


def test_of_terms_that_it_does_not_know_it_says_nothing(student: Student) -> None:
    assert student.embed(["xyz"]) is None
    assert student.embed([]) is None
    known, mixed = student.embed(["haus"]), student.embed(["haus", "xyz"])
    assert known is not None
    assert mixed is not None
    assert known.tolist() == mixed.tolist()


def test_a_question_is_read_by_the_terms_of_the_index(student: Student) -> None:
    pupil = Pupil(student, str.split)
    vector = pupil.embed_questions(["haus"])[0]
    assert vector is not None
    assert vector.tolist() == [1.0, 0.0]
    assert pupil.embed_questions(["xyz"])[0] is None


def test_what_is_written_is_read_again_to_a_byte_s_precision(tmp_path: Path) -> None:
    vectors = np.random.default_rng(1).standard_normal((20, 16)).astype(np.float32)
    write_student([f"t{number}" for number in range(20)], vectors, tmp_path / "student")
    rows = np.load(tmp_path / "student" / "rows.npy")
    weights = np.load(tmp_path / "student" / "weights.npy")
    kept = Student({}, rows, weights).unpack()
    assert np.abs(kept - vectors).max() <= weights.max() * 0.51


def test_the_model_of_the_package_brings_everyday_words_and_the_law_s_together() -> None:
    student = read_student()
    assert len(student.numbers) == len(student.rows) == len(student.weights)

    def measure(one: str, other: str) -> float:
        first, second = student.embed([one]), student.embed([other])
        assert first is not None
        assert second is not None
        return float(first @ second)

    assert measure("vermiet", "miet") > measure("vermiet", "patent") + 0.1
    assert measure("kundig", "arbeitsverhaltnis") > measure("kundig", "patent") + 0.1
