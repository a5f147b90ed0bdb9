"""How often all that a person had begun has been ended is counted."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody is signed out by it."""
    op.add_column("users", sa.Column("endings", sa.Integer(), nullable=False, server_default="0"))
