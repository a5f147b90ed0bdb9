"""What a build learns its ranking from: sentences of its decisions, without those guarded."""

import gzip
import json
import random
from pathlib import Path

import pytest

from fundstelle.bootstrap.library import build_engine
from fundstelle.corpus import builds
from fundstelle.corpus.decision_rows import encode_decision
from fundstelle.corpus.sqlite import SqliteBuild, SqliteCorpusWriter
from fundstelle.errors import SourceError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.ranking.learned import (
    Selection,
    iter_sentences,
    learn_ranking,
    read_guard,
    select,
)
from fundstelle.ingest.sources import demonstration
from fundstelle.search.index import CitingSentence
from fundstelle.search.ranking.ranker import read_card
from tests.integration.corpora.building import build
from tests.integration.corpora.stand_in import LinesEngine
from tests.unit.corpus.decision_values import DECISION, make_text
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

CITING = "Wer einen Drachen ohne Leine durch die Stadt führt, haftet nach § 1 MusterG für Brände."
CUT = "Wer einen Drachen ohne Leine durch die Stadt führt, haftet nach für Brände."
OTHER = "Der Halter eines Einhorns muss es nach § 2 MusterG vor dem Winter melden."
SHORT = "Sie folgt aus § 1 MusterG."


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.sqlite"
    writer = SqliteCorpusWriter(path)
    norms = [make_norm(number, place) for place, number in enumerate(("1", "2"))]
    writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, "Text")]) for norm in norms])
    text = make_text(DECISION, f"{CITING} {OTHER} {SHORT}")
    writer.add_decision(encode_decision(DECISION, text))
    for sentence, cited in ((CITING, 0), (OTHER, 1), (SHORT, 0)):
        start = text.text.index(sentence)
        found = f"§ {cited + 1} MusterG"
        at = text.text.index(found, start)
        bounds = (at, at + len(found), None, start, start + len(sentence))
        writer.add_citings([(0, "norm", cited, None, "", found, *bounds, 0)])
    writer.index()
    writer.finish()
    return path


def write_guard(file: Path, query: str) -> Path:
    line = json.dumps({"qid": "1", "query": query}).encode() + b"\n\n"
    file.write_bytes(gzip.compress(line) if file.suffix == ".gz" else line)
    return file


def list_sentences(database: Path, *guard: Path) -> list[str]:
    store = SqliteBuild(database)
    found = [sentence.text for sentence in iter_sentences(store, read_guard(guard))]
    store.close()
    return found


def test_sentences_are_read_without_their_citations(database: Path) -> None:
    store = SqliteBuild(database)
    first, second = iter_sentences(store, frozenset())
    store.close()
    assert first == CitingSentence(0, CUT, (0,))
    assert second.cited == (1,)
    assert "§" not in second.text


@pytest.mark.parametrize("name", ["guard.jsonl", "guard.jsonl.gz"])
@pytest.mark.parametrize(
    "query", [CITING, CUT, "ob er einen drachen ohne leine durch die Stadt führt, haftet"]
)
def test_a_sentence_that_shares_eight_words_with_the_guard_is_not_learnt_from(
    database: Path, tmp_path: Path, name: str, query: str
) -> None:
    assert CUT in list_sentences(database)
    guarded = list_sentences(database, write_guard(tmp_path / name, query))
    assert CUT not in guarded
    assert len(guarded) == 1


def test_seven_words_are_no_reason(database: Path, tmp_path: Path) -> None:
    guard = write_guard(tmp_path / "guard.jsonl", "einen Drachen ohne Leine durch die Stadt tragen")
    assert CUT in list_sentences(database, guard)


def test_the_engine_never_sees_what_is_guarded(database: Path, tmp_path: Path) -> None:
    guard = write_guard(tmp_path / "guard.jsonl", CITING)
    store = SqliteBuild(database)
    learn_ranking(LinesEngine(), tmp_path, iter_sentences(store, read_guard([guard])))
    store.close()
    seen = (tmp_path / "sentences.txt").read_text(encoding="utf-8")
    assert "Einhorns" in seen
    assert "Drachen" not in seen


def test_a_guard_of_the_same_content_takes_effect(tmp_path: Path) -> None:
    def ingest(*guard: Path, fresh: bool = False) -> int:
        sources: list[Snapshot | Collection] = [
            *demonstration.open_snapshots(),
            demonstration.open_decisions(),
        ]
        manifest = build(data, sources, fresh=fresh, guard=guard, engine=build_engine())
        index = builds.get_folder(data, manifest.release) / builds.INDEX
        found: int = read_card(index)["sentences"]
        return found

    data = tmp_path / "data"
    learnt = ingest()
    store = builds.open_active(data)
    query = next(iter_sentences(store, frozenset())).text
    store.close()
    guard = write_guard(tmp_path / "guard.jsonl", query)
    assert ingest(guard) < learnt
    assert ingest(guard, fresh=True) < learnt
    assert ingest(fresh=True) == learnt


@pytest.mark.parametrize("content", [b"{", b"[]\n", b'{"text": "x"}\n', b'{"query": 3}\n', b"\xff"])
def test_a_file_that_is_no_guard_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "guard.jsonl").write_bytes(content)
    with pytest.raises(SourceError, match="is no guard"):
        read_guard([tmp_path / "guard.jsonl"])


def test_sentences_that_are_not_wanted_are_not_even_read(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, told = SqliteBuild(database), list[int]()
    everything = list(iter_sentences(store, frozenset()))
    first = list(iter_sentences(store, frozenset(), lambda cited: 0 in cited, told.append))
    assert first == [one for one in everything if 0 in one.cited]
    assert sum(told) == store.decisions.count()
    monkeypatch.setattr(type(store.decisions), "list_words", lambda *_: pytest.fail("it was read"))
    assert not list(iter_sentences(store, frozenset(), lambda _: False))
    store.close()


def test_a_selection_that_is_asked_before_takes_what_one_that_is_not_takes() -> None:
    draw = random.Random(3)
    many = [
        CitingSentence(
            n, f"Satz Nummer {n % 700} über alles", tuple({draw.randrange(40) for _ in "abc"})
        )
        for n in range(2_000)
    ]
    asked = Selection()
    for one in many:
        if asked.wants(one.cited):
            asked.offer(one)
    assert asked.chosen == select(many)
    assert 100 < len(asked.chosen) < 1_000


def test_one_norm_does_not_fill_the_sentences() -> None:
    many = [CitingSentence(n, f"Satz Nummer {n} über alles Mögliche", (n % 2,)) for n in range(99)]
    assert len(select([*many, *many])) == 60
