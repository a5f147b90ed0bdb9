"""A store in which many invented decisions cite one norm."""

from datetime import date, timedelta
from pathlib import Path

from fundstelle.corpus.decision_rows import encode_decision
from fundstelle.corpus.sqlite import SqliteCorpusStore, SqliteCorpusWriter, SqliteDecisions
from tests.unit.corpus.decision_values import make_decision, make_text
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

COURTS = ("BGH", "OLG Musterstadt", "LG Musterstadt")
PATHS = ("", "abs=1", "abs=1/satz=2/nr=3", "abs=1/nr=3", "abs=10")
CITED = "de/musterg/1"
FIRST_DAY = date(1990, 1, 1)


def build_store(path: Path, count: int) -> SqliteDecisions:
    """``count`` decisions of three courts, each with one to three citations of the norm."""
    writer = SqliteCorpusWriter(path)
    norm = make_norm("1")
    writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, "Text")])])
    decisions = [
        make_decision(COURTS[n % 3], f"{n} ZR {n % 97}/20", FIRST_DAY + timedelta(days=n % 12_000))
        for n in range(count)
    ]
    for decision in sorted(decisions, key=lambda one: one.decision_id):
        writer.add_decision(encode_decision(decision, make_text(decision, "Eins.")))
    writer.index()
    writer.add_citings(
        (n, "norm", 0, None, PATHS[(n + k) % 5], "§ 1 MusterG", 4, 15, "1", 0, 20, 0)
        for n in range(count)
        for k in range(1 + n % 3)
    )
    writer.finish()
    return SqliteDecisions(SqliteCorpusStore(path))
