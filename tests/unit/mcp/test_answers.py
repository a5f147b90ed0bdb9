import orjson

from fundstelle.mcp.answers import MOST_IDS, Answer, AnswerCache, Key, build_key, find_result_ids

TEN = Answer(b"0123456789")


def make_key(number: int) -> Key:
    key = build_key("tool", "links", "2030-01-01", {"citation": f"§ {number} MusterG"})
    assert key is not None
    return key


def test_the_least_recently_used_answer_is_forgotten_first() -> None:
    cache = AnswerCache(limit_bytes=30)
    for number in (1, 2, 3):
        cache.keep(make_key(number), TEN)
    assert cache.find(make_key(1)) == TEN
    cache.keep(make_key(4), TEN)
    assert cache.find(make_key(2)) is None
    assert cache.find(make_key(1)) is not None
    assert len(cache) == 3


def test_an_answer_larger_than_the_cache_is_not_held() -> None:
    cache = AnswerCache(limit_bytes=5)
    cache.keep(make_key(1), TEN)
    assert len(cache) == 0


def test_the_order_of_arguments_does_not_matter_but_day_and_form_do() -> None:
    one = build_key("t", "links", 1, {"a": 1, "b": 2})
    assert one == build_key("t", "links", 1, {"b": 2, "a": 1})
    assert one != build_key("t", "links", 2, {"a": 1, "b": 2})
    assert one != build_key("t", "text", 1, {"a": 1, "b": 2})


def test_long_or_bottomless_arguments_have_no_key() -> None:
    assert build_key("t", "links", 1, {"quote": "x" * 1_000}) is None
    deep: dict[str, object] = {}
    for _ in range(900):
        deep = {"x": deep}
    assert build_key("t", "links", 1, deep) is None


def test_the_ids_of_a_result_are_those_it_gives_and_not_those_it_suggests() -> None:
    result = orjson.dumps(
        {
            "found": True,
            "hint": {"tool": "t", "arguments": {"norm_id": "de/hint/1"}},
            "results": [
                {"norm": {"norm_id": "de/musterg/1", "text": '"norm_id":"no"'}},
                {"code": "NORM_NOT_FOUND", "suggestions": [{"norm_id": "de/musterg/9"}]},
                {"evidence": {"first": {"norm_id": "de/musterg/8"}}},
                {"norm": {"norm_id": "de/musterg/1"}},
                {"decisions": [{"norm_id": "de/bgh/vi-zr-1-30"}]},
            ],
        }
    )
    assert find_result_ids(result) == ("de/musterg/1", "de/bgh/vi-zr-1-30")


def test_a_miss_gives_no_ids_and_a_list_not_endless_ones() -> None:
    assert find_result_ids(b'{"found":false,"norm_id":"de/musterg/1"}') == ()
    rows = [{"norm_id": f"de/musterg/{number}"} for number in range(1_000)]
    assert len(find_result_ids(orjson.dumps({"laws": rows}))) == MOST_IDS
