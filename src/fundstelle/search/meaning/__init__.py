"""Meaning: vectors of norms, how they are kept, and what lies near a question."""
