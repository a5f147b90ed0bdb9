"""The tables of the accounts database, in the SQL that SQLite and PostgreSQL share.

Changes go through ``migrations``; a test compares what they build with what stands here. People
stand in ``schema_people``, the authorization server in ``schema_oauth``, the log in
``schema_records``.
"""

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    TypeDecorator,
)

HEAD = "0014"  # the newest migration

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
    }
)


class Instant(TypeDecorator[datetime]):
    """A moment, always in UTC; SQLite would forget the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To the database: in UTC."""
        del dialect
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """From the database: with its zone."""
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("digest", LargeBinary(32), nullable=False),  # HMAC-SHA-256(pepper, key)
    Column("name", String(100), nullable=False),
    Column("displayed", String(32), nullable=False),
    Column("created", Instant, nullable=False),
    Column("last_used", Instant),
    Column("expires", Instant),
    Column("revoked", Instant),
    Column("rate_per_minute", Integer),  # NULL = the server's default, 0 = unlimited
    Column("revision", BigInteger, nullable=False),  # of the change that last touched the row
    # NULL = a key of the server itself, made on the command line; it is its own seat
    Column("user_id", String(40), ForeignKey("users.id")),
    Column("client", String(40)),  # what it was made for: a tab of the Connect page
    Column("replaced_by", String(32)),  # the key that a rotation made in its place
    Column("reach", JSON(none_as_null=True)),  # ``Reach.dump``; NULL = all, from anywhere
    Index(None, "digest", unique=True),
    Index(None, "revision"),
    Index(None, "user_id"),
)

# One row. Every change of a key raises it in the same transaction, which also puts changes in an
# order: whoever has seen revision n has seen all changes up to n. By how much is chance: another
# copy of the database that goes its own way never comes to the same number.
key_revision = Table(
    "key_revision",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("revision", BigInteger, nullable=False),
)

# One row, whose number makes it the only one: a keyed hash of the pepper.
pepper_mark = Table(
    "pepper_mark",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("fingerprint", String(64), nullable=False),
)
