from tests.unit.tools.calling import call
from tests.unit.tools.fakes import build_library


def test_numbers_sources_and_floor_are_those_of_the_build() -> None:
    stats = call(build_library(), "legal_get_stats")["stats"]

    assert (stats["law_count"], stats["decision_count"]) == (3, 0)
    assert stats["by_source_type"] == {"gii": 3}
    assert stats["archive_floor"] == "2025-03-31"
    assert stats["sources"][0]["status"] == "complete"
    assert stats["last_ingest_run"] == "2025-04-01T00:00:00Z"


def test_provisions_are_counted_as_the_laws_count_theirs() -> None:
    library = build_library()
    laws = call(library, "legal_list_laws")["laws"]

    counted = call(library, "legal_get_stats")["stats"]["norm_count"]
    assert counted == sum(law["norm_count"] for law in laws)


def test_a_demonstration_corpus_says_that_it_is_no_law() -> None:
    answer = call(build_library(demonstration=True), "legal_get_stats")

    assert "kein geltendes Recht" in answer["warnings"][0]
