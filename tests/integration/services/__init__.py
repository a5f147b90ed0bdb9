"""Servers that tests start on loopback: databases, publishers, identity providers."""
