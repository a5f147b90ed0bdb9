"""Which text of which day is meant, and what is known of the days of each."""
