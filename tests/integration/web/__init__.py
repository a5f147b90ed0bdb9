"""A server process: its connections, its parts, and the swap of its builds."""
