"""``fundstelle keys``, ``users``, ``audit``, ``signing-keys``: who may ask, and who did what."""
