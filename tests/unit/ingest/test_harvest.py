"""What is read from collections is kept on disk and given back in time that grows with it."""

import json
import pickle
from pathlib import Path
from typing import BinaryIO

import pytest

from fundstelle.ingest.build.uniting import iter_wanted
from fundstelle.ingest.harvest import Harvest
from fundstelle.ingest.sources.by_hand import find_collections
from fundstelle.ingest.spools import read_decision
from tests.integration.corpora.building import Heard

RECORDS = 40


def write_cases(folder: Path) -> None:
    """Decisions of one court, day and docket that differ in their ECLIs alone."""
    folder.mkdir()
    cases = [
        {
            "id": number,
            "slug": f"case-{number}",
            "court": {"name": "Bundesgerichtshof"},
            "file_number": "VI ZR 78/16",
            "date": "2018-04-09",
            "type": "Urteil",
            "ecli": f"ECLI:DE:BGH:2018:090418UVIZR78.16.{number}",
            "content": "## Tenor\n\nDie Revision wird verworfen.",
        }
        for number in range(RECORDS)
    ]
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)), encoding="utf-8")


def test_decisions_that_share_a_docket_are_read_a_few_times_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_cases(tmp_path / "decisions")
    (spools := tmp_path / "spools").mkdir()
    reads: list[object] = []
    load = pickle.load

    def count(file: BinaryIO) -> object:
        reads.append(file)
        return load(file)

    monkeypatch.setattr(pickle, "load", count)
    with Harvest(spools) as harvest:
        (collection,) = find_collections(tmp_path)
        harvest.gather(collection, Heard())
        spooled = list(iter_wanted(harvest.decisions))
        with harvest.decisions.path.open("rb") as file:
            read = [read_decision(file, one.new).decision.decision_id for one in spooled]
    found = [one.decision_id for one in spooled]
    assert read == found
    assert len(found) == RECORDS
    assert found == sorted(found)
    assert len(reads) <= 3 * RECORDS
