"""Sentences of labelled collections: learnt from beside the decisions, guarded, kept, carried."""

import gzip
import json
import re
import shutil
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.build.pipeline import build_corpus
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.ranking import labelled, learned
from fundstelle.ingest.ranking.learned import iter_labelled, read_guard
from fundstelle.ingest.sources.by_hand import find_collections, find_snapshots
from tests.integration.corpora.building import NOW, Heard
from tests.integration.corpora.laws import write_law
from tests.integration.corpora.stand_in import LinesEngine
from tests.integration.ingest.test_ingest_archives import pack_zst

EVAL = Path(__file__).parents[4] / "shared" / "eval"
SENTENCES = (
    "Wer einen Drachen ohne Leine durch die Stadt führt , haftet nach § 1 MG1 für Brände .",
    "Der Halter eines Einhorns muss es nach § 2 MG1 vor dem Winter melden .",
    "Dieser Satz nennt keine Vorschrift und lehrt darum nichts über Vorschriften .",
    "Sie folgt aus § 1 MG1 .",
)
CUT = "Wer einen Drachen ohne Leine durch die Stadt führt, haftet nach für Brände."


def write_conll(file: Path, *sentences: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = ("".join(f"{token} O\n" for token in sentence.split()) for sentence in sentences)
    file.write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """One law and a collection of decisions that holds labelled sentences alone."""
    folder = tmp_path / "source"
    sections = {"§ 1": "Text.", "§ 2": "Text."}
    write_law(folder / "gii-2025-01-01" / "laws", "mg1", 1, sections, name="MG1")
    write_conll(folder / "decisions" / "gold-citations-ler" / "bgh.conll", *SENTENCES)
    return folder


def build(data: Path, source: Path, heard: Heard | None = None, *guard: Path) -> Manifest:
    sources: list[Snapshot | Collection] = [*find_snapshots(source), *find_collections(source)]
    options = BuildOptions(now=NOW, guard=guard)
    return build_corpus(sources, data, LinesEngine(), options, heard or Heard()).manifest


def read_learnt(data: Path, manifest: Manifest) -> str:
    folder = builds.get_folder(data, manifest.release)
    return (folder / builds.INDEX / "sentences.txt").read_text(encoding="utf-8")


def test_sentences_are_learnt_from_without_their_citations(tmp_path: Path, source: Path) -> None:
    heard = Heard()
    manifest = build(tmp_path / "data", source, heard)
    assert manifest.decisions == 0, "they are no decisions to look up"
    first, second = read_learnt(tmp_path / "data", manifest).splitlines()
    assert first.endswith(f" {CUT}")
    assert "(1,)" in second
    assert any("2 of them from Legal Entity" in note and "CC BY" in note for note in heard.notes)


@pytest.mark.parametrize(
    "query",
    [
        CUT,
        "ob er einen drachen ( ohne  Leine ) durch die Stadt führt , haftet",
        "Wer einen Drachen ohne Leine durch Abs. 2 die Stadt § 5 führt",
    ],
)
def test_what_shares_eight_words_with_the_guard_is_not_learnt_from(
    tmp_path: Path, source: Path, query: str
) -> None:
    guard = tmp_path / "guard.jsonl"
    guard.write_text(json.dumps({"query": query}), encoding="utf-8")
    learnt = read_learnt(tmp_path / "data", build(tmp_path / "data", source, None, guard))
    assert "Einhorns" in learnt
    assert "Drachen" not in learnt


def test_an_archive_gives_the_same_as_its_folder(tmp_path: Path, source: Path) -> None:
    plain = read_learnt(tmp_path / "a", build(tmp_path / "a", source))
    pack_zst(source / "decisions", source / "decisions.tar.zst")
    shutil.rmtree(source / "decisions")
    assert read_learnt(tmp_path / "b", build(tmp_path / "b", source)) == plain


def test_a_build_without_the_collection_takes_its_sentences_over(
    tmp_path: Path, source: Path
) -> None:
    before = read_learnt(tmp_path / "data", build(tmp_path / "data", source))
    shutil.rmtree(source / "decisions")
    sections = {"§ 0": "Davor.", "§ 1": "Text.", "§ 2": "Text."}
    write_law(source / "gii-2025-06-01" / "laws", "mg1", 1, sections, name="MG1", day="20250601")
    after = read_learnt(tmp_path / "data", build(tmp_path / "data", source))
    assert before.count("\n") == after.count("\n") == 2
    assert "(2,)" in after, "ordinals are those of the new build"


def test_a_file_that_cannot_be_read_is_rejected_and_the_rest_is_used(
    tmp_path: Path, source: Path
) -> None:
    folder = source / "decisions" / "gold-citations-ler"
    (folder / "bag.conll").write_text("Der Hund\n", encoding="utf-8")
    manifest = build(tmp_path / "data", source)
    (rejected,) = manifest.rejected
    assert rejected.name.endswith("bag.conll")
    assert "line 1" in rejected.reason
    assert "Drachen" in read_learnt(tmp_path / "data", manifest)


def test_neighbours_count_as_one_decision(tmp_path: Path, source: Path) -> None:
    words = ["Katze", "Hund", "Maus", "Fuchs", "Dachs"]
    many = [
        f"Satz {n} über {words[n % 5]} und {words[n // 5 % 5]} im Jahr {n} nach § {1 + n // 30} MG1"
        for n in range(60)
    ]
    write_conll(source / "decisions" / "set" / "x.conll", *many)
    manifest = build(tmp_path / "data", source)
    sources = {line.split()[0] for line in read_learnt(tmp_path / "data", manifest).splitlines()}
    assert sources == {"0", "1", "2"}, "the first file, and two blocks of 40 of the second"


@pytest.mark.corpus
def test_no_sentence_shares_eight_words_with_an_evaluation_question(
    every_source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [EVAL / "citing_sentences.jsonl.gz", EVAL / "norm_questions.jsonl.gz"]
    if not all(file.exists() for file in files):
        pytest.skip("the evaluation sets are not beside the checkout")
    store = builds.open_active(every_source)
    folder = builds.get_folder(every_source, store.manifest.release)
    store.close()
    whole = builds.open_build(every_source, folder.name)
    cited = list(labelled.iter_cited(folder / builds.DATABASE, whole))  # what takes the time
    monkeypatch.setattr(learned, "iter_cited", lambda *_: iter(cited))
    runs = {run for file in files for query in read_queries(file) for run in list_words(query)}
    free = list(iter_labelled(whole, folder / builds.DATABASE, frozenset()))
    kept = list(iter_labelled(whole, folder / builds.DATABASE, read_guard(files)))
    whole.close()
    assert any(not runs.isdisjoint(list_words(one.text)) for one in free), "else it shows nothing"
    assert all(runs.isdisjoint(list_words(one.text)) for one in kept)
    assert len(kept) > 0.8 * len(free)


def read_queries(file: Path) -> list[str]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["query"] for line in lines]


def list_words(text: str) -> set[str]:
    """Runs of eight words, told apart by letters and digits alone."""
    words = re.findall(r"[^\W_]+", text.casefold())
    return {" ".join(words[at : at + 8]) for at in range(len(words) - 7)}
