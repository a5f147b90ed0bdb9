"""One-time codes and passkeys: what is accepted, what is not, and never twice."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyotp
import pytest
from argon2.profiles import CHEAPEST
from sqlalchemy import select
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from fundstelle.accounts.database.schema_people import users
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.people.passkeys import MOST, Passkeys
from fundstelle.accounts.people.passwords import Passwords
from fundstelle.accounts.people.people import People, SignInFailed, User
from fundstelle.accounts.people.second_factors import SecondFactors
from fundstelle.accounts.people.sessions import Sessions
from fundstelle.errors import AccountsError, InvalidArgument, NotFound
from tests.integration.services.databases import Database
from tests.integration.sites.authenticator import Authenticator

BASE = "https://law.example"
HOST = "law.example"
HERE = "192.0.2.1"


@dataclass
class Gate:
    store: AccountsStore
    now: float = 1_800_000_000.0

    def __post_init__(self) -> None:
        self.people = People(self.store, self.clock, Passwords(CHEAPEST))
        self.factors = SecondFactors(self.store, BASE, self.clock)
        link = self.people.create_first_admin_link()
        self.user = self.people.accept(link, "Eva Beck", "vier Hunde lesen", "eva@k.example")

    def clock(self) -> float:
        return self.now

    def set_up(self) -> pyotp.TOTP:
        """An app for the person, whose code of this moment has been used."""
        offer = self.factors.offer_totp(self.user.email)
        app = pyotp.TOTP(offer.secret)
        self.factors.confirm_totp(self.user.id, offer.sealed, app.at(int(self.now)))
        return app

    def accepts(self, code: str) -> bool:
        try:
            self.factors.check_code(self.user.id, code, HERE)
        except SignInFailed:
            return False
        return True

    def reload(self) -> User:
        user = self.people.find(self.user.id)
        assert user is not None
        return user

    def add_passkey(self, **bent: object) -> Authenticator:
        device = Authenticator(BASE, HOST, **bent)  # type: ignore[arg-type]
        ceremony = self.factors.passkeys.begin_registration(self.user)
        answer = device.create(ceremony.options)
        self.factors.passkeys.register(self.user.id, ceremony.challenge, answer, "Laptop")
        return device

    def sign_in(self, device: Authenticator) -> User:
        ceremony = self.factors.passkeys.begin_authentication()
        return self.factors.passkeys.authenticate(ceremony.challenge, device.get(ceremony.options))


@pytest.fixture
def gate(tmp_path: Path, database: Database) -> Iterator[Gate]:
    store = database.open(tmp_path)
    yield Gate(store)
    store.close()


def test_an_app_counts_once_it_has_shown_a_code(gate: Gate) -> None:
    offer = gate.factors.offer_totp(gate.user.email)
    with pytest.raises(InvalidArgument) as caught:
        gate.factors.confirm_totp(gate.user.id, offer.sealed, "000000")
    assert caught.value.field == "code"
    assert not gate.reload().has_totp
    gate.factors.confirm_totp(
        gate.user.id, offer.sealed, pyotp.TOTP(offer.secret).at(int(gate.now))
    )
    assert gate.reload().has_totp


def test_an_app_that_is_set_up_gives_the_person_another_mark(gate: Gate) -> None:
    """With it alone a session begins: not after the password was changed, either."""
    before = gate.user.mark
    offer = gate.factors.offer_totp(gate.user.email)
    code = pyotp.TOTP(offer.secret).at(int(gate.now))
    confirmed = gate.factors.confirm_totp(gate.user.id, offer.sealed, code, before)
    assert confirmed.mark == gate.reload().mark != before
    with pytest.raises(SignInFailed):
        Sessions(gate.store).start(gate.user.id, "x", mark=before)
    Sessions(gate.store).start(gate.user.id, "x", mark=confirmed.mark)


def test_an_app_is_not_set_up_by_who_has_shown_what_holds_no_more(gate: Gate) -> None:
    before = gate.user.mark
    gate.people.set_password(gate.user.id, "neun Katzen rechnen laut")
    offer = gate.factors.offer_totp(gate.user.email)
    code = pyotp.TOTP(offer.secret).at(int(gate.now))
    with pytest.raises(SignInFailed):
        gate.factors.confirm_totp(gate.user.id, offer.sealed, code, before)
    assert not gate.reload().has_totp


@pytest.mark.parametrize(
    ("steps", "accepted"), [(-3, False), (1, True), (2, False), (3, False), (5, False)]
)
def test_a_code_is_good_for_its_step_and_the_ones_beside(
    gate: Gate, steps: int, accepted: bool
) -> None:
    app = gate.set_up()
    assert gate.accepts(app.at(int(gate.now) + 30 * steps)) == accepted


def test_a_code_of_the_step_before_is_good_if_none_was_used_since(gate: Gate) -> None:
    app = gate.set_up()
    gate.now += 90
    assert gate.accepts(app.at(int(gate.now) - 30))


def test_no_code_is_taken_twice_nor_one_older_than_the_last(gate: Gate) -> None:
    app = gate.set_up()
    assert not gate.accepts(app.at(int(gate.now))), "the code that set the app up"
    gate.now += 60
    older, code = app.at(int(gate.now) - 30), app.at(int(gate.now))
    assert [gate.accepts(one) for one in (code, code, older)] == [True, False, False]


def test_a_clock_that_ran_ahead_locks_nobody_out(gate: Gate) -> None:
    gate.now += 400 * 86_400
    app = gate.set_up()
    gate.now -= 400 * 86_400
    code = app.at(int(gate.now))
    assert [gate.accepts(one) for one in (code, code)] == [True, False]
    gate.now += 60
    assert gate.accepts(app.at(int(gate.now)))


def test_one_code_used_by_two_at_once_lets_one_in(gate: Gate) -> None:
    app = gate.set_up()
    gate.now += 60
    code = app.at(int(gate.now))
    outcomes: list[bool] = []
    together = threading.Barrier(2)

    def try_it() -> None:
        together.wait()
        outcomes.append(gate.accepts(code))

    threads = [threading.Thread(target=try_it) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == [False, True]


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦", "12345 "])
def test_what_is_no_code_is_refused(gate: Gate, code: str) -> None:
    gate.set_up()
    assert not gate.accepts(code)


def test_a_code_may_be_typed_with_a_blank(gate: Gate) -> None:
    app = gate.set_up()
    gate.now += 60
    code = app.at(int(gate.now))
    assert gate.accepts(f"{code[:3]} {code[3:]}")


def test_guessing_codes_is_slowed_down_like_passwords(gate: Gate) -> None:
    app = gate.set_up()
    waits = []
    for _ in range(7):
        with pytest.raises(SignInFailed) as caught:
            gate.factors.check_code(gate.user.id, "000000", HERE)
        waits.append(caught.value.retry_after)
    assert waits == [*[None] * 5, 15, 15]
    gate.now += 60
    assert gate.accepts(app.at(int(gate.now)))


def test_the_secret_is_sealed_in_the_database(
    gate: Gate, tmp_path: Path, database: Database
) -> None:
    app = gate.set_up()
    assert app.secret.encode() not in database.dump(tmp_path)
    with gate.store.read() as connection:
        sealed = connection.execute(select(users.c.totp_secret)).scalar_one()
    assert gate.factors.reopen_totp(sealed, "eva@k.example").secret == app.secret
    with pytest.raises(AccountsError):
        gate.factors.reopen_totp(sealed[:-4] + "AAAA", "eva@k.example")


def test_the_drawing_needs_no_style_and_names_no_stranger(gate: Gate) -> None:
    offer = gate.factors.offer_totp("eva@k.example")
    assert offer.uri.startswith("otpauth://totp/Fundstelle:eva%40k.example?secret=")
    drawing = offer.draw()
    assert drawing.startswith("<svg ")
    assert "style" not in drawing
    assert "http" not in drawing.replace("http://www.w3.org/2000/svg", "")


def test_somebody_without_an_app_or_disabled_has_no_code(gate: Gate) -> None:
    assert not gate.accepts("000000")
    app = gate.set_up()
    secret = gate.people.invite("zoe@k.example", "admin")
    gate.people.accept(secret, "Zoe", "vier Hunde lesen")
    gate.people.disable(gate.user.id)
    gate.now += 60
    assert not gate.accepts(app.at(int(gate.now)))


def test_recovery_removes_app_and_passkeys(gate: Gate) -> None:
    gate.set_up()
    device = gate.add_passkey()
    gate.factors.reset(gate.user.id)
    assert not gate.reload().has_totp
    assert gate.factors.passkeys.list(gate.user.id) == ()
    with pytest.raises(SignInFailed):
        gate.sign_in(device)


def test_a_passkey_signs_its_owner_in(gate: Gate) -> None:
    device = gate.add_passkey()
    assert gate.sign_in(device).id == gate.user.id
    gate.now += 60
    assert gate.sign_in(device).id == gate.user.id
    [passkey] = gate.factors.passkeys.list(gate.user.id)
    assert passkey.name == "Laptop"
    assert passkey.last_used is not None
    assert passkey.last_used.timestamp() == gate.now


def test_a_passkey_that_never_counts_works_again_and_again(gate: Gate) -> None:
    device = gate.add_passkey()
    for _ in range(2):
        device.counter = -1
        assert gate.sign_in(device).id == gate.user.id


def test_an_answer_is_good_once(gate: Gate) -> None:
    device = gate.add_passkey()
    ceremony = gate.factors.passkeys.begin_authentication()
    answer = device.get(ceremony.options)
    gate.factors.passkeys.authenticate(ceremony.challenge, answer)
    with pytest.raises(SignInFailed):
        gate.factors.passkeys.authenticate(ceremony.challenge, answer)


def _change(name: str, *, value: object) -> Callable[[Authenticator], None]:
    return lambda device: setattr(device, name, value)


@pytest.mark.parametrize(
    "bend",
    [
        _change("origin", value="https://law.example.evil"),
        _change("origin", value="http://law.example"),
        _change("host", value="evil.example"),
        _change("is_verified", value=False),
        _change("id", value=b"unknown"),
        _change("_key", value=Authenticator(BASE, HOST)._key),
        _change("counter", value=3),
    ],
    ids=["other origin", "no https", "other host", "no PIN", "other id", "other key", "a clone"],
)
def test_a_passkey_of_another_place_device_or_time_is_refused(
    gate: Gate, bend: Callable[[Authenticator], None]
) -> None:
    device = gate.add_passkey()
    device.counter = 7
    gate.sign_in(device)
    bend(device)
    with pytest.raises(SignInFailed):
        gate.sign_in(device)


def test_an_answer_to_another_challenge_is_refused(gate: Gate) -> None:
    device = gate.add_passkey()
    asked, other = (gate.factors.passkeys.begin_authentication() for _ in range(2))
    for challenge in (other.challenge, ""):
        with pytest.raises(SignInFailed):
            gate.factors.passkeys.authenticate(challenge, device.get(asked.options))
    empty = json.dumps({"challenge": ""})
    with pytest.raises(SignInFailed):
        gate.factors.passkeys.authenticate("", device.get(empty))


_RESPONSE = '"response": {"clientDataJSON": "%s", "authenticatorData": "%s", "signature": "%s"}'


@pytest.mark.parametrize(
    "answer",
    [
        *("", "{}", "[]", "null", '{"rawId": 1}', '{"rawId": "AA"}', '{"rawId": "ä"}', "1" * 5_000),
        "[" * 50_000,
        '{"rawId": ' + "[" * 50_000,
        '{"rawId": "\\ud800"}',
        '{"id": "AA", "rawId": "AA", "type": "public-key", %s}' % (_RESPONSE % ("", "", "")),
        '{"id": "AA", "rawId": "AA", "type": "public-key", %s}' % (_RESPONSE % ("e30", "AA", "A")),
        '{"id": "AA", "rawId": "AA", "type": "public-key", "response": 1}',
        '{"id": [], "rawId": "AA", "type": {}, "response": {"attestationObject": "/////w"}}',
    ],
    ids=lambda answer: answer[:20],
)
def test_what_is_no_answer_is_refused(gate: Gate, answer: str) -> None:
    gate.add_passkey()
    with pytest.raises(SignInFailed):
        gate.factors.passkeys.authenticate("AAAA", answer)
    with pytest.raises(InvalidArgument):
        gate.factors.passkeys.register(gate.user.id, "AAAA", answer, "Laptop")


def test_an_answer_that_unfolds_without_end_is_refused(gate: Gate) -> None:
    """Shared values (CBOR tags 28 and 29): 60 levels, each of which holds the next one twice."""
    device = gate.add_passkey()
    shared = b"\xd8\x1c\x80"
    for level in range(60, 0, -1):
        shared = b"\xd8\x1c\x82" + shared + b"\xd8\x1d\x18" + bytes([level])
    hostile = b"\xa1" + shared + b"\1"
    ceremony = gate.factors.passkeys.begin_registration(gate.user)
    made = json.loads(Authenticator(BASE, HOST).create(ceremony.options))
    made["response"]["attestationObject"] = bytes_to_base64url(hostile)
    with pytest.raises(InvalidArgument):
        gate.factors.passkeys.register(gate.user.id, ceremony.challenge, json.dumps(made), "Laptop")
    ceremony = gate.factors.passkeys.begin_authentication()
    shown = json.loads(device.get(ceremony.options))
    head = base64url_to_bytes(shown["response"]["authenticatorData"])
    bent = head[:32] + bytes([head[32] | 0x80]) + head[33:] + hostile
    shown["response"]["authenticatorData"] = bytes_to_base64url(bent)
    with pytest.raises(SignInFailed):
        gate.factors.passkeys.authenticate(ceremony.challenge, json.dumps(shown))


@pytest.mark.parametrize(
    "end",
    [
        lambda gate: gate.factors.reset(gate.user.id),
        lambda gate: gate.factors.passkeys.remove(
            gate.user.id, gate.factors.passkeys.list(gate.user.id)[0].id
        ),
        lambda gate: Sessions(gate.store).end_all(gate.user.id),
        lambda gate: gate.people.set_password(gate.user.id, "neun Katzen rechnen laut"),
    ],
    ids=["factors reset", "passkey removed", "sessions ended", "new password"],
)
def test_what_a_passkey_has_begun_ends_with_what_it_rests_on(
    gate: Gate, end: Callable[[Gate], None]
) -> None:
    device = gate.add_passkey()
    user = gate.sign_in(device)
    end(gate)
    with pytest.raises(SignInFailed):
        Sessions(gate.store).start(user.id, "x", mark=user.mark)


def test_who_ends_all_sessions_goes_on_with_another_mark(gate: Gate) -> None:
    sessions = Sessions(gate.store)
    user = sessions.end_all(gate.user.id, mark=gate.user.mark)
    assert user.mark == gate.reload().mark != gate.user.mark
    sessions.start(user.id, "x", mark=user.mark)
    with pytest.raises(SignInFailed):
        sessions.end_all(gate.user.id, mark=gate.user.mark)
    assert len(sessions.list(user.id)) == 1


def test_a_passkey_of_somebody_disabled_is_refused(gate: Gate) -> None:
    device = gate.add_passkey()
    gate.people.accept(gate.people.invite("z@k.example", "admin"), "Zoe", "vier Hunde lesen")
    gate.people.disable(gate.user.id)
    with pytest.raises(SignInFailed):
        gate.sign_in(device)


def test_a_passkey_is_not_kept_for_who_has_shown_what_holds_no_more(gate: Gate) -> None:
    before = gate.user.mark
    device = Authenticator(BASE, HOST)
    ceremony = gate.factors.passkeys.begin_registration(gate.user)
    gate.people.set_password(gate.user.id, "neun Katzen rechnen laut")
    answer = device.create(ceremony.options)
    with pytest.raises(SignInFailed):
        gate.factors.passkeys.register(gate.user.id, ceremony.challenge, answer, "Laptop", before)
    assert gate.factors.passkeys.list(gate.user.id) == ()


@pytest.mark.parametrize("bent", [{"origin": "https://evil.example"}, {"is_verified": False}])
def test_a_passkey_made_elsewhere_or_without_a_pin_is_not_kept(
    gate: Gate, bent: dict[str, object]
) -> None:
    device = Authenticator(BASE, HOST)
    for name, value in bent.items():
        setattr(device, name, value)
    ceremony = gate.factors.passkeys.begin_registration(gate.user)
    with pytest.raises(InvalidArgument):
        gate.factors.passkeys.register(
            gate.user.id, ceremony.challenge, device.create(ceremony.options), "Laptop"
        )
    assert gate.factors.passkeys.list(gate.user.id) == ()


def test_a_passkey_is_kept_once_and_by_its_owner_alone(gate: Gate) -> None:
    device = gate.add_passkey()
    other = gate.people.accept(gate.people.invite("z@k.example"), "Zoe", "vier Hunde lesen")
    with pytest.raises(InvalidArgument):
        gate.add_passkey(id=device.id)
    [passkey] = gate.factors.passkeys.list(gate.user.id)
    for user_id, passkey_id in ((other.id, passkey.id), (gate.user.id, "AAAA"), (other.id, "?")):
        with pytest.raises(NotFound):
            gate.factors.passkeys.remove(user_id, passkey_id)
    gate.factors.passkeys.remove(gate.user.id, passkey.id)
    assert gate.factors.passkeys.list(gate.user.id) == ()


def test_known_devices_are_named_so_that_none_is_registered_twice(gate: Gate) -> None:
    device = gate.add_passkey()
    options = json.loads(gate.factors.passkeys.begin_registration(gate.user).options)
    [known] = gate.factors.passkeys.list(gate.user.id)
    assert [one["id"] for one in options["excludeCredentials"]] == [known.id]
    assert options["rp"] == {"name": "Fundstelle", "id": HOST}
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert device.id


def test_passkeys_end_somewhere(gate: Gate) -> None:
    for _ in range(MOST):
        gate.add_passkey()
    with pytest.raises(InvalidArgument):
        gate.add_passkey()


@pytest.mark.parametrize(
    ("base_url", "possible"),
    [
        ("https://law.example", True),
        ("http://localhost:8000", True),
        ("http://law.example", False),
        ("http://127.0.0.1:8000", False),
        ("https://192.0.2.1", False),
        ("https://[2001:db8::1]", False),
    ],
)
def test_passkeys_need_a_name_and_https(gate: Gate, base_url: str, possible: bool) -> None:
    assert Passkeys(gate.store, base_url).are_possible == possible


def test_a_recovery_code_is_good_once_for_its_person_and_stored_as_a_hash(
    gate: Gate, tmp_path: Path, database: Database
) -> None:
    gate.set_up()
    codes = gate.factors.recovery.begin(gate.user.id)
    assert gate.factors.recovery.begin(gate.user.id) == ()
    invited = gate.people.invite("max@k.example", "member", gate.user.id)
    other = gate.people.accept(invited, "Max Mit", "vier Katzen lesen")
    assert not gate.factors.recovery.use(other.id, codes[0])
    assert gate.accepts(f" {codes[0].replace('-', ' ').upper()} ")
    assert not gate.accepts(codes[0])
    assert gate.factors.recovery.count(gate.user.id) == 9
    dumped = database.dump(tmp_path)
    assert not any(
        one.encode() in dumped for code in codes for one in (code, code.replace("-", ""))
    )


def test_recovery_codes_are_guessed_no_faster_than_those_of_the_app(gate: Gate) -> None:
    gate.set_up()
    [code, *_] = gate.factors.recovery.begin(gate.user.id)
    assert not any(gate.accepts("abcd-efgh-jkmn") for _ in range(5))
    assert not gate.accepts(code)
    gate.now += 60
    assert gate.accepts(code)


def test_recovery_codes_end_with_the_last_second_factor(gate: Gate) -> None:
    gate.set_up()
    gate.add_passkey()
    gate.factors.recovery.begin(gate.user.id)
    gate.factors.remove_totp(gate.user.id)
    assert gate.factors.recovery.count(gate.user.id) == 10
    [passkey] = gate.factors.passkeys.list(gate.user.id)
    gate.factors.passkeys.remove(gate.user.id, passkey.id)
    assert gate.factors.recovery.count(gate.user.id) == 0
    gate.set_up()
    gate.factors.recovery.begin(gate.user.id)
    gate.factors.reset(gate.user.id)
    assert gate.factors.recovery.count(gate.user.id) == 0


def test_recovery_codes_are_not_renewed_by_what_holds_no_more(gate: Gate) -> None:
    before = gate.user.mark
    gate.set_up()
    with pytest.raises(SignInFailed):
        gate.factors.recovery.renew(gate.user.id, before)
    assert gate.factors.recovery.count(gate.user.id) == 0
