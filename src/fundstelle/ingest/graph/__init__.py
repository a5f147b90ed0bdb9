"""Who cites what: references between norms, and what decisions cite."""
