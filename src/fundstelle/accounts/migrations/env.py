"""Run by Alembic. The store hands over its open connection; there is no offline mode."""

from alembic import context

from fundstelle.accounts.database import schema_oauth, schema_people, schema_records
from fundstelle.accounts.database.schema import metadata

ALL = (schema_people, schema_oauth, schema_records)  # imported, so that metadata knows them

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot alter most things in place
    transaction_per_migration=False,
)
context.run_migrations()
