"""Why there is nothing: misses with their evidence."""
