"""The audit log knows both its ends: where it begins is sealed as well."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Logs that are there begin with line 1, as the first version wrote them."""
    zeros = "0" * 64
    op.add_column(
        "audit_head", sa.Column("first", sa.BigInteger(), nullable=False, server_default="1")
    )
    op.add_column(
        "audit_head", sa.Column("before", sa.String(64), nullable=False, server_default=zeros)
    )
