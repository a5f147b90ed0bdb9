"""Who cites what: lists of citing decisions and how they are counted."""
