"""Clients of the authorization server: registered by themselves (RFC 7591) or by an admin."""

import hmac
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import RowMapping, func, insert, not_, or_, select, update

from fundstelle.accounts.database.locks import change_all, clear
from fundstelle.accounts.database.schema_oauth import clients, grants
from fundstelle.accounts.database.schema_people import NAME_CHARS
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.format import random_text
from fundstelle.accounts.names import check_name
from fundstelle.accounts.oauth.redirect_uris import PRIVATE_SCHEMES, check_redirect_uris
from fundstelle.accounts.secrets import create_secret, hash_secret
from fundstelle.errors import InvalidArgument, NotFound

REGISTERED = "registered"
CONFIDENTIAL = "confidential"
DOCUMENT = "document"  # has no row: its client id is the address of its metadata

SECRET_METHODS = ("client_secret_basic", "client_secret_post")
UNUSED_FOR = timedelta(hours=24)  # a registration without a grant
IDLE_FOR = timedelta(days=90)
MOST_UNUSED = 5_000  # registrations without a grant; the oldest give way to new ones


@dataclass(frozen=True, slots=True)
class Client:
    """A client. ``auth_methods`` holds every way in which it may show who it is."""

    id: str
    kind: str
    name: str
    redirect_uris: tuple[str, ...]
    auth_methods: tuple[str, ...]
    document: Mapping[str, Any]
    created: datetime | None = None
    last_used: datetime | None = None
    revoked: datetime | None = None

    @property
    def may_refresh(self) -> bool:
        """Whether it wants refresh tokens; one that names no grant types does."""
        return "refresh_token" in self.document.get("grant_types", ("refresh_token",))


class Clients:
    """The clients of this server that have a row.

    Args:
        store: the accounts database.
        clock: seconds since the epoch.
        private_schemes: that programs may register redirect addresses with.
        most_unused: registrations kept that nobody has allowed anything.
    """

    def __init__(
        self,
        store: AccountsStore,
        clock: Callable[[], float] = time.time,
        private_schemes: Collection[str] = PRIVATE_SCHEMES,
        most_unused: int = MOST_UNUSED,
    ) -> None:
        self._store = store
        self._clock = clock
        self._most_unused = most_unused
        self._schemes = frozenset(private_schemes)

    def register(
        self,
        name: str,
        redirect_uris: Sequence[object],
        auth_method: str,
        document: Mapping[str, Any],
    ) -> tuple[Client, str | None]:
        """A client that registers itself, and its secret if it authenticates by one.

        Raises:
            InvalidArgument: a redirect address cannot be used, or there is none.
        """
        if not redirect_uris:
            raise InvalidArgument("a client needs a redirect address", field="redirect_uris")
        uris = check_redirect_uris(redirect_uris, self._schemes)
        self._make_room()
        return self._insert(REGISTERED, name[:NAME_CHARS], uris, auth_method, document)

    def create_confidential(self, name: str, redirect_uris: Sequence[str]) -> tuple[str, str]:
        """A client that an admin makes: its id and its secret.

        It may have no redirect address yet: some platforms show theirs only after the first save.

        Raises:
            InvalidArgument: the name or a redirect address cannot be used.
        """
        name = check_name(name, "Copilot Studio, Kanzlei")
        uris = check_redirect_uris(redirect_uris, self._schemes)
        client, secret = self._insert(CONFIDENTIAL, name, uris, SECRET_METHODS[0], {})
        assert secret is not None
        return client.id, secret

    def find(self, client_id: str) -> Client | None:
        """The live client of this id."""
        query = select(clients).where(clients.c.id == client_id, clients.c.revoked.is_(None))
        with self._store.read() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else _read(row)

    def has_secret(self, client_id: str, secret: str) -> bool:
        """Whether this is the secret of a live client."""
        query = select(clients.c.secret_digest).where(
            clients.c.id == client_id, clients.c.revoked.is_(None)
        )
        with self._store.read() as connection:
            digest: bytes | None = connection.execute(query).scalar()
        return hmac.compare_digest(digest or bytes(32), hash_secret(secret)) and digest is not None

    def list(self, most: int | None = None) -> tuple[Client, ...]:
        """All clients, the newest first, revoked ones included.

        Args:
            most: of those that registered themselves; ``None`` = all.
        """
        query = select(clients).order_by(clients.c.created.desc(), clients.c.id)
        if most is not None:
            is_ours = clients.c.kind == CONFIDENTIAL
            newest = select(clients.c.id).where(not_(is_ours))
            newest = newest.order_by(clients.c.created.desc(), clients.c.id).limit(most)
            query = query.where(or_(is_ours, clients.c.id.in_(newest)))
        with self._store.read() as connection:
            return tuple(_read(row) for row in connection.execute(query).mappings())

    def set_redirects(self, client_id: str, redirect_uris: Sequence[str]) -> None:
        """New redirect addresses of a confidential client.

        Raises:
            InvalidArgument: one cannot be used.
            NotFound: there is no such confidential client.
        """
        uris = check_redirect_uris(redirect_uris, self._schemes)
        self._change(client_id, CONFIDENTIAL, redirect_uris=list(uris))

    def revoke(self, client_id: str) -> None:
        """End a client; its grants are ended by ``Grants.revoke_all``.

        Raises:
            NotFound: there is no such live client.
        """
        self._change(client_id, None, revoked=self._now())

    def note_use(self, client_id: str) -> None:
        """Remember that tokens were given to it."""
        with self._store.write(may_be_lost=True) as connection:
            connection.execute(
                update(clients).where(clients.c.id == client_id).values(last_used=self._now())
            )

    def sweep(self) -> int:
        """Delete registrations that nobody uses; how many there were."""
        now = self._now()
        with_grant = select(grants.c.client_id)
        unused = (clients.c.created < now - UNUSED_FOR) & clients.c.id.not_in(with_grant)
        idle = (clients.c.created < now - IDLE_FOR) & or_(
            clients.c.last_used.is_(None), clients.c.last_used < now - IDLE_FOR
        )
        with self._store.write(may_be_lost=True) as connection:
            return clear(connection, clients, clients.c.kind == REGISTERED, unused | idle)

    def _make_room(self) -> None:
        """Bound what strangers write, without refusing one for the sake of others."""
        is_unused = (clients.c.kind == REGISTERED) & clients.c.id.not_in(select(grants.c.client_id))
        with self._store.write(may_be_lost=True) as connection:
            # All registrations first: that is an index, and mostly enough to know.
            count = select(func.count()).select_from(clients)
            if connection.execute(count).scalar_one() < self._most_unused:
                return
            rows = connection.execute(count.where(is_unused)).scalar_one()
            if rows >= self._most_unused:
                surplus = rows - self._most_unused + 1
                clear(connection, clients, is_unused, oldest=[clients.c.created], most=surplus)

    def _insert(
        self,
        kind: str,
        name: str,
        uris: tuple[str, ...],
        auth_method: str,
        document: Mapping[str, Any],
    ) -> tuple[Client, str | None]:
        secret = create_secret() if auth_method in SECRET_METHODS else None
        client = Client(
            id=f"client_{random_text(24)}",
            kind=kind,
            name=name,
            redirect_uris=uris,
            auth_methods=_list_methods(auth_method),
            document=document,
            created=self._now(),
        )
        with self._store.write() as connection:
            connection.execute(
                insert(clients).values(
                    id=client.id,
                    kind=kind,
                    name=name,
                    redirect_uris=list(uris),
                    auth_method=auth_method,
                    secret_digest=None if secret is None else hash_secret(secret),
                    document=dict(document),
                    created=client.created,
                )
            )
        return client, secret

    def _change(self, client_id: str, kind: str | None, **values: object) -> None:
        live = (clients.c.id == client_id) & clients.c.revoked.is_(None)
        if kind is not None:
            live &= clients.c.kind == kind
        with self._store.write() as connection:
            changed = change_all(connection, clients, live, **values)
        if not changed:
            raise NotFound("there is no such client")

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _list_methods(method: str) -> tuple[str, ...]:
    """Libraries mix the two places of a secret up, and both are equally good."""
    return SECRET_METHODS if method in SECRET_METHODS else (method,)


def _read(row: RowMapping) -> Client:
    return Client(
        id=row["id"],
        kind=row["kind"],
        name=row["name"],
        redirect_uris=tuple(row["redirect_uris"]),
        auth_methods=_list_methods(row["auth_method"]),
        document=row["document"],
        created=row["created"],
        last_used=row["last_used"],
        revoked=row["revoked"],
    )
