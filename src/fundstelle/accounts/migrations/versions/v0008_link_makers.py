"""One-time links know who made them, and end with their rights."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of invitations it is known; links for passwords are made anew if they are still wanted."""
    with op.batch_alter_table("links") as table:
        table.add_column(sa.Column("made_by", sa.String(40)))
    op.execute("DELETE FROM links WHERE purpose = 'password'")
    op.execute("UPDATE links SET made_by = user_id WHERE purpose = 'invitation'")
