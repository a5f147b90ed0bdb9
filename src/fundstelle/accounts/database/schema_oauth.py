"""The tables of the authorization server. Codes and tokens are stored as hashes alone."""

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text

from fundstelle.accounts.database.schema import Instant, metadata
from fundstelle.accounts.database.schema_people import ID_CHARS, NAME_CHARS

CLIENT_ID_CHARS = 500  # a client id may be an address
URI_CHARS = 2000
HOST_CHARS = 255

# Registered clients: by themselves (RFC 7591) or by an admin. Clients with a metadata document
# have no row.
clients = Table(
    "clients",
    metadata,
    Column("id", String(CLIENT_ID_CHARS), primary_key=True),
    Column("kind", String(20), nullable=False),  # registered, confidential
    Column("name", String(NAME_CHARS), nullable=False),
    Column("redirect_uris", JSON, nullable=False),
    Column("auth_method", String(30), nullable=False),
    Column("secret_digest", LargeBinary(32)),
    Column("document", JSON, nullable=False),  # what it said of itself
    Column("created", Instant, nullable=False),
    Column("last_used", Instant),
    Column("revoked", Instant),
)

# What a client has asked for, kept while the person signs in and decides.
authorizations = Table(
    "authorizations",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("client_id", String(CLIENT_ID_CHARS), nullable=False),
    Column("redirect_uri", String(URI_CHARS), nullable=False),
    Column("state", Text),
    Column("challenge", String(128), nullable=False),
    Column("scope", String(200), nullable=False),
    Column("resource", String(URI_CHARS), nullable=False),
    Column("created", Instant, nullable=False),
    Column("expires", Instant, nullable=False),
    Column("decided", Instant),
    Index(None, "expires"),
)

grants = Table(
    "grants",
    metadata,
    Column("id", String(ID_CHARS), primary_key=True),
    Column("user_id", String(ID_CHARS), ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("client_id", String(CLIENT_ID_CHARS), nullable=False),
    Column("client_name", String(NAME_CHARS), nullable=False),
    Column("host", String(HOST_CHARS), nullable=False),  # that vouches for the client
    Column("scope", String(200), nullable=False),
    Column("created", Instant, nullable=False),
    Column("last_used", Instant),
    Column("expires", Instant, nullable=False),  # the ceiling; no refresh goes beyond it
    Column("revoked", Instant),
    Column("reason", String(40)),  # person, admin, client, code_reuse, refresh_reuse
    Column("resource", String(URI_CHARS)),  # it was given for; none of an earlier version
    Index(None, "user_id"),
    Index(None, "client_id"),
)

codes = Table(
    "codes",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("grant_id", String(ID_CHARS), ForeignKey("grants.id", ondelete="CASCADE")),
    Column("client_id", String(CLIENT_ID_CHARS), nullable=False),
    Column("redirect_uri", String(URI_CHARS), nullable=False),
    Column("challenge", String(128), nullable=False),
    Column("resource", String(URI_CHARS), nullable=False),
    Column("created", Instant, nullable=False),
    Column("expires", Instant, nullable=False),
    Column("used", Instant),
    Index(None, "grant_id"),
    Index(None, "expires"),
)

refresh_tokens = Table(
    "refresh_tokens",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("grant_id", String(ID_CHARS), ForeignKey("grants.id", ondelete="CASCADE")),
    Column("previous", LargeBinary(32)),  # the one it came from
    Column("generation", Integer, nullable=False),  # uses before it; siblings share theirs
    Column("created", Instant, nullable=False),
    Column("expires", Instant, nullable=False),
    Column("used", Instant),
    Index(None, "grant_id", "generation"),
)

# Assertions by which clients have shown who they are (RFC 7523), until they expire.
used_assertions = Table(
    "used_assertions",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),  # of client and jti
    Column("client", LargeBinary(32), nullable=False),  # SHA-256 of the client id
    Column("expires", Instant, nullable=False),
    Index(None, "client"),
    Index(None, "expires"),
)

signing_keys = Table(
    "signing_keys",
    metadata,
    Column("kid", String(64), primary_key=True),  # RFC 7638 thumbprint
    Column("public", JSON, nullable=False),
    Column("private", Text, nullable=False),  # sealed
    Column("created", Instant, nullable=False),
    Column("active_from", Instant, nullable=False),
    Column("retired", Instant),  # no longer signs
    Column("gone", Instant),  # when it leaves the published set
)
