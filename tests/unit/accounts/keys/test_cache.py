"""The live keys in memory, where two things happen at once. The clock is a number."""

from collections.abc import Callable

from fundstelle.accounts.keys.cache import Changes, KeyCache, LiveKey, Principal

NOW = 1_800_000_000.0
DIGEST = b"d" * 32


class Database:
    """One key, and something that happens while it is being read."""

    def __init__(self) -> None:
        self.key: LiveKey | None = LiveKey(DIGEST, Principal("key_a", "a", None))
        self.meanwhile: Callable[[], None] = lambda: None

    def read(self, seen: int) -> Changes:
        read = self.key
        self.meanwhile()
        return Changes(seen + 1, {DIGEST: read}, complete=seen < 0)


def test_a_key_revoked_while_the_keys_are_being_read_does_not_go_on() -> None:
    database = Database()
    cache = KeyCache(database.read, lambda: NOW)

    def revoke() -> None:
        database.meanwhile = lambda: None
        database.key = None
        cache.read_again()

    database.meanwhile = revoke
    cache.keep_fresh(NOW)  # in the background: what it has read is from before the revocation
    assert cache.recall(DIGEST, NOW) is None
    assert cache.find(DIGEST, NOW) is None


def test_what_was_read_with_nothing_changed_meanwhile_is_fresh() -> None:
    database = Database()
    cache = KeyCache(database.read, lambda: NOW)
    cache.read_again()
    cache.keep_fresh(NOW)
    assert cache.recall(DIGEST, NOW) is database.key
