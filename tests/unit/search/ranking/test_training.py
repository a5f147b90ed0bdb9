import random

import numpy as np
import numpy.typing as npt
import pytest

from fundstelle.search.index import CitingSentence
from fundstelle.search.ranking.contexts import Mask
from fundstelle.search.ranking.features import FEATURES, PLAIN, Features
from fundstelle.search.ranking.forward import Numbers
from fundstelle.search.ranking.ranker import BOTH, DEFAULT, NONE, Ranker, read_default
from fundstelle.search.ranking.training import GAIN, choose, learn, list_runs, select, train_default

LAWS = np.arange(40, dtype=np.int32) // 4


def make_sentences(count: int) -> list[CitingSentence]:
    draw = random.Random(3)
    words = [f"wort{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(400)]
    return [
        CitingSentence(n // 4, " ".join(draw.choices(words, k=12)), (draw.randrange(40),))
        for n in range(count)
    ]


def describe(sentence: CitingSentence, hidden: Mask) -> tuple[Numbers, Features]:
    """Twelve candidates; what is cited has more of the first features than the others."""
    assert hidden[sentence.source * 4]
    draw = np.random.default_rng(sentence.source)
    ordinals = np.arange(12) + sentence.cited[0] // 12 * 12
    features = draw.random((12, len(FEATURES))).astype(np.float32)
    features[:, 7] += ordinals == sentence.cited[0]
    features[:, 16] = 20  # terms: a text as long as those of courts
    return ordinals, features


def test_the_same_sentences_give_the_same_model() -> None:
    sentences = make_sentences(300)
    first, second = (learn(sentences, LAWS, describe, enough=100) for _ in range(2))
    assert first == second
    assert first.card["use"] == BOTH
    assert first.model is not None
    assert Ranker([first.model]).score(np.zeros((2, len(FEATURES)), np.float32)).shape == (2,)


def test_few_sentences_leave_the_default_model_alone() -> None:
    learnt = learn(make_sentences(99), LAWS, describe, enough=100)
    assert (learnt.card["use"], learnt.model) == (DEFAULT, None)


@pytest.mark.parametrize(
    ("plain", "default", "both", "gain", "used"),
    [
        (0.2, 0.3, 0.4, 0.05, BOTH),
        (0.2, 0.3, 0.31, -0.01, DEFAULT),
        (0.2, 0.3, 0.29, -0.1, DEFAULT),
        (0.3, 0.3, 0.2, -0.2, DEFAULT),
        (0.5, 0.3, 0.4, 0.05, NONE),
        (0.5, 0.4, 0.3, -0.2, NONE),
    ],
)
def test_a_model_is_used_only_if_it_is_surely_better_and_none_if_words_alone_are(
    plain: float, default: float, both: float, gain: float, used: str
) -> None:
    assert choose({NONE: plain, DEFAULT: default, BOTH: both, GAIN: gain}) == used


def test_without_lightgbm_the_default_model_has_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_name: str) -> None:
        raise OSError("libgomp.so.1: cannot open shared object file")

    monkeypatch.setattr("fundstelle.search.ranking.ranker.import_module", fail)
    learnt = learn(make_sentences(99), LAWS, describe, enough=10)
    assert (learnt.card["use"], learnt.model) == (DEFAULT, None)
    assert "libgomp1" in learnt.card["reason"]


def test_no_norm_and_no_law_asks_more_than_its_share() -> None:
    sentences = [CitingSentence(n, f"satz {n}", (n % 2,)) for n in range(50)]
    laws: npt.NDArray[np.int32] = np.array([0, 1], np.int32)
    chosen = select(sentences, laws, random.Random(1))
    assert len(chosen) == 16
    many = [CitingSentence(n, f"satz {n}", (n,)) for n in range(150)]
    assert len(select(many, np.zeros(150, np.int32), random.Random(1))) == 100


def test_what_shares_a_run_of_words_or_the_decision_is_hidden_from_a_question() -> None:
    shared = "der Käufer kann vom Vertrag zurücktreten"
    sentences = [
        CitingSentence(0, f"Danach gilt: {shared}, sagt das Gericht", (0,)),
        CitingSentence(0, "ein ganz anderer Satz derselben Entscheidung des Gerichts", (4,)),
        CitingSentence(1, f"Auch hier: {shared} und mehr", (8,)),
        CitingSentence(2, "nichts davon steht in diesem Satz der dritten Entscheidung", (12,)),
    ]
    seen: dict[int, list[bool]] = {}

    def look(sentence: CitingSentence, hidden: Mask) -> tuple[Numbers, Features]:
        seen[sentence.cited[0]] = [bool(hidden[number]) for number in range(4)]
        return np.zeros(0, np.int64), np.zeros((0, len(FEATURES)), np.float32)

    learn(sentences, LAWS, look, enough=1)
    assert seen[0][:3] == [True, True, True]
    assert seen[8][0]
    assert seen[8][2]
    assert list_runs(shared) & list_runs(sentences[0].text)


def test_the_default_model_has_our_features_and_is_small() -> None:
    text = read_default()
    assert len(text) < 400_000
    named = next(line for line in text.splitlines() if line.startswith("feature_names="))
    assert named.partition("=")[2].split() == list(FEATURES)[:PLAIN]


def test_the_default_model_is_trained_on_plain_features_alone() -> None:
    model = train_default(make_sentences(300), LAWS, describe)
    assert Ranker([model]).score(np.zeros((2, len(FEATURES)), np.float32)).shape == (2,)
    assert "contexts" not in model


def test_the_card_says_how_many_sentences_come_from_which_collection() -> None:
    sentences = [
        CitingSentence(n, f"satz {n}", (n % 40,), "Sammlung"[: n % 2 * 8]) for n in range(9)
    ]
    assert learn(sentences, LAWS, describe).card["collections"] == {"Sammlung": 4}


def test_questions_of_the_fold_see_all_other_decisions() -> None:
    sentences = make_sentences(400)
    hidden_of: dict[int, set[int]] = {}

    def look(sentence: CitingSentence, hidden: Mask) -> tuple[Numbers, Features]:
        hidden_of[sentence.source] = {one.source for n, one in enumerate(sentences) if hidden[n]}
        return describe(sentence, hidden)

    learn(sentences, LAWS, look, enough=100)
    sources = sorted({one.source for one in sentences})
    fold = random.Random(1).sample(sources, len(sources) // 8)
    assert all(hidden_of[source] == {source} for source in fold if source in hidden_of)
    assert any(len(hidden) > 30 for hidden in hidden_of.values()), "others see only some of them"
