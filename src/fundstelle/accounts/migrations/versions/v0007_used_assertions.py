"""Assertions of clients that were taken, so that no process takes them again."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "used_assertions",
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("client", sa.LargeBinary(32), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_used_assertions"),
    )
    op.create_index("ix_used_assertions_client", "used_assertions", ["client"])
    op.create_index("ix_used_assertions_expires", "used_assertions", ["expires"])
