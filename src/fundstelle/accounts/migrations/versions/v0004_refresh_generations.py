"""Refresh tokens know how many uses of their grant lie before them."""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_tokens = sa.table(
    "refresh_tokens",
    sa.column("digest", sa.LargeBinary()),
    sa.column("previous", sa.LargeBinary()),
    sa.column("generation", sa.Integer()),
)


def upgrade() -> None:
    """Count each token's place from the first one of its grant that is still there."""
    with op.batch_alter_table("refresh_tokens") as table:
        table.add_column(sa.Column("generation", sa.Integer(), nullable=False, server_default="0"))
        table.drop_index("ix_refresh_tokens_grant_id")
        table.create_index("ix_refresh_tokens_grant_id", ["grant_id", "generation"])
    connection = op.get_bind()
    rows = connection.execute(sa.select(_tokens.c.digest, _tokens.c.previous)).all()
    for digest, generation in _count({bytes(one): previous for one, previous in rows}):
        connection.execute(
            sa.update(_tokens).where(_tokens.c.digest == digest).values(generation=generation)
        )
    with op.batch_alter_table("refresh_tokens") as table:
        table.alter_column("generation", server_default=None)


def _count(previous: dict[bytes, bytes | None]) -> Iterator[tuple[bytes, int]]:
    """Every token that follows another, with its place."""
    places: dict[bytes, int] = {}
    for token in previous:
        way = []
        at: bytes | None = token
        while at is not None and at in previous and at not in places:
            way.append(at)
            before = previous[at]
            at = None if before is None else bytes(before)
        place = places.get(at, -1) if at is not None else -1
        for one in reversed(way):
            place += 1
            places[one] = place
    return ((token, place) for token, place in places.items() if place)
