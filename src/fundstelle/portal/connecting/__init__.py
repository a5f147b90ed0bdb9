"""How a client is connected: one tab a client, with what it really reads."""
