"""A key may be for some tools or networks alone."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Keys that there are go on as they are: for everything, from anywhere."""
    op.add_column("api_keys", sa.Column("reach", sa.JSON(none_as_null=True)))
