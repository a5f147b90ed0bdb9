"""Alembic's environment: how the accounts database grew."""
