from pathlib import Path

import numpy as np
import pytest

from fundstelle.search.index import CitingSentence
from fundstelle.search.ranking.contexts import Contexts, Fit, Mask

SENTENCES = [
    CitingSentence(0, "drache feuer turm", (70,)),
    CitingSentence(0, "drache schwanz", (70,)),
    CitingSentence(1, "einhorn wiese drache", (20, 40)),
    CitingSentence(2, "einhorn horn", (40,)),
    CitingSentence(3, "zwerg bart axt", (90,)),
]


def split(text: str) -> list[str]:
    return text.split()


def fit(contexts: Contexts, terms: list[str], hidden: Mask | None = None) -> Fit:
    return contexts.fit(terms, contexts.measure(hidden), hidden)


@pytest.fixture(params=[False, True], ids=["built", "read"])
def contexts(request: pytest.FixtureRequest, tmp_path: Path) -> Contexts:
    built = Contexts.build(SENTENCES, split)
    if not request.param:
        return built
    built.write(tmp_path)
    read = Contexts.read(tmp_path)
    assert read is not None
    return read


def mask(*hidden: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.isin(np.arange(len(SENTENCES)), hidden)


def test_the_norm_whose_sentences_say_most_of_it_is_best(contexts: Contexts) -> None:
    assert fit(contexts, ["drache", "feuer"]).list_best(2)[0] == 70
    assert fit(contexts, ["einhorn", "horn"]).list_best(2) == [40, 20]


def test_words_of_several_sentences_of_a_norm_count_together(contexts: Contexts) -> None:
    fitted = fit(contexts, ["feuer", "schwanz"])
    assert fitted.list_best(9) == [70]
    single = fit(contexts, ["feuer"]).find(np.array([70]))
    assert fitted.find(np.array([70])) > single


def test_a_sentence_that_cites_two_norms_says_less_of_each(contexts: Contexts) -> None:
    twenty, seventy = fit(contexts, ["drache"]).find(np.array([20, 70]))
    assert 0 < twenty < seventy


def test_what_no_sentence_cites_has_no_score_and_the_last_place(contexts: Contexts) -> None:
    fitted = fit(contexts, ["drache"])
    ordinals = np.array([5, 70, 90, 999])
    assert fitted.find(ordinals).tolist()[0::2] == [0.0, 0.0]
    assert fitted.rank(ordinals).tolist() == [4.0, 0.0, 4.0, 4.0]


@pytest.mark.parametrize("hide", [(0,), (2, 3), (0, 1, 2, 3, 4)])
def test_hidden_sentences_are_as_if_they_had_never_been_there(
    contexts: Contexts, hide: tuple[int, ...]
) -> None:
    left = [one for number, one in enumerate(SENTENCES) if number not in hide]
    without = Contexts.build(left, split)
    terms = ["drache", "einhorn", "axt"]
    ordinals = np.array([20, 40, 70, 90])
    expected = fit(without, terms).find(ordinals)
    assert fit(contexts, terms, mask(*hide)).find(ordinals) == pytest.approx(expected)
    counted = without.count(100) if left else np.zeros(100)
    assert contexts.count(100, mask(*hide)).tolist() == counted.tolist()


def test_unknown_words_fit_nothing(contexts: Contexts) -> None:
    assert fit(contexts, ["troll"]).list_best(3) == []
    assert fit(contexts, []).list_best(3) == []


def test_without_sentences_there_is_nothing() -> None:
    nothing = Contexts.build([], split)
    assert fit(nothing, ["drache"]).find(np.array([1, 2])).tolist() == [0.0, 0.0]
    assert not nothing.count(10).any()


def test_a_folder_without_contexts_has_none(tmp_path: Path) -> None:
    assert Contexts.read(tmp_path) is None
