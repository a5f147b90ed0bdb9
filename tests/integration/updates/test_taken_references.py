"""References that an update takes over are those that it would find."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fundstelle.corpus.opening import open_whole
from fundstelle.ingest.build import basis, workers
from fundstelle.ingest.graph import asked
from fundstelle.ingest.graph.taken import take_edges
from fundstelle.ingest.sources.by_hand import find_snapshots
from tests.integration.corpora.building import Heard, build, find_database, unsign
from tests.integration.corpora.laws import write_laws

OLDER, NEWER = "gii-2025-01-01", "gii-2025-01-15"
Laws = dict[str, dict[str, str]]

LAWS: Laws = {
    "AlphaG": {
        "§ 1": "Nach § 2 und § 7 des BetaG ist zu verfahren.",
        "§ 2": "§ 1 und § 3 gelten entsprechend.",
        "§ 3": "Das Nähere regelt § 1 GammaG.",
        "§ 4": "Hier steht kein Verweis.",
    },
    "BetaG": {"§ 1": "Siehe § 1 AlphaG.", "§ 2": "Es gilt § 1.", "§ 3": "Ende."},
    "DeltaG": {"§ 1": "Die §§ 1 bis 3 BetaG bleiben unberührt.", "§ 2": "§ 9 gilt."},
}


@pytest.fixture(autouse=True)
def workers_without_stores() -> Iterator[None]:
    yield
    workers._graph.clear()
    workers._live.clear()


def list_read(before: Path, after: Path) -> set[str]:
    """The norms whose references are not taken over."""
    laws = workers.compare_laws(after, before)
    assert laws is not None
    with closing(open_whole(before)) as held, closing(open_whole(after)) as store:
        edges = take_edges(held, store, laws.norms)
        return {norm_id for ordinal, norm_id in store.iter_ids() if ordinal not in edges}


def change(*changes: tuple[str, str, str | None]) -> Laws:
    """The laws with sections that are new or say something else, or without them."""
    laws = {name: dict(sections) for name, sections in LAWS.items()}
    for law, section, text in changes:
        if text is None:
            del laws[law][section]
        else:
            laws.setdefault(law, {})[section] = text
    return laws


@pytest.mark.parametrize(
    ("newer", "read"),
    [
        pytest.param(change(("AlphaG", "§ 4", "Nun gilt § 2.")), {"de/alphag/4"}, id="words"),
        pytest.param(
            change(("BetaG", "§ 7", "Neu.")),
            {
                *("de/alphag/1", "de/deltag/1"),
                *("de/betag/1", "de/betag/2", "de/betag/3", "de/betag/7"),
            },
            id="a section comes that was named before",
        ),
        pytest.param(
            change(("GammaG", "§ 1", "Neu.")),
            {"de/alphag/3", "de/gammag/1"},
            id="a law comes that was named before",
        ),
        pytest.param(
            change(("AaaG", "§ 1", "Es gilt § 2 DeltaG."), ("AaaG", "§ 2", "Ende.")),
            {"de/aaag/1", "de/aaag/2"},
            id="a law comes before all others",
        ),
        pytest.param(
            change(("DeltaG", "§ 9", "Ende.")),
            {"de/deltag/1", "de/deltag/2", "de/deltag/9"},
            id="a section comes that its own law named",
        ),
    ],
)
def test_references_are_read_anew_where_they_may_be_others(
    tmp_path: Path, newer: Laws, read: set[str]
) -> None:
    older, later = write_laws(tmp_path / OLDER, LAWS), write_laws(tmp_path / NEWER, newer)
    build(tmp_path / "data", older)
    before = find_database(tmp_path / "data")
    updated = build(tmp_path / "data", later)
    fresh = build(tmp_path / "fresh", [*find_snapshots(older), *find_snapshots(later)])
    assert (updated.release, updated.references) == (fresh.release, fresh.references)
    after = find_database(tmp_path / "data")
    assert list_read(before, after) == read
    kept, anew = (asked.read_asked(one) for one in (after, find_database(tmp_path / "fresh")))
    assert kept == anew, "what was asked is kept with what was taken over"


def test_a_norm_whose_reading_came_to_no_end_is_read_again(tmp_path: Path) -> None:
    build(tmp_path / "data", write_laws(tmp_path / OLDER, LAWS))
    before = find_database(tmp_path / "data")
    kept = asked.read_asked(before)
    assert kept is not None
    before.with_name(asked.FILE).unlink()
    writer, endless = asked.AskedWriter(), asked.Asked()
    endless.ask_anew()
    for ordinal in range(len(kept.starts) - 1):
        writer.add(kept.get(ordinal) if ordinal else endless.take())
    writer.write(before)
    assert list_read(before, before) == {"de/alphag/1"}


def test_another_program_reads_all_references(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path / "data", write_laws(tmp_path / OLDER, LAWS))
    monkeypatch.setattr(basis, "hash_program", lambda: "0" * 64)
    monkeypatch.setattr(workers, "compare_laws", None)  # nothing may ask for it
    heard = Heard()
    later = write_laws(tmp_path / NEWER, change(("AlphaG", "§ 4", "Nun gilt § 2.")))
    updated = build(tmp_path / "data", later, heard=heard)
    fresh = [*find_snapshots(tmp_path / OLDER), *find_snapshots(later)]
    assert unsign(updated).references == build(tmp_path / "fresh", fresh).references


def test_a_build_without_what_was_asked_has_nothing_to_take_over(tmp_path: Path) -> None:
    build(tmp_path / "data", write_laws(tmp_path / OLDER, LAWS))
    database = find_database(tmp_path / "data")
    database.with_name(asked.FILE).unlink()
    assert workers.compare_laws(database, database) is None
