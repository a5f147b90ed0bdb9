"""Who has an account, how they come to one, and whether a password is theirs."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import NoReturn

import pytest
from argon2 import Parameters
from argon2.profiles import CHEAPEST
from sqlalchemy import insert, select, update

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.schema_people import links, users
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.guessing.devices import Devices
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.keys.cache import MAX_AGE_S
from fundstelle.accounts.oauth.authorizations import Authorizations
from fundstelle.accounts.oauth.grants import Grants
from fundstelle.accounts.people.passwords import Lane, Passwords, check_choice, make_lane
from fundstelle.accounts.people.people import People, SignInFailed, User
from fundstelle.accounts.people.records import find_invitation
from fundstelle.accounts.people.sessions import Sessions
from fundstelle.accounts.secrets import create_secret, hash_secret
from fundstelle.errors import AccountsUnavailable, Busy, InvalidArgument, NotFound
from tests.integration.accounts.test_locks import ASKED
from tests.integration.services.databases import Database

OTHER = "ganz etwas anderes"
GOOD = "vier Hunde lesen leise"
HERE = "192.0.2.1"
DAY_S = 86_400


@dataclass
class Clock:
    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class CountingPasswords(Passwords):
    """Counts what each attempt costs."""

    def __init__(self, parameters: Parameters = CHEAPEST, *lanes: Lane) -> None:
        super().__init__(parameters, *lanes)
        self.checked = 0
        self.hashed = 0

    def hash(self, password: str) -> str:
        self.hashed += 1
        return super().hash(password)

    def matches(self, stored: str | None, password: str) -> bool:
        self.checked += 1
        return super().matches(stored, password)


@dataclass
class Town:
    store: AccountsStore
    clock: Clock = field(default_factory=Clock)
    passwords: CountingPasswords = field(default_factory=CountingPasswords)

    @property
    def people(self) -> People:
        return People(self.store, self.clock, self.passwords)

    def add_admin(self) -> User:
        return self.people.accept(
            self.people.create_first_admin_link(), "Eva Beck", GOOD, "eva@kanzlei.example"
        )

    def add(self, email: str, role: str = "member") -> User:
        return self.people.accept(self.people.invite(email, role), "Ali Can", GOOD)


@pytest.fixture
def town(tmp_path: Path, database: Database) -> Iterator[Town]:
    store = database.open(tmp_path)
    yield Town(store)
    store.close()


def test_the_first_admin_comes_by_a_link_that_works_once(town: Town) -> None:
    secret = town.people.create_first_admin_link()
    link = town.people.find_link(secret)
    assert link is not None
    assert (link.purpose, link.role) == ("first_admin", "admin")
    admin = town.people.accept(secret, " Eva  Beck ", GOOD, "Eva@Kanzlei.example")
    assert (admin.email, admin.name, admin.role) == ("eva@kanzlei.example", "Eva Beck", "admin")
    assert town.people.find_link(secret) is None
    with pytest.raises(NotFound):
        town.people.accept(secret, "Eva Beck", GOOD, "other@kanzlei.example")


def test_a_new_first_admin_link_replaces_the_one_before(town: Town) -> None:
    first, second = (town.people.create_first_admin_link() for _ in range(2))
    assert town.people.find_link(first) is None
    assert town.people.find_link(second) is not None


def test_there_is_no_link_for_a_second_first_admin(town: Town) -> None:
    town.add_admin()
    with pytest.raises(InvalidArgument, match="already"):
        town.people.create_first_admin_link()


def test_an_invitation_is_for_its_address_and_role(town: Town) -> None:
    secret = town.people.invite("Ali@Kanzlei.example", "member", town.add_admin().id)
    joined = town.people.accept(secret, "Ali Can", GOOD, "somebody@else.example")
    assert (joined.email, joined.role) == ("ali@kanzlei.example", "member")
    assert town.people.find_by_email(" ALI@kanzlei.example ") == joined
    assert town.people.find(joined.id) == joined


@pytest.mark.parametrize(
    ("purpose", "days"), [("first_admin", 1), ("invitation", 7), ("password", 1)]
)
def test_links_expire(town: Town, purpose: str, days: int) -> None:
    people = town.people
    if purpose == "first_admin":
        secret = people.create_first_admin_link()
    else:
        admin = town.add_admin()
        make: dict[str, Callable[[], str]] = {
            "invitation": lambda: people.invite("a@b.example"),
            "password": lambda: people.create_password_link(admin.id),
        }
        secret = make[purpose]()
    town.clock.now += days * DAY_S - 1
    assert people.find_link(secret) is not None
    town.clock.now += 1
    assert people.find_link(secret) is None
    with pytest.raises(NotFound):
        people.accept(secret, "A", GOOD, "a@b.example")


def test_inviting_again_ends_the_earlier_invitation(town: Town) -> None:
    first = town.people.invite("a@b.example")
    other = town.people.invite("other@b.example")
    second = town.people.invite("A@b.example", "admin")
    assert [town.people.find_link(secret) is None for secret in (first, other, second)] == [
        True,
        False,
        False,
    ]


def test_somebody_with_an_account_is_not_invited(town: Town) -> None:
    town.add_admin()
    with pytest.raises(InvalidArgument) as caught:
        town.people.invite("EVA@kanzlei.example")
    assert caught.value.field == "email"


@pytest.mark.parametrize("what", ["disabled", "demoted"])
def test_an_invitation_ends_with_the_rights_of_whoever_invited(town: Town, what: str) -> None:
    town.add_admin()
    second = town.add("zoe@kanzlei.example", "admin")
    secret = town.people.invite("a@b.example", "admin", second.id)
    if what == "disabled":
        town.people.disable(second.id)
    else:
        town.people.set_role(second.id, "member")
    assert town.people.find_link(secret) is None


@pytest.mark.parametrize("what", ["disabled", "demoted"])
def test_a_password_link_ends_with_the_rights_of_whoever_made_it(town: Town, what: str) -> None:
    admin = town.add_admin()
    second = town.add("zoe@kanzlei.example", "admin")
    secret = town.people.create_password_link(admin.id, second.id)
    assert town.people.find_link(secret) is not None
    if what == "disabled":
        town.people.disable(second.id)
    else:
        town.people.set_role(second.id, "member")
    assert town.people.find_link(secret) is None
    with pytest.raises(NotFound):
        town.people.accept(secret, "", "ganz etwas anderes")
    assert town.people.check_password(admin.email, GOOD, HERE).id == admin.id


@pytest.mark.parametrize("what", ["disabled", "demoted"])
def test_links_of_somebody_who_is_admin_again_stay_worthless(town: Town, what: str) -> None:
    admin = town.add_admin()
    second = town.add("zoe@kanzlei.example", "admin")
    theirs = [
        town.people.invite("a@b.example", "admin", second.id),
        town.people.create_password_link(admin.id, second.id),
    ]
    others = town.people.invite("c@d.example", "member", admin.id)
    if what == "disabled":
        town.people.disable(second.id)
        town.people.enable(second.id)
    else:
        town.people.set_role(second.id, "member")
        town.people.set_role(second.id, "admin")
    assert [town.people.find_link(secret) for secret in theirs] == [None, None]
    assert town.people.find_link(others) is not None


def test_who_is_no_admin_makes_no_link_that_would_hold_later(town: Town) -> None:
    admin, member = town.add_admin(), town.add("zoe@kanzlei.example")
    with pytest.raises(NotFound, match="no admin any more"):
        town.people.invite("a@b.example", "admin", member.id)
    with pytest.raises(NotFound, match="no admin any more"):
        town.people.create_password_link(admin.id, member.id)
    with town.store.read() as connection:
        assert connection.execute(select(links).where(links.c.used.is_(None))).first() is None


def test_a_password_link_ends_when_the_password_is_changed_otherwise(town: Town) -> None:
    admin = town.add_admin()
    secret = town.people.create_password_link(admin.id)
    town.people.set_password(admin.id, "ganz etwas anderes")
    assert town.people.find_link(secret) is None


def test_of_two_links_made_at_once_the_first_that_is_used_ends_the_other(town: Town) -> None:
    """On PostgreSQL neither of two transactions sees what the other writes."""
    admin = town.add_admin()
    secrets = [town.people.create_password_link(admin.id), create_secret()]
    with town.store.write() as connection:
        row = dict(connection.execute(select(links)).mappings().all()[-1])
        connection.execute(insert(links).values({**row, "digest": hash_secret(secrets[1])}))
    town.people.accept(secrets[1], "", "ganz etwas anderes")
    assert [town.people.find_link(secret) for secret in secrets] == [None, None]


def test_of_two_invitations_made_at_once_one_is_found_by_its_address(town: Town) -> None:
    town.people.invite("a@b.example")
    with town.store.write() as connection:
        row = dict(connection.execute(select(links)).mappings().one())
        newer = {"digest": bytes(32), "role": "admin", "created": row["created"] + timedelta(1)}
        connection.execute(insert(links).values({**row, **newer}))
        found = find_invitation(connection, "a@b.example", row["created"])
    assert found is not None
    assert found.role == "admin"


@pytest.mark.parametrize("what", ["password", "app", "disabled"])
def test_what_was_shown_before_a_change_begins_no_session_after_it(town: Town, what: str) -> None:
    """Hashing takes long: whoever has the old password tries again and again meanwhile."""
    town.add_admin()
    member = town.add("ali@kanzlei.example")
    sessions = Sessions(town.store, town.clock)
    shown = town.people.check_password(member.email, GOOD, HERE)
    if what == "password":
        town.people.accept(town.people.create_password_link(member.id), "", "ganz etwas anderes")
    elif what == "app":
        with town.store.write() as connection:
            connection.execute(update(users).values(totp_secret="sealed"))
    else:
        town.people.disable(member.id)
    with pytest.raises(SignInFailed):
        sessions.start(member.id, "Firefox", mark=shown.mark)
    with pytest.raises(SignInFailed):
        town.people.set_password(member.id, "noch etwas anderes", shown.mark)
    assert sessions.list(member.id) == ()


def test_a_session_that_begins_while_the_password_changes_ends_with_the_others(
    town: Town,
) -> None:
    """Neither sees what the other writes: one of them has to wait."""
    admin = town.add_admin()
    sessions = Sessions(town.store, town.clock)
    for number in range(10):
        secret = town.people.create_password_link(admin.id)
        mark = str(town.people.find(admin.id) and town.people.find(admin.id).mark)  # type: ignore[union-attr]
        together = threading.Barrier(2)

        def begin(mark: str = mark, together: threading.Barrier = together) -> None:
            together.wait()
            with suppress(SignInFailed):
                sessions.start(admin.id, "Firefox", mark=mark)

        thread = threading.Thread(target=begin)
        thread.start()
        together.wait()
        town.people.accept(secret, "", f"{number} ganz andere Worte")
        thread.join()
        assert sessions.list(admin.id) == ()


def test_link_secrets_are_not_in_the_database(
    town: Town, tmp_path: Path, database: Database
) -> None:
    admin = town.add_admin()
    secrets = [town.people.invite("a@b.example"), town.people.create_password_link(admin.id)]
    dump = database.dump(tmp_path)
    assert not [secret for secret in (*secrets, GOOD) if secret.encode() in dump]


def test_a_password_link_sets_the_password_and_ends_all_sessions(town: Town) -> None:
    admin = town.add_admin()
    sessions = Sessions(town.store, town.clock)
    cookie, _ = sessions.start(admin.id, "Firefox")
    secret = town.people.create_password_link(admin.id)
    changed = town.people.accept(secret, "Somebody Else", "ganz etwas anderes")
    assert (changed.id, changed.name) == (admin.id, admin.name)
    assert sessions.find(cookie) is None
    assert town.people.check_password(admin.email, "ganz etwas anderes", HERE).id == admin.id
    with pytest.raises(SignInFailed):
        town.people.check_password(admin.email, GOOD, HERE)


def test_a_disabled_person_gets_no_new_password(town: Town) -> None:
    town.add_admin()
    member = town.add("ali@kanzlei.example")
    secret = town.people.create_password_link(member.id)
    town.people.disable(member.id)
    assert town.people.find_link(secret) is None


@pytest.mark.parametrize("what", ["changed", "chosen", "disabled", "another"])
def test_a_password_link_ends_with_what_it_was_made_for(town: Town, what: str) -> None:
    """For good: to let the person in again brings no link back."""
    town.add_admin()
    member = town.add("ali@kanzlei.example")
    secret = town.people.create_password_link(member.id)
    if what == "changed":
        town.people.set_password(member.id, OTHER)
    elif what == "chosen":
        town.people.accept(town.people.create_password_link(member.id), "", OTHER)
    elif what == "disabled":
        town.people.disable(member.id)
        town.people.enable(member.id)
    else:
        town.people.create_password_link(member.id)
    assert town.people.find_link(secret) is None
    with pytest.raises(NotFound):
        town.people.accept(secret, "", GOOD)


@pytest.mark.parametrize("is_outdated", [False, True])
@pytest.mark.parametrize("what", ["changed", "disabled"])
def test_a_password_that_ends_while_it_is_checked_lets_nobody_in(
    town: Town, monkeypatch: pytest.MonkeyPatch, what: str, *, is_outdated: bool
) -> None:
    """Nor does it come back as the renewed hash of itself."""
    town.add_admin()
    member = town.add("ali@kanzlei.example")
    others = People(town.store, town.clock, Passwords(CHEAPEST))
    matches = town.passwords.matches

    def check_slowly(stored: str | None, password: str) -> bool:
        if what == "changed":
            others.set_password(member.id, OTHER)
        else:
            others.disable(member.id)
        return matches(stored, password)

    monkeypatch.setattr(town.passwords, "matches", check_slowly)
    monkeypatch.setattr(town.passwords, "is_outdated", lambda _stored: is_outdated)
    with pytest.raises(SignInFailed):
        town.people.check_password(member.email, GOOD, HERE)
    monkeypatch.undo()
    others.enable(member.id)
    valid = OTHER if what == "changed" else GOOD
    assert town.people.check_password(member.email, valid, HERE).id == member.id


def test_a_link_used_by_two_at_once_makes_one_account(town: Town) -> None:
    secret = town.people.invite("a@b.example")
    outcomes: list[str] = []
    together = threading.Barrier(2)

    def accept() -> None:
        together.wait()
        try:
            town.people.accept(secret, "A", GOOD)
        except (NotFound, Busy):  # after the other, or while the other is at it
            outcomes.append("gone")
        else:
            outcomes.append("made")

    threads = [threading.Thread(target=accept) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["gone", "made"]
    assert len(town.people.list()) == 1


def test_the_last_admin_stays_one(town: Town) -> None:
    admin = town.add_admin()
    acts: tuple[Callable[[], bool], ...] = (
        lambda: town.people.disable(admin.id),
        lambda: town.people.set_role(admin.id, "member"),
    )
    for act in acts:
        with pytest.raises(InvalidArgument) as caught:
            act()
        assert caught.value.field == "role"
    second = town.add("zoe@kanzlei.example", "admin")
    town.people.disable(admin.id)
    with pytest.raises(InvalidArgument):
        town.people.set_role(second.id, "member")
    town.people.enable(admin.id)
    town.people.set_role(second.id, "member")
    roles = {user.id: (user.role, user.disabled) for user in town.people.list()}
    assert roles == {admin.id: ("admin", None), second.id: ("member", None)}


def test_two_admins_who_demote_each_other_at_once_leave_one(town: Town) -> None:
    pair = (town.add_admin(), town.add("zoe@kanzlei.example", "admin"))
    together = threading.Barrier(2)

    def demote(user: User) -> None:
        together.wait()
        try:
            town.people.set_role(user.id, "member")
        except InvalidArgument:
            return

    threads = [threading.Thread(target=demote, args=(user,)) for user in pair]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(user.role for user in town.people.list()) == ["admin", "member"]


def test_disabling_ends_sessions(town: Town) -> None:
    town.add_admin()
    member = town.add("ali@kanzlei.example")
    sessions = Sessions(town.store, town.clock)
    cookie, _ = sessions.start(member.id, "Firefox")
    town.people.disable(member.id)
    assert sessions.find(cookie) is None


def test_disabling_ends_everything_with_its_line_or_nothing(town: Town) -> None:
    admin = town.add_admin()
    member = town.add("ali@kanzlei.example")
    keys, grants = ApiKeys(town.store, town.clock), Grants(town.store, town.clock)
    plain, _ = keys.create("a key", user_id=member.id)
    asked = Authorizations(town.store, town.clock)
    assert asked.allow(asked.begin(ASKED), ASKED, member.id, "client", "law.test")
    log = AuditLog(town.store, town.clock)

    def disable(of: AuditLog) -> None:
        with of.together() as note:
            if town.people.disable(member.id, admin.id):
                note("person_disable", admin.id, member.id)

    with pytest.raises(AccountsUnavailable):
        disable(_FailingLog(town.store, town.clock))
    assert keys.authenticate(plain)
    assert [grant.is_live for grant in grants.list(member.id)] == [True]
    disable(log)
    disable(log)  # it is so already: no other line
    town.clock.now += MAX_AGE_S
    assert keys.authenticate(plain) is None
    assert asked.allow(asked.begin(ASKED), ASKED, member.id, "client", "law.test") is None
    assert [grant.reason for grant in grants.list(member.id)] == ["admin"]
    assert [line["event"] for line in log.export()].count("person_disable") == 1
    assert not log.verify().problems


class _FailingLog(AuditLog):
    def _write(self, *_: object) -> NoReturn:
        raise AccountsUnavailable("away")


def test_somebody_unknown_cannot_be_changed(town: Town) -> None:
    for act in (
        lambda: town.people.disable("usr_0"),
        lambda: town.people.set_role("usr_0", "admin"),
        lambda: town.people.create_password_link("usr_0"),
        lambda: town.people.set_password("usr_0", GOOD),
    ):
        with pytest.raises(NotFound):
            act()


@pytest.mark.parametrize(
    "typed", ["mu\u0308ller@b.example", "ＭÜLLER@b.example", "Müller@B.example"]
)
def test_an_address_is_the_same_however_its_letters_are_made(town: Town, typed: str) -> None:
    town.add_admin()
    member = town.add("m\u00fcller@b.example")
    assert town.people.find_by_email(typed) == member
    assert town.people.check_password(typed, GOOD, HERE).id == member.id
    with pytest.raises(InvalidArgument, match="already"):
        town.people.sign_up(typed, "Ali Can", GOOD, HERE)
    town.people.sign_up("muller@b.example", "Ali Can", GOOD, HERE)


def test_an_address_of_an_older_version_is_found_as_it_was_typed(town: Town) -> None:
    town.add_admin()
    member = town.add("m\u00fcller@b.example")
    with town.store.write() as connection:
        connection.execute(
            update(users).where(users.c.id == member.id).values(email="mu\u0308ller@b.example")
        )
    found = town.people.find_by_email("Mu\u0308ller@b.example")
    assert found is not None
    assert found.id == member.id


@pytest.mark.parametrize(
    "email",
    ["", "eva", "eva@", "@b.example", "a b@c.example", "a@b@c", "a@b.", "<a@b.example>", "a\0@b"],
)
def test_what_is_no_address_is_refused(town: Town, email: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        town.people.invite(email)
    assert caught.value.field == "email"


@pytest.mark.parametrize(
    ("field_name", "act"),
    [
        ("role", lambda people, user: people.set_role(user, "owner")),
        ("role", lambda people, _: people.invite("a@b.example", "owner")),
        ("language", lambda people, user: people.set_language(user, "fr")),
        ("name", lambda people, user: people.set_name(user, "  ")),
        ("name", lambda people, user: people.set_name(user, "x" * 101)),
        ("password", lambda people, user: people.set_password(user, "short")),
        ("rate", lambda people, user: people.set_limits(user, -1, None)),
        ("month", lambda people, user: people.set_limits(user, None, 10**12)),
    ],
)
def test_what_cannot_be_kept_is_refused_by_field(
    town: Town, field_name: str, act: Callable[[People, str], object]
) -> None:
    admin = town.add_admin()
    with pytest.raises(InvalidArgument) as caught:
        act(town.people, admin.id)
    assert caught.value.field == field_name
    assert town.people.find(admin.id) == admin


def test_what_people_change_is_kept(town: Town) -> None:
    admin = town.add_admin()
    town.people.set_name(admin.id, "Eva Ohm")
    town.people.set_language(admin.id, "de")
    town.people.set_limits(admin.id, 600, 0)
    town.people.note_sign_in(admin.id)
    found = town.people.find(admin.id)
    assert found is not None
    assert (found.name, found.language, found.rate_per_minute, found.calls_per_month) == (
        "Eva Ohm",
        "de",
        600,
        0,
    )
    assert found.last_sign_in is not None
    assert found.last_sign_in.timestamp() == town.clock.now


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("elf Zeichen", "short"),
        ("x" * 257, "long"),
        ("aaaaaaaaaaaaaa", "simple"),
        ("ababababababab", "simple"),
        ("Passwort1234", "simple"),
        ("123456789012", "simple"),
        ("eva@kanzlei.example", "own"),
        ("Evangeline Beck", "own"),
        ("evangeline123", "own"),
    ],
)
def test_a_password_that_is_guessed_is_refused(password: str, reason: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check_choice(password, email="eva@kanzlei.example", name="Evangeline Beck")
    assert (caught.value.field, caught.value.allowed_values) == ("password", (reason,))


@pytest.mark.parametrize(
    "password", [GOOD, "Eva liest vier Bücher", "zwölf Zeichen", "🐘🐎🐖🐏🐕🐈🐇🐁🦊🦉🦆🐝"]
)
def test_a_password_of_some_words_is_fine(password: str) -> None:
    check_choice(password, email="eva@kanzlei.example", name="Evangeline Beck")


def test_a_password_typed_on_another_keyboard_is_the_same() -> None:
    passwords = Passwords(CHEAPEST)
    composed, decomposed = "schöne Grüße aus Köln", "scho\u0308ne Gru\u0308ße aus Ko\u0308ln"
    assert passwords.matches(passwords.hash(composed), decomposed)


def test_the_hash_is_argon2id_as_rfc_9106_has_it() -> None:
    assert Passwords().hash(GOOD).startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_nobody_fills_the_lane_of_those_who_are_known() -> None:
    passwords = Passwords(CHEAPEST, known=make_lane(1, 4, share=1))
    with ExitStack() as taken:
        taken.enter_context(passwords.reserve(known=True, holder="eva"))
        for _ in range(20):
            with pytest.raises(Busy), passwords.reserve(known=True, holder="eva"):
                pass
        for other in ("max", "zoe", "ann", "lea"):
            taken.enter_context(passwords.reserve(known=True, holder=other))
        with pytest.raises(Busy), passwords.reserve(known=True, holder="one too many"):
            pass
    with passwords.reserve(known=True, holder="eva"):
        pass


def test_one_network_of_strangers_leaves_places_to_others() -> None:
    passwords = Passwords(CHEAPEST)
    with ExitStack() as taken:
        for _ in range(4):
            taken.enter_context(passwords.reserve(known=False, holder="192.0.2.0/24"))
        for _ in range(20):
            with pytest.raises(Busy), passwords.reserve(known=False, holder="192.0.2.0/24"):
                pass
        taken.enter_context(passwords.reserve(known=False, holder="203.0.113.0/24"))


def test_a_person_checks_one_password_at_a_time_in_their_session(town: Town) -> None:
    eva, people = town.add_admin(), town.people
    with town.passwords.reserve(known=True, holder=eva.id), pytest.raises(Busy):
        people.check_password(eva.email, GOOD, "192.0.2.1", session_id="session")
    assert people.check_password(eva.email, GOOD, "192.0.2.1", session_id="session") == eva


def test_few_hashes_run_at_a_time() -> None:
    lane = make_lane(1, 1, share=2)
    passwords = Passwords(CHEAPEST, strangers=lane)
    held = lane.running
    held.acquire()
    done = threading.Event()

    def hash_one() -> None:
        with passwords.reserve(known=False, holder="") as hasher:
            hasher.hash(GOOD)
        done.set()

    waiting = threading.Thread(target=hash_one)
    waiting.start()
    assert not done.is_set()
    held.release()
    waiting.join()
    assert done.is_set()


def test_one_hash_more_than_may_wait_is_refused_at_once(town: Town) -> None:
    admin = town.add_admin()
    town.passwords = CountingPasswords(CHEAPEST, make_lane(2, 1, share=3), make_lane(1, 0, share=1))
    with ExitStack() as taken:
        for _ in range(3):
            taken.enter_context(town.passwords.reserve(known=False, holder="elsewhere"))
        with pytest.raises(Busy) as caught:
            town.people.check_password(admin.email, "etwas anderes", HERE)
        assert caught.value.retry_after_s == 2
        device = Devices(town.store.pepper, town.clock).issue(admin.known_as)
        town.people.check_password(admin.email, GOOD, HERE, device=device)
        town.people.check_password(admin.email, GOOD, HERE, session_id="ses_x")
        taken.enter_context(town.passwords.reserve(known=True, holder="another"))
        for proof in ({"device": device}, {"session_id": "ses_x"}):
            with pytest.raises(Busy):
                town.people.check_password(admin.email, GOOD, HERE, **proof)
        with pytest.raises(Busy):
            town.people.set_password(admin.id, "ganz etwas anderes")
    assert town.people.check_password(admin.email, GOOD, HERE).id == admin.id
    assert town.passwords.checked == 3, "who is refused costs no hash and counts as no failure"


@pytest.mark.parametrize("who", ["unknown", "known", "disabled", "without a password"])
def test_a_refusal_costs_the_same_and_says_the_same_for_everybody(town: Town, who: str) -> None:
    town.add_admin()
    member = town.add("ali@kanzlei.example")
    if who == "disabled":
        town.people.disable(member.id)
    if who == "without a password":
        town.people._change(member.id, password=None)
    town.passwords.checked = town.passwords.hashed = 0
    email = "nobody@kanzlei.example" if who == "unknown" else member.email
    password = GOOD if who in {"disabled", "without a password"} else "etwas anderes"
    with pytest.raises(SignInFailed) as caught:
        town.people.check_password(email, password, HERE)
    assert (town.passwords.checked, town.passwords.hashed) == (1, 0)
    assert (str(caught.value), caught.value.retry_after) == ("the sign-in was refused", None)


def test_nobodys_hash_has_the_price_of_a_real_one() -> None:
    passwords = Passwords()
    real = passwords.hash(GOOD)
    nobodys = passwords._nobodys
    assert nobodys.rsplit("$", 2)[0] == real.rsplit("$", 2)[0]
    assert [len(part) for part in nobodys.split("$")] == [len(part) for part in real.split("$")]


def test_a_hash_with_old_parameters_is_renewed_at_sign_in(town: Town) -> None:
    admin = town.add_admin()
    town.passwords = CountingPasswords(
        Parameters(
            type=CHEAPEST.type,
            version=CHEAPEST.version,
            salt_len=CHEAPEST.salt_len,
            hash_len=CHEAPEST.hash_len,
            time_cost=CHEAPEST.time_cost + 1,
            memory_cost=CHEAPEST.memory_cost,
            parallelism=CHEAPEST.parallelism,
        )
    )
    for hashed in (1, 1):  # the second time it is new already
        town.people.check_password(admin.email, GOOD, HERE)
        assert town.passwords.hashed == hashed
    with town.store.read() as connection:
        stored = connection.execute(select(users.c.password)).scalar_one()
    assert f"t={CHEAPEST.time_cost + 1}," in stored


def test_renewing_a_hash_brings_no_old_password_back(town: Town) -> None:
    """Somebody chooses a new password while a sign-in with the old one is under way."""
    admin = town.add_admin()

    class Slow(CountingPasswords):
        def is_outdated(self, stored: str) -> bool:
            town.people.set_password(admin.id, "ganz etwas anderes")
            return bool(stored)

    hurried = People(town.store, town.clock, Slow())
    with pytest.raises(SignInFailed):
        hurried.check_password(admin.email, GOOD, HERE)
    assert town.people.check_password(admin.email, "ganz etwas anderes", HERE).id == admin.id


def test_signing_up_makes_a_member(town: Town) -> None:
    town.add_admin()
    joined = town.people.sign_up("New@b.example", "Neu", GOOD, HERE)
    assert (joined.email, joined.role) == ("new@b.example", "member")
    with pytest.raises(InvalidArgument) as caught:
        town.people.sign_up("new@b.example", "Neu", GOOD, HERE)
    assert (caught.value.field, caught.value.allowed_values) == ("email", ("taken",))


def test_who_is_given_a_role_is_known_whoever_gives_it(town: Town) -> None:
    town.add_admin()
    user = town.people.sign_up("dana@kanzlei.example", "Dana", GOOD, HERE)
    assert user.self_made
    town.people.set_role(user.id, "admin")  # at the command line, which names nobody
    found = town.people.find(user.id)
    assert found is not None
    assert (found.role, found.self_made) == ("admin", False)
