"""Counters of failures hold how many attempts had to wait, and whose account they were for."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Begin anew: what is counted for has other names now."""
    op.execute("DELETE FROM throttles")
    with op.batch_alter_table("throttles") as table:
        table.add_column(sa.Column("refused", sa.Integer(), nullable=False))
        table.add_column(sa.Column("about", sa.String(40), nullable=False))
