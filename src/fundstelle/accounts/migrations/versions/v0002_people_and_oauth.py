"""People, the authorization server, the audit log and usage; keys belong to people."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables and let keys have an owner; keys that are there stay as they are."""
    _create_people()
    _create_oauth()
    _create_records()
    with op.batch_alter_table("api_keys") as table:
        table.add_column(sa.Column("user_id", sa.String(40)))
        table.add_column(sa.Column("client", sa.String(40)))
        table.add_column(sa.Column("replaced_by", sa.String(32)))
        table.create_foreign_key("fk_api_keys_user_id", "users", ["user_id"], ["id"])
        table.create_index("ix_api_keys_user_id", ["user_id"])


def _create_people() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("password", sa.Text()),
        sa.Column("totp_secret", sa.Text()),
        sa.Column("totp_step", sa.Integer()),
        sa.Column("language", sa.String(2)),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("last_sign_in", _MOMENT),
        sa.Column("disabled", _MOMENT),
        sa.Column("rate_per_minute", sa.Integer()),
        sa.Column("calls_per_month", sa.Integer()),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
    )
    op.create_index("ix_users_email", "users", ["email"], unique=True)
    op.create_table(
        "links",
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("purpose", sa.String(20), nullable=False),
        sa.Column("email", sa.String(254)),
        sa.Column("role", sa.String(10)),
        sa.Column(
            "user_id",
            sa.String(40),
            sa.ForeignKey("users.id", name="fk_links_user_id", ondelete="CASCADE"),
        ),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("expires", _MOMENT, nullable=False),
        sa.Column("used", _MOMENT),
        sa.PrimaryKeyConstraint("digest", name="pk_links"),
    )
    op.create_table(
        "sessions",
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column(
            "user_id",
            sa.String(40),
            sa.ForeignKey("users.id", name="fk_sessions_user_id", ondelete="CASCADE"),
        ),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("agent", sa.String(100), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("seen", _MOMENT, nullable=False),
        sa.Column("confirmed", _MOMENT),
        sa.PrimaryKeyConstraint("digest", name="pk_sessions"),
    )
    op.create_index("ix_sessions_id", "sessions", ["id"], unique=True)
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.LargeBinary(1023), nullable=False),
        sa.Column(
            "user_id",
            sa.String(40),
            sa.ForeignKey("users.id", name="fk_passkeys_user_id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("last_used", _MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
    )
    op.create_index("ix_passkeys_user_id", "passkeys", ["user_id"])
    op.create_table(
        "identities",
        sa.Column("issuer", sa.String(200), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column(
            "user_id",
            sa.String(40),
            sa.ForeignKey("users.id", name="fk_identities_user_id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("created", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject", name="pk_identities"),
    )
    op.create_index("ix_identities_user_id", "identities", ["user_id"])
    op.create_table(
        "throttles",
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("since", _MOMENT, nullable=False),
        sa.Column("blocked_until", _MOMENT),
        sa.PrimaryKeyConstraint("name", name="pk_throttles"),
    )
    op.create_table(
        "policies",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("is_secret", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_policies"),
    )


def _create_oauth() -> None:
    op.create_table(
        "clients",
        sa.Column("id", sa.String(500), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("redirect_uris", sa.JSON(), nullable=False),
        sa.Column("auth_method", sa.String(30), nullable=False),
        sa.Column("secret_digest", sa.LargeBinary(32)),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("last_used", _MOMENT),
        sa.Column("revoked", _MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_clients"),
    )
    op.create_table(
        "authorizations",
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("client_id", sa.String(500), nullable=False),
        sa.Column("redirect_uri", sa.String(2000), nullable=False),
        sa.Column("state", sa.Text()),
        sa.Column("challenge", sa.String(128), nullable=False),
        sa.Column("scope", sa.String(200), nullable=False),
        sa.Column("resource", sa.String(2000), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("expires", _MOMENT, nullable=False),
        sa.Column("decided", _MOMENT),
        sa.PrimaryKeyConstraint("digest", name="pk_authorizations"),
    )
    op.create_index("ix_authorizations_expires", "authorizations", ["expires"])
    op.create_table(
        "grants",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column(
            "user_id",
            sa.String(40),
            sa.ForeignKey("users.id", name="fk_grants_user_id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("client_id", sa.String(500), nullable=False),
        sa.Column("client_name", sa.String(100), nullable=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("scope", sa.String(200), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("last_used", _MOMENT),
        sa.Column("expires", _MOMENT, nullable=False),
        sa.Column("revoked", _MOMENT),
        sa.Column("reason", sa.String(40)),
        sa.PrimaryKeyConstraint("id", name="pk_grants"),
    )
    op.create_index("ix_grants_client_id", "grants", ["client_id"])
    op.create_index("ix_grants_user_id", "grants", ["user_id"])
    op.create_table(
        "codes",
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column(
            "grant_id",
            sa.String(40),
            sa.ForeignKey("grants.id", name="fk_codes_grant_id", ondelete="CASCADE"),
        ),
        sa.Column("client_id", sa.String(500), nullable=False),
        sa.Column("redirect_uri", sa.String(2000), nullable=False),
        sa.Column("challenge", sa.String(128), nullable=False),
        sa.Column("resource", sa.String(2000), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("expires", _MOMENT, nullable=False),
        sa.Column("used", _MOMENT),
        sa.PrimaryKeyConstraint("digest", name="pk_codes"),
    )
    op.create_index("ix_codes_expires", "codes", ["expires"])
    op.create_index("ix_codes_grant_id", "codes", ["grant_id"])
    op.create_table(
        "refresh_tokens",
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column(
            "grant_id",
            sa.String(40),
            sa.ForeignKey("grants.id", name="fk_refresh_tokens_grant_id", ondelete="CASCADE"),
        ),
        sa.Column("previous", sa.LargeBinary(32)),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("expires", _MOMENT, nullable=False),
        sa.Column("used", _MOMENT),
        sa.PrimaryKeyConstraint("digest", name="pk_refresh_tokens"),
    )
    op.create_index("ix_refresh_tokens_grant_id", "refresh_tokens", ["grant_id"])
    op.create_table(
        "signing_keys",
        sa.Column("kid", sa.String(64), nullable=False),
        sa.Column("public", sa.JSON(), nullable=False),
        sa.Column("private", sa.Text(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("active_from", _MOMENT, nullable=False),
        sa.Column("retired", _MOMENT),
        sa.Column("gone", _MOMENT),
        sa.PrimaryKeyConstraint("kid", name="pk_signing_keys"),
    )


def _create_records() -> None:
    op.create_table(
        "audit",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("time", _MOMENT, nullable=False),
        sa.Column("event", sa.String(40), nullable=False),
        sa.Column("actor", sa.String(40), nullable=False),
        sa.Column("object", sa.String(500), nullable=False),
        sa.Column("request", sa.String(40), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_audit"),
    )
    op.create_index("ix_audit_time", "audit", ["time"])
    head = op.create_table(
        "audit_head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_head"),
    )
    op.bulk_insert(head, [{"id": 1, "number": 0, "hash": "0" * 64, "seal": ""}])
    op.create_table(
        "usage",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("credential", sa.String(40), nullable=False),
        sa.Column("tool", sa.String(64), nullable=False),
        sa.Column("seat", sa.String(40), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("day", "credential", "tool", name="pk_usage"),
    )
    op.create_index("ix_usage_seat", "usage", ["seat", "day"])
