"""Which text applied on which day, and how that is known."""
