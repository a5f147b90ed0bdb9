"""Sign-in at the firm's identity provider: a real round trip, and everything it must refuse."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from argon2.profiles import CHEAPEST
from sqlalchemy import Connection

from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.people.identities import Identities, _find_owner, _find_provisioned
from fundstelle.accounts.people.identity_provider import (
    IdentityProvider,
    IdentityRefused,
    ProvenIdentity,
    SignInRequest,
)
from fundstelle.accounts.people.passwords import Passwords
from fundstelle.accounts.people.people import OneTimeLink, People, User
from fundstelle.accounts.people.provider_documents import ProviderDocuments
from fundstelle.accounts.people.records import find_link
from fundstelle.accounts.secrets import hash_secret
from fundstelle.errors import InvalidArgument, SourceError
from tests.integration.services import identity_provider as bent
from tests.integration.services.databases import Database, PostgresServer
from tests.integration.services.identity_provider import (
    CLIENT_ID,
    CLIENT_SECRET,
    Provider,
    start_provider,
)

BACK = "https://law.example/sign-in/provider/done"
GOOD = "vier Hunde lesen leise"


@dataclass
class Clock:
    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Trip:
    """This server and a provider."""

    provider: Provider
    clock: Clock
    ours: IdentityProvider = field(init=False)

    def __post_init__(self) -> None:
        self.ours = self.make()

    def make(self, **changed: str | None) -> IdentityProvider:
        settings: dict[str, str | None] = {
            "issuer": self.provider.issuer,
            "client_id": CLIENT_ID,
            "client_secret": CLIENT_SECRET,
            "redirect_uri": BACK,
        }
        return IdentityProvider(**(settings | changed), clock=self.clock)  # type: ignore[arg-type]

    def go(self, *, fresh: bool = False) -> ProvenIdentity:
        address, question = self.ours.begin(fresh=fresh)
        return self.come_back(question, self.provider.approve(address))

    def come_back(self, question: SignInRequest, query: str) -> ProvenIdentity:
        answer = {name: values[0] for name, values in parse_qs(query).items()}
        return self.ours.finish(question, answer)

    def is_refused(self) -> str:
        with pytest.raises(IdentityRefused) as caught:
            self.go()
        return caught.value.reason


@pytest.fixture(scope="module", params=["RS256", "ES256"])
def running(request: pytest.FixtureRequest) -> Iterator[tuple[Provider, Clock]]:
    clock = Clock()
    with start_provider(clock, request.param) as provider:
        yield provider, clock


@pytest.fixture
def trip(running: tuple[Provider, Clock]) -> Iterator[Trip]:
    provider, clock = running
    clock.now = Clock.now
    kept = replace(provider)
    yield Trip(provider, clock)
    for name in ("claims", "document", "person", "bend_token", "extra_keys"):
        setattr(provider, name, getattr(kept, name))


def test_the_round_trip_shows_who_somebody_is(trip: Trip) -> None:
    assert trip.go() == ProvenIdentity(
        issuer=trip.provider.issuer,
        subject="248289761001",
        email="Eva@Kanzlei.example",
        is_email_verified=True,
        name="Eva Beck",
    )


def test_the_question_carries_state_nonce_and_pkce(trip: Trip) -> None:
    address, question = trip.ours.begin()
    asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    assert asked["realm"] == "firm", "what the endpoint's own address says stays"
    assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
    assert (asked["state"], asked["nonce"]) == (question.state, question.nonce)
    assert (asked["client_id"], asked["redirect_uri"]) == (CLIENT_ID, BACK)
    assert "openid" in asked["scope"].split()
    assert question.verifier not in address
    assert len({question.state, question.nonce, question.verifier}) == 3
    assert SignInRequest(**question.to_data()) == question


def test_no_two_questions_are_alike(trip: Trip) -> None:
    first, second = (trip.ours.begin()[1] for _ in range(2))
    assert not set(first.to_data().values()) & set(second.to_data().values()) - {False}


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another"},
        {"aud": ["another"]},
        {"aud": None},
        {"aud": [CLIENT_ID, "another"]},
        {"aud": [CLIENT_ID, "another"], "azp": "another"},
        {"azp": "another"},
        {"azp": ["another"]},
        {"azp": {"another": 1}},
        {"iss": "https://evil.example"},
        {"iss": None},
        {"exp": 1_800_000_000 - 61},
        {"exp": None},
        {"exp": "tomorrow"},
        {"iat": 1_800_000_000 + 61},
        {"iat": None},
        {"nbf": 1_800_000_000 + 61},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 256},
        {"sub": "248\0"},
        {"sub": "\ud800"},
    ],
    ids=str,
)
def test_a_token_not_for_us_not_from_there_or_not_of_now_is_refused(
    trip: Trip, claims: dict[str, object]
) -> None:
    trip.provider.claims = claims
    assert trip.is_refused().startswith("token: ")


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": [CLIENT_ID]},
        {"aud": [CLIENT_ID, "another"], "azp": CLIENT_ID},
        {"exp": 1_800_000_000 - 59},
        {"iat": 1_800_000_000 + 59},
    ],
    ids=str,
)
def test_what_the_specification_allows_is_accepted(trip: Trip, claims: dict[str, object]) -> None:
    trip.provider.claims = claims
    assert trip.go().subject == "248289761001"


@pytest.mark.parametrize(
    "bend_token",
    [
        bent.sign_with_nothing,
        bent.sign_with_public_key,
        bent.sign_with_other_key,
        bent.sign_with_unknown_key,
        bent.change_signed,
        lambda token, _: token[:-8],
        lambda _, __: "a.b.c",
        lambda _, __: "",
        lambda token, _: f"{token}.x.y",
    ],
)
def test_a_token_that_the_provider_has_not_signed_is_refused(
    trip: Trip, bend_token: Callable[[str, Provider], str]
) -> None:
    trip.provider.bend_token = bend_token
    assert trip.is_refused().startswith("token: ")


def test_keys_that_rotated_are_read_anew(trip: Trip) -> None:
    trip.go()
    trip.provider.rotate()
    assert trip.is_refused() == "token: key", "asked for within the minute"
    trip.clock.now += 60
    assert trip.go().subject == "248289761001"


def test_made_up_key_ids_do_not_make_us_ask_each_time(trip: Trip) -> None:
    trip.go()
    trip.provider.bend_token = bent.sign_with_unknown_key
    trip.clock.now += 60
    trip.provider.asked.clear()
    for _ in range(5):
        trip.is_refused()
    assert trip.provider.asked.count("/jwks") == 1


def test_a_token_without_a_key_id_needs_a_single_key(trip: Trip) -> None:
    trip.provider.bend_token = lambda token, provider: provider.sign(
        bent.read_claims(token), kid=None
    )
    assert trip.go().subject == "248289761001"
    other = Provider(trip.clock, algorithm=trip.provider.algorithm).key
    trip.provider.extra_keys = [other.as_dict(private=False)]
    trip.ours = trip.make()
    assert trip.is_refused() == "token: key"


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("code=c&state=another", "state"),
        ("code=c", "state"),
        ("code=c&state={state}&iss=https://evil.example", "issuer"),
        ("error=access_denied&state={state}", "denied"),
        ("state={state}", "denied"),
        ("code=made-up&state={state}", "exchange"),
    ],
)
def test_an_answer_to_another_question_is_refused(trip: Trip, query: str, reason: str) -> None:
    _, question = trip.ours.begin()
    with pytest.raises(IdentityRefused) as caught:
        trip.come_back(question, query.format(state=question.state))
    assert caught.value.reason == reason


def test_the_provider_may_name_itself_in_the_answer(trip: Trip) -> None:
    address, question = trip.ours.begin()
    query = f"{trip.provider.approve(address)}&iss={trip.provider.issuer}"
    assert trip.come_back(question, query).subject == "248289761001"


def test_a_code_caught_on_the_way_is_useless_without_the_verifier(trip: Trip) -> None:
    address, question = trip.ours.begin()
    query = trip.provider.approve(address)
    with pytest.raises(IdentityRefused) as caught:
        trip.come_back(replace(question, verifier="guessed"), query)
    assert caught.value.reason == "exchange"


@pytest.mark.parametrize(
    ("methods", "secret", "accepted"),
    [
        (None, CLIENT_SECRET, True),
        (["client_secret_basic", "client_secret_post"], CLIENT_SECRET, True),
        (["client_secret_post"], CLIENT_SECRET, True),
        (None, "another", False),
        (["client_secret_post"], "another", False),
    ],
)
def test_we_show_our_secret_as_the_provider_wants_it(
    trip: Trip, methods: list[str] | None, secret: str, accepted: bool
) -> None:
    trip.provider.document = {"token_endpoint_auth_methods_supported": methods}
    trip.ours = trip.make(client_secret=secret)
    if accepted:
        assert trip.go().subject == "248289761001"
    else:
        assert trip.is_refused() == "exchange"


@pytest.mark.parametrize(
    ("ago", "accepted"),
    [(0, True), (599, True), (601, False), (-600, False), (None, False)],
)
def test_showing_again_who_one_is_must_be_fresh(
    trip: Trip, ago: int | None, accepted: bool
) -> None:
    trip.provider.claims = {"auth_time": None if ago is None else int(trip.clock.now) - ago}
    address, question = trip.ours.begin(fresh=True)
    asked = parse_qs(urlsplit(address).query)
    assert (asked["prompt"], asked["max_age"]) == (["login"], ["0"])
    query = trip.provider.approve(address)
    if accepted:
        trip.come_back(question, query)
    else:
        with pytest.raises(IdentityRefused):
            trip.come_back(question, query)


@pytest.mark.parametrize(
    "document",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"token_endpoint": None},
        {"token_endpoint": 7},
        {"token_endpoint": "http://law.example/token"},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": "https://127.0.0.2/keys"},
        {"jwks_uri": "https://localhost/keys"},
        {"token_endpoint": "https://10.0.0.1/token"},
        {"token_endpoint": "https://169.254.169.254/latest/meta-data"},
        {"token_endpoint": "https://[::1]/token"},
        {"token_endpoint": "https://[::ffff:10.0.0.1]/token"},
        {"token_endpoint": "https://user@law.example/token"},
        {"authorization_endpoint": "javascript:alert(1)"},
    ],
    ids=str,
)
def test_a_discovery_document_that_leads_elsewhere_is_refused(
    trip: Trip, document: dict[str, object]
) -> None:
    trip.provider.document = document
    with pytest.raises(SourceError):
        trip.ours.begin()


@pytest.mark.parametrize("path", ["/elsewhere", "/endless", "/list", "/missing"])
def test_redirects_floods_and_other_answers_are_not_read(trip: Trip, path: str) -> None:
    trip.provider.document = {"jwks_uri": trip.provider.address + path}
    with pytest.raises(SourceError):
        trip.go()
    assert "/jwks" not in trip.provider.asked[-1]


@pytest.mark.parametrize(
    "address", ["https://[", "https://x:99999/", "https://[fec0::1]/", "https://\0/", "", None, 7]
)
def test_addresses_that_cannot_be_read_are_refused(address: object) -> None:
    with pytest.raises(SourceError):
        ProviderDocuments("https://id.firm.example").check(address)


def test_plain_http_is_for_this_machine_alone() -> None:
    for issuer in ("http://law.example", "http://10.0.0.1", "http://127.0.0.1.law.example"):
        with pytest.raises(SourceError):
            ProviderDocuments(issuer).get(issuer)


def test_a_provider_that_does_not_answer_is_a_problem_that_can_be_named(clock: Clock) -> None:
    ours = IdentityProvider("http://127.0.0.1:9", CLIENT_ID, None, BACK, clock)
    with pytest.raises(SourceError, match=r"127\.0\.0\.1"):
        ours.begin()


def test_a_provider_that_does_not_answer_is_left_alone_for_a_moment(trip: Trip) -> None:
    trip.provider.document = {"issuer": "https://elsewhere.example"}
    trip.provider.asked.clear()
    for _ in range(20):
        with pytest.raises(SourceError, match="another issuer"):
            trip.ours.begin()
    assert len(trip.provider.asked) == 1
    trip.provider.document = {}
    trip.clock.now += 6
    trip.go()


def test_a_document_is_asked_for_by_one_at_a_time(trip: Trip) -> None:
    trip.provider.asked.clear()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: trip.ours.begin(), range(8)))
    assert len(trip.provider.asked) == 1


def test_the_document_is_read_once_an_hour(trip: Trip) -> None:
    trip.provider.asked.clear()
    for _ in range(3):
        trip.go()
    document = "/realms/firm/.well-known/openid-configuration"
    assert trip.provider.asked.count(document) == 1
    trip.clock.now += 3601
    trip.go()
    assert trip.provider.asked.count(document) == 2


# Whose account it is


@dataclass
class Firm:
    store: AccountsStore
    clock: Clock

    def __post_init__(self) -> None:
        self.people = People(self.store, self.clock, Passwords(CHEAPEST))
        self.identities = Identities(self.store, None, self.clock)
        link = self.people.create_first_admin_link()
        self.admin = self.people.accept(link, "Ann Admin", GOOD, "ann@kanzlei.example")

    def sign_in(self, proven: ProvenIdentity, **how: object) -> User:
        return self.identities.sign_in(proven, **how).user  # type: ignore[arg-type]

    def is_refused(self, proven: ProvenIdentity, **how: object) -> str:
        with pytest.raises(IdentityRefused) as caught:
            self.sign_in(proven, **how)
        return caught.value.reason


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def firm(tmp_path: Path, database: Database, clock: Clock) -> Iterator[Firm]:
    store = database.open(tmp_path)
    yield Firm(store, clock)
    store.close()


EVA = ProvenIdentity(
    "https://id.example", "1", "Eva@Kanzlei.example", is_email_verified=True, name="Eva Beck"
)
UNVERIFIED = replace(EVA, is_email_verified=False)


def test_nobody_comes_in_uninvited(firm: Firm) -> None:
    assert firm.is_refused(EVA) == "unknown"
    assert len(firm.people.list()) == 1


def test_an_invitation_lets_its_verified_address_in_once(firm: Firm) -> None:
    secret = firm.people.invite("eva@kanzlei.example", "admin", firm.admin.id)
    joined = firm.sign_in(EVA)
    assert (joined.email, joined.name, joined.role) == ("eva@kanzlei.example", "Eva Beck", "admin")
    assert not joined.has_password
    assert firm.people.find_link(secret) is None
    assert firm.sign_in(EVA).id == joined.id


def test_an_unverified_address_is_not_the_one_invited(firm: Firm) -> None:
    firm.people.invite("eva@kanzlei.example")
    assert firm.is_refused(UNVERIFIED) == "unknown"


def test_whoever_holds_the_invitation_itself_needs_no_verified_address(firm: Firm) -> None:
    secret = firm.people.invite("eva@kanzlei.example", "member", firm.admin.id)
    stranger = replace(UNVERIFIED, email="eva.beck@private.example")
    joined = firm.sign_in(stranger, link=hash_secret(secret))
    assert joined.email == "eva@kanzlei.example", "the account is the invited address's"
    other = replace(EVA, subject="2")
    assert firm.is_refused(other, link=hash_secret(secret)) == "taken", "the link is used up"


def test_of_two_who_use_one_link_at_once_one_is_let_in(
    tmp_path: Path, postgres: PostgresServer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On PostgreSQL both find the link unused; SQLite has one writer at a time anyway."""
    store = postgres.create().open(tmp_path)
    first, second = Identities(store, None, clock), Identities(store, None, clock)
    digest = hash_secret(People(store, clock).create_first_admin_link())
    others = iter([UNVERIFIED])

    def find(connection: Connection, wanted: bytes, now: datetime) -> OneTimeLink | None:
        found = find_link(connection, wanted, now)
        for other in others:  # comes between finding the link and using it, once
            second.sign_in(other, link=digest)
        return found

    monkeypatch.setattr("fundstelle.accounts.people.identities.find_link", find)
    late = replace(UNVERIFIED, subject="2", email="max@kanzlei.example")
    with pytest.raises(IdentityRefused) as caught:
        first.sign_in(late, link=digest)
    assert caught.value.reason == "unknown"
    assert [one.email for one in People(store).list()] == ["eva@kanzlei.example"]
    store.close()


@pytest.mark.parametrize("subject", ["1", "2"])
def test_an_account_that_was_sent_is_taken_over_once_by_those_who_come_at_once(
    tmp_path: Path,
    postgres: PostgresServer,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    subject: str,
) -> None:
    """By one identity; who sends its answer twice is let in twice."""
    store = postgres.create().open(tmp_path)
    sent = People(store, clock).provision("eva@kanzlei.example", "Eva Beck")
    first, second = Identities(store, None, clock), Identities(store, None, clock)
    others = iter([replace(EVA, subject=subject)])
    module = "fundstelle.accounts.people.identities"

    def find(connection: Connection, proven: ProvenIdentity) -> str | None:
        found = _find_provisioned(connection, proven)
        for other in others:  # comes between finding the account and locking it, once
            second.sign_in(other)
        return found

    monkeypatch.setattr(f"{module}._find_provisioned", find)
    if subject == EVA.subject:
        assert first.sign_in(EVA).user.id == sent.id
    else:
        with pytest.raises(IdentityRefused) as caught:
            first.sign_in(EVA)
        assert caught.value.reason == "taken"
    assert [one.subject for one in first.list(sent.id)] == [subject]
    store.close()


def test_an_identity_that_two_connect_at_once_is_one_persons(
    tmp_path: Path, postgres: PostgresServer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = postgres.create().open(tmp_path)
    firm = Firm(store, clock)
    eva = firm.people.provision("eva@kanzlei.example", "Eva Beck")
    others = iter([eva.id])

    def find(connection: Connection, proven: ProvenIdentity) -> User | None:
        found = _find_owner(connection, proven)
        for other in others:
            firm.identities.connect(other, EVA)
        return found

    monkeypatch.setattr("fundstelle.accounts.people.identities._find_owner", find)
    with pytest.raises(InvalidArgument, match="another account"):
        firm.identities.connect(firm.admin.id, EVA)
    store.close()


def test_a_password_link_lets_nobody_in_by_the_provider(firm: Firm) -> None:
    secret = firm.people.create_password_link(firm.admin.id)
    assert firm.is_refused(EVA, link=hash_secret(secret)) == "unknown"


def test_rules_may_let_everybody_in_whom_the_provider_knows(firm: Firm) -> None:
    joined = firm.sign_in(UNVERIFIED, may_join=True)
    assert joined.role == "member"
    nameless = replace(EVA, subject="2", email="")
    assert firm.is_refused(nameless, may_join=True) == "email"


@pytest.mark.parametrize("may_join", [True, False])
def test_the_address_of_an_account_is_not_the_way_into_it(firm: Firm, may_join: bool) -> None:
    proven = replace(EVA, email=firm.admin.email)
    assert firm.is_refused(proven, may_join=may_join) == "taken"


@pytest.mark.parametrize("email", ["chef@kanzlei.example", "niemand@kanzlei.example"])
def test_who_only_claims_an_address_is_not_told_whether_it_has_an_account(
    firm: Firm, email: str
) -> None:
    if email.startswith("chef"):
        email = firm.admin.email
    assert firm.is_refused(replace(UNVERIFIED, email=email)) == "unknown"


def test_the_same_subject_at_another_provider_is_somebody_else(firm: Firm) -> None:
    firm.people.invite("eva@kanzlei.example")
    firm.sign_in(EVA)
    assert firm.is_refused(replace(EVA, issuer="https://other.example")) == "taken"


def test_a_new_address_at_the_provider_changes_nothing_here(firm: Firm) -> None:
    firm.people.invite("eva@kanzlei.example")
    joined = firm.sign_in(EVA)
    moved = firm.sign_in(replace(EVA, email=firm.admin.email, name="Other"))
    assert (moved.id, moved.email, moved.name) == (joined.id, joined.email, joined.name)


def test_somebody_disabled_stays_out(firm: Firm) -> None:
    firm.people.invite("eva@kanzlei.example")
    joined = firm.sign_in(EVA)
    firm.people.disable(joined.id)
    assert firm.is_refused(EVA) == "disabled"


def test_an_account_can_be_connected_and_disconnected(firm: Firm) -> None:
    firm.identities.connect(firm.admin.id, EVA)
    firm.identities.connect(firm.admin.id, EVA)
    assert firm.sign_in(EVA).id == firm.admin.id
    [identity] = firm.identities.list(firm.admin.id)
    firm.identities.disconnect(firm.admin.id, identity.issuer, identity.subject)
    assert firm.is_refused(EVA) == "unknown"


def test_an_identity_belongs_to_one_account(firm: Firm) -> None:
    firm.people.invite("eva@kanzlei.example")
    joined = firm.sign_in(EVA)
    with pytest.raises(InvalidArgument):
        firm.identities.connect(firm.admin.id, EVA)
    firm.identities.disconnect(firm.admin.id, EVA.issuer, EVA.subject)
    assert firm.sign_in(EVA).id == joined.id, "nobody disconnects another's"


def test_the_only_way_in_is_not_given_up(firm: Firm) -> None:
    firm.people.invite("eva@kanzlei.example")
    joined = firm.sign_in(EVA)
    with pytest.raises(InvalidArgument):
        firm.identities.disconnect(joined.id, EVA.issuer, EVA.subject)
    firm.people.set_password(joined.id, GOOD)
    firm.identities.disconnect(joined.id, EVA.issuer, EVA.subject)


@pytest.mark.parametrize(("name", "kept"), [("", "eva"), ("a\nb", "a b"), ("x" * 300, "x" * 100)])
def test_a_name_that_cannot_be_shown_is_replaced(firm: Firm, name: str, kept: str) -> None:
    firm.people.invite("eva@kanzlei.example")
    assert firm.sign_in(replace(EVA, name=name)).name == kept
