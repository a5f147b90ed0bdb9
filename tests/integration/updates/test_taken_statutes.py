"""Statutes whose rows are copied stand in the next build as if they had been stored anew."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from fundstelle.corpus.rows import Row
from fundstelle.corpus.sqlite import SqliteBuild, SqliteCorpusWriter
from fundstelle.corpus.stored import encode_as_stored
from fundstelle.law.norms import Enactment, Fassung, Headings, Norm
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

LOOKS = date(2025, 1, 1), date(2025, 1, 8), date(2025, 1, 15)
FIRST = replace(STATUTE, statute_id="de/aaag", abbreviation="AaaG", publisher_id="BJNR900000002")
TABLES = ("statutes", "places", "norms", "headings", "fassungen", "former_headings")

Norms = list[tuple[Norm, list[Fassung]]]


def make_norms() -> Norms:
    """One that was changed, one that ended, one that was never another, in two places."""
    changed, ended, other = (make_norm(number, at) for at, number in enumerate("123"))
    former = replace(
        make_fassung(changed.norm_id, "Alt.", LOOKS[0]),
        in_force_until=LOOKS[1],
        headings=Headings("Alte Überschrift", ("Teil 1",)),
    )
    gone = replace(make_fassung(ended.norm_id, "Weg.", LOOKS[0]), in_force_until=LOOKS[1])
    return [
        (changed, [former, make_fassung(changed.norm_id, "Neu.", LOOKS[1])]),
        (ended, [gone]),
        (replace(other, hierarchy=("Teil 2",)), [make_fassung(other.norm_id, "Da.", LOOKS[1])]),
    ]


def begin(path: Path) -> SqliteCorpusWriter:
    path.parent.mkdir()
    return SqliteCorpusWriter(path)


def write(path: Path, norms: Norms) -> SqliteBuild:
    writer = begin(path)
    writer.add_statute(replace(STATUTE, stand=LOOKS[1]), norms)
    writer.index()
    writer.finish()
    return SqliteBuild(path)


def read(path: Path) -> dict[str, list[Row]]:
    store = SqliteBuild(path)
    rows = {
        table: store.connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
        for table in TABLES
    }
    store.close()
    return rows


@pytest.mark.parametrize("confirmed", [None, LOOKS[2]])
def test_a_statute_is_copied_as_it_would_be_stored(tmp_path: Path, confirmed: date | None) -> None:
    held = write(tmp_path / "held" / "corpus.sqlite", make_norms())
    statute = replace(STATUTE, stand=confirmed or LOOKS[1], listed=False)
    span = held.find_span(STATUTE.statute_id)
    stored = held.list_stored(STATUTE.statute_id)
    assert span is not None
    assert stored is not None
    before = [(make_norm("1", 0, "de/aaag"), [make_fassung("de/aaag/1", "Vorne.")])]
    copying = begin(tmp_path / "copied" / "corpus.sqlite")
    with copying.taking(held.path) as take:
        copying.add_statute(FIRST, before)
        take(span[1:], statute, confirmed)
    storing = begin(tmp_path / "stored" / "corpus.sqlite")
    storing.add_statute(FIRST, before)
    storing.add_encoded(encode_as_stored(statute, stored, confirmed))
    for writer in (copying, storing):
        writer.index()
        writer.finish()
    copied, anew = (
        read(tmp_path / "copied" / "corpus.sqlite"),
        read(tmp_path / "stored" / "corpus.sqlite"),
    )
    assert copied == anew
    assert len(copied["fassungen"]) == 1 + 4
    stands = {row[10] for row in copied["fassungen"] if row[0] >= 256}
    assert ("2025-01-15" in stands) == (confirmed is not None)


def test_what_a_new_build_may_store_otherwise_is_told(tmp_path: Path) -> None:
    norms = make_norms()
    assert write(tmp_path / "plain" / "corpus.sqlite", norms).find_unlike_new() == set()
    unlike: dict[str, Norms] = {
        "headings are not known": [
            (norm, [replace(one, headings=None) for one in texts]) for norm, texts in norms
        ],
        "its day may change": [
            (
                norm,
                [
                    replace(one, enactment=Enactment(("Art. 1 G",), LOOKS[0], LOOKS[1]))
                    for one in texts
                ],
            )
            for norm, texts in norms
        ],
        "a norm has no text": [
            (norm, texts if at else []) for at, (norm, texts) in enumerate(norms)
        ],
    }
    for name, held in unlike.items():
        assert write(tmp_path / name / "corpus.sqlite", held).find_unlike_new() == {"de/musterg"}, (
            name
        )
