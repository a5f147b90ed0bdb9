"""Search engines behind ``search.index``."""
