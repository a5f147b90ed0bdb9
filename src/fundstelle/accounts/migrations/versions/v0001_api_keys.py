"""API keys."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the keys and the counter of their changes."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("displayed", sa.String(32), nullable=False),
        sa.Column("created", moment, nullable=False),
        sa.Column("last_used", moment),
        sa.Column("expires", moment),
        sa.Column("revoked", moment),
        sa.Column("rate_per_minute", sa.Integer()),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
    )
    op.create_index("ix_api_keys_digest", "api_keys", ["digest"], unique=True)
    op.create_index("ix_api_keys_revision", "api_keys", ["revision"])
    key_revision = op.create_table(
        "key_revision",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_key_revision"),
    )
    op.bulk_insert(key_revision, [{"id": 1, "revision": 0}])
