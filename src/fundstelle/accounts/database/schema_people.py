"""The tables of people: how they sign in, what they have open, who was invited.

Secrets are stored as hashes (links, sessions), slow hashes (passwords) or sealed (TOTP).
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    false,
)

from fundstelle.accounts.database.schema import Instant, metadata

ID_CHARS = 40
NAME_CHARS = 100
EMAIL_CHARS = 254

users = Table(
    "users",
    metadata,
    Column("id", String(ID_CHARS), primary_key=True),
    Column("email", String(EMAIL_CHARS), nullable=False),  # lower case
    Column("name", String(NAME_CHARS), nullable=False),
    Column("role", String(10), nullable=False),  # admin, member
    Column("password", Text),  # argon2's own encoding; NULL = signs in elsewhere
    Column("totp_secret", Text),  # sealed; NULL = none
    Column("totp_step", Integer),  # the last time step accepted
    Column("language", String(2)),  # de, en; NULL = as the browser asks
    Column("created", Instant, nullable=False),
    Column("last_sign_in", Instant),
    Column("disabled", Instant),
    Column("rate_per_minute", Integer),  # of the seat; NULL = the server's default, 0 = unlimited
    Column("calls_per_month", Integer),  # of the seat; the same
    # counts what ends all that was begun: sessions ended, a passkey or identity removed
    Column("endings", Integer, nullable=False, server_default="0"),
    # by open sign-up, with an address that nobody has proven: to the directory as if not there
    Column("self_made", Boolean, nullable=False, server_default=false()),
    Index(None, "email", unique=True),
)

# One-time links: the first admin's, invitations, new passwords.
links = Table(
    "links",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("purpose", String(20), nullable=False),  # first_admin, invitation, password
    Column("email", String(EMAIL_CHARS)),
    Column("role", String(10)),
    # whose password, or who invited
    Column("user_id", String(ID_CHARS), ForeignKey("users.id", ondelete="CASCADE")),
    Column("created", Instant, nullable=False),
    Column("expires", Instant, nullable=False),
    Column("used", Instant),
    Column("made_by", String(ID_CHARS)),  # the admin without whom it ends; NULL = command line
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),  # SHA-256 of the cookie's value
    Column("id", String(ID_CHARS), nullable=False),  # for people to end it by
    Column("user_id", String(ID_CHARS), ForeignKey("users.id", ondelete="CASCADE")),
    Column("data", JSON, nullable=False),  # small things on the way: a pending second factor
    Column("agent", String(NAME_CHARS), nullable=False),  # "Firefox, Windows"
    Column("created", Instant, nullable=False),
    Column("seen", Instant, nullable=False),
    Column("confirmed", Instant),  # when who they are was last shown
    Index(None, "user_id"),
    Index(None, "id", unique=True),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", LargeBinary(1023), primary_key=True),  # the credential id
    Column("user_id", String(ID_CHARS), ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(NAME_CHARS), nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("created", Instant, nullable=False),
    Column("last_used", Instant),
    Index(None, "user_id"),
)

# Each good once in the place of a second factor; a used one has no row any more.
recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),  # HMAC-SHA-256(pepper, person and code)
    Column("user_id", String(ID_CHARS), ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Index(None, "user_id"),
)

# Who a person is at the firm's identity provider: issuer and subject, never the address alone.
identities = Table(
    "identities",
    metadata,
    Column("issuer", String(200), primary_key=True),
    Column("subject", String(255), primary_key=True),
    Column("user_id", String(ID_CHARS), ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("created", Instant, nullable=False),
    Index(None, "user_id"),
)

# Failures within a window, by what they are counted for: an account, an address, everything.
throttles = Table(
    "throttles",
    metadata,
    Column("name", String(120), primary_key=True),  # "sign-in:pair:…", a keyed hash, no address
    Column("count", Integer, nullable=False),
    Column("since", Instant, nullable=False),
    Column("blocked_until", Instant),
    Column("refused", Integer, nullable=False),  # attempts that had to wait, not yet reported
    Column("about", String(ID_CHARS), nullable=False),  # the user id they were for, or empty
)

# What an admin may change while the server runs.
policies = Table(
    "policies",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", JSON, nullable=False),
    Column("is_secret", Boolean, nullable=False),
)
