"""The tables of what happened: the chained audit log and the calls of each day."""

from sqlalchemy import JSON, BigInteger, Column, Date, Index, Integer, String, Table

from fundstelle.accounts.database.schema import Instant, metadata
from fundstelle.accounts.database.schema_people import ID_CHARS

# Append-only. Each line's hash covers its content and the hash of the line before.
audit = Table(
    "audit",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),  # 0, 1, 2 …
    Column("time", Instant, nullable=False),
    Column("event", String(40), nullable=False),
    Column("actor", String(ID_CHARS), nullable=False),  # user, key or grant id; "system"
    Column("object", String(500), nullable=False),  # the id of what it was done to
    Column("request", String(ID_CHARS), nullable=False),
    Column("details", JSON, nullable=False),  # ids, names of things; never a question or a secret
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    Index(None, "time"),
    Index(None, "event", "number"),  # nearly all lines are calls: the others are found among them
)

# One row: the newest line and the oldest. Every writer locks it first, which puts them in an order.
audit_head = Table(
    "audit_head",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("number", BigInteger, nullable=False),
    Column("hash", String(64), nullable=False),
    Column("seal", String(64), nullable=False),  # HMAC of both ends under the pepper
    # the oldest line that is kept, and what it follows: older ones were removed by retention
    Column("first", BigInteger, nullable=False, server_default="1"),
    Column("before", String(64), nullable=False, server_default="0" * 64),
)

usage = Table(
    "usage",
    metadata,
    Column("day", Date, primary_key=True),  # UTC
    Column("credential", String(ID_CHARS), primary_key=True),  # key or grant id
    Column("tool", String(64), primary_key=True),
    Column("seat", String(ID_CHARS), nullable=False),  # user id, or the key's own where it has none
    Column("calls", Integer, nullable=False),
    Index(None, "seat", "day"),
)
