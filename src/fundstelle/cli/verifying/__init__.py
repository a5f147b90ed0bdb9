"""``fundstelle verify``: whether an answer says what its release holds."""
