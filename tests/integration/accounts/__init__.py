"""People, keys, sessions and quotas on a real database."""
