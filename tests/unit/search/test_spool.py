from dataclasses import replace
from pathlib import Path

from fundstelle.search.index import SearchDocument
from fundstelle.search.spool import Spool

DOCUMENT = SearchDocument(
    ordinal=0,
    norm_id="de/drg/2",
    citation="§ 2 DrG",
    heading="Haltung",
    law="Drachengesetz",
    hierarchy="",
    text="Drachen und Drachen",
    ancestors=(),
    statute_id="de/drg",
    source_type="gii",
    jurisdiction="de",
    document_kind="statute",
    language="de",
    day=20200101,
)


def test_documents_come_back_by_id_with_their_words(tmp_path: Path) -> None:
    with Spool(tmp_path) as spool:
        spool.add(DOCUMENT)
        spool.add(replace(DOCUMENT, ordinal=1, norm_id="de/drg/10", text="Horte"))
        counts = dict(spool.count_words())
        words = spool.take_words()
        first, second = spool.iter_by_id()
    assert (first.ordinal, second.ordinal) == (1, 0)
    assert [words[number] for number in second.text] == ["drachen", "und", "drachen"]
    assert counts["drachen"] == 2
    assert counts["drachengesetz"] == 1  # both stand in one law
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_found_is_not_kept(tmp_path: Path) -> None:
    with Spool(tmp_path) as spool:
        spool.add(replace(DOCUMENT, searchable=False))
        (kept,) = spool.iter_by_id()
        assert not kept.text
        assert not kept.searchable
