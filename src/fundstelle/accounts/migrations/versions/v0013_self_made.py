"""Accounts that somebody has made for themselves are told from those that were asked for."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of accounts that there are nothing is known: they go on as they are."""
    op.add_column(
        "users", sa.Column("self_made", sa.Boolean(), nullable=False, server_default=sa.false())
    )
