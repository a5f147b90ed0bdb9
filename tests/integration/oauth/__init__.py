"""The authorization server over HTTP, on a real database."""
