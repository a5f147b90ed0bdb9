"""What decisions cite and an update takes over is what it would find."""

import gzip
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest

from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.opening import open_whole
from fundstelle.ingest.build import workers
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.graph import asked, places
from fundstelle.ingest.history.looks import Dated
from fundstelle.ingest.sources.by_hand import find_snapshots
from fundstelle.ingest.sources.registry import COURTS
from tests.integration.corpora.building import build, find_database
from tests.integration.corpora.laws import write_laws
from tests.integration.updates.test_corrected_documents import Given, write_rii
from tests.unit.ingest.sources.decision_files import rd

OLDER, NEWER = "gii-2025-01-01", "gii-2025-01-15"
LAWS = {
    "AlphaG": {
        "§ 1": "Es gilt.",
        "§ 2": "Es gilt auch.",
        "§ 3": "Ende.",
        "§ 5": "(1) Eins.</P><P>(2) Zwei.",
    },
    "BetaG": {"§ 1": "Dies.", "§ 2": "Das."},
}
WORDS = {  # by the number of the docket, "IX ZR 11/23"
    11: "Nach § 1 AlphaG und § 7 BetaG hat er Anspruch.",
    12: "So auch BGH, Urteil vom 4. Mai 2023 - IX ZR 10/23.",
    13: "Vgl. BGH, Urteil vom 4. Mai 2023 - IX ZR 11/23, BGHZ 250, 99.",
    14: "Dazu BGHZ 250, 99 und BGHZ 251, 7.",
    15: "Es gilt § 1 GammaG.",
    16: "Die §§ 1 bis 3 AlphaG sind gewahrt.",
    17: "Der Hund bellt, und nichts wird zitiert.",
    21: "Nach §§ 5 Abs. 1, 3 AlphaG ist er frei.",  # Abs. 3 where § 5 has one, else § 3
}
Fields = Mapping[int, Mapping[str, str]]


def give(name: str, words: Mapping[int, str], fields: Fields | None = None) -> Collection:
    files = [
        write_rii(
            f"KORE{number}",
            **{"aktenzeichen": f"IX ZR {number}/23", "tatbestand": f"<div>{rd(1, said)}</div>"}
            | dict((fields or {}).get(number, {})),
        )
        for number, said in words.items()
    ]
    return Collection(COURTS, Given(tuple(files), name), adds=True)


@pytest.fixture(autouse=True)
def workers_without_stores() -> Iterator[None]:
    yield
    for kept in (workers._graph, workers._live, workers._written):
        kept.clear()


def list_read(before: Path, after: Path) -> set[str]:
    """Dockets of the decisions that are not taken over."""
    laws = workers.compare_laws(after, before)
    assert laws is not None
    taken = workers.compare_decisions(after, before, laws)
    assert taken is not None
    with closing(open_whole(after)) as store:
        total = store.decisions.count()
        taken.leave(workers.find_renamed(after, laws.norms.names, range(total)))
        held = [one.dockets[0] for one in store.decisions.iter_all()]
    return {held[number] for number, was in enumerate(taken.numbers) if was < 0}


def read_kept(database: Path) -> tuple[object, bytes]:
    packed = gzip.decompress(database.with_name(places.FILE).read_bytes())
    return asked.read_asked(database, asked.OF_DECISIONS), packed


def list_files(manifest: Manifest) -> set[str]:
    return {one.name for one in manifest.files or ()}


SECTION = LAWS | {"BetaG": LAWS["BetaG"] | {"§ 7": "Neu."}}
LAW = LAWS | {"GammaG": {"§ 1": "Neu."}}
TEXT = LAWS | {"AlphaG": LAWS["AlphaG"] | {"§ 3": "Ein anderes Ende."}}
PARTS = "(1) Eins.</P><P>(2) Zwei.</P><P>(3) Drei."


@pytest.mark.parametrize(
    ("laws", "decisions", "read"),
    [
        pytest.param(
            None,
            give("decisions-2", {10: "Das ist neu."}),
            {"IX ZR 10/23", "IX ZR 12/23"},
            id="a decision comes that was cited before, in front of all others",
        ),
        pytest.param(
            None,
            give("decisions-2", {18: "BGH, Urteil vom 4. Mai 2023 - IX ZR 12/23, BGHZ 251, 7."}),
            {"IX ZR 18/23"},
            id="a decision comes that says whose a page is which others cite",
        ),
        pytest.param(
            None,
            give("decisions-2", {18: "BGH, Urteil vom 4. Mai 2023 - IX ZR 12/23, BGHZ 250, 99."}),
            {"IX ZR 18/23"},
            id="a decision comes that gives a page to another one",
        ),
        pytest.param(
            None,
            give("decisions-2", {11: WORDS[11]}, {11: {"entsch-datum": "20230505"}}),
            {"IX ZR 11/23", "IX ZR 13/23"},
            id="a decision is of another day",
        ),
        pytest.param(
            None,
            give("decisions-2", {17: "Nun gilt § 2 AlphaG, siehe IX ZR 11/23."}),
            {"IX ZR 17/23"},
            id="a decision has other words",
        ),
        pytest.param(SECTION, None, {"IX ZR 11/23"}, id="a section comes that was cited before"),
        pytest.param(LAW, None, {"IX ZR 15/23"}, id="a law comes that was cited before"),
        pytest.param(
            LAWS | {"AaaG": {"§ 1": "Neu.", "§ 2": "Neu."}},
            None,
            set(),
            id="a law comes before all others",
        ),
        pytest.param(
            {"AlphaG": LAWS["AlphaG"]}, None, set(), id="a law is listed no more, and stays held"
        ),
        pytest.param(
            SECTION,
            give("decisions-2", {10: "Zu § 7 BetaG.", 19: "Zu IX ZR 10/23."}),
            {"IX ZR 10/23", "IX ZR 11/23", "IX ZR 12/23", "IX ZR 19/23"},
            id="all at once",
        ),
        pytest.param(
            LAWS | {"AlphaG": LAWS["AlphaG"] | {"§ 5": PARTS}},
            None,
            {"IX ZR 21/23"},
            id="a section has a part more that a bare number may mean",
        ),
        pytest.param(
            LAWS | {"AlphaG": LAWS["AlphaG"] | {"§ 5": "(1) Eins.</P><P>(2) Zwei, und mehr."}},
            None,
            {"IX ZR 21/23"},
            id="a section has other words and the same parts",
        ),
        pytest.param(
            TEXT,
            give("decisions-2", {18: "Nichts."}),
            {"IX ZR 18/23"},
            id="words of a law and a decision",
        ),
    ],
)
def test_decisions_are_read_anew_where_they_may_cite_something_else(
    tmp_path: Path,
    laws: Mapping[str, Mapping[str, str]] | None,
    decisions: Collection | None,
    read: set[str],
) -> None:
    data, anew = tmp_path / "data", tmp_path / "fresh"
    older = write_laws(tmp_path / OLDER, LAWS)
    first: list[Dated | Collection] = [*find_snapshots(older), give("decisions-1", WORDS)]
    build(data, first)
    before = find_database(data)
    later: list[Dated | Collection] = []
    if laws is not None:
        later += find_snapshots(write_laws(tmp_path / NEWER, laws))
    if decisions is not None:
        later.append(decisions)
    updated, fresh = build(data, later), build(anew, [*first, *later])
    after = find_database(data)
    assert updated.release == fresh.release
    assert list_files(updated) == list_files(fresh)
    assert read_kept(after) == read_kept(find_database(anew))
    assert list_read(before, after) == read


def test_a_second_update_takes_over_what_the_first_one_read(tmp_path: Path) -> None:
    data = tmp_path / "data"
    older = write_laws(tmp_path / OLDER, LAWS)
    first: list[Dated | Collection] = [*find_snapshots(older), give("decisions-1", WORDS)]
    steps: list[list[Dated | Collection]] = [
        [*find_snapshots(write_laws(tmp_path / NEWER, TEXT))],  # shares all of the decisions
        [give("decisions-2", {10: "Zu § 2 BetaG."})],
        [give("decisions-3", {20: "Zu IX ZR 10/23."})],
    ]
    build(data, first)
    for step, read in zip(steps, ((), (10, 12), (20,)), strict=True):
        before = find_database(data)
        updated = build(data, step)
        assert list_read(before, find_database(data)) == {f"IX ZR {one}/23" for one in read}
    fresh = build(tmp_path / "fresh", [*first, *(one for step in steps for one in step)])
    assert updated.release == fresh.release
    assert read_kept(find_database(data)) == read_kept(find_database(tmp_path / "fresh"))


def test_all_snapshots_at_once_tell_what_their_words_tell(tmp_path: Path) -> None:
    """The live build's own snapshots and a later one: its laws are read anew, decisions stay."""
    older = write_laws(tmp_path / OLDER, LAWS)
    newer = write_laws(tmp_path / NEWER, LAWS | {"AlphaG": LAWS["AlphaG"] | {"§ 5": PARTS}})
    decisions, both = give("decisions-1", WORDS), [*find_snapshots(older), *find_snapshots(newer)]
    build(tmp_path / "data", [*find_snapshots(older), decisions])
    updated = build(tmp_path / "data", [*both])
    fresh = build(tmp_path / "fresh", [*both, decisions])
    assert updated.release == fresh.release
    assert read_kept(find_database(tmp_path / "data")) == read_kept(
        find_database(tmp_path / "fresh")
    )


def test_what_a_reading_asks_goes_on_where_it_cites_the_same(tmp_path: Path) -> None:
    """§ 5 Abs. 3 Satz 2 while there is one, and where there is none, § 3 Satz 2 if that is."""
    alpha = LAWS["AlphaG"] | {"§ 5": "(1) Eins.</P><P>(3) Drei. Vier."}
    gone = alpha | {"§ 5": "(1) Eins."}
    day, steps = "gii-2025-01-{:02}", [alpha, gone, gone | {"§ 3": "Ende. Und mehr."}]
    laws = [
        [*find_snapshots(write_laws(tmp_path / day.format(1 + n), {"AlphaG": step}))]
        for n, step in enumerate(steps)
    ]
    decisions = give("decisions-1", {21: "Nach §§ 5 Abs. 1, 3 Satz 2 AlphaG ist er frei."})
    build(tmp_path / "data", [*laws[0], decisions])
    for given in laws[1:]:
        updated = build(tmp_path / "data", [*given])
    fresh = build(tmp_path / "fresh", [*chain.from_iterable(laws), decisions])
    assert updated.release == fresh.release


def test_a_build_that_kept_nothing_has_all_of_them_read(tmp_path: Path) -> None:
    older = write_laws(tmp_path / OLDER, LAWS)
    build(tmp_path / "data", [*find_snapshots(older), give("decisions-1", WORDS)])
    database = find_database(tmp_path / "data")
    laws = workers.compare_laws(database, database)
    assert laws is not None
    assert workers.compare_decisions(database, database, laws) is not None
    for name in (asked.OF_DECISIONS, places.FILE):
        kept = database.with_name(name)
        kept.rename(tmp_path / name)
        assert workers.compare_decisions(database, database, laws) is None
        (tmp_path / name).rename(kept)
