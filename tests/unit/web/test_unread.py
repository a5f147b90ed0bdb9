"""What lies unread is counted for each seat, and forgotten when it is read."""

from fundstelle.web.waiting.unread import EXTENSION, MOST_BYTES, Unread


class Connection:
    """Tells how much lies in it."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.is_ended = False
        self.scope = {"extensions": {EXTENSION: {"count": self.count, "abort": self.abort}}}

    def abort(self) -> None:
        self.is_ended = True

    def count(self) -> int:
        return self.size


def test_a_seat_has_so_much_lying_unread_over_all_its_connections() -> None:
    unread = Unread()
    connections = [Connection(MOST_BYTES // 4) for _ in range(4)]
    for connection in connections:
        unread.note("one", connection.scope)
        unread.note("one", connection.scope)  # asked again on it: counted once
    assert not unread.is_too_much("one")
    connections[0].size += 1
    assert unread.is_too_much("one")
    assert not unread.is_too_much("other")
    connections[1].size = 0
    assert not unread.is_too_much("one")


def test_what_was_read_is_remembered_no_longer() -> None:
    unread = Unread()
    connections = [Connection(100_000) for _ in range(3)]
    for number, connection in enumerate(connections):
        unread.note(str(number), connection.scope)
    connections[0].size = connections[1].size = 0
    assert not unread.is_too_much("0")
    unread.sweep()
    assert list(unread._held) == ["2"]


def test_little_answers_and_connections_that_tell_nothing_are_not_held() -> None:
    unread = Unread()
    unread.note("one", Connection(10_000).scope)
    unread.note("one", {})
    assert not unread._held


def test_of_a_seat_the_connections_end_in_which_an_answer_has_lain_longest() -> None:
    unread = Unread()
    connections = [Connection(MOST_BYTES // 4) for _ in range(6)]
    other = Connection(MOST_BYTES)
    unread.note("other", other.scope)
    for connection in connections:
        unread.note("one", connection.scope)
        unread.make_room("one")
    assert [one.is_ended for one in connections] == [True, True, False, False, False, False]
    assert not unread.is_too_much("one")
    connections[2].size = 0  # read meanwhile
    unread.note("one", connections[3].scope)  # its next answer is the newest
    last = Connection(MOST_BYTES // 2)
    unread.note("one", last.scope)
    unread.make_room("one")
    assert [one.is_ended for one in connections[2:]] == [False, False, True, False]
    assert not last.is_ended
    assert not other.is_ended
