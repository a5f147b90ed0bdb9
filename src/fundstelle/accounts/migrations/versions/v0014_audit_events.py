"""Lines of some kinds are found without reading the whole log, which is nearly all calls."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """As the table has it; made within minutes, while the server does not serve yet."""
    op.create_index("ix_audit_event", "audit", ["event", "number"])
