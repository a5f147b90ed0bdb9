"""Changes made at once by several processes: none waits for another that waits for it."""

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from argon2.profiles import CHEAPEST
from sqlalchemy import event, func, select, text

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.audit.retention import prune
from fundstelle.accounts.database import engines
from fundstelle.accounts.database.bounded import BoundedConnection
from fundstelle.accounts.database.schema_people import links
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.oauth.authorizations import PENDING_FOR, Asked, Authorizations
from fundstelle.accounts.oauth.clients import UNUSED_FOR, Clients
from fundstelle.accounts.oauth.grants import KEPT_FOR, Grants
from fundstelle.accounts.oauth.refresh_tokens import RefreshTokens
from fundstelle.accounts.oauth.signing_keys import SigningKeys
from fundstelle.accounts.oauth.used_assertions import UsedAssertions
from fundstelle.accounts.people.passwords import Passwords
from fundstelle.accounts.people.people import People, SignInFailed
from fundstelle.accounts.people.second_factors import SecondFactors
from fundstelle.accounts.people.sessions import LONGEST, Sessions
from fundstelle.accounts.policies import Policies, Policy
from fundstelle.accounts.usage import Usage
from fundstelle.errors import AccountsUnavailable, Busy, InvalidArgument, NotFound
from tests.integration.services.databases import Database, PostgresServer

WORKERS = 6
TURNS = 15
PATIENCE_S = 60
PASSWORD = "vier Hunde lesen leise"
ASKED = Asked("client", "http://127.0.0.1/callback", None, "c" * 43, "law", "https://law.test/mcp")

Task = Callable[[random.Random], object]


@dataclass
class Office:
    """Some people and the database that they are in."""

    store: AccountsStore
    now: float = 1_800_000_000.0

    def __post_init__(self) -> None:
        self.people = People(self.store, self.clock, Passwords(CHEAPEST))
        first = self.people.create_first_admin_link()
        eva = self.people.accept(first, "Eva Beck", PASSWORD, "eva@kanzlei.example")
        self.users = [eva.id]
        for name in ("Ada", "Bo", "Cem"):
            link = self.people.invite(f"{name}@kanzlei.example", "admin")
            self.users.append(self.people.accept(link, name, PASSWORD).id)

    def clock(self) -> float:
        return self.now

    def wait(self, how_long: timedelta) -> None:
        self.now += how_long.total_seconds()

    def at_once(self, *tasks: Task, turns: int = TURNS) -> None:
        """Each worker does one thing after another in an order of its own."""
        is_one_by_one = self.store.address.startswith("sqlite")  # many would only wait long
        workers = 2 if is_one_by_one else WORKERS
        together = threading.Barrier(workers)

        def work(seed: int) -> None:
            chance = random.Random(seed)
            together.wait()
            for _ in range(turns):
                chance.choice(tasks)(chance)

        with ThreadPoolExecutor(workers) as pool:
            for done in [pool.submit(work, seed) for seed in range(workers)]:
                done.result()


@pytest.fixture
def office(tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    """Its database waits as long as a busy disk may take: what a deadlock ends comes anyway.

    PostgreSQL ends one after a second, whoever waits; on SQLite it lasts until the patience ends.
    """
    monkeypatch.setattr(engines, "TIMEOUT_S", PATIENCE_S)
    monkeypatch.setattr(BoundedConnection, "usual_patience_s", PATIENCE_S + 1.0)
    store = database.open(tmp_path)
    yield Office(store)
    store.close()


def shuffled(chance: random.Random, ids: list[str], when: float) -> dict[str, float]:
    return dict.fromkeys(chance.sample(ids, len(ids)), when)


def test_keys_are_used_and_changed_at_once(office: Office) -> None:
    keys = ApiKeys(office.store, office.clock, most_of_a_person=1_000)
    eva = office.users[0]
    ids = [keys.create(f"key {n}", user_id=eva)[1].id for n in range(30)]

    def note_use(chance: random.Random) -> None:
        when = office.now + chance.randrange(10_000)
        keys._write_last_use(shuffled(chance, ids, when))

    office.at_once(
        note_use,
        lambda _: office.people.set_limits(eva, 600, None),
        lambda _: keys.create("another", user_id=eva),
        lambda chance: keys.revoke(chance.choice(ids)),
    )


def test_of_keys_made_at_once_a_person_gets_as_many_as_one_may_have(office: Office) -> None:
    keys = ApiKeys(office.store, office.clock, most_of_a_person=4)
    eva = office.users[0]

    def make(_: random.Random) -> None:
        with suppress(InvalidArgument):
            keys.create("a key", user_id=eva)

    office.at_once(make, turns=4)
    live = keys.list(eva)
    assert len(live) == 4
    keys.create("the server's own")
    keys.create("another's", user_id=office.users[1])

    def rotate(chance: random.Random) -> None:
        with suppress(InvalidArgument):
            keys.rotate(chance.choice(live).id, timedelta(days=1))

    office.at_once(rotate, turns=10)
    made = keys.list(eva)
    assert len(made) == 8
    assert len({key.replaced_by for key in made} - {None}) == 4
    newest = next(key for key in made if key.replaced_by is None)
    with pytest.raises(InvalidArgument, match="8 live keys") as caught:
        keys.rotate(newest.id, timedelta(days=1))
    assert caught.value.field == "keys"
    keys.rotate(newest.id)
    office.wait(timedelta(days=1))
    with pytest.raises(InvalidArgument, match="4 live keys"):
        keys.create("one more", user_id=eva)
    keys.revoke(next(key.id for key in keys.list(eva) if not key.replaced_by))
    keys.create("one more", user_id=eva)


def test_grants_end_while_they_are_used_and_cleared_away(office: Office) -> None:
    asked = Authorizations(office.store, office.clock, most_pending=5)
    grants = Grants(office.store, office.clock)
    tokens = RefreshTokens(office.store, office.clock)

    def allow(user_id: str) -> tuple[str, str]:
        secret = asked.begin(ASKED)
        given = asked.allow(secret, ASKED, user_id, "client", "law.test")
        assert given is not None
        code, grant_id, _ = given
        assert asked.redeem(code, grant_id)
        return grant_id, tokens.create(grant_id)

    for n in range(60):
        allow(office.users[n % 4])
    office.wait(timedelta(days=365) + KEPT_FOR)  # those are all to be cleared away now
    live = [allow(office.users[n % 4]) for n in range(40)]
    ids = [grant.id for grant in grants.list()]

    def use(chance: random.Random) -> None:
        grant_id, token = chance.choice(live)
        tokens.rotate(token, "client")
        grants.find_principal(grant_id)

    office.at_once(
        use,
        use,
        lambda chance: grants.write_last_use(shuffled(chance, ids, office.now)),
        lambda chance: grants.revoke_all(reason="admin", user_id=chance.choice(office.users)),
        lambda _: grants.revoke_all(reason="admin", client_id="client"),
        lambda chance: allow(chance.choice(office.users)),
        lambda _: asked.sweep(),
        lambda _: tokens.sweep(),
        lambda _: grants.sweep(),
    )


def disable(people: People, log: AuditLog, user_id: str) -> None:
    with log.together() as note:
        if people.disable(user_id):
            note("off", "system", user_id)


def test_people_come_go_and_change_at_once(office: Office) -> None:
    sessions = Sessions(office.store, office.clock)
    factors = SecondFactors(office.store, "https://law.test", office.clock)
    keys = ApiKeys(office.store, office.clock, most_of_a_person=1_000)
    log = AuditLog(office.store, office.clock)
    for user_id in office.users * 10:
        sessions.start(user_id, "Firefox, Linux")
    office.wait(LONGEST)  # those are all to be cleared away now
    for user_id in office.users * 10:
        sessions.start(user_id, "Firefox, Linux")

    def someone(chance: random.Random) -> str:
        return chance.choice(office.users)

    def set_anew(chance: random.Random) -> None:
        with suppress(NotFound):
            office.people.accept(office.people.create_password_link(someone(chance)), "", PASSWORD)

    def change(chance: random.Random) -> None:
        user_id, role = someone(chance), chance.choice(["admin", "member"])
        changes: list[Callable[[], object]] = [
            lambda: disable(office.people, log, user_id),
            lambda: office.people.enable(user_id),
            lambda: office.people.set_role(user_id, role),
            lambda: office.people.set_name(user_id, "Bo"),
            lambda: office.people.set_limits(user_id, 60, None),
        ]
        with suppress(InvalidArgument):
            chance.choice(changes)()

    def join(chance: random.Random) -> None:
        number = chance.randrange(10)
        with suppress(InvalidArgument, NotFound):
            link = office.people.invite(f"{number}@kanzlei.example", by=someone(chance))
            office.people.accept(link, "Dana", PASSWORD)

    def stay(chance: random.Random) -> None:
        user_id = someone(chance)
        with suppress(SignInFailed):
            _, session = sessions.start(user_id, "Firefox, Linux")
            sessions.unconfirm_others(user_id, session.id)
            sessions.put(session.id, {"a": 1})
            sessions.take(session.id, "a")
            if chance.random() < 0.5:
                sessions.end_all(user_id, session.id)
        Sessions(office.store, office.clock).start(None, "")  # one of its own cleans at once

    def choose(chance: random.Random) -> None:
        with suppress(Busy):
            office.people.set_password(someone(chance), PASSWORD)

    office.at_once(
        set_anew,
        change,
        join,
        stay,
        choose,
        lambda chance: factors.reset(someone(chance)),
        lambda chance: keys.create("a key", user_id=someone(chance)),
    )


def test_what_strangers_leave_is_cleared_away_while_more_comes(office: Office) -> None:
    clients = Clients(office.store, office.clock, most_unused=10)
    asked = Authorizations(office.store, office.clock, most_pending=5)
    used = UsedAssertions(office.store, office.clock)
    for n in range(30):
        clients.register(f"c{n}", [ASKED.redirect_uri], "none", {})
        used.use("client", str(n), office.now + 60)
        asked.begin(ASKED)
    office.wait(max(UNUSED_FOR, PENDING_FOR) + timedelta(minutes=1))

    def register(chance: random.Random) -> None:
        client, _ = clients.register("c", [ASKED.redirect_uri], "none", {})
        if chance.random() < 0.5:
            clients.note_use(client.id)

    def ask(_: random.Random) -> None:
        for _turn in range(20):  # makes room now and then
            asked.deny(asked.begin(ASKED))

    office.at_once(
        register,
        ask,
        lambda chance: used.use("client", str(chance.randrange(40)), office.now + 60),
        lambda _: clients.sweep(),
        lambda _: asked.sweep(),
        lambda _: used.sweep(),
    )


def test_what_the_server_keeps_of_itself_is_written_at_once(office: Office) -> None:
    log = AuditLog(office.store, office.clock)
    for n in range(30):
        log.record("sign_in", "system", str(n))
    office.wait(timedelta(days=31))
    rules, signing = Policies(office.store), SigningKeys(office.store, office.clock)
    usage = Usage(office.store, office.clock, lambda _delay, _task: None)

    def count(chance: random.Random) -> None:
        for _ in range(5):
            usage.note("seat", f"key_{chance.randrange(5)}", f"tool {chance.randrange(3)}")
        usage.flush()

    office.at_once(
        count,
        lambda _: log.record("sign_in", "system"),
        lambda _: prune(log, 30),
        lambda chance: rules.write(Policy(key_days=chance.choice([0, 30]))),
        lambda chance: signing.rotate(at_once=chance.random() < 0.5),
        lambda _: signing.sweep(),
    )
    usage.flush()
    assert not log.verify().problems


def test_of_links_made_at_once_one_alone_counts(office: Office) -> None:
    eva = office.users[0]
    office.at_once(
        lambda _: office.people.create_password_link(eva),
        lambda _: office.people.invite("dana@kanzlei.example"),
        turns=5,
    )
    query = select(links.c.purpose, func.count()).where(links.c.used.is_(None))
    with office.store.read() as connection:
        left = connection.execute(query.group_by(links.c.purpose)).all()
    assert sorted(tuple(row) for row in left) == [("invitation", 1), ("password", 1)]


def test_people_who_join_at_once_with_one_address_are_one_person(office: Office) -> None:
    outcomes: list[str] = []

    def sign_up(chance: random.Random) -> None:
        address = f"192.0.{chance.randrange(256)}.1"
        try:
            office.people.sign_up("dana@kanzlei.example", "Dana", PASSWORD, address)
        except InvalidArgument as error:
            outcomes.append(*error.allowed_values)
        else:
            outcomes.append("joined")

    office.at_once(sign_up, turns=1)
    assert sorted(outcomes) == ["joined", *["taken"] * (len(outcomes) - 1)]


def test_a_deadlock_that_happens_anyway_may_be_tried_again(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    """It is nobody's fault and says nothing about the database: what follows goes on."""
    store = postgres.create().open(tmp_path)
    with store.write() as connection:
        connection.execute(text("CREATE TABLE one (n integer)"))
        connection.execute(text("CREATE TABLE two (n integer)"))
    both = threading.Barrier(2)

    def change(first: str, second: str) -> bool:
        try:
            with store.write() as connection:
                connection.execute(text(f"LOCK TABLE {first}"))
                both.wait()
                connection.execute(text(f"LOCK TABLE {second}"))
        except AccountsUnavailable as error:
            return "deadlock" in str(error)
        return False

    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(change, ("one", "two"), ("two", "one")))
    assert sorted(done) == [False, True]
    assert (store.state.reachable, store.state.writable) == (True, True)
    assert store.state.last_error is None
    store.close()


def test_limits_take_the_revision_of_the_keys_before_the_person(
    office: Office,
) -> None:
    """As whoever disables somebody does: else each may wait for the other."""
    changed: list[str] = []

    def note(_c: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("UPDATE"):
            changed.append(statement.split()[1])

    event.listen(office.store._engine, "before_cursor_execute", note)
    office.people.set_limits(office.users[1], 60, None)
    assert changed == ["key_revision", "users", "api_keys"]
