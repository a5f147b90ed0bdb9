from fundstelle.mcp.answers import Answer, AnswerCache, Key, build_key

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
