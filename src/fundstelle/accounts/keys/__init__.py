"""API keys: their form, their records, and the live ones in memory."""
