"""A grant remembers the address that it was given for."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Grants that there are go on as they are: for the first address, unless they name another."""
    op.add_column("grants", sa.Column("resource", sa.String(2000)))
