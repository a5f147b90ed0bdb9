"""Recovery codes take the place of a second factor that is lost."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Whoever has a second factor makes theirs on the account page."""
    op.create_table(
        "recovery_codes",
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("user_id", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_recovery_codes_user_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_recovery_codes"),
    )
    op.create_index("ix_recovery_codes_user_id", "recovery_codes", ["user_id"])
