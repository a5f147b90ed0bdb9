"""Federal law as "Gesetze im Internet" publishes it. Begin with ``parse``."""
