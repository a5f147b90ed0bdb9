"""From the references of a build to the priors beside its index."""

from dataclasses import replace
from pathlib import Path

from fundstelle.corpus.sqlite import SqliteCorpusWriter
from fundstelle.ingest.ranking.priors import CitedNorms
from fundstelle.search.ranking.priors import read_priors
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm


def test_every_norm_has_the_prior_of_its_references(tmp_path: Path) -> None:
    database = tmp_path / "corpus.sqlite"
    writer = SqliteCorpusWriter(database)
    norms = [make_norm(number, place) for place, number in enumerate(("1", "2", "3"))]
    writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, "")]) for norm in norms])
    other = replace(STATUTE, statute_id=STATUTE.statute_id + "-2")
    moved = [
        replace(norm, statute_id=other.statute_id, norm_id=f"{other.statute_id}/{norm.number}")
        for norm in norms
    ]
    writer.add_statute(other, [(norm, [make_fassung(norm.norm_id, "")]) for norm in moved])
    writer.index()
    writer.finish()

    cited = CitedNorms()
    cited.add([(0, 1, "", "§ 2", 0, 3), (2, None, "", "§ 9 X", 0, 5)])
    cited.add([(1, -2, "", "MusterG 2", 0, 9)])
    cited.write(database, tmp_path)

    priors = read_priors(tmp_path)
    assert priors is not None
    first, second, third, *others = priors
    assert second > first == third == 1.0
    assert others[0] == others[1] == others[2] > 1.0
