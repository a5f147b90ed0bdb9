"""What an update takes over as it is stored is what it would be, read and written anew."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.errors import CorpusError
from fundstelle.ingest.build import workers
from fundstelle.ingest.history.plan import PlannedStatute
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_contents, write_law

FIRST, SECOND, THIRD = date(2024, 1, 1), date(2024, 7, 1), date(2025, 1, 1)


@pytest.fixture
def live(tmp_path: Path) -> Path:
    """The database of a build with a law that was changed, and one that lost a section."""
    for day, text, more in ((FIRST, "Alt.", {"§ 3": "Fällt weg."}), (SECOND, "Neu.", {})):
        laws = tmp_path / "series" / f"gii-{day}" / "laws"
        write_law(laws, "ag", 1, {"§ 1": text, "§ 2": "Gleich.", **more})
        write_law(laws, "bg", 2, {"§ 1": "Unverändert, nach Nr. 1 der Anlage."})
        write_contents(laws.parent, "ag", "bg")
    manifest = build(tmp_path / "data", tmp_path / "series")
    return builds.get_folder(tmp_path / "data", manifest.release) / builds.DATABASE


def plan(name: str, confirmed: date | None, *, listed: bool = True) -> PlannedStatute:
    return PlannedStatute(
        *(f"de/{name}", name.capitalize(), listed, ()),
        carried=1,
        carried_id=f"de/{name}",
        confirmed=confirmed,
    )


@pytest.mark.parametrize("confirmed", [None, SECOND, THIRD])
@pytest.mark.parametrize("listed", [True, False])
def test_a_statute_of_which_nothing_is_new_is_taken_as_it_is_stored(
    live: Path, confirmed: date | None, *, listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = [plan(name, confirmed, listed=listed) for name in ("ag", "bg")]
    assert all(workers._keep(live, one) is not None for one in planned)
    taken = workers.parse_statutes((), planned, live)
    monkeypatch.setattr(workers, "_keep", lambda *_: None)
    assert taken == workers.parse_statutes((), planned, live)


def test_one_by_another_name_is_read(live: Path) -> None:
    other = replace(plan("ag", THIRD), statute_id="de/ag-2020", abbreviation="Ag 2020")
    assert workers._keep(live, other) is None


def test_a_damaged_text_is_not_taken_over(live: Path) -> None:
    damaged = live.with_name("damaged.sqlite")
    data = live.read_bytes()
    assert data.count(b"Gleich.") == 1
    damaged.write_bytes(data.replace(b"Gleich.", b"Anders."))
    with pytest.raises(CorpusError, match="de/ag/2 in the live build is damaged"):
        workers.parse_statutes((), [plan("ag", THIRD)], damaged)
