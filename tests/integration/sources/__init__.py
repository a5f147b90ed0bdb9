"""Each publisher's documents: fetched, read, and nothing of them lost."""
