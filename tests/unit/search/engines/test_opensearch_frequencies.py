from pathlib import Path

from fundstelle.search.engines.opensearch.frequencies import Frequencies, FrequencyCounter


def test_what_was_counted_is_read_back(tmp_path: Path) -> None:
    counter = FrequencyCounter()
    counter.add("drach drach hort", (("language", "de"),), searchable=True)
    counter.add("hort", (("language", "de"), ("court", "BGH")), searchable=True)
    counter.add("", (), searchable=False)
    counter.write(tmp_path, "texts-1", 2, 2.2)
    held = Frequencies(tmp_path)
    assert (held.index, held.shards, held.factor) == ("texts-1", 2, 2.2)
    assert (held.texts, held.worded, held.searchable) == (3, 2, 2)
    assert [held.count(term) for term in ("drach", "hort", "zwerg")] == [1, 2, 0]
    assert held.count_value("language", "de") == 2
    assert held.count_value("court", "BGH") == 1
    assert held.count_value("court", "LG") == held.count_value("statute_id", "de/x") == 0


def test_an_index_of_nothing_counts_nothing(tmp_path: Path) -> None:
    FrequencyCounter().write(tmp_path, "texts-1", 1, 1.0)
    assert Frequencies(tmp_path).count("drach") == 0
