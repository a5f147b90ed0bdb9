from datetime import UTC, datetime

from fundstelle.ingest.collections import Collection, join
from fundstelle.ingest.history.snapshots import SourceEntry
from fundstelle.ingest.sources.registry import COURTS, EU_LAW
from tests.unit.ingest.history.test_snapshots import Given

NEWER = datetime(2026, 1, 1, tzinfo=UTC)


def test_archives_of_acts_are_read_as_one_and_decisions_stay_apart() -> None:
    acts = Collection(EU_LAW, Given([SourceEntry("a", b"1")], name="eurlex.tar"))
    history = Given([SourceEntry("b", b"2")], name="eurlex-history.tar", retrieved_at=NEWER)
    earlier = Collection(EU_LAW, history)
    added = Collection(EU_LAW, Given([], name="cellar"), adds=True)
    decisions = [Collection(COURTS, Given([], name=name)) for name in ("one", "two")]
    joined = join([acts, earlier, added, *decisions])
    assert [one.files.name for one in joined] == [
        "eurlex.tar + eurlex-history.tar",
        "cellar",
        "one",
        "two",
    ]
    assert [entry.name for entry in joined[0].files.entries()] == ["a", "b"]
    assert joined[0].files.retrieved_at == NEWER
    assert join([acts]) == [acts]
